"""The state is what the log says, whatever comes between: Ctrl-C at any moment, and calls that are hard to compare."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from codeact import Limits, Policy, Session
from codeact.errors import SessionError, WorkerDied
from codeact.session import state
from codeact.session.link import Link, open_link
from codeact.session.settings import Settings
from codeact.testing import raw_session
from codeact.toolbox import Pause
from codeact.wire.orders import Kill
from tests.session.parts import interrupted_once


@pytest.fixture
def session() -> Any:
    with Session(files={"a": b"of a", "b": b"of b"}) as session:
        session.run("x = [1]")
        session.run("x.append(2)")
        yield session


@pytest.mark.parametrize(
    "asked",
    [
        lambda session: session.read_file("a"),
        lambda session: session.variables(),
        lambda session: session.rewind(),
        lambda session: session.fork(),
        lambda session: session.assign({"y": 1}),
    ],
)
def test_a_reply_that_was_not_waited_for_answers_no_later_question(session: Session, asked: Any) -> None:
    interrupted_once(session._life._link.channel, "receive")
    with pytest.raises(KeyboardInterrupt):
        asked(session)

    assert session.read_file("b") == b"of b"
    assert session.run("x").value == [1, 2]


@pytest.mark.parametrize("checkpoints", [0, 1])
def test_a_step_that_was_not_written_down_has_not_happened(checkpoints: int) -> None:
    with Session(limits=Limits(checkpoints=checkpoints)) as session:
        session.run("x = [1]")
        interrupted_once(session._life.log, "finished")
        with pytest.raises(KeyboardInterrupt):
            session.run("x.append(2)")

        assert session.run("x").value == [1]


def test_going_back_that_was_not_written_down_has_not_happened(session: Session) -> None:
    interrupted_once(session._life.log, "add")
    with pytest.raises(KeyboardInterrupt):
        session.rewind()

    assert session.run("x").value == [1, 2]


def at_the_file(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_once(session._life.log._journal, "append")


def as_the_line_is_there(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(descriptor: int, content: Any) -> int:
        monkeypatch.undo()
        os.write(descriptor, content)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "write", write)


@pytest.mark.parametrize("ctrl_c", [at_the_file, as_the_line_is_there])
@pytest.mark.parametrize(
    "writes", [Session.rewind, lambda session: session.assign({"n": 1}), lambda session: session.run("x.append(5)")]
)
def test_a_journal_says_what_the_session_is_wherever_ctrl_c_comes_as_it_is_written(
    ctrl_c: Any, writes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "live.jsonl"
    with Session(journal=journal, limits=Limits(checkpoints=3)) as session:
        for step in ("x, n = [1], 0", "x.append(2)", "x.append(3)"):
            session.run(step)
        ctrl_c(session, monkeypatch)
        with pytest.raises(KeyboardInterrupt):
            writes(session)
        session.run("x.append(4)")
        said = session.run("x, n").value
    with Session.resume(journal) as again:
        assert again.run("x, n").value == said


def test_ctrl_c_as_a_worker_is_replaced_leaves_none_that_has_lived_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ctrl_c() -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    session._life._link.close()
    monkeypatch.setattr(state, "Stretch", ctrl_c)
    with pytest.raises(KeyboardInterrupt):
        session.run("x.append(3)")

    assert session.run("x").value == [1, 2]


def test_ctrl_c_as_a_turn_ends_leaves_the_session_free(session: Session) -> None:
    real, left = session._turn, []

    class LeftOpen:
        """A turn whose end Ctrl-C comes before; kept, as a traceback would keep it."""

        def __init__(self, turn: Any = None) -> None:
            self.turn = real(turn)
            left.append(self)

        def __enter__(self) -> None:
            self.turn.__enter__()

        def __exit__(self, *_: object) -> None:
            raise KeyboardInterrupt

    session._turn = LeftOpen  # type: ignore[method-assign,assignment]  # a moment that is rarely met otherwise
    with pytest.raises(KeyboardInterrupt):
        session.run("x.append(3)")
    session._turn = real  # type: ignore[method-assign]  # as it was

    assert session.run("x").value == [1, 2, 3]


ADDRESS = "f'<function at {hex(time.time_ns())}>'"  # another one each time


@pytest.mark.parametrize("value", ["float('nan')", "[float('nan'), 1]", "numpy.arange(3)", "{'a', 'b'}", ADDRESS])
def test_a_state_is_built_again_whatever_its_tools_were_given(value: str) -> None:
    made: list[Any] = []

    def note(value: Any) -> int:
        """Count."""
        made.append(value)
        return len(made)

    with Session([note], policy=Policy(["numpy"])) as session:
        assert session.run(f"import numpy, time\nn = note({value})").ok
        session._life._link.close()

        assert session.run("n").value == 1
        assert len(made) == 1


def held() -> int:
    """Wait for somebody."""
    raise Pause("somebody decides")


def test_a_call_stays_held_where_its_step_could_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_is_to_be_had(settings: object) -> object:
        raise SessionError("no process is left")

    with Session([held]) as session:
        assert session.run("n = held()\nn").paused is not None
        session._life._link.close()
        with monkeypatch.context() as patched:
            patched.setattr(state, "open_link", none_is_to_be_had)
            with pytest.raises(SessionError, match="no process"):
                session.go_on(5)

        assert len(session.paused) == 1
        assert session.go_on(5).value == 5


def test_going_back_gives_a_held_call_up_in_what_is_saved_too(tmp_path: Path) -> None:
    with Session([held]) as session:
        session.run("x = 1")
        session.run("held()")
        session.rewind()
        session.save(tmp_path / "saved")

    with Session.resume(tmp_path / "saved", [held]) as again:
        assert again.paused == ()


def test_a_worker_that_dies_while_a_saved_session_is_built_again_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Link] = []

    def dead_at_first(settings: Settings) -> Link:
        opened.append(open_link(settings))
        if len(opened) == 1:
            worker = opened[0].worker
            worker.zygote.kill(Kill(worker._session, whole=True))
        return opened[-1]

    with Session() as session:
        session.run("x = [1]")
        session.run("x.append(2)")
        session.save(tmp_path / "saved")
    monkeypatch.setattr(state, "open_link", dead_at_first)

    with Session.resume(tmp_path / "saved") as again:
        assert again.run("x").value == [1, 2]
    assert len(opened) == 2


DIES = "import os\nos._exit(1)"


def test_variables_that_the_next_step_builds_again_are_not_said_to_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(self: object) -> object:
        raise WorkerDied("no worker lives long enough")

    with raw_session(limits=Limits(checkpoints=0)) as session:
        session.run("x = 41")
        with monkeypatch.context() as patched:
            patched.setattr(state.State, "_reopened", dies)
            seen = session.run(DIES)

        assert seen.rolled_back
        assert seen.failure is not None
        assert "not lost, the next step builds them again: no worker lives long enough" in seen.failure.hint
        assert session.run("x + 1").value == 42


def test_variables_that_cannot_be_built_again_are_said_to_be_lost() -> None:
    def note(process: int) -> None:
        """Note a process."""

    with raw_session(tools=[note], limits=Limits(checkpoints=0)) as session:
        session.run("import threading\nx = threading.get_native_id()\nnote(x)")
        seen = session.run(DIES)

        assert not seen.rolled_back
        assert seen.failure is not None
        assert "variables of the session are lost with it" in seen.failure.hint
        assert "x" not in session.variables()
