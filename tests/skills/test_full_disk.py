"""A disk that is full: what is there stays whole and is found, what does not fit leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeact.errors import SkillError
from codeact.skills import store
from codeact.skills.library import SkillLibrary
from tests.skills.shelves import fill, skill

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")
KIB = 1024


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 512 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(place)]
    if os.geteuid() or not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can only be mounted by root, where mounting is allowed")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.fixture
def library(small_disk: Path) -> Iterator[SkillLibrary]:
    """A library of one skill on a disk that is full."""
    library = SkillLibrary(small_disk / "skills", isolation="inline")
    fill(library, [skill("add_one", "Add one to a number.")])
    descriptor = os.open(small_disk / "filler", os.O_WRONLY | os.O_CREAT)
    os.posix_fallocate(descriptor, 0, os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize)
    os.close(descriptor)
    yield library
    library.close()


def _note(library: SkillLibrary, kibibytes: int) -> None:
    library.shelf.note("add_one", "noted", "x" * kibibytes * KIB)


def test_a_skill_that_does_not_fit_leaves_nothing_behind(library: SkillLibrary) -> None:
    with pytest.raises(SkillError, match="No space left"):
        fill(library, [skill("add_two", "Add two to a number.")])
    assert sorted(os.listdir(library.root)) == [".codeact", "add-one"]
    assert os.listdir(library.root / ".codeact" / "staging") == []
    assert [card.name for card in library.search("add one to a number")] == ["add_one"]


def test_an_index_that_cannot_grow_goes_on_in_memory_and_says_so(library: SkillLibrary) -> None:
    with pytest.warns(RuntimeWarning, match="history in memory alone"):
        _note(library, 512)
    library.record_use("add_one", ok=True)
    library.rebuild()
    assert [card.name for card in library.search("add one to a number")] == ["add_one"]
    assert [event.what for event in library.history("add_one")] == ["noted"]


def test_a_library_opened_on_a_full_disk_without_its_index_is_read_all_the_same(library: SkillLibrary) -> None:
    library.close()
    for file in (library.root / ".codeact").glob("index.sqlite*"):
        file.rename(library.root.parent / file.name)  # its room stays taken
    again = SkillLibrary(library.root, isolation="inline")
    with pytest.warns(RuntimeWarning, match="cannot be written"):
        assert [card.name for card in again.search("add one to a number")] == ["add_one"]


def test_with_room_again_the_library_goes_on_as_before(library: SkillLibrary) -> None:
    with pytest.warns(RuntimeWarning, match="history in memory alone"):
        _note(library, 512)
    library.close()
    (library.root.parent / "filler").unlink()
    fill(library, [skill("add_two", "Add two to a number.")])
    assert [card.name for card in library.list()] == ["add_one", "add_two"]
    again = SkillLibrary(library.root, isolation="inline")
    assert again.list() == library.list()


def test_a_frozen_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    library = SkillLibrary(tmp_path / "skills", isolation="inline")
    monkeypatch.setattr(store.os, "fsync", full)
    with pytest.raises(SkillError, match="No space left"):
        fill(library, [skill("too_much")])
    assert not (library.root / "too-much").exists()
    assert os.listdir(library.root / ".codeact" / "staging") == []
