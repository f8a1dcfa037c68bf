"""One step after another: both sides look for what comes next before they sleep, where that pays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codeact import Limits, Session
from codeact.wire import messages as say
from codeact.wire.looking import NEVER, Looking

_ALWAYS = 1_000_000  # messages


def told_of_steps(session: Session) -> list[bool]:
    """A list that shows from now on of each step whether the worker is told to look for the next."""
    link, told = session._life._link, []
    send: Callable[..., bool] = link.channel.send

    def noted(message, **how):
        if isinstance(message, say.Step):
            told.append(message.soon)
        return send(message, **how)

    link.channel.send = noted
    return told


def that_looks(session: Session) -> list[bool]:
    """Have a session look for its steps from now on; gives what its worker is told of each."""
    session._life._link.looking = Looking(looks=True, times=100)
    session._life._link.looking.kept = _ALWAYS
    return told_of_steps(session)


def test_steps_that_are_looked_for_give_what_they_give_else() -> None:
    for checkpoints in (0, 1):
        with Session(limits=Limits(checkpoints=checkpoints)) as session:
            told = that_looks(session)
            assert session.run("n = 0").ok
            assert [session.run(f"n += 1\nprint('x' * {size})\nn").value for size in (1, 10, 100_000)] == [1, 2, 3]
            assert session.run("1 / 0").failure.type == "ZeroDivisionError"
            assert session.run("n").value == 3
            assert told == [True] * 6
            assert session._life._link.looking.kept <= _ALWAYS - 6  # it was asked each time


def test_looking_is_tried_and_not_in_the_first_steps_of_a_session() -> None:
    with Session() as session:
        told = told_of_steps(session)
        for _ in range(100):
            session.run("1")
    assert not any(told[:20])
    assert any(told)


def test_a_step_that_is_looked_for_and_does_not_come_soon_is_stopped_at_its_limit() -> None:
    with Session(limits=Limits(wall_seconds=0.5)) as session:
        that_looks(session)
        session.run("n = 1")
        assert session.run("while True: pass").failure.kind == "limit"
        assert session.run("n").value == 1


def test_two_sessions_that_wait_at_once_do_not_look() -> None:
    with Session() as inner:
        inner_told = that_looks(inner)

        def ask() -> int:
            """Have another session compute."""
            value: int = inner.run("1 + 1").value
            return value

        with Session([ask]) as outer:
            outer_told = that_looks(outer)
            assert outer.run("ask()").value == 2
        assert inner.run("2 + 2").value == 4
    assert (outer_told, inner_told) == ([True], [False, True])


@pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")
def test_a_thread_of_the_same_process_is_not_looked_for() -> None:
    with Session(isolation="inline") as session:
        assert session._life._link.looking is NEVER
