"""Folders that are off in other ways: named, and no harm to the rest."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from codeact.errors import SkillError
from codeact.skills.layout import check_name
from codeact.skills.library import SkillLibrary
from tests.skills.shelves import fill, skill

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


@pytest.fixture
def library(tmp_path: Path) -> SkillLibrary:
    library = SkillLibrary(tmp_path / "skills", isolation="inline")
    fill(library, [skill("add_one")])
    return library


@pytest.mark.parametrize("name", ["größe", "сума", "add one", "Add", "add__one", "_add", "a" * 80, "", "../up"])
def test_a_name_the_format_does_not_know_is_refused_in_words(name: str) -> None:
    with pytest.raises(SkillError, match="cannot name a skill"):
        check_name(name)


def test_a_folder_with_a_name_in_other_letters_is_named_and_the_others_load(library: SkillLibrary) -> None:
    shutil.copytree(library.root / "add-one", library.root / "größe")
    assert [item.folder for item in library.broken()] == ["größe"]
    assert [card.name for card in library.list()] == ["add_one"]


def test_a_line_of_examples_that_was_edited_badly_is_named(library: SkillLibrary) -> None:
    (library.root / "add-one" / "examples.jsonl").write_text('{"arguments": 1}\n')
    checked = library.verify("add_one")[0]
    assert not checked.ok
    assert "line 1 of examples.jsonl" in checked.reason


def test_a_link_in_place_of_a_file_is_not_followed(library: SkillLibrary, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.py").write_text("def add_one(number: int) -> int:\n    return 2\n")
    (library.root / "add-one" / "skill.py").unlink()
    (library.root / "add-one" / "skill.py").symlink_to(tmp_path / "elsewhere.py")
    with pytest.raises(SkillError, match="cannot be read"):
        library.sources(["add_one"])
    assert library.search("add one to a number") == []


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
