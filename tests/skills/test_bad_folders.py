"""Folders that are off in other ways: named, and no harm to the rest."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from codeact.errors import SkillError
from codeact.skills.layout import read_examples
from codeact.skills.library import SkillLibrary
from tests.skills.shelves import fill, skill

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


@pytest.fixture
def library(tmp_path: Path) -> SkillLibrary:
    library = SkillLibrary(tmp_path / "skills", isolation="inline")
    fill(library, [skill("add_one")])
    return library


def test_a_folder_with_a_name_in_other_letters_is_named_and_the_others_load(library: SkillLibrary) -> None:
    shutil.copytree(library.root / "add-one", library.root / "größe")
    assert [item.folder for item in library.broken()] == ["größe"]
    assert [card.name for card in library.list()] == ["add_one"]


def test_a_line_of_examples_that_was_edited_badly_is_named(library: SkillLibrary) -> None:
    (library.root / "add-one" / "examples.jsonl").write_text('{"arguments": 1}\n')
    checked = library.verify("add_one")[0]
    assert not checked.ok
    assert "line 1 of examples.jsonl" in checked.reason


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("arguments", value) for value in (None, 7, [1], "zz", True)],
        *[("files", value) for value in (["a.csv"], {"a.csv": "/etc/hostname"}, {"a.csv": None})],
        ("task", 3),
        ("calls", [{"tool": 3, "arguments": {}}]),
        ("calls", [{"tool": "rate", "arguments": [1]}]),
        ("calls", [{"tool": "rate", "arguments": {}, "error": 3}]),
    ],
)
def test_a_recorded_use_with_a_field_of_another_kind_is_named(library: SkillLibrary, name: str, value: object) -> None:
    path = library.root / "add-one" / "examples.jsonl"
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: value}) + "\n")
    (checked,) = library.verify("add_one", accept=True)
    assert not checked.ok
    assert "line 1 of examples.jsonl cannot be read" in checked.reason


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("Fraction", "1e999999999"),
        ("Fraction", "1/0"),
        ("Decimal", "many"),
        ("timedelta", [10**10, 0, 0]),
        ("set", [number * sys.hash_info.modulus for number in range(5_000)]),
        ("dict", [[number * sys.hash_info.modulus, 0] for number in range(5_000)]),
        ("array", {"dtype": "int8", "shape": [1], "items": [300]}),
        ("array", {"dtype": "<U999999999", "shape": [1], "items": ["a"]}),
        ("frame", {"index": [0], "columns": [["a", "S999999999", ["a"]]]}),
    ],
    ids=str,
)
def test_a_recorded_value_that_is_none_or_never_done_is_named(kind: str, written: object) -> None:
    line = {"task": "", "arguments": {"n": {"$": kind, "v": written}}, "calls": [], "answer": 1}
    with pytest.raises(SkillError, match="line 1 of examples"):
        read_examples(json.dumps(line).encode())


def test_what_a_recorded_use_says_that_no_file_holds_is_a_reason_all_the_same(library: SkillLibrary) -> None:
    path = library.root / "add-one" / "examples.jsonl"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"answer": "\ud800"}) + "\n")
    (checked,) = library.verify("add_one", accept=True)
    assert not checked.ok
    assert library.get("add_one").state == "quarantined"


def test_a_skill_whose_recorded_uses_are_gone_says_where_they_would_be(library: SkillLibrary) -> None:
    (library.root / "add-one" / "examples.jsonl").write_text("")
    (checked,) = library.verify("add_one")
    assert "no recorded uses to check it with (examples.jsonl is empty)" in checked.reason


def test_a_link_to_itself_is_no_skill_and_harms_none(library: SkillLibrary) -> None:
    (library.root / "round").symlink_to("round")
    (library.root / "gone").symlink_to("nowhere")
    assert [card.name for card in library.list()] == ["add_one"]
    assert library.broken() == []


def test_a_link_in_place_of_a_file_is_not_followed(library: SkillLibrary, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.py").write_text("def add_one(number: int) -> int:\n    return 2\n")
    (library.root / "add-one" / "skill.py").unlink()
    (library.root / "add-one" / "skill.py").symlink_to(tmp_path / "elsewhere.py")
    with pytest.raises(SkillError, match="cannot be read"):
        library.sources(["add_one"])
    assert library.search("add one to a number") == []


@pytest.mark.parametrize(
    "name", ["version", "tags", "tasks", "skills", "imports", "files", "state", "function", "tools"]
)
@pytest.mark.parametrize("value", [None, 5, -1, 1e400, "\ud800", [None], [5], {"a": 5}, True, 10**30])
def test_a_manifest_with_a_field_of_another_kind_is_named_and_the_others_load(library, name, value) -> None:
    fill(library, [skill("add_two")])
    library.close()
    path = library.root / "add-two" / "manifest.json"
    manifest = json.loads(path.read_text())
    if type(manifest[name]) is int and value == 5:
        return  # a version it may have
    path.write_text(json.dumps({**manifest, name: value}))
    shutil.rmtree(library.root / ".codeact")
    again = SkillLibrary(library.root, isolation="inline", accept=True)
    assert [card.name for card in again.list()] == ["add_one"]
    assert [item.folder for item in again.broken()] == ["add-two"]
    assert [card.name for card in again.search("add one to a number")] == ["add_one"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes where nobody may")
def test_a_read_only_library_is_read_and_says_so_when_written_to(library: SkillLibrary) -> None:
    library.close()
    for path in (library.root / ".codeact", library.root):
        path.chmod(0o500)
    try:
        again = SkillLibrary(library.root, isolation="inline")
        assert [card.name for card in again.list()] == ["add_one"]
        with pytest.raises(SkillError, match="cannot be written"):
            again.retire("add_one", "test")
    finally:
        for path in (library.root, library.root / ".codeact"):
            path.chmod(0o700)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("manifest.json", "[" * 100_000),
        ("manifest.json", "[]"),
        ("skill.py", "def add_one(number):\n    return " + "-" * 90_000 + "number\n"),
        ("skill.py", "def add_one(number):\n    return " + "(" * 5_000 + "number" + ")" * 5_000 + "\n"),
        ("skill.py", "def add_one(number):\n    return 1\0\n"),
        ("examples.jsonl", "[" * 100_000),
        ("examples.jsonl", "\udcff\udcfe"),
        ("SKILL.md", "---\n- a\n---\n"),
    ],
)
def test_what_nobody_can_read_is_named_and_the_others_load(library: SkillLibrary, file: str, content: str) -> None:
    fill(library, [skill("weigh_parcel", "Weigh a parcel.")])
    (library.root / "add-one" / file).write_bytes(content.encode("utf-8", "surrogateescape"))
    library.rebuild()
    assert [card.name for card in library.search("weigh a parcel")] == ["weigh_parcel"]
    with pytest.raises(SkillError):
        library.sources(["add_one"])
    checked = {one.name: one for one in library.verify()}
    assert checked.pop("weigh_parcel").ok
    (bad,) = checked.values()
    assert not bad.ok
    assert file.partition(".")[0] in bad.reason


@pytest.mark.parametrize("asked", ["imports", "skills"])
def test_a_manifest_that_asks_for_more_than_the_code_uses_is_not_taken_in(library: SkillLibrary, asked: str) -> None:
    path = library.root / "add-one" / "manifest.json"
    manifest = json.loads(path.read_text())
    fill(library, [skill("weigh_parcel", "Weigh a parcel.")])
    manifest[asked].append("json" if asked == "imports" else "weigh_parcel")
    path.write_text(json.dumps(manifest))
    checked = library.verify("add_one", accept=True)[0]
    assert not checked.ok
    assert "does not use" in checked.reason
    with pytest.raises(SkillError):
        library.sources(["add_one"])


@pytest.mark.parametrize("line", [b"garbage\n", b"\n", b"\xff\xfe \n", b"0581c4"])
def test_a_damaged_line_of_what_was_agreed_to_agrees_to_nothing(library: SkillLibrary, line: bytes) -> None:
    (library.root / ".codeact" / "accepted").write_bytes(line)
    again = SkillLibrary(library.root, isolation="inline")
    again.rebuild()
    assert {card.state for card in again.list()} == {"quarantined"}
    assert all(checked.ok for checked in again.verify(accept=True))
    again = SkillLibrary(library.root, isolation="inline")
    again.rebuild()
    assert {card.state for card in again.list()} == {"active"}


@pytest.mark.parametrize(
    ("file", "damage", "said"),
    [
        ("manifest.json", lambda text: text[: len(text) // 2], r"not JSON: .+ \(line \d+, column \d+\)"),
        ("manifest.json", lambda _: "{}", "lacks 'format'"),
        ("manifest.json", lambda text: text.replace('"parents"', '"parentage"'), "lacks 'parents'"),
        ("manifest.json", lambda _: "[]", "of another kind"),
        ("manifest.json", lambda _: "[" * 100_000, "nested too deeply"),
        ("manifest.json", lambda text: text.replace('"version": 1', '"version": "one"'), "version is 'one'"),
        ("examples.jsonl", lambda text: text[: len(text) // 2], r"line 1 .+ not JSON: .+ \(line 1, column \d+\)"),
        ("examples.jsonl", lambda _: '{"calls": []}\n', "line 1 .+ lacks 'arguments'"),
        ("examples.jsonl", lambda _: "3\n", "line 1 .+ of another kind"),
    ],
)
def test_a_damaged_file_is_told_in_words_with_what_to_do(library: SkillLibrary, file, damage, said) -> None:
    path = library.root / "add-one" / file
    path.write_text(damage(path.read_text()))
    (checked,) = library.verify()
    assert re.search(f"{file} cannot be read: .*|line 1 of {file}", checked.reason)
    assert re.search(said, checked.reason)
    assert "put the file back as it was" in checked.reason
    assert "Error" not in checked.reason
