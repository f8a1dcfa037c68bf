"""What lies on disk: whole folders, noticed edits, strangers in quarantine, broken ones named."""

from __future__ import annotations

import copy
import json
import pickle
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from codeact.errors import SkillError, UsageError
from codeact.records import Parameter, ToolSpec
from codeact.skills import layout
from codeact.skills.library import SkillLibrary
from codeact.skills.record import Example
from tests.skills.shelves import fill, skill

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


def test_a_skill_is_a_folder_other_agents_can_read(library: SkillLibrary) -> None:
    folder = library.root / "add-one"
    assert sorted(path.name for path in folder.iterdir()) == ["SKILL.md", "examples.jsonl", "manifest.json", "skill.py"]
    assert (
        (folder / "SKILL.md")
        .read_text()
        .startswith('---\nname: add-one\ndescription: "Add one to a number."\nmetadata:\n')
    )


def test_what_is_written_is_what_is_read(library: SkillLibrary) -> None:
    written = skill("add_one")
    read = library.get("add_one")
    assert read == written
    assert library.get("add-one") == written


@pytest.mark.parametrize(
    "name", ["", "Add", "add__one", "_add", "add_", "1st", "größe", "сума", "a" * 65, "add one", "../up"]
)
def test_a_name_without_a_folder_name_is_refused(name: str) -> None:
    with pytest.raises(SkillError, match="cannot name a skill"):
        layout.check_name(name)


def test_a_name_may_be_as_long_as_a_folders_in_the_format() -> None:
    layout.check_name("a" * 64)


def test_an_edited_skill_is_refused_until_it_is_verified(library: SkillLibrary) -> None:
    path = library.root / "add-one" / "skill.py"
    path.write_text(path.read_text().replace("+ 1", "+ 2 - 1"))
    with pytest.raises(SkillError, match=r"skill\.py"):
        library.sources(["add_one"])
    assert [card.name for card in library.search("add one to a number")] == []
    assert all(checked.ok for checked in library.verify())
    assert library.sources(["add_one"])[0].code.count("+ 2 - 1") == 1


def test_retiring_a_skill_changes_its_state_and_nothing_else(library: SkillLibrary) -> None:
    folder = library.root / "add-one"
    told = (folder / "SKILL.md").read_text() + "Ask Ada before you use it.\n"
    (folder / "SKILL.md").write_text(told)
    (folder / "examples.jsonl").write_text("not a recorded use\n")
    library.retire("add_one", "nobody needs it")
    assert (folder / "SKILL.md").read_text() == told
    assert (folder / "examples.jsonl").read_text() == "not a recorded use\n"
    assert library.get("add_one").reason == "nobody needs it"
    library.restore("add_one")
    (card,) = [card for card in library.list() if card.name == "add_one"]
    assert (card.state, "SKILL.md, examples.jsonl" in card.reason) == ("quarantined", True)


@pytest.mark.parametrize("name", ["skill.py", "SKILL.md", "examples.jsonl", "manifest.json"])
def test_a_list_says_which_skills_were_edited(library: SkillLibrary, name: str) -> None:
    before = library.list()
    path = library.root / "add-one" / name
    path.write_text(path.read_text().replace("Add one", "Add two").replace('"version": 1', '"version": 7'))
    cards = {card.name: card for card in library.list()}
    assert (cards["add_one"].state, name in cards["add_one"].reason) == ("quarantined", True)
    assert cards["greet_guests"] in before
    assert library.get("add_one").reason == cards["add_one"].reason


def test_a_list_names_a_skill_that_was_broken_in_its_folder(library: SkillLibrary) -> None:
    assert library.broken() == []
    (library.root / "add-one" / "manifest.json").write_text("{")
    assert [one.folder for one in library.broken()] == ["add-one"]


