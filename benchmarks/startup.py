"""How long until something answers: the command line, the import, a worker, a session."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks.rows import Row, middle_ms, process_ms


def measure() -> Iterator[Row]:
    """The figures of starting up."""
    nothing = process_ms([sys.executable, "-c", "pass"])
    yield Row("python -c pass", nothing, "ms", note="the floor: below this no process of Python can be")
    yield Row("codeact --help", process_ms([sys.executable, "-m", "codeact", "--help"]), "ms", 150)
    imported = process_ms([sys.executable, "-c", "import codeact"])
    yield Row("import codeact", max(0.0, imported - nothing), "ms", 50, "over the floor; names are imported when used")
    for name in ("Session", "Agent"):
        used = process_ms([sys.executable, "-c", f"from codeact import {name}"])
        yield Row(f"from codeact import {name}", used - nothing, "ms", note="over the floor")
    worker = process_ms([sys.executable, "-c", "import codeact.worker.main"])
    yield Row("what a worker imports", max(0.0, worker - nothing), "ms", note="over the floor; once for each policy")
    yield Row(
        "session, first of a process", _first_session(), "ms", 150, "start, 1+1, close; a process of its own each time"
    )
    yield Row("session, next ones", middle_ms(_one_session), "ms", note="the same, in a process that has had one")


def _one_session() -> None:
    from codeact import Session

    with Session() as session:
        if session.run("1 + 1").value != 2:
            raise AssertionError("a session that cannot add was measured")


COLD = """
import codeact.session, time
begun = time.perf_counter()
session = codeact.session.Session()
assert session.run("1 + 1").value == 2
print((time.perf_counter() - begun) * 1000)
session.close()
"""


def _first_session() -> float:
    import statistics
    import subprocess

    def once() -> float:
        ran = subprocess.run([sys.executable, "-c", COLD], check=True, capture_output=True, text=True)
        return float(ran.stdout)

    once()
    return statistics.median(once() for _ in range(7))
