"""The index is a file that can be lost, damaged or old; what is counted there moves skills out of use and back."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from codeact.skills.library import SkillLibrary
from tests.skills.shelves import fill, skill

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


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


class _CutOff(sqlite3.Connection):
    """A connection in whose transaction Ctrl-C comes before it writes."""

    def execute(self, statement: str, *arguments: Any) -> sqlite3.Cursor:
        cursor = super().execute(statement, *arguments)
        if statement.startswith("BEGIN"):
            raise KeyboardInterrupt
        return cursor


def test_ctrl_c_as_a_change_begins_leaves_the_index_free_for_others(library: SkillLibrary) -> None:
    index = library.shelf.index
    library.close()
    index._database, index._process = sqlite3.connect(index.path, isolation_level=None, factory=_CutOff), os.getpid()
    with pytest.raises(KeyboardInterrupt):
        library.record_use("add_one", ok=True)
    with contextlib.closing(sqlite3.connect(index.path, timeout=0, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")


def test_an_index_from_another_version_is_built_again_and_keeps_the_counters(library: SkillLibrary) -> None:
    library.record_use("add_one", ok=True, operations=7)
    library.close()
    with sqlite3.connect(library.root / ".codeact" / "index.sqlite") as database:
        database.execute("UPDATE meta SET value = '0' WHERE key = 'version'")
        database.execute("DROP TABLE skills")
    again = SkillLibrary(library.root, isolation="inline")
    assert len(again.list()) == 2
    assert again.usage()["add_one"].operations == 7


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


def test_a_skill_that_was_restored_is_not_quarantined_by_a_use_that_did_well(library: SkillLibrary) -> None:
    for _ in range(10):
        library.record_use("add_one", ok=False)
    library.restore("add_one")
    library.record_use("add_one", ok=True)
    assert library.get("add_one").state == "active"


def test_the_cap_retires_the_least_useful(tmp_path: Path) -> None:
    library = SkillLibrary(tmp_path, cap=2, isolation="inline")
    fill(library, [skill("kept_one"), skill("worn_out"), skill("newest")])
    library.record_use("kept_one", ok=True)
    library._trim("newest")
    assert {card.name: card.state for card in library.list()}["worn_out"] == "retired"


def test_the_number_of_skills_on_offer_follows_what_happens_to_them(library: SkillLibrary) -> None:
    index = library.shelf.index
    assert index.count(())[0] == 2
    library.retire("add_one", "no longer needed")
    assert index.count(()) == (1, {})
    library.restore("add_one")
    library.rebuild()
    assert index.count(("add",)) == (2, {"add": 1})
