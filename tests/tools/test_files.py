"""Files and text are found below the folder the user gave, and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Tool = Callable[[str], Any]


@pytest.fixture
def library(folder: Path) -> Path:
    (folder / "notes" / "deep").mkdir(parents=True)
    (folder / "notes" / "a.txt").write_text("one\nTwo apples\nthree")
    (folder / "notes" / "deep" / "b.md").write_text("# Apples\n" + "x" * 1000 + " apple " + "y" * 1000)
    (folder / "data.csv").write_text("fruit\napple\n")
    (folder / "picture.png").write_bytes(b"\x89PNG\0apple")
    (folder / ".hidden").write_text("apple")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("apple")
    (folder / "out").symlink_to(folder.parent)
    (folder / "secret").symlink_to(folder.parent / "secret.txt")
    return folder


def names(found: list[dict[str, Any]]) -> list[str]:
    return [entry["file"] for entry in found]


def test_files_are_found_by_pattern(tool: Tool, library: Path) -> None:
    find = tool("find_files")
    assert names(find()) == ["data.csv", "picture.png", "notes/a.txt", "notes/deep/b.md"]
    assert names(find("*.md")) == ["notes/deep/b.md"]
    assert names(find("notes/*")) == ["notes/a.txt", "notes/deep/b.md"]
    assert names(find(folder="notes", limit=1)) == ["notes/a.txt"]
    assert find("data.csv")[0]["size_bytes"] == 12
    assert find("data.csv")[0]["modified"].endswith("+00:00")


def test_text_is_found_whatever_its_case(tool: Tool, library: Path) -> None:
    found = tool("search_text")("APPLE")
    assert [(entry["file"], entry["line"]) for entry in found] == [
        ("data.csv", 2),
        ("notes/a.txt", 2),
        ("notes/deep/b.md", 1),
        ("notes/deep/b.md", 2),
    ]
    assert all("apple" in entry["text"].lower() and len(entry["text"]) <= 300 for entry in found)
    assert names(tool("search_text")("apple", "*.csv", limit=1)) == ["data.csv"]


def test_a_search_takes_its_text_as_it_stands(tool: Tool, library: Path) -> None:
    assert tool("search_text")("(a+)+$") == []
    with pytest.raises(ValueError, match="needs a text"):
        tool("search_text")("  ")


def test_a_search_does_not_follow_links_out(tool: Tool, library: Path) -> None:
    assert tool("search_text")("secret") == []
    with pytest.raises(PermissionError, match="outside the folder"):
        tool("find_files")("*", folder="out")
    with pytest.raises(PermissionError, match="outside the folder"):
        tool("search_text")("root", folder="/etc")


def test_a_pipe_is_no_file_and_blocks_nobody(tool: Tool, library: Path) -> None:
    os.mkfifo(library / "pipe")
    assert "pipe" not in names(tool("find_files")())
    with pytest.raises(IsADirectoryError, match="not a file"):
        tool("read_text")("pipe")


def test_a_text_is_read_by_lines_with_a_note_of_what_follows(tool: Tool, library: Path) -> None:
    read = tool("read_text")
    assert read("notes/a.txt") == "one\nTwo apples\nthree"
    assert read("notes/a.txt", 2, 1) == "Two apples\n… 1 more lines: read_text('notes/a.txt', first_line=3)"
    with pytest.raises(ValueError, match="has 3 lines"):
        read("notes/a.txt", first_line=9)
    with pytest.raises(ValueError, match="count from 1"):
        read("notes/a.txt", first_line=0)
    with pytest.raises(ValueError, match="is not text"):
        read("picture.png")


def test_a_folder_that_was_never_there_is_named(tool: Tool, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("TOOLS_FOLDER", str(folder / "gone"))
    with pytest.raises(NotADirectoryError, match="TOOLS_FOLDER"):
        tool("find_files")()