def test_an_edit_that_breaks_a_skill_stays_refused(library: SkillLibrary) -> None:
    path = library.root / "add-one" / "skill.py"
    path.write_text(path.read_text().replace("+ 1", "+ 2"))
    checked = library.verify("add_one")[0]
    assert not checked.ok
    assert "expected 2, got 3" in checked.reason
    with pytest.raises(SkillError):
        library.sources(["add_one"])


def test_a_manifest_that_asks_for_more_is_noticed(library: SkillLibrary) -> None:
    path = library.root / "add-one" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "imports": ["subprocess"]}))
    with pytest.raises(SkillError, match="changed since it was verified"):
        library.sources(["add_one"])


def test_an_edit_that_asks_for_more_is_taken_in_by_accepting_alone(library: SkillLibrary) -> None:
    folder = library.root / "add-one"
    code, manifest = folder / "skill.py", folder / "manifest.json"
    code.write_text("import math\n\n" + code.read_text().replace("+ 1", "+ math.floor(1.5)"))
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "imports": ["math"]}))
    refused = library.verify("add_one")[0]
    assert not refused.ok
    assert "import:math more than before" in refused.reason
    with pytest.raises(SkillError):
        library.sources(["add_one"])
    assert library.verify("add_one", accept=True)[0].ok
    code.write_text(code.read_text().replace("1.5", "1.7"))
    assert library.verify("add_one")[0].ok, "what was agreed to once stays agreed to"


def test_a_tool_that_now_has_an_effect_is_more_than_one_that_reads(tmp_path: Path) -> None:
    library = SkillLibrary(tmp_path, isolation="inline")
    specs = [ToolSpec("rate", (Parameter("base", annotation="str"),), "float", effect=e) for e in ("read", "write")]
    body = "return number + (1 if number == 1 else rate('x'))"
    fill(library, [skill("add_rate", body=body, tools=(specs[0],))])
    other = layout.write(skill("add_rate", body=body, tools=(specs[1],)), [Example({"number": 1}, (), 2)])
    for name, content in other.items():
        (library.root / "add-rate" / name).write_bytes(content)
    assert "write:rate more than before" in library.verify("add_rate")[0].reason


def test_a_folder_from_elsewhere_is_quarantined_until_accepted(library: SkillLibrary, tmp_path: Path) -> None:
    other = SkillLibrary(tmp_path / "other", isolation="inline")
    shutil.copytree(library.root / "add-one", tmp_path / "other" / "add-one")
    assert other.list()[0].state == "quarantined"
    assert "elsewhere" in other.list()[0].reason
    assert not other.verify()[0].ok
    assert other.verify(accept=True)[0].ok
    assert other.sources(["add_one"])


