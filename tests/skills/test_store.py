"""What lies on disk: whole folders, noticed edits, strangers in quarantine, broken ones named."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from codeact.errors import SkillError
from codeact.records import Parameter, ToolSpec
from codeact.skills import layout
from codeact.skills.library import SkillLibrary
from codeact.skills.record import Example
from tests.skills.shelves import fill, skill

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


@pytest.fixture
def library(tmp_path: Path) -> SkillLibrary:
    library = SkillLibrary(tmp_path / "skills", isolation="inline")
    fill(library, [skill("add_one"), skill("greet_guests", "Greet the guests by name.")])
    return library


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


@pytest.mark.parametrize("name", ["", "Add", "add__one", "_add", "add_", "1st", "größe", "a" * 65, "add one", "../up"])
def test_a_name_without_a_folder_name_is_refused(name: str) -> None:
    with pytest.raises(SkillError, match="cannot name a skill"):
        layout.check_name(name)


def test_an_edited_skill_is_refused_until_it_is_verified(library: SkillLibrary) -> None:
    path = library.root / "add-one" / "skill.py"
    path.write_text(path.read_text().replace("+ 1", "+ 2 - 1"))
    with pytest.raises(SkillError, match=r"skill\.py"):
        library.sources(["add_one"])
    assert [card.name for card in library.search("add one to a number")] == []
    assert all(checked.ok for checked in library.verify())
    assert library.sources(["add_one"])[0].code.count("+ 2 - 1") == 1


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


def test_the_index_can_be_deleted_and_is_built_again(library: SkillLibrary) -> None:
    before = library.list()
    library.close()
    for path in (library.root / ".codeact").glob("index.sqlite*"):
        path.unlink()
    again = SkillLibrary(library.root, isolation="inline")
    assert again.list() == before
    assert [card.name for card in again.search("add one to a number")] == ["add_one"]


def test_an_index_that_is_no_database_is_put_aside(library: SkillLibrary) -> None:
    library.close()
    for path in (library.root / ".codeact").glob("index.sqlite-*"):
        path.unlink()
    (library.root / ".codeact" / "index.sqlite").write_bytes(b"not a database at all, but long enough to look like one")
    assert len(SkillLibrary(library.root).list()) == 2


def test_an_index_from_another_version_is_built_again_and_keeps_the_counters(library: SkillLibrary) -> None:
    library.record_use("add_one", ok=True, operations=7)
    library.close()
    with sqlite3.connect(library.root / ".codeact" / "index.sqlite") as database:
        database.execute("UPDATE meta SET value = '0' WHERE key = 'version'")
        database.execute("DROP TABLE skills")
    again = SkillLibrary(library.root, isolation="inline")
    assert len(again.list()) == 2
    assert again.usage()["add_one"].operations == 7


def test_retiring_is_reversible_and_in_the_history(library: SkillLibrary) -> None:
    library.retire("add_one", "no longer needed")
    assert "add_one" not in [card.name for card in library.search("add one to a number")]
    library.restore("add_one")
    assert [card.name for card in library.search("add one to a number")] == ["add_one"]
    assert [event.what for event in library.history("add_one")] == ["retired", "active"]


def test_one_failure_does_not_quarantine_and_many_do(library: SkillLibrary) -> None:
    library.record_use("add_one", ok=False)
    assert library.get("add_one").state == "active"
    for _ in range(9):
        library.record_use("add_one", ok=False)
    assert library.get("add_one").state == "quarantined"
    assert "uses succeeded" in library.get("add_one").reason


def test_skills_that_call_each_other_in_a_circle_are_refused(tmp_path: Path) -> None:
    from dataclasses import replace

    library = SkillLibrary(tmp_path, isolation="inline")
    fill(library, [replace(skill("one"), skills=("two",)), replace(skill("two"), skills=("one",))])
    with pytest.raises(SkillError, match="circle"):
        library.sources(["one"])


def test_a_caller_of_a_quarantined_skill_is_not_offered(tmp_path: Path) -> None:
    from dataclasses import replace

    library = SkillLibrary(tmp_path, isolation="inline")
    fill(library, [skill("inner_part"), replace(skill("outer_whole", "Do the whole."), skills=("inner_part",))])
    assert [source.name for source in library.sources(["outer_whole"])] == ["inner_part", "outer_whole"]
    library.quarantine("inner_part", "test")
    assert library.search("do the whole") == []


@pytest.mark.parametrize("target", ["shared", "shared.zip", "shared.tar", "shared.tar.gz"])
def test_skills_travel_as_a_folder_or_an_archive(library: SkillLibrary, tmp_path: Path, target: str) -> None:
    library.record_use("add_one", ok=True)
    library.export(tmp_path / target)
    other = SkillLibrary(tmp_path / "other", isolation="inline")
    assert other.import_(tmp_path / target) == ["add_one", "greet_guests"]
    assert {card.state for card in other.list()} == {"quarantined"}
    assert all(checked.ok for checked in other.verify(accept=True))
    with pytest.raises(SkillError, match="already"):
        other.import_(tmp_path / target)


@pytest.mark.parametrize("target", ["a.zip", "a.tar.gz"])
def test_the_same_skills_make_the_same_archive(library: SkillLibrary, tmp_path: Path, target: str) -> None:
    first = library.export(tmp_path / "one" / target).read_bytes()
    assert library.export(tmp_path / "two" / target).read_bytes() == first


@pytest.mark.parametrize("name", ["../up/SKILL.md", "/tmp/codeact-up/SKILL.md", "x/../../up/SKILL.md"])
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_an_archive_writes_nowhere_else(library: SkillLibrary, tmp_path: Path, name: str, kind: str) -> None:
    source = tmp_path / f"bad.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(source, "w") as archive:
            archive.writestr(name, "x")
    else:
        with tarfile.open(source, "w") as archive:
            entry = tarfile.TarInfo(name)
            entry.size = 1
            archive.addfile(entry, io.BytesIO(b"x"))
            link = tarfile.TarInfo("linked/SKILL.md")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(link)
    with pytest.raises(SkillError, match="holds no skill"):
        library.import_(source)
    assert not (tmp_path / "up").exists()
    assert not Path("/tmp/codeact-up").exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"\x1f\x8b broken", b"just a text"])
def test_what_is_no_archive_is_said_to_be_none(library: SkillLibrary, tmp_path: Path, content: bytes) -> None:
    source = tmp_path / "bad.zip"
    source.write_bytes(content)
    with pytest.raises(SkillError, match="is not an archive"):
        library.import_(source)


def test_a_library_that_is_a_file_or_read_only_says_so(tmp_path: Path, library: SkillLibrary) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(Exception, match="a folder is needed"):
        SkillLibrary(tmp_path / "file")
    assert SkillLibrary(tmp_path / "nowhere").list() == []
    assert SkillLibrary(tmp_path / "nowhere").search("x y z") == []


def test_the_cap_retires_the_least_useful(tmp_path: Path) -> None:
    library = SkillLibrary(tmp_path, cap=2, isolation="inline")
    fill(library, [skill("kept_one"), skill("worn_out"), skill("newest")])
    library.record_use("kept_one", ok=True)
    library._trim("newest")
    assert {card.name: card.state for card in library.list()}["worn_out"] == "retired"


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from codeact.skills.library import SkillLibrary
from codeact.skills.record import Example
from tests.skills.shelves import skill
library = SkillLibrary(Path(sys.argv[1]))
me = sys.argv[2]
for number in range(int(sys.argv[4])):
    for name in (f"own_{me}_{number}", f"shared_{number}"):
        with library.shelf.store.lock():
            library.shelf.refresh()
            if not (library.root / name.replace("_", "-")).exists():
                from codeact.skills.record import Example
                library.shelf.put(skill(name), [Example({"number": 1}, (), 2)])
    print(number, flush=True)
"""


