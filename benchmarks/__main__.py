"""`python -m benchmarks [NAME…]`: run all benchmarks, or those named, and print one table."""

from __future__ import annotations

import sys
from importlib import import_module

from benchmarks.rows import RESULTS, Row, markdown, print_table

ROOMS = ("startup", "speed", "agent", "demo", "library", "peers")
LONG = ("sessions",)  # minutes, and up to ten GiB: only where it is named


def main(names: list[str]) -> int:
    """Measure, print, and give 1 where a goal was missed."""
    unknown = [name for name in names if name not in ROOMS + LONG]
    if unknown:
        print(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(ROOMS + LONG)}", file=sys.stderr)
        return 2
    RESULTS.mkdir(exist_ok=True)
    rows: list[Row] = []
    for name in names or ROOMS:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        rows.extend(import_module(f"benchmarks.{name}").measure())
    (RESULTS / "table.md").write_text(markdown(rows))
    return 0 if print_table(rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
