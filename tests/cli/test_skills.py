"""`codeact skills`: a library made by one recorded run, looked at from the shell."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import clean_environment, codeact, fenced, recorded

pytestmark = pytest.mark.slow

TOOLS = '''
def fahrenheit(celsius: float) -> float:
    """A temperature in degrees Fahrenheit."""
    return celsius * 9 / 5 + 32
'''
TASK = "Convert the temperatures 20 and 25 from celsius to fahrenheit."
CODE = "degrees = [20, 25]\nfinal_answer([fahrenheit(degree) for degree in degrees])"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tool, a recorded run, and a library that holds what was promoted from it."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "tools").mkdir()
    (folder / "tools" / "degrees.py").write_text(TOOLS)
    (folder / "skills").mkdir()
    model = recorded(folder / "replies.jsonl", fenced(CODE))
    ran = codeact("run", TASK, "--model", model, "--promote", "--record", "run.jsonl", folder=folder)
    assert ran.code == 0, ran.err
    assert "kept as a skill" in ran.out, ran.out
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of it, to change."""
    return Path(shutil.copytree(made, tmp_path / "project"))


def _name(folder: Path) -> str:
    (manifest,) = folder.glob("skills/*/manifest.json")
    return str(json.loads(manifest.read_text())["function"])


def test_the_list_names_each_skill_and_what_it_did(folder: Path) -> None:
    ran = codeact("skills", "list", folder=folder)
    assert ran.code == 0, ran.err
    assert f"{_name(folder)}  not used yet" in ran.out


def test_the_list_names_a_broken_skill_and_shows_the_others(folder: Path) -> None:
    (folder / "skills" / "torn").mkdir()
    (folder / "skills" / "torn" / "SKILL.md").write_text("---\nname: torn\n")
    ran = codeact("skills", "list", folder=folder)
    assert _name(folder) in ran.out
    assert "broken: torn" in ran.err


def test_a_skill_is_shown_with_its_code_and_where_it_came_from(folder: Path) -> None:
    ran = codeact("skills", "show", _name(folder), folder=folder)
    assert ran.code == 0, ran.err
    assert f"def {_name(folder)}(" in ran.out
    assert TASK in ran.out


def test_a_search_finds_what_fits_and_nothing_else(folder: Path) -> None:
    assert _name(folder) in codeact("skills", "search", "celsius to fahrenheit", folder=folder).out
    assert "no skill fits" in codeact("skills", "search", "bake a cake", folder=folder).out


def test_the_recorded_examples_run_again(folder: Path) -> None:
    ran = codeact("skills", "verify", "--json", folder=folder)
    assert ran.code == 0, ran.out
    assert ran.json["skills"][0]["ok"] is True


@pytest.mark.parametrize(("command", "said"), [("verify", "ok      {}  1 example"), ("test", "passed  {}[1]")])
def test_each_is_shown_when_it_is_known_whatever_ends_the_rest(folder: Path, command: str, said: str) -> None:
    name = _name(folder)
    ran = codeact("skills", command, name, "no_such", folder=folder)
    assert ran.code == 1
    assert ran.out.startswith(said.format(name))
    assert "there is no skill no_such" in ran.err
    assert said.format(name) in codeact("skills", command, "--json", folder=folder).err


def test_a_skill_whose_code_gives_something_else_fails_verification(folder: Path) -> None:
    (code,) = folder.glob("skills/*/skill.py")
    code.write_text(code.read_text().replace("fahrenheit(degree)", "fahrenheit(degree + 1)"))
    assert codeact("skills", "verify", folder=folder).code == 1


def test_a_retired_skill_is_no_longer_found_and_can_come_back(folder: Path) -> None:
    name = _name(folder)
    assert codeact("skills", "retire", name, "too special", folder=folder).code == 0
    assert "no skill fits" in codeact("skills", "search", "celsius to fahrenheit", folder=folder).out
    assert codeact("skills", "restore", name, folder=folder).out == f"restored {name}\n"
    assert name in codeact("skills", "search", "celsius to fahrenheit", folder=folder).out


def test_a_skill_on_offer_is_said_to_be_there_already_and_its_history_stays(folder: Path) -> None:
    name = _name(folder)
    history = codeact("skills", "history", name, folder=folder).out
    assert codeact("skills", "restore", name, folder=folder).out == f"{name} is on offer already\n"
    assert codeact("skills", "history", name, folder=folder).out == history


