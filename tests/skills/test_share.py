"""Skills travel as folders and archives; one that would write elsewhere, or is no archive, is refused."""

from __future__ import annotations

import io
import shutil
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from codeact.errors import SkillError, UsageError
from codeact.skills.library import SkillLibrary
from tests.full_disk import room_for
from tests.skills.shelves import fill, skill

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


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


@pytest.mark.parametrize("target", ["shared", "shared.zip"])
def test_a_skill_travels_with_its_versions_and_with_those_it_calls(tmp_path: Path, target: str) -> None:
    library = SkillLibrary(tmp_path / "skills", isolation="inline")
    outer = replace(skill("add_two", body="return add_one(number)"), skills=("add_one",))
    fill(library, [skill("add_one"), outer, skill("unasked")])
    with library.shelf.store.lock():
        for version in (2, 3):
            newer = replace(skill("add_one", body=f"return number + 1 + {version} * 0"), version=version)
            library.shelf.put(newer, library.examples("add_one"), keep=version - 1)
    with pytest.raises(UsageError, match=r"for one skill \['add_two'\]"):
        library.export(tmp_path / target, "add_two")
    library.export(tmp_path / target, ["add_two"])
    other = SkillLibrary(tmp_path / "other", isolation="inline")
    assert sorted(other.import_(tmp_path / target)) == ["add_one", "add_two"]
    assert [checked.ok for checked in other.verify(accept=True)] == [True, True]
    assert other.versions("add_one") == [1, 2, 3]
    for version in (1, 2, 3):
        assert other.get("add_one", version=version).code == library.get("add_one", version=version).code


def test_a_way_back_to_a_folder_with_something_in_it_is_no_new_folder(library: SkillLibrary, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="is there already"):
        library.export(tmp_path / "new" / "..")
    assert not (tmp_path / "new").exists()


def test_where_one_of_several_skills_cannot_be_written_none_is_taken_in(
    library: SkillLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.export(tmp_path / "shared")
    other = SkillLibrary(tmp_path / "other", isolation="inline")
    put = other.shelf.store.put

    def full(folder: str, files: dict[str, bytes], **options: object) -> None:
        if folder == "greet-guests":
            raise SkillError("no room")
        put(folder, files, **options)

    monkeypatch.setattr(other.shelf.store, "put", full)
    with pytest.raises(SkillError, match="no room"):
        other.import_(tmp_path / "shared")
    assert other.list() == []


def test_a_broken_skill_among_those_to_be_taken_in_is_named_and_none_is(library: SkillLibrary, tmp_path: Path) -> None:
    library.export(tmp_path / "shared")
    (tmp_path / "shared" / "greet-guests" / "manifest.json").unlink()
    other = SkillLibrary(tmp_path / "other", isolation="inline")
    with pytest.raises(SkillError, match=r"greet-guests is broken: manifest\.json is missing\. No skill is taken in"):
        other.import_(tmp_path / "shared")
    assert other.list() == []


def test_a_broken_earlier_version_is_not_taken_in(library: SkillLibrary, tmp_path: Path) -> None:
    library.export(tmp_path / "shared")
    (tmp_path / "shared" / "add-one" / "versions" / "0").mkdir(parents=True)
    with pytest.raises(SkillError, match=r"SKILL\.md is missing"):
        SkillLibrary(tmp_path / "other", isolation="inline").import_(tmp_path / "shared")


@pytest.mark.parametrize("target", ["a.zip", "a.tar.gz"])
def test_the_same_skills_make_the_same_archive(library: SkillLibrary, tmp_path: Path, target: str) -> None:
    first = library.export(tmp_path / "one" / target).read_bytes()
    assert library.export(tmp_path / "two" / target).read_bytes() == first


@pytest.mark.parametrize("target", ["shared.rar", "shared.7z", "shared.tar.xz", "SHARED.GZ"])
def test_an_archive_of_a_kind_that_is_not_written_is_no_folder(
    library: SkillLibrary, tmp_path: Path, target: str
) -> None:
    with pytest.raises(UsageError, match=r"name a folder, or one of \.zip, "):
        library.export(tmp_path / target)
    assert not (tmp_path / target).exists()
    assert library.export(tmp_path / "shared.ZIP").is_file()


def test_the_library_itself_is_no_place_for_a_copy_of_it(library: SkillLibrary) -> None:
    with pytest.raises(UsageError, match="lies in the library itself"):
        library.export(library.root / "copy")
    assert library.broken() == []


def test_the_archive_of_a_single_skill_is_that_skills_folder(library: SkillLibrary, tmp_path: Path) -> None:
    library.export(tmp_path / "shared")
    for name in ("add-one", "other"):
        shutil.make_archive(str(tmp_path / name), "zip", tmp_path / "shared" / "add-one")
    other = SkillLibrary(tmp_path / "there", isolation="inline")
    with pytest.raises(SkillError, match="but the folder is called other; the two must be equal"):
        other.import_(tmp_path / "other.zip")
    assert other.import_(tmp_path / "add-one.zip") == ["add_one"]


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


@pytest.mark.parametrize("target", ["shared.zip", "shared.tar.gz"])
def test_a_disk_without_room_to_unpack_is_not_the_archives_fault(
    library: SkillLibrary, tmp_path: Path, target: str
) -> None:
    library.export(tmp_path / target)
    other = SkillLibrary(tmp_path / "other", isolation="inline")
    with room_for(16), pytest.raises(SkillError, match=r"there is no room to unpack .*: File too large; make some in "):
        other.import_(tmp_path / target)
