"""Steps that were cut off, one after the other: each goes on where it was, and none repeats a call."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from codeact import Session
from codeact.errors import CodeactError, JournalError
from codeact.session.past import read_past
from tests.full_disk import room_for
from tests.session.parts import World, interrupted_once

ONE, OTHER = "one = note('one')\nsaid = note('more')", "other = note('other')\nsaid = note('yet more')"


def cut_off(session: Session, source: str, path: Path) -> Path:
    """What a host leaves behind that is killed as this step waits for its second call."""
    session.run(source)
    lines = session._life.log._journal.path.read_text().splitlines(keepends=True)  # type: ignore[union-attr]  # it has one
    places = [place for place, line in enumerate(lines) if json.loads(line)["kind"] == "calling"]
    path.write_text("".join(lines[: places[-1]]))
    return path


@pytest.fixture
def twice(tmp_path: Path) -> tuple[Path, World]:
    """A session whose host was killed in a step, and once more in another one."""
    world = World()
    with Session(world.tools(), journal=tmp_path / "1") as session:
        session.run("kept = 1")
        first = cut_off(session, ONE, tmp_path / "first")
    with Session.resume(first, world.tools(), journal=tmp_path / "2") as session:
        second = cut_off(session, OTHER, tmp_path / "second")
    world.notes.clear()
    return second, world


def test_a_host_that_is_killed_in_a_second_step_has_not_lost_the_first(twice: tuple[Path, World]) -> None:
    path, world = twice
    with Session.resume(path, world.tools()) as session:
        for source in (OTHER, ONE):
            assert session._life.unfinished.source == source  # type: ignore[union-attr]  # there is one
            assert session.finish() is not None
        assert session.finish() is None
        assert session.run("kept, one, other, said").value == (1, "ONE", "OTHER", "MORE")
    assert world.notes == ["yet more", "more"]


def test_a_step_that_was_cut_off_first_can_be_run_on_first(twice: tuple[Path, World], tmp_path: Path) -> None:
    path, world = twice
    with Session.resume(path, world.tools()) as session:
        session.run(ONE)
        session.save(tmp_path / "saved")
    with Session.resume(tmp_path / "saved", world.tools()) as session:
        assert session.finish() is not None
        assert session.run("one, other, said").value == ("ONE", "OTHER", "YET MORE")
    assert world.notes == ["more", "yet more"]


def test_a_step_that_was_cut_off_outlives_one_that_pauses(tmp_path: Path) -> None:
    world = World()
    with Session(world.tools(), journal=tmp_path / "1") as session:
        path = cut_off(session, ONE, tmp_path / "first")
    with Session.resume(path, world.tools()) as session:
        assert session.run("given = approve('it')").paused is not None
        session.save(tmp_path / "paused")
        assert session.go_on("yes").ok
        assert session.finish() is not None
        assert session.run("one, said, given").value == ("ONE", "MORE", "yes")
    assert [step.source for step in read_past(tmp_path / "paused").cut_off] == [ONE, "given = approve('it')"]
    assert world.notes == ["one", "more", "more"]


def _no_room(session: Session) -> None:
    with room_for(session._life.log._journal.path.stat().st_size + 3), pytest.raises(JournalError):  # type: ignore[union-attr]  # it has one
        session.run("paid = note('paid')")


def _ctrl_c(session: Session) -> None:
    interrupted_once(session._life.log._journal, "append")
    with pytest.raises(KeyboardInterrupt):
        session.run("paid = note('paid')")


@pytest.mark.parametrize("fail", [_no_room, _ctrl_c])
def test_a_step_that_did_not_begin_is_not_gone_on_with(fail: Callable[[Session], None], tmp_path: Path) -> None:
    world = World()
    with Session(world.tools(), journal=tmp_path / "live") as session:
        session.run("asked = note('before')\nasked = approve('it')")
        fail(session)
        assert [call.tool for call in session.paused] == ["approve"]
        session.save(tmp_path / "saved")
    for path in (tmp_path / "live", tmp_path / "saved"):
        with Session.resume(path, world.tools()) as again:
            assert [call.tool for call in again.paused] == ["approve"]
            assert again.go_on("yes").ok
            assert again.finish() is None
    assert world.notes == ["before"]


def test_going_back_where_there_is_no_room_to_write_it_down_loses_no_step(tmp_path: Path) -> None:
    with Session(journal=tmp_path / "live") as session:
        session.run("kept = []\n1 / 0")  # so that a state is frozen before the next step, and none for a while
        for number in range(5):
            session.run(f"kept.append({number})")
        with room_for((tmp_path / "live").stat().st_size + 3), pytest.raises(JournalError, match="make room"):
            session.rewind(1)
        assert session.run("kept").value == [0, 1, 2, 3]
    with Session.resume(tmp_path / "live") as again:
        assert again.run("kept").value == [0, 1, 2, 3]


def test_a_session_that_is_closed_cannot_be_saved_without_what_it_has_forgotten(tmp_path: Path) -> None:
    with Session() as session:
        session.run("kept = 1")
    with pytest.raises(CodeactError, match="closed: save it before that"):
        session.save(tmp_path / "saved")
    assert not (tmp_path / "saved").exists()