def test_a_skill_that_was_edited_is_not_said_to_be_back_while_it_stays_quarantined(folder: Path) -> None:
    name = _name(folder)
    assert codeact("skills", "retire", name, "too special", folder=folder).code == 0
    (code,) = folder.glob("skills/*/skill.py")
    code.write_text(code.read_text() + "\n# edited\n")
    ran = codeact("skills", "restore", name, folder=folder)
    assert f"codeact skills verify {name} --accept" in ran.out
    assert "quarantined" in ran.out
    assert "restored" not in ran.out
    assert codeact("skills", "verify", name, "--accept", folder=folder).code == 0
    assert name in codeact("skills", "search", "celsius to fahrenheit", folder=folder).out


def test_what_changes_skills_says_so_as_json(folder: Path) -> None:
    name = _name(folder)
    retired = codeact("skills", "retire", name, "too special", "--json", folder=folder).json
    assert retired == {"ok": True, "skill": name, "state": "retired", "reason": "too special"}
    assert codeact("skills", "restore", name, "--json", folder=folder).json["state"] == "active"
    written = codeact("skills", "export", "shared.zip", "--json", folder=folder).json
    assert (folder / written["path"]).name == "shared.zip"


@pytest.mark.parametrize("fill", [("skills", "promote", "run.jsonl"), ("skills", "import", "shared.zip")])
def test_a_library_that_is_named_and_not_there_is_made_by_its_first_skill(folder: Path, fill: tuple[str, ...]) -> None:
    codeact("skills", "export", "shared.zip", folder=folder)
    named = ("--skills", "more/skills")
    assert "there is no such folder" in codeact("skills", "list", *named, folder=folder).err
    assert codeact(*fill, *named, folder=folder).code == 0
    assert _name(folder) in codeact("skills", "list", *named, folder=folder).out


def test_a_run_makes_the_library_that_is_named_for_what_it_keeps(folder: Path) -> None:
    model = recorded(folder / "replies.jsonl", fenced(CODE))
    ran = codeact("run", TASK, "--model", model, "--promote", "--skills", "more", "--record", "b.jsonl", folder=folder)
    assert "kept as a skill" in ran.out, ran.out + ran.err
    assert _name(folder) in codeact("skills", "list", "--skills", "more", folder=folder).out


def test_a_run_that_cannot_begin_makes_no_library(tmp_path: Path) -> None:
    ran = codeact("run", "double", "--promote", "--model", "recorded:gone.jsonl", folder=tmp_path)
    assert (ran.code, "recorded:gone.jsonl: there is no such recording" in ran.err) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_an_import_of_what_is_not_there_is_wrong_usage_and_makes_no_library(tmp_path: Path) -> None:
    ran = codeact("skills", "import", "gone.zip", folder=tmp_path)
    assert (ran.code, "gone.zip: there is no such folder or archive" in ran.err) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_a_file_where_the_library_would_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "skills").touch()
    model = recorded(tmp_path / "r.jsonl", fenced("final_answer(1)"))
    ran = codeact("run", "count", "--promote", "--model", model, folder=tmp_path)
    assert (ran.code, "'skills'): a folder is needed, and this is a file" in ran.err) == (2, True)


def test_the_list_is_without_colours_where_nobody_wants_any(tmp_path: Path) -> None:
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "odd").mkdir()
    command = [sys.executable, "-m", "codeact", "skills", "list"]
    ours, theirs = pty.openpty()
    subprocess.run(
        command, cwd=tmp_path, stdout=theirs, stderr=theirs, env=clean_environment() | {"NO_COLOR": "1"}, check=True
    )
    os.close(theirs)
    shown = os.read(ours, 10_000)
    os.close(ours)
    assert b"broken: odd" in shown
    assert b"\x1b[" not in shown


def test_a_recorded_run_is_promoted_later(folder: Path) -> None:
    (folder / "new").mkdir()
    ran = codeact("skills", "promote", "run.jsonl", "--skills", "new", folder=folder)
    assert ran.code == 0, ran.out + ran.err
    assert len(list((folder / "new").glob("*/SKILL.md"))) == 1
    assert ran.err.splitlines() == ["-- running step 1 again", "-- making a skill of it, and checking that"]


def test_a_recorded_run_that_read_a_file_is_promoted_later(folder: Path) -> None:
    (folder / "notes.txt").write_text("one\ntwo\n")
    model = recorded(folder / "r.jsonl", fenced("final_answer(open('notes.txt').read().count('o'))"))
    ran = codeact("run", "Count the o", "--model", model, "--file", "notes.txt", "--record", "f.jsonl", folder=folder)
    assert ran.code == 0, ran.err
    ran = codeact("skills", "promote", "f.jsonl", folder=folder)
    assert ran.code == 0, ran.out + ran.err


def test_an_export_holds_the_skills(folder: Path) -> None:
    ran = codeact("skills", "export", "out", folder=folder)
    assert ran.code == 0, ran.err
    assert list((folder / "out").glob("**/SKILL.md"))


