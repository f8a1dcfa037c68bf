"""The demo: real data, real tools, real code; only the model's words are written down."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

DEMO = Path(__file__).parents[1] / "examples" / "demo"
DATA = DEMO / "seattle-weather.csv"
MM_PER_INCH = 25.4


@dataclass(frozen=True, slots=True)
class Shown:
    """What the demo printed, and the folder it wrote."""

    text: str
    folder: Path

    def run(self, number: int) -> list[dict[str, Any]]:
        """The lines of one recording."""
        return [json.loads(line) for line in (self.folder / f"run-{number}.jsonl").read_text().splitlines()]

    def answer(self, number: int) -> Any:
        """The answer of one run."""
        return next(line["value"] for line in self.run(number) if line["kind"] == "answer")

    def steps(self, number: int) -> list[dict[str, Any]]:
        """The steps of one run."""
        return [line for line in self.run(number) if line["kind"] == "step"]


def _show(folder: Path, data: Path) -> Shown:
    command = [sys.executable, str(DEMO / "demo.py"), "--out", str(folder), "--data", str(data)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return Shown(ran.stdout, folder)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """The demo on the data it ships."""
    return _show(tmp_path_factory.mktemp("demo") / "out", DATA)


def _inches_by_year(data: Path) -> dict[int, float]:
    """What the answers should come to, worked out here without codeact."""
    millimetres: dict[int, float] = defaultdict(float)
    with data.open(newline="") as table:
        for row in csv.DictReader(table):
            millimetres[int(row["date"][:4])] += float(row["precipitation"])
    return {year: amount / MM_PER_INCH for year, amount in millimetres.items()}


def _check_answers(shown: Shown, data: Path) -> None:
    inches = _inches_by_year(data)
    most, least = max(inches, key=lambda year: inches[year]), min(inches, key=lambda year: inches[year])
    assert shown.answer(1)["inches"] == pytest.approx(inches[2014], abs=0.01)
    second = shown.answer(2)
    assert (second["most_rain_in"], second["driest"]) == (most, least)
    assert second["inches_more"] == pytest.approx(inches[most] - inches[least], abs=0.02)


def test_the_demo_says_that_the_replies_are_a_recording(shown: Shown) -> None:
    assert "the model's replies are a recording" in shown.text


def test_the_first_run_fails_once_and_corrects_itself(shown: Shown) -> None:
    failures = [step["failure"] for step in shown.steps(1) if not step["ok"]]
    assert [failure["type"] for failure in failures] == ["ValueError"]


def test_the_first_run_composes_several_tools_in_one_snippet(shown: Shown) -> None:
    used: dict[int, set[str]] = defaultdict(set)
    for line in shown.run(1):
        if line["kind"] == "call":
            used[line["step"]].add(line["tool"])
    assert max(len(tools) for tools in used.values()) >= 2


def test_the_chart_lies_where_the_output_says(shown: Shown) -> None:
    named = re.search(r"picture saved: (.*\.png)", shown.text)
    assert named
    assert Path(named[1]).read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_the_second_run_needs_fewer_steps_because_it_calls_the_skill(shown: Shown) -> None:
    assert len(shown.steps(2)) < len(shown.steps(1))
    kept = re.search(r"kept as a skill: (\w+)", shown.text)
    assert kept
    assert f"uses the skill {kept[1]}" in shown.text


def test_the_answers_are_those_of_the_data(shown: Shown) -> None:
    _check_answers(shown, DATA)


@pytest.mark.slow
def test_other_data_give_other_answers_in_the_demos_own_folder_made_anew(shown: Shown, tmp_path: Path) -> None:
    changed = tmp_path / DATA.name
    lines = DATA.read_text().splitlines(keepends=True)
    changed.write_text("".join(line for number, line in enumerate(lines) if number == 0 or number % 3))
    other = _show(shutil.copytree(shown.folder, tmp_path / "out"), changed)
    assert other.answer(1) != shown.answer(1)
    assert other.answer(2) != shown.answer(2)
    _check_answers(other, changed)


def test_the_first_run_replays_without_its_data(shown: Shown, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "codeact", "replay", str(shown.folder / "run-1.jsonl")]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "answer:" in ran.stdout


def test_a_folder_that_is_not_the_demos_own_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "thesis.txt").write_text("mine")
    command = [sys.executable, str(DEMO / "demo.py"), "--out", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, "is not empty" in ran.stderr) == (2, True)
    assert [path.name for path in tmp_path.rglob("*")] == ["skills", "thesis.txt"]
