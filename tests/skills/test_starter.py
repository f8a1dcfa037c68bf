"""The starter skills: verified here, valid as Agent Skills, on offer at once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from codeact.skills.library import SkillLibrary
from codeact.skills.meaning import meaning_of
from tests.cli.command import codeact

SHIPPED = Path(__file__).parents[2] / "skills"
FOLDERS = sorted(path.name for path in SHIPPED.iterdir() if path.is_dir() and not path.name.startswith("."))
pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED, tmp_path / "skills", ignore=shutil.ignore_patterns(".codeact")))


def test_every_starter_skill_passes_its_recorded_uses(copied: Path) -> None:
    library = SkillLibrary(copied, accept=True, isolation="inline")
    assert len(FOLDERS) >= 5
    assert [checked.reason for checked in library.verify() if not checked.ok] == []
    assert [card.folder for card in library.list() if card.state == "active"] == FOLDERS
    assert library.broken() == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_starter_skill_is_valid_as_an_agent_skill(folder: str) -> None:
    validator = pytest.importorskip("skills_ref", reason="skills-ref, the validator of the format, is not installed")
    assert validator.validate(SHIPPED / folder) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_starter_skill_means_the_same_to_every_python(folder: str) -> None:
    code, manifest = (SHIPPED / folder / "skill.py").read_text(), (SHIPPED / folder / "manifest.json").read_text()
    assert meaning_of(code) == json.loads(manifest)["meaning"]


def test_what_ships_is_on_offer_at_once_and_what_was_edited_is_not(copied: Path) -> None:
    code = copied / FOLDERS[0] / "skill.py"
    code.write_text(code.read_text() + "\n# edited\n")
    library = SkillLibrary(copied, isolation="inline")
    library.trust(SHIPPED)
    states = {card.folder: card.state for card in library.list()}
    assert states.pop(FOLDERS[0]) == "quarantined"
    assert set(states.values()) == {"active"}


def test_the_command_lists_and_tests_them(copied: Path) -> None:
    listed = codeact("skills", "list", folder=copied.parent)
    assert "find_outliers" in listed.out
    assert "quarantined" not in listed.out
    tested = codeact("skills", "test", "find_outliers", folder=copied.parent)
    assert tested.code == 0, tested.err
    assert "1 passed, 0 failed" in tested.out


def test_a_test_that_fails_is_named_and_changes_nothing(copied: Path) -> None:
    code = copied / "find-outliers" / "skill.py"
    code.write_text(code.read_text().replace("x < low - reach or", "False or"))
    code.write_text(code.read_text().replace("x > high + reach", "False"))
    before = (copied / "find-outliers" / "manifest.json").read_bytes()
    tested = codeact("skills", "test", "find_outliers", folder=copied.parent)
    assert tested.code == 1
    assert "FAILED  find_outliers[1]" in tested.out
    assert (copied / "find-outliers" / "manifest.json").read_bytes() == before


def test_the_history_of_a_skill_is_told(copied: Path) -> None:
    codeact("skills", "retire", "find_outliers", "not needed", folder=copied.parent)
    told = codeact("skills", "history", "find_outliers", folder=copied.parent)
    assert "retired  not needed" in told.out


def test_a_damaged_skill_fails_its_tests_and_the_others_are_tested(copied: Path) -> None:
    with (copied / "find-outliers" / "examples.jsonl").open("a") as file:
        file.write('{"a": 1}\n')
    (copied / "total-rows" / "skill.py").unlink()
    tested = codeact("skills", "test", folder=copied.parent)
    assert tested.code == 1
    assert "FAILED  find_outliers  line 2 of examples.jsonl cannot be read" in tested.out
    assert "FAILED  total-rows  skill.py is missing" in tested.out
    assert f"{len(FOLDERS) - 2} passed, 2 failed" in tested.out


def test_what_ships_with_codeact_is_on_offer_when_it_is_imported_and_told_so(copied: Path) -> None:
    told = codeact("skills", "import", "skills", "--skills", "other", folder=copied.parent)
    assert told.code == 0, told.err
    assert "find_outliers  active" in told.out
    assert "quarantined" not in told.out
    assert "verify --accept" not in told.out


def test_the_history_takes_one_line_for_each_event(copied: Path) -> None:
    codeact("skills", "retire", "find_outliers", "not needed\nany more", folder=copied.parent)
    for command in ("history", "show"):
        told = codeact("skills", command, "find_outliers", folder=copied.parent)
        assert "retired  not needed any more" in told.out
