"""Ours beside the peers, each doing the same work in a process of its own: one run, one table.

pyeryx wants Python 3.12 or newer: CODEACT_BENCH_PYERYX names an interpreter that has it and psutil where this one is
older. The published sets of programs are not part of this project: how many of them run is measured where the harness
that holds them lies beside the checkout (CODEACT_BENCH, or ../shared/bench).
"""

from __future__ import annotations

import json
import os
import re
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.beside.texts import BOMBS
from benchmarks.rows import RESULTS, Row, machine

ROOT = Path(__file__).parents[1]
HARNESS = Path(os.environ.get("CODEACT_BENCH") or ROOT.parent / "shared" / "bench")
ALL = ("probes", "kernels", "compiling", "latency", "bombs")
WORK = {
    "codeact": ALL,
    "codeact, a backup each": ("latency",),
    "codeact, no backup": ("latency",),
    "pydantic-monty": ALL,
    "smolagents": ALL,
    "pyeryx": ALL,
    "docker": ("latency",),
}
SETS = {"humaneval": "HumanEval", "mbpp": "MBPP", "cpython": "CPython's own tests"}
IN_HARNESS = {
    "codeact": "project:codeact_adapter:make_session",
    "pydantic-monty": "monty",
    "smolagents": "smolagents",
}
WORK_SECONDS = 1_200
BOMB_SECONDS = 20  # one still going then is not stopped
Figures = dict[str, float]
Cells = dict[str, str]


def measure() -> Iterator[Row]:
    """Print the table, write it to bench-results/peers.md, and give those of our figures that have a goal."""
    done: dict[str, dict[str, Figures]] = {}
    for name, works in WORK.items():
        done[name] = {}
        for work in works:
            print(f"measuring {work} of {name} …", file=sys.stderr, flush=True)
            done[name][work] = _bombs(name) if work == "bombs" else _do(name, work)
    sets = {name: _published_sets(executor) for name, executor in IN_HARNESS.items()}
    columns = {name: sets.get(name, {}) | _cells(works) for name, works in done.items()}
    _show(columns)
    yield from _goals(done)


def _do(name: str, work: str, *more: str, seconds: float = WORK_SECONDS) -> Figures:
    """Do one kind of work; no figures where the executor is not to be had here, or does not come to an end."""
    python = os.environ.get("CODEACT_BENCH_PYERYX", sys.executable) if name == "pyeryx" else sys.executable
    command = [python, "-m", "benchmarks.beside.work", name, work, *more]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    with process:
        try:
            printed, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed = b""
    answers = [line for line in printed.decode().splitlines() if line.startswith("{")]
    answer = json.loads(answers[-1]) if answers else {"unavailable": f"{work} came to no end"}
    if "unavailable" in answer:
        print(f"{name}: {answer['unavailable']}", file=sys.stderr, flush=True)
        return {}
    return dict(answer["figures"])


def _bombs(name: str) -> Figures:
    """How many bombs were stopped in time, and how many left the session's earlier state in place."""
    seen = [_do(name, "bomb", bomb, seconds=BOMB_SECONDS) for bomb in BOMBS]
    if not any(seen):
        return {}
    stopped = sum(figures.get("stopped", 0.0) for figures in seen)
    return {"stopped": stopped, "kept": sum(figures.get("kept", 0.0) for figures in seen), "of": len(BOMBS)}


def _published_sets(executor: str) -> Cells:
    """How many programs of the published sets run as in CPython, as the harness prints it."""
    if not (HARNESS / "harness.py").is_file():
        print(f"no published sets: there is no harness in {HARNESS.name}/ beside the checkout", file=sys.stderr)
        return {}
    print(f"measuring the published sets with {executor} …", file=sys.stderr, flush=True)
    command = [sys.executable, str(HARNESS / "harness.py"), "fidelity", "--adapter", executor, "--suite", *SETS]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(HARNESS), os.environ.get("PYTHONPATH", "")))}
    ran = subprocess.run(command, env=environment, cwd=RESULTS, capture_output=True, text=True, check=False)
    found = re.findall(rf"({'|'.join(SETS)}) +(\d+)/(\d+)", ran.stdout)
    return {SETS[name]: f"{passed} of {of}" for name, passed, of in found}


def _cells(works: dict[str, Figures]) -> Cells:
    cells: Cells = {}
    if probes := works.get("probes"):
        cells["probes of the language"] = f"{probes['held']:.0f} of {probes['of']:.0f}"
    if kernels := works.get("kernels"):
        cells["kernels that run"] = f"{len(kernels)}"
        cells["processor time, geometric mean"] = f"{statistics.geometric_mean(kernels.values()):,.2f} x"
        cells["processor time, worst"] = f"{max(kernels.values()):,.2f} x"
    if compiling := works.get("compiling"):
        cells["accept 200 new lines"] = f"{compiling['compile_ms']:.1f} ms"
    if latency := works.get("latency"):
        cells["first session of a process"] = f"{latency['first_ms']:,.3g} ms"
        cells["fresh session and `1 + 1`"] = f"{latency['fresh_ms']:,.3g} ms"
        cells["a further step"] = f"{latency['step_ms']:,.3g} ms"
        if "call_us" in latency:
            cells["a tool call and back"] = f"{latency['call_us']:,.3g} µs"
    if bombs := works.get("bombs"):
        cells["bombs stopped in time"] = f"{bombs['stopped']:.0f} of {bombs['of']:.0f}"
        cells["earlier state kept"] = f"{bombs['kept']:.0f} of {bombs['of']:.0f}"
    return cells


def _show(columns: dict[str, Cells]) -> None:
    names = list(dict.fromkeys(name for cells in columns.values() for name in cells))
    table = Table(title=f"Beside the peers: {machine()}")
    table.add_column("")
    lines = [f"| {machine()} | {' | '.join(columns)} |", f"|---|{'---:|' * len(columns)}"]
    for column in columns:
        table.add_column(column, justify="right")
    for name in names:
        cells = [cells.get(name, "") for cells in columns.values()]
        table.add_row(name, *cells)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    Console(width=None if sys.stdout.isatty() else 140).print(table)
    (RESULTS / "peers.md").write_text("\n".join(lines) + "\n")


def _goals(done: dict[str, dict[str, Figures]]) -> Iterator[Row]:
    ours, monty = done["codeact"], done["pydantic-monty"]
    if latency := ours["latency"]:
        yield Row("fresh session and 1 + 1, out of the reserve", latency["fresh_ms"], "ms", 0.5)
        yield Row("a further step, protected by a backup", latency["step_ms"], "ms", 1.5)
        yield Row("a tool call and back", latency["call_us"], "µs", 45.0)
        if monty["latency"]:
            yield Row("a tool call beside Monty's", latency["call_us"] / monty["latency"]["call_us"], "x Monty", 1.0)
    if one_each := done["codeact, a backup each"]["latency"]:
        yield Row("a further step, protected by a backup of its own", one_each["step_ms"], "ms", 1.5)
    if unprotected := done["codeact, no backup"]["latency"]:
        yield Row("a further step without backup", unprotected["step_ms"], "ms", 0.1)
    if compiling := ours["compiling"]:
        yield Row("accept 200 new lines", compiling["compile_ms"], "ms", 15.0)
    if bombs := ours["bombs"]:
        yield Row("bombs not stopped in time", bombs["of"] - bombs["stopped"], "", 0.0)
        yield Row("bombs that took earlier state", bombs["of"] - bombs["kept"], "", 0.0)