def test_many_processes_and_kills_leave_whole_skills_only(tmp_path: Path) -> None:
    root, project, count = tmp_path / "skills", str(Path(__file__).parents[2]), 25
    start = [sys.executable, "-c", WRITER, str(root)]
    writers = [
        subprocess.Popen([*start, str(me), project, str(count)], stdout=subprocess.PIPE, text=True) for me in range(4)
    ]
    killed = []
    for writer, after in zip(writers[:2], (3, 7), strict=True):
        done = [writer.stdout.readline() for _ in range(after)]
        writer.kill()
        killed.append(int(done[-1]))
    for writer in writers:
        writer.wait(timeout=60)
        writer.stdout.close()
    library = SkillLibrary(root)
    names = {card.name for card in library.list()}
    for me, upto in ((0, killed[0]), (1, killed[1]), (2, count - 1), (3, count - 1)):
        assert {f"own_{me}_{number}" for number in range(upto + 1)} <= names
    assert {f"shared_{number}" for number in range(count)} <= names
    assert library.broken() == []
    assert {card.state for card in library.list()} == {"active"}
    indexed = library.list()
    library.rebuild()
    assert library.list() == indexed
    with library.shelf.store.lock():
        assert os.listdir(root / ".codeact" / "staging") == []


def test_the_counters_of_an_index_of_before_are_kept(library: SkillLibrary) -> None:
    library.close()
    path = library.root / ".codeact" / "index.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as old:
        old.executescript("""
            DROP TABLE usage;
            CREATE TABLE usage (name TEXT PRIMARY KEY, uses INT, successes INT, operations INT, wall_seconds REAL,
                tokens INT);
            INSERT INTO usage VALUES ('add_one', 5, 3, 10, 0.5, 7);
            UPDATE meta SET value = '1' WHERE key = 'version';
        """)
    used = SkillLibrary(library.root, isolation="inline").usage()["add_one"]
    assert (used.uses, used.successes, used.failures, used.tokens) == (5, 3, 2, 7)
    assert [card.name for card in library.search("add one to a number")] == ["add_one"]
