"""`python -m benchmarks [NAME…]`: run all benchmarks, or those named, and print one table."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from benchmarks.rows import RESULTS, Row, markdown, print_table

ROOMS = ("startup", "speed", "agent", "demo", "library", "peers")
LONG = ("sessions",)  # minutes, and up to ten GiB: only where it is named


def main(arguments: list[str]) -> int:
    """Measure, print, and give 1 where a goal was missed."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks",
        description="Run all benchmarks but the long ones, or those named, and print a table. Exit 1: a goal missed.",
        epilog=_described(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="one of those below")
    names = parser.parse_args(arguments).names
    unknown = [name for name in names if name not in ROOMS + LONG]
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(ROOMS + LONG)}")
    RESULTS.mkdir(exist_ok=True)
    rows: list[Row] = []
    for name in names or ROOMS:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        rows.extend(import_module(f"benchmarks.{name}").measure())
    (RESULTS / "table.md").write_text(markdown(rows))
    return 0 if print_table(rows) else 1


def _described() -> str:
    """Each name with the first line of what its module says of itself."""
    told = {name: (import_module(f"benchmarks.{name}").__doc__ or "").partition("\n")[0] for name in ROOMS + LONG}
    return "\n".join(f"  {name:10}{text}{' (only where it is named)' * (name in LONG)}" for name, text in told.items())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
