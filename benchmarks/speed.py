"""What checking and counting cost: CPU kernels in a session beside the same text in plain CPython, in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from benchmarks.kernels import KERNELS
from benchmarks.rows import Row

ROUNDS = 5


def measure() -> Iterator[Row]:
    """The ratio of each kernel, and their geometric mean."""
    from codeact import Limits, Session

    ratios = {}
    with Session(limits=Limits(operations=2_000_000_000, wall_seconds=120, checkpoints=0)) as session:
        for name, kernel in KERNELS.items():
            pairs = [
                (_session_seconds(session, kernel.source()), _plain_seconds(kernel.source())) for _ in range(ROUNDS)
            ]
            ratios[name] = min(ours for ours, _ in pairs) / min(plain for _, plain in pairs)
    yield Row(f"CPU, mean of {len(ratios)} kernels", statistics.geometric_mean(ratios.values()), "x CPython", 1.25)
    for name, ratio in ratios.items():
        yield Row(f"CPU, {name}", ratio, "x CPython", 1.5 if name.endswith("loop") else 2.0)


def _session_seconds(session: object, kernel: str) -> float:
    seen = session.run(kernel)  # type: ignore[attr-defined]  # a Session; imported late so that --help stays quick
    if not seen.ok:
        raise AssertionError(f"a kernel failed in the session: {seen.failure}")
    return float(seen.cost.cpu_seconds)


def _plain_seconds(kernel: str) -> float:
    code = compile(kernel, "<kernel>", "exec")
    begun = time.process_time()
    exec(code, {"__name__": "__main__"})
    return time.process_time() - begun
