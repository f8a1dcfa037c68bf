"""What the working folder held, kept and put back; no session is needed for it."""

from __future__ import annotations

import os

import pytest

from codeact.worker import kept as module
from codeact.worker.kept import Kept, copy_all, look


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "given").write_text("handed in")
    return tmp_path


def test_a_closed_folder_is_opened_to_be_put_back(folder):
    kept = Kept(str(folder))
    (folder / "inner").mkdir()
    (folder / "inner" / "a").write_text("x")
    kept.take(look(str(folder)))
    (folder / "inner" / "a").unlink()
    (folder / "inner").chmod(0)
    kept.put_back()

    assert (folder / "inner" / "a").read_text() == "x"


def test_what_has_become_a_folder_or_a_file_is_what_it_was(folder):
    kept = Kept(str(folder))
    (folder / "a").write_text("x")
    (folder / "inner").mkdir()
    kept.take(look(str(folder)))
    (folder / "a").unlink()
    (folder / "a").mkdir()
    (folder / "inner").rmdir()
    (folder / "inner").write_text("y")
    kept.put_back()

    assert (folder / "a").read_text() == "x"
    assert (folder / "inner").is_dir()


def nest_beyond_any_path(folder):
    (folder / "nested").mkdir()
    (folder / "nested" / "inmost").write_text("x")
    for _ in range(2):
        inner = folder / "outer" / "/".join(["d" * 200] * 15)
        inner.mkdir(parents=True)
        (folder / "nested").rename(inner / "nested")
        (folder / "outer").rename(folder / "nested")


def test_folders_nested_beyond_any_path_are_removed_with_what_they_hold(folder):
    kept = Kept(str(folder))
    (folder / "a").write_text("x")
    kept.take(look(str(folder)))
    nest_beyond_any_path(folder)
    kept.put_back()

    assert sorted(os.listdir(folder)) == ["a", "given"]


def test_what_lies_beyond_any_path_does_not_keep_the_rest_from_being_kept(folder):
    kept = Kept(str(folder))
    (folder / "a").write_text("x")
    nest_beyond_any_path(folder)
    kept.take(look(str(folder)))
    (folder / "a").write_text("y")
    kept.put_back()

    assert (folder / "a").read_text() == "x"


def test_what_was_handed_in_is_neither_read_nor_removed(folder):
    kept = Kept(str(folder))
    kept.take(look(str(folder)))
    (folder / "new").write_text("x")
    kept.put_back()

    assert os.listdir(folder) == ["given"]


def test_what_was_handed_in_is_put_back_as_well_once_it_is_taken_in(folder):
    (folder / "inner").mkdir()
    (folder / "inner" / "given").write_text("too")
    kept = Kept(str(folder))
    (folder / "inner" / "new").write_text("x")
    kept.take(look(str(folder)))
    kept.take_in_given()
    for name in ("given", "inner/given", "inner/new"):
        (folder / name).unlink()
    (folder / "inner").rmdir()
    kept.put_back()

    assert [(folder / name).read_text() for name in ("given", "inner/given", "inner/new")] == ["handed in", "too", "x"]


def test_a_file_put_back_has_its_mode_and_times(folder):
    kept = Kept(str(folder))
    (folder / "a").write_text("x")
    (folder / "a").chmod(0o640)
    os.utime(folder / "a", ns=(1_000, 2_000))
    kept.take(look(str(folder)))
    (folder / "a").unlink()
    kept.put_back()
    found = (folder / "a").stat()

    assert (found.st_mode & 0o777, found.st_atime_ns, found.st_mtime_ns) == (0o640, 1_000, 2_000)


def test_a_copy_has_the_same_files_and_the_same_holes(folder, tmp_path_factory):
    target = tmp_path_factory.mktemp("target")
    (folder / "deep" / "deeper").mkdir(parents=True)
    with open(folder / "deep" / "deeper" / "holes", "wb") as file:
        file.truncate(64 << 20)
        file.seek(32 << 20)
        file.write(b"middle")
    copy_all(look(str(folder)), str(folder), str(target))
    copied = target / "deep" / "deeper" / "holes"

    assert sorted(look(str(target))) == sorted(look(str(folder)))
    assert copied.stat().st_size == 64 << 20
    assert copied.stat().st_blocks < 4096
    assert copied.read_bytes()[32 << 20 :][:6] == b"middle"


@pytest.fixture
def opened(monkeypatch):
    """The folders that were opened to be looked at, in a time long after they were made."""
    found: list[str] = []
    monkeypatch.setattr(module.time, "clock_gettime_ns", lambda clock: 1 << 62)
    monkeypatch.setattr(module, "look", lambda folder: (found.append(folder), look(folder))[1])
    return found


def test_an_empty_folder_is_opened_again_only_when_something_in_it_was_made(tmp_path, opened):
    kept = Kept(str(tmp_path))
    changed = tmp_path.stat().st_ctime_ns
    opened.clear()
    seen = [kept.look() for _ in range(3)]
    while tmp_path.stat().st_ctime_ns == changed:  # the next tick of the kernel's coarse clock
        (tmp_path / "a").write_text("x")
        (tmp_path / "a").unlink()
    (tmp_path / "a").write_text("x")

    assert (seen, len(opened)) == ([{}, {}, {}], 1)
    assert [*kept.look()] == ["a"]


def test_a_folder_with_files_is_opened_each_time(folder, opened):
    kept = Kept(str(folder))
    opened.clear()
    kept.look(), kept.look()

    assert len(opened) == 2


def test_a_folder_that_has_just_changed_may_change_again_without_showing_it(tmp_path, opened, monkeypatch):
    monkeypatch.setattr(module.time, "clock_gettime_ns", lambda clock: tmp_path.stat().st_ctime_ns + 1_000_000)
    kept = Kept(str(tmp_path))
    opened.clear()
    kept.look(), kept.look()

    assert len(opened) == 2


def test_where_files_are_stamped_by_whole_seconds_an_empty_folder_is_opened_each_time(tmp_path, opened, monkeypatch):
    class Coarse:
        st_dev = st_ino = 1
        st_ctime_ns = 1_700_000_000_000_000_000

    kept = Kept(str(tmp_path))
    opened.clear()
    monkeypatch.setattr(module.os, "stat", lambda path: Coarse)
    kept.look(), kept.look()
    monkeypatch.undo()

    assert len(opened) == 2
