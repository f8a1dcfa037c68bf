"""A library that nobody can write to: what is in it is found and used, and what is learnt holds for this process."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from codeact.cli.init import starter
from codeact.records import ToolSpec
from codeact.skills.library import SkillLibrary
from tests.skills.shelves import fill, skill

pytestmark = [
    pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:the index:RuntimeWarning"),
]
RATE = ToolSpec("rate", (), "float", "The rate.", "read")


def _closed(root: Path) -> SkillLibrary:
    """Put a file where the library keeps what is its own: not even root can write there then."""
    shutil.rmtree(root / ".codeact", ignore_errors=True)
    (root / ".codeact").touch()
    return SkillLibrary(root, isolation="inline", accept=True)


@pytest.fixture
def library(tmp_path: Path) -> SkillLibrary:
    fill(SkillLibrary(tmp_path / "skills", isolation="inline"), [skill("add_one", tools=(RATE,)), skill("add_two")])
    return _closed(tmp_path / "skills")


def test_skills_that_ship_with_a_program_are_on_offer(tmp_path: Path) -> None:
    shutil.copytree(starter("skills"), tmp_path / "skills", ignore=shutil.ignore_patterns(".codeact"))
    (tmp_path / "skills" / ".codeact").touch()
    library = SkillLibrary(tmp_path / "skills", isolation="inline")
    assert {card.state for card in library.list()} == {"quarantined"}
    library.trust(starter("skills"))
    assert {card.state for card in library.list()} == {"active"}
    assert library.search("total of the rows")


def test_a_skill_whose_tool_has_changed_is_off_the_offer_and_the_others_are_found(library: SkillLibrary) -> None:
    changed = {"rate": replace(RATE, returns="str")}
    with pytest.warns(
        RuntimeWarning, match="add_one is not offered by this process: the tool rate is called otherwise"
    ):
        assert [card.name for card in library.search("add one", tools=changed)] == ["add_two"]
    assert [card.name for card in library.search("add one", tools={"rate": RATE})] == ["add_two"]


def test_a_skill_that_keeps_failing_is_off_the_offer(library: SkillLibrary) -> None:
    assert [card.name for card in library.search("add one")] == ["add_one", "add_two"]
    with pytest.warns(RuntimeWarning, match="add_two is not offered by this process: 0 of 3 checked uses succeeded"):
        _ = [library.record_use("add_two", ok=False) for _ in range(3)]
    assert [card.name for card in library.search("add one")] == ["add_one"]