def test_the_command_to_go_on_with_names_the_library_that_was_named(folder: Path) -> None:
    assert codeact("skills", "export", "out.zip", folder=folder).code == 0
    named = ("--skills", "the other")
    told = codeact("skills", "import", "out.zip", *named, folder=folder).out.splitlines()[-1]
    assert told.endswith("codeact skills verify --accept --skills 'the other'")
    assert codeact("skills", "verify", "--accept", *named, folder=folder).code == 0
    ran = codeact("skills", "retire", _name(folder), "too special", *named, folder=folder)
    assert ran.out.endswith(f"codeact skills restore {_name(folder)} --skills 'the other'\n")


def test_an_unknown_skill_is_named(folder: Path) -> None:
    ran = codeact("skills", "show", "no_such_skill", folder=folder)
    assert ran.code == 1
    assert "no_such_skill" in ran.err or "no-such-skill" in ran.err
    assert "Traceback" not in ran.err


def test_without_a_library_the_command_says_how_to_name_one(tmp_path: Path) -> None:
    ran = codeact("skills", "list", folder=tmp_path)
    assert ran.code == 2
    assert "--skills DIR" in ran.err


def test_a_snippet_runs_beside_a_skill_that_cannot_be_had_here(folder: Path) -> None:
    name = _name(folder)
    (folder / "s.py").write_text("6 * 7")
    there = codeact("exec", "s.py", folder=folder)
    shutil.rmtree(folder / "tools")
    gone = codeact("exec", "s.py", folder=folder)
    assert (there.code, there.err) == (0, "")
    assert (gone.code, "=> 42" in gone.out) == (0, True), gone.err
    assert gone.err == f"codeact: the skill {name} is left out: it calls fahrenheit, which is no tool here\n"


@pytest.mark.parametrize(
    ("target", "complaint"),
    [("skills/copy", "lies in the library itself"), ("all.rar", "name a folder, or one of .zip")],
)
def test_an_export_that_would_surprise_is_refused(folder: Path, target: str, complaint: str) -> None:
    ran = codeact("skills", "export", target, folder=folder)
    assert (ran.code, complaint in ran.err, (folder / target).exists()) == (2, True, False), ran.err


def test_a_reason_that_is_no_text_is_kept_as_far_as_it_is_one(folder: Path) -> None:
    ran = codeact("skills", "retire", _name(folder), "old \udcff", folder=folder)
    assert (ran.code, "Traceback" in ran.err) == (0, False), ran.err
    assert "old \N{REPLACEMENT CHARACTER}" in codeact("skills", "list", folder=folder).out


@pytest.mark.parametrize("command", [("show", ""), ("retire", "IT", ""), ("search", "degrees", "--k", "0")])
def test_what_names_no_skill_no_reason_and_no_number_is_wrong_usage(folder: Path, command: tuple[str, ...]) -> None:
    name = _name(folder)
    ran = codeact("skills", *(name if word == "IT" else word for word in command), folder=folder)
    assert (ran.code, ran.out) == (2, ""), ran.out


def test_a_warning_is_told_in_one_line_without_the_place_of_our_own_code(folder: Path) -> None:
    shutil.rmtree(folder / "skills" / ".codeact")
    (folder / "skills" / ".codeact").touch()
    ran = codeact("skills", "list", folder=folder)
    assert ran.err.startswith("codeact: the index "), ran.err
    assert (ran.code, len(ran.err.splitlines())) == (0, 1), ran.err


def test_a_warning_of_a_tools_own_code_says_where_it_arose(folder: Path) -> None:
    text = "import warnings\nwarnings.warn('mind the gap', RuntimeWarning, stacklevel=1)\n" + TOOLS
    (folder / "tools" / "degrees.py").write_text(text)
    (folder / "s.py").write_text("6 * 7")
    assert "tools/degrees.py:2: RuntimeWarning: mind the gap" in codeact("exec", "s.py", folder=folder).err


@pytest.mark.parametrize("command", [("list",), ("show", "it")])
def test_no_control_character_of_a_skills_words_reaches_the_terminal(folder: Path, command: tuple[str, ...]) -> None:
    (head,) = folder.glob("skills/*/SKILL.md")
    text = head.read_text().replace("description: ", "description: \x9b31m", 1)
    head.write_text(text.replace('description: \x9b31m"', 'description: "\x9b31m'))
    (code,) = folder.glob("skills/*/skill.py")
    code.write_text(f"# \x9b31m\n{code.read_text()}")
    ran = codeact("skills", *(_name(folder) if word == "it" else word for word in command), folder=folder)
    assert "\x9b" not in ran.out + ran.err
    if command[0] == "show":
        assert "�31m" in ran.out
