"""Skills travel as folders and archives; one that would write elsewhere, or is no archive, is refused."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from codeact.errors import SkillError
from codeact.skills.library import SkillLibrary

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
