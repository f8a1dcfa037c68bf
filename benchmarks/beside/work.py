"""`python -m benchmarks.beside.work EXECUTOR WORK`: do one kind of work with one executor, print its figures as JSON.

Each runs in a process of its own, so nobody pays for what another has imported, and a bomb that goes off takes nothing
else with it.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.beside.executors import Executor, Running, Unavailable
from benchmarks.beside.peers import EXECUTORS
from benchmarks.beside.texts import BOMBS, PROBES
from benchmarks.kernels import KERNELS

ROUNDS = 30
CALLS = 1_000
SETTLING_SECONDS = 0.2
BOMB_SECONDS = 2.0
SLACK_SECONDS = 0.5
Figures = dict[str, float]


@contextmanager
def session(executor: Executor, *, seconds: float = 60.0, tools: Any = None) -> Iterator[Running]:
    running = executor.start(tools or {}, seconds=seconds)
    try:
        yield running
    finally:
        running.close()


def probes(executor: Executor) -> Figures:
    """How many probes hold, each in a session of its own."""
    held = 0
    for source in PROBES.values():
        with session(executor) as running:
            held += _succeeds(running, source)
    return {"held": held, "of": len(PROBES)}


def _succeeds(running: Running, source: str) -> bool:
    try:
        running.run(source)
    except BaseException:  # whatever a peer raises is its answer: this text did not run
        return False
    return True


def latency(executor: Executor) -> Figures:
    """Wall time of the first session, of further ones, of a further step, and of a tool call and back."""
    begun = time.perf_counter()
    with session(executor) as running:
        _answers_two(running)
    figures = {"first_ms": _since(begun)}
    for _ in range(3):  # fills whatever is kept ready
        with session(executor) as running:
            _answers_two(running)
    fresh = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        with session(executor) as running:
            _answers_two(running)
            fresh.append(_since(begun))
    figures["fresh_ms"] = statistics.median(fresh)
    with session(executor, tools={"double": double}) as running:
        figures["step_ms"] = _median_ms(lambda: running.run("x = 1 + 1"), 100)
        if executor.call:
            with_calls = _median_ms(lambda: running.run(f"for i in range({CALLS}):\n    {executor.call}"), 5)
            without = _median_ms(lambda: running.run(f"for i in range({CALLS}):\n    i"), 5)
            figures["call_us"] = (with_calls - without) * 1000 / CALLS
    return figures


def double(i: int) -> int:
    """Twice the number."""
    return 2 * i


def _answers_two(running: Running) -> None:
    if running.run("answer = 1 + 1\nanswer") != 2:
        raise AssertionError("a session that cannot add was measured")


def _since(begun: float) -> float:
    return (time.perf_counter() - begun) * 1000


def _median_ms(act: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        act()
        taken.append(_since(begun))
    return statistics.median(taken)


def compiling(executor: Executor) -> Figures:
    """Wall time to accept a text of 200 lines that only defines functions, over that of an empty step."""
    with session(executor) as running:
        empty = _median_ms(lambda: running.run("pass"), 20)
        texts = iter([_two_hundred_lines(number) for number in range(15)])
        return {"compile_ms": _median_ms(lambda: running.run(next(texts)), 15) - empty}


def _two_hundred_lines(number: int) -> str:
    one = (
        "def f{n}(rows, limit={n}):\n    total = 0\n    for index, row in enumerate(rows):\n"
        "        if row['price'] * index > limit and row.get('name', '') != 'none':\n"
        "            total += sum(x * x for x in row['sizes'] if x) - {m}\n"
        "        else:\n            total -= len(row['name'].strip().split(','))\n"
        "    return [total, f'{{total:.2f}}', {{'limit': limit}}]\n"
    )
    return "".join(one.format(n=n, m=number) for n in range(25))


def kernels(executor: Executor) -> Figures:
    """Processor time of each kernel beside plain `exec` of the same text in the same process, the least of three."""
    plain = EXECUTORS["plain exec"]()
    figures = {}
    for name, kernel in KERNELS.items():
        source = kernel.source(small=executor.slow)
        with session(executor) as running, session(plain) as beside:
            running.run("pass")
            time.sleep(SETTLING_SECONDS)  # whatever is made ready for the next session is not this one's work
            taken = [(_cpu_seconds(running, source), _cpu_seconds(beside, source)) for _ in range(3)]
        ours, theirs = [pair[0] for pair in taken if pair[0]], [pair[1] for pair in taken if pair[1]]
        if len(ours) == len(taken):
            figures[name] = min(ours) / min(theirs)
    return figures


def _cpu_seconds(running: Running, source: str) -> float | None:
    """Processor time of this process and all below it for a text; None where the text does not run to its end."""
    begun = _spent()
    return _spent() - begun if _succeeds(running, source) else None


def _spent() -> float:
    import psutil

    me = psutil.Process()
    spent = time.process_time()
    for child in me.children(recursive=True):
        for thread in Path(f"/proc/{child.pid}/task").glob("*/schedstat"):
            spent += int(thread.read_text().split()[0]) / 1e9
    return spent


def bomb(executor: Executor, name: str) -> Figures:
    """Whether a bomb was stopped in time, and whether what the session knew before is still there."""
    running = executor.start({}, seconds=BOMB_SECONDS)
    running.run("keep = 41")
    begun = time.perf_counter()
    _succeeds(running, BOMBS[name])
    taken = time.perf_counter() - begun
    try:
        kept = running.run("answer = keep + 1\nanswer") == 42
    except BaseException:  # a session that answers no more has not kept anything
        kept = False
    return {"stopped": float(taken <= BOMB_SECONDS + SLACK_SECONDS), "kept": float(kept), "seconds": taken}


WORK: dict[str, Callable[..., Figures]] = {
    "probes": probes,
    "kernels": kernels,
    "latency": latency,
    "compiling": compiling,
    "bomb": bomb,
}


def main(name: str, work: str, *more: str) -> None:
    try:
        executor = EXECUTORS[name]()
    except Unavailable as why:
        print(json.dumps({"unavailable": str(why)}))
        return
    except ImportError as why:
        print(json.dumps({"unavailable": f"{why.name} is not installed"}))
        return
    try:
        print(json.dumps({"version": executor.version(), "figures": WORK[work](executor, *more)}), flush=True)
    finally:
        executor.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
