"""What is handed to a session that it can make nothing of is a UsageError that names it, and costs the session nothing."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeact import Policy, Session
from codeact.errors import CodeactError, JournalError, UsageError

SLIPS: dict[str, tuple[Callable[[Any], object], str]] = {
    "rewind of a text": (lambda session: session.rewind("1"), r"rewind\('1'\): a number of steps"),
    "rewind of nothing": (lambda session: session.rewind(None), r"rewind\(None\): a number of steps"),
    "rewind of a float": (lambda session: session.rewind(1.0), r"rewind\(1.0\): a number of steps"),
    "rewind of no step": (lambda session: session.rewind(0), r"rewind\(0\): a number of steps of 1 or more"),
    "rewind of very many": (lambda session: session.rewind(10**30), "rewind"),
    "a file named by a number": (lambda session: session.read_file(3), r"read_file\(3\): a path is needed"),
    "the folder itself": (lambda session: session.read_file("."), "'.' cannot be read .*: Is a directory"),
    "a file named by bytes": (lambda session: session.read_file(b"a"), "read_file"),
    "a file no system can name": (lambda session: session.read_file("\udc80"), "cannot be read"),
    "what cannot cross, to assign": (
        lambda session: session.assign({"x": object()}),
        "a value of type object cannot cross",
    ),
    "a list to assign": (lambda session: session.assign(["a"]), "assign.*: a mapping of name to value"),
    "a keyword to assign": (lambda session: session.assign({"class": 1}), "a name a snippet can use"),
    "Python's own name": (lambda session: session.assign({"__builtins__": 1}), "a name a snippet can use"),
    "a name Python reads as another": (lambda session: session.assign({"ﬁt": 1}), "a name a snippet can use"),
    "nothing to save to": (lambda session: session.save(None), r"save\(None\): a path is needed"),
    "a file no system can save to": (lambda session: session.save("a\0b"), r"save\('a\\x00b'\): a path is needed"),
    "halves of characters to save to": (lambda session: session.save("\ud800"), r"save\('.ud800'\): a path is needed"),
    "a number to resume from": (lambda session: Session.resume(3), r"resume\(3\): a path is needed"),
    "bytes to resume from": (lambda session: Session.resume(b"a"), r"resume\(b'a'\): a path is needed"),
    "no name to save to": (lambda session: session.save(""), "a path is needed"),
    "the root to save to": (lambda session: session.save("/"), "is a folder: name a file"),
}


@pytest.mark.parametrize(("slip", "told"), SLIPS.values(), ids=SLIPS.keys())
def test_a_slip_with_a_session_is_named_and_its_state_is_kept(slip: Callable[[Any], object], told: str) -> None:
    with Session() as session:
        session.run("kept = 1")
        with pytest.raises(CodeactError, match=told):
            slip(session)
        seen = session.run("kept, [len(str(n)) for n in range(2)]")
    assert seen.value == (1, [1, 1])


@pytest.mark.parametrize(
    "options",
    [
        {"files": "a.csv"},
        {"files": ["a.csv"]},
        {"skills": None},
        {"without": 3},
        {"journal": 3},
        {"journal": "a\0b"},
        {"listener": None},
        {"tools": None},
        {"tools": 3},
        {"tools": {1: len}},
        {"deterministic": 1},
        {"deterministic": "no"},
    ],
    ids=str,
)
def test_an_option_of_another_kind_is_a_usage_error(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"is needed|is none"):
        Session(**options)


@pytest.mark.parametrize("name", ["é" * 128, "a/" * 1_500 + "b"], ids=["name", "path"])
def test_a_file_under_a_name_no_system_takes_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError, match="255 bytes at most, with its folders 3000"):
        Session(files={name: b"a"})


@pytest.mark.parametrize("imports", [None, 3, "math", [1, "math"], [["math"]]], ids=str)
def test_imports_that_are_no_list_of_names_are_a_usage_error(imports: Any) -> None:
    with pytest.raises(UsageError, match=r"Policy\(imports="):
        Policy(imports)


def test_check_first_is_true_or_false() -> None:
    with pytest.raises(UsageError, match=r"Policy\(check_first='no'\): True or False is needed"):
        Policy(check_first="no")  # type: ignore[arg-type]  # as a setting read from a file would be


@pytest.mark.parametrize("taken", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_session_that_is_copied_or_pickled_says_what_does_that(taken: Callable[[Any], object]) -> None:
    with Session() as session:
        with pytest.raises(TypeError, match=r"fork\(\) gives a copy, save\(\) a file for resume\(\)"):
            taken(session)
        assert session.run("1").value == 1


def test_an_import_nobody_can_make_is_warned_of_and_the_session_starts() -> None:
    with (
        pytest.warns(RuntimeWarning, match=r"no module 'nunpy' is installed here \(close to it: runpy, numpy\)"),
        Session(policy=Policy(imports=["nunpy", "csv"])) as session,
    ):
        assert session.run("import csv").ok


def test_an_import_no_policy_can_allow_is_warned_of_and_the_session_starts() -> None:
    told = r"no policy can allow requests: it reaches the network; ask for a tool that does what is needed"
    with pytest.warns(RuntimeWarning, match=told), Session(policy=Policy(imports=["requests", "csv"])) as session:
        assert session.run("import csv").ok


def test_a_session_is_saved_over_an_older_save_and_an_empty_file_and_over_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "notes.py").write_text("x = 1")
    with Session() as session:
        for name in ("saved", "saved", "empty"):
            session.run("1")
            session.save(tmp_path / name)
        with pytest.raises(
            JournalError, match=r"notes\.py is there already, and is no saved session: name another file"
        ):
            session.save(tmp_path / "notes.py")
    assert (tmp_path / "notes.py").read_text() == "x = 1"
    Session.resume(tmp_path / "empty").close()
