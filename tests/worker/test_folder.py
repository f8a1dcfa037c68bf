"""The working folder: nothing outside it opens."""

from __future__ import annotations

import inspect
import itertools
import os

import pytest

from codeact.worker.folder import _OPEN, Folder


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "secret.txt").write_text("the secret")
    return Folder(str(tmp_path / "work"))


def test_a_file_written_is_read_again(folder):
    with folder.open("a.txt", "w") as file:
        file.write("text")
    assert folder.open("a.txt").read() == "text"


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/passwd", "a/../../secret.txt", b"../secret.txt", ".."])
@pytest.mark.parametrize("mode", ["r", "w"])
def test_a_name_outside_is_refused(folder, name, mode):
    with pytest.raises(PermissionError, match="outside the working folder"):
        folder.open(name, mode)


@pytest.mark.parametrize("mode", ["r", "w", "a"])
def test_a_link_leads_nowhere_outside(folder, mode):
    os.symlink("../secret.txt", os.path.join(folder.root, "link"))
    with pytest.raises(PermissionError):
        folder.open("link", mode)


def test_a_path_that_changes_its_mind_is_asked_once(folder):
    class Shifty:
        answers = iter(["a.txt", "/etc/passwd"])

        def __fspath__(self):
            return next(self.answers)

    folder.open("a.txt", "w").close()
    assert folder.open(Shifty()).read() == ""


@pytest.mark.parametrize("descriptor", [0, 3, True])
def test_a_descriptor_is_refused(folder, descriptor):
    with pytest.raises(PermissionError, match="not a descriptor"):
        folder.open(descriptor)


def test_an_opener_is_refused(folder):
    with pytest.raises(PermissionError, match="no opener"):
        folder.open("a.txt", opener=os.open)


def test_an_error_names_the_file_as_the_snippet_did(folder):
    with pytest.raises(FileNotFoundError) as caught:
        folder.open("missing.txt")
    assert folder.root not in str(caught.value)
    assert "missing.txt" in str(caught.value)


def test_open_takes_what_the_builtin_takes():
    assert inspect.signature(open) == _OPEN


@pytest.fixture
def linked(folder):
    os.makedirs(os.path.join(folder.root, "d", "e"))
    folder.open("d/e/f.txt", "w").close()
    for link, target in {
        "out": "..", "d/out": "../../secret.txt", "within": "d/e", "d/up": "..", "gone": "nowhere/x", "round": "round"
    }.items():  # fmt: skip
        os.symlink(target, os.path.join(folder.root, link))
    return folder


_PARTS = ["d", "e", "f.txt", "out", "within", "up", "gone", "round", "missing", "..", ".", "", "secret.txt", "x" * 300]


def test_each_way_leads_where_the_kernel_goes_or_is_refused(linked):
    for names in itertools.chain.from_iterable(itertools.product(_PARTS, repeat=amount) for amount in (1, 2, 3)):
        for start in ("", "d/", linked.root + "/", "/session/", "/", linked.root + "x/", linked.root + "//d/"):
            name = start + "/".join(names)
            if not name:
                continue
            asked = os.path.join(linked.root, linked.here(name))
            real = os.path.realpath(asked)
            ways_up = [place for place, part in enumerate(asked.split("/")) if part == ".."]
            inside = real == linked.root or real.startswith(linked.root + "/")
            if inside and not all(os.path.isdir("/".join(asked.split("/")[:place])) for place in ways_up):
                with pytest.raises((FileNotFoundError, NotADirectoryError)):
                    linked.path(name)
            elif inside:
                assert linked.path(name).rstrip("/") == real, name
            else:
                with pytest.raises(PermissionError, match="outside the working folder"):
                    linked.path(name)


def test_a_link_that_takes_the_place_of_a_folder_is_seen_at_the_next_use(linked):
    assert linked.open("d/e/f.txt").read() == ""
    os.rename(os.path.join(linked.root, "d"), os.path.join(linked.root, "was"))
    os.symlink("..", os.path.join(linked.root, "d"))
    with pytest.raises(PermissionError):
        linked.open("d/secret.txt")


def test_a_folder_reached_by_a_link_is_known_by_both_its_names(tmp_path):
    (tmp_path / "real").mkdir()
    os.symlink("real", tmp_path / "link")
    folder = Folder(str(tmp_path / "link"))
    assert folder.path("a") == folder.path(str(tmp_path / "link" / "a")) == str(tmp_path / "real" / "a")
    assert folder.path("/session/a") == folder.path("a")
