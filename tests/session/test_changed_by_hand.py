"""A session's recording that was changed by hand is named with the line, before anything goes by it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codeact import Session
from codeact.errors import JournalError
from codeact.journal import read


def double(number: int) -> int:
    """Doubles."""
    return number * 2


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The lines of a session that bound a name, made a call, and went back a step."""
    path = tmp_path_factory.mktemp("saved") / "s.jsonl"
    with Session([double], journal=path) as session:
        session.assign({"x": 1})
        session.run("y = double(x)")
        session.run("y + 1")
        session.rewind()
    return [json.loads(line) for line in path.read_text().splitlines()]


CHANGES: dict[str, tuple[str, str, Any, str]] = {
    "limits of another kind": (
        "header",
        "limits",
        "x",
        "line 1: not a 'header' line of a session: its 'limits' is 'x'",
    ),
    "limits nobody knows": (
        "header",
        "limits",
        {"speed": 1},
        "line 1: no limits, imports or skills of a session",
    ),
    "a skill that is none": (
        "header",
        "skills",
        [{"a": 1}],
        "line 1: not a 'header' line of a session: its 'skills' is",
    ),
    "the name of a file of this machine": (
        "header",
        "files",
        {"a.csv": "/etc/hostname"},
        r"line 1: not a 'header' line of a session: its file 'a.csv' is '/etc/hostname', and not its bytes",
    ),
    "a tool without a name": (
        "header",
        "tools",
        [{}],
        r"line 1: not a 'header' line of a session: its 'tools' is \[{}\]",
    ),
    "a number that is too long to be said": (
        "header",
        "seed",
        {"$int": "9" * 5000},
        "line 1: not a 'header' line of a session: its 'seed' is",
    ),
    "no program": ("begin", "code", None, "not a 'begin' line of a session: its 'code' is None"),
    "an outcome of another kind": ("step", "outcome", True, "not a 'step' line of a session: its 'outcome' is True"),
    "a call without a number": ("call", "number", "1", "not a 'call' line of a session: its 'number' is '1'"),
    "names in a list": ("assign", "variables", ["x"], "not a 'assign' line of a session: its 'variables' is"),
    "steps in words": ("rewind", "steps", "one", "not a 'rewind' line of a session: its 'steps' is 'one'"),
    "a line nobody knows": (
        "rewind",
        "kind",
        "rewound",
        "not a 'rewound' line of a session: no such line is known here",
    ),
    "limits out of bounds": (
        "header",
        "limits",
        {"operations": -1},
        r"line 1: no limits, .* \(Limits\(operations=-1\): ",
    ),
    "a tool nobody knows": ("call", "tool", "triple", "line 5: it names 'triple', which was no tool of the session"),
    "a number JSON does not have": ("call", "result", float("nan"), "not JSON; the recording was changed"),
}


@pytest.mark.parametrize(("kind", "name", "value", "told"), CHANGES.values(), ids=CHANGES.keys())
def test_a_changed_line_is_named(
    kind: str, name: str, value: Any, told: str, lines: list[dict[str, Any]], tmp_path: Path
) -> None:
    path = tmp_path / "changed.jsonl"
    path.write_text(
        "".join(json.dumps({**line, name: value} if line["kind"] == kind else line) + "\n" for line in lines)
    )
    with pytest.raises(JournalError, match=told):
        Session.resume(path, tools=[double])


def test_a_header_without_a_part_is_named_by_it(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "changed.jsonl"
    header = {name: part for name, part in lines[0].items() if name != "skills"}
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *lines[1:]]))
    with pytest.raises(JournalError, match="line 1: its header has no 'skills'"):
        Session.resume(path, tools=[double])


@pytest.mark.parametrize(
    ("kind", "name"),
    [("begin", "code"), ("call", "result"), ("step", "outcome"), ("assign", "variables"), ("rewind", "steps")],
)
def test_a_line_that_misses_something_is_named_by_file_and_line(
    kind: str, name: str, lines: list[dict[str, Any]], tmp_path: Path
) -> None:
    path, place = tmp_path / "changed.jsonl", [line["kind"] for line in lines].index(kind)
    fields = {key: part for key, part in lines[place].items() if key != name}
    path.write_text("".join(json.dumps(line) + "\n" for line in [*lines[:place], fields, *lines[place + 1 :]]))
    with pytest.raises(JournalError, match=f"changed.jsonl, line {place + 1}: a {kind!r} line without {name!r}; .*put"):
        Session.resume(path, tools=[double])


def test_the_lines_as_they_were_written_are_taken(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "same.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Session.resume(path, tools=[double]) as session:
        assert session.run("x, y").value == (1, 2)


def test_a_recording_that_is_said_to_hold_something_else_is_looked_at_as_a_runs(
    lines: list[dict[str, Any]], tmp_path: Path
) -> None:
    path = tmp_path / "changed.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [{**lines[0], "holds": "x"}, *lines[1:]]))
    with pytest.raises(JournalError, match="line 1: not a 'header' line of a run: its 'files' is"):
        read(path)