def test_broken_folders_are_named_and_the_others_load(library: SkillLibrary) -> None:
    good = library.root / "greet-guests"
    breaks = {
        "no-head": ("SKILL.md", "no frontmatter"),
        "other-name": ("SKILL.md", "---\nname: another\ndescription: x\n---\n"),
        "two-functions": ("skill.py", "def greet_guests(): ...\ndef second(): ...\n"),
        "no-syntax": ("skill.py", "def greet_guests(:\n"),
        "no-json": ("manifest.json", "{"),
        "no-list": ("manifest.json", "[]"),
        "from-later": ("manifest.json", '{"format": 99}'),
        "not-text": ("SKILL.md", b"\xff\xfe"),
    }
    for folder, (name, content) in breaks.items():
        shutil.copytree(good, library.root / folder)
        for text in ("SKILL.md", "manifest.json", "skill.py"):
            path = library.root / folder / text
            path.write_text(
                path.read_text().replace("greet-guests", folder).replace("greet_guests", folder.replace("-", "_"))
            )
        (library.root / folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (library.root / "empty").mkdir()
    assert [item.folder for item in library.broken()] == sorted([*breaks, "empty"])
    assert [card.name for card in library.list()] == ["add_one", "greet_guests"]
    assert all(item.reason for item in library.broken())


def test_missing_examples_mean_it_cannot_be_verified(library: SkillLibrary) -> None:
    (library.root / "add-one" / "examples.jsonl").unlink()
    checked = library.verify("add_one")[0]
    assert not checked.ok
    assert "examples" in checked.reason


def test_skills_that_call_each_other_in_a_circle_are_refused(tmp_path: Path) -> None:
    library = SkillLibrary(tmp_path, isolation="inline")
    fill(library, [replace(skill("one"), skills=("two",)), replace(skill("two"), skills=("one",))])
    with pytest.raises(SkillError, match="circle"):
        library.sources(["one"])


def test_a_caller_of_a_quarantined_skill_is_not_offered(tmp_path: Path) -> None:
    library = SkillLibrary(tmp_path, isolation="inline")
    fill(library, [skill("inner_part"), replace(skill("outer_whole", "Do the whole."), skills=("inner_part",))])
    assert [source.name for source in library.sources(["outer_whole"])] == ["inner_part", "outer_whole"]
    library.quarantine("inner_part", "test")
    assert library.search("do the whole") == []


def test_what_cannot_be_a_folder_is_refused_and_a_library_that_is_not_there_yet_is_empty(
    tmp_path: Path, library: SkillLibrary
) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(Exception, match="a folder is needed"):
        SkillLibrary(tmp_path / "file")
    with pytest.raises(UsageError, match="nobody knows where this home folder is"):
        SkillLibrary("~nobody-of-that-name/skills")
    assert SkillLibrary(tmp_path / "nowhere").list() == []
    assert SkillLibrary(tmp_path / "nowhere").search("x y z") == []


@pytest.mark.parametrize("name", [3, None, b"area"])
def test_what_is_no_name_of_a_skill_is_a_usage_error(library: SkillLibrary, name: Any) -> None:
    for ask in (library.get, library.versions, library.examples):
        with pytest.raises(UsageError, match="the name of a skill is needed"):
            ask(name)


@pytest.mark.parametrize("name", ["a\0b", "a\udcff", "../area", "a" * 300])
def test_what_no_folder_can_be_called_is_no_skill(library: SkillLibrary, name: str) -> None:
    for ask in (library.get, library.versions, library.examples, library.verify, library.test, library.history):
        with pytest.raises(SkillError, match="cannot name a skill"):
            ask(name)


@pytest.mark.parametrize(("text", "k"), [(None, 5), (3, 5), ("area", None), ("area", "5")])
def test_what_is_no_request_for_skills_is_a_usage_error(library: SkillLibrary, text: Any, k: Any) -> None:
    with pytest.raises(UsageError, match=r"search\(.*\): a text and a number of skills are needed"):
        library.search(text, k)


@pytest.mark.parametrize("path", [3, None, "a\0b"])
def test_what_is_no_path_is_a_usage_error(library: SkillLibrary, path: Any) -> None:
    for ask in (SkillLibrary, library.trust, library.import_, library.export):
        with pytest.raises(UsageError, match="a path is needed"):
            ask(path)


def test_the_hash_of_a_tool_is_that_of_its_signature_and_effect_and_not_of_its_words():
    spec = ToolSpec("rate", (Parameter("base", annotation="str"),), "float", "The rate.", "read")
    assert layout.tool_hash(replace(spec, doc="other words")) == layout.tool_hash(spec)
    for change in ({"returns": "int"}, {"effect": "write"}, {"parameters": ()}):
        assert layout.tool_hash(replace(spec, **change)) != layout.tool_hash(spec)


@pytest.mark.parametrize("accept", [True, False])
def test_a_library_that_is_copied_or_sent_to_another_process_is_the_same_one(tmp_path: Path, accept: bool) -> None:
    library = SkillLibrary(tmp_path, accept=accept, cap=5, isolation="inline")
    fill(library, [skill("add_one")])
    for other in (copy.deepcopy(library), pickle.loads(pickle.dumps(library))):
        assert (other.root, other.shelf.accept, other.cap, other.isolation) == (library.root, accept, 5, "inline")
        other.retire("add_one", "for the test")
        assert library.search("add one to a number") == []
        other.restore("add_one")
