"""`codeact init`: a project that runs as it is."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from tests.cli.command import codeact, fenced, recorded
from tests.full_disk import room_for


def test_a_new_project_runs_its_first_task(tmp_path: Path) -> None:
    made = codeact("init", "project", folder=tmp_path)
    assert made.code == 0, made.err
    code = "import csv\nrow = next(csv.DictReader(open('orders.csv')))\nfinal_answer(to_usd(float(row['amount_eur'])))"
    model = recorded(tmp_path / "replies.jsonl", fenced(code))
    ran = codeact("run", "@task.md", "--file", "orders.csv", "--model", model, folder=tmp_path / "project")
    assert ran.code == 0, ran.out + ran.err
    assert "answer: 130.14" in ran.out


def test_a_new_project_says_where_it_is_as_json(tmp_path: Path) -> None:
    assert codeact("init", "project", "--json", folder=tmp_path).json == {"ok": True, "path": "project"}


def test_a_new_project_has_tools_and_skills(tmp_path: Path) -> None:
    codeact("init", "project", folder=tmp_path)
    assert (tmp_path / "project" / "tools" / "mine.py").is_file()
    assert (tmp_path / "project" / "skills").is_dir()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work.txt").write_text("mine")
    ran = codeact("init", "mine", folder=tmp_path)
    assert ran.code == 2
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["work.txt"]


@pytest.mark.parametrize("name", ["new/..", "new/../.", "here/new/../../../mine"])
def test_a_way_back_to_a_folder_with_something_in_it_leaves_it_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / "mine" / "here").mkdir(parents=True)
    (tmp_path / "mine" / "work.txt").write_text("mine")
    ran = codeact("init", name, folder=tmp_path / "mine")
    assert (ran.code, "is not empty" in ran.err) == (2, True), ran.err
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == ["here", "work.txt"]


def test_the_way_to_a_new_project_can_be_pasted_into_a_shell(tmp_path: Path) -> None:
    ran = codeact("init", "my project's", folder=tmp_path)
    assert shlex.split(ran.out.splitlines()[1]) == ["cd", "my project's"]


@pytest.mark.parametrize("name", [b"caf\xe9", b"two\nlines", b"\x1b[2J"])
def test_a_new_project_has_whatever_name_a_folder_can_have(tmp_path: Path, name: bytes) -> None:
    ran = codeact("init", os.fsdecode(name), folder=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / os.fsdecode(name) / "README.md").read_text("utf-8").startswith("# ")


@pytest.mark.parametrize("name", ["/proc/project", "file/project"])
def test_where_no_folder_can_be_made_that_is_said_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    ran = codeact("init", name, folder=tmp_path)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1), ran.err
    assert ran.err.startswith(f"codeact: {name}: ")


@pytest.mark.parametrize("there", [False, True])
def test_a_disk_without_room_is_said_to_be_that_and_holds_no_half_project(tmp_path: Path, there: bool) -> None:
    if there:
        (tmp_path / "project").mkdir()
    with room_for(4096):
        ran = codeact("init", "project", folder=tmp_path)
    assert (ran.code, ran.err) == (2, "codeact: project: a project cannot be made there: File too large; make room\n")
    assert codeact("init", "project", folder=tmp_path).code == 0
