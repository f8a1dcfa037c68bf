"""The table of `make bench`."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import LONG, ROOMS
from benchmarks.rows import Row, markdown

ROOT = Path(__file__).parents[1]
MODULES = [".".join(path.with_suffix("").parts[-2:]) for path in sorted((ROOT / "benchmarks").glob("[!_]*.py"))]


@pytest.mark.parametrize("module", MODULES)
def test_a_benchmark_finds_what_it_measures(module: str) -> None:
    importlib.import_module(module)


@pytest.mark.parametrize(
    ("figure", "goal", "verdict"), [(1.0, 2.0, "met"), (3.0, 2.0, "MISSED"), (3.0, None, ""), (None, 2.0, "")]
)
def test_a_figure_is_held_against_its_goal(figure: float | None, goal: float | None, verdict: str) -> None:
    assert Row("x", figure, "ms", goal).verdict == verdict


def test_the_table_for_documents_leaves_out_what_was_not_measured() -> None:
    lines = markdown([Row("start", 12.345, "ms", 150), Row("peers", None, "")]).splitlines()
    assert lines[2:] == ["| start | 12.3 ms | ≤ 150 ms |"]


def test_an_unknown_benchmark_is_named_with_those_there_are() -> None:
    ran = _benchmarks("spped")
    assert ran.returncode == 2
    assert "spped" in ran.stderr
    assert "speed" in ran.stderr


def test_help_has_a_line_for_each_benchmark_and_measures_nothing() -> None:
    ran = _benchmarks("--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    told = {line.split()[0]: line for line in ran.stdout.splitlines() if line.startswith("  ")}
    assert {name for name in ROOMS + LONG if len(told[name].split()) < 4} == set()


def _benchmarks(*arguments: str) -> subprocess.CompletedProcess[str]:
    start = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(start, cwd=ROOT, capture_output=True, text=True, check=False)
