"""Calls sent off with `submit`: over with their step at the latest, their answers there for later ones."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from codeact import Limits, Session
from tests.session.parts import with_hours


def double(n: int) -> int:
    """Doubles."""
    return 2 * n


def fail() -> int:
    """Fails."""
    raise KeyError("gone")


@pytest.fixture(params=["caged", "inline"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    with Session(tools=[double, fail], isolation=request.param, limits=Limits(wall_seconds=10)) as opened:
        yield opened


def test_an_answer_can_be_asked_for_in_a_later_step(session: Session) -> None:
    assert session.run("p = double.submit(4)").ok
    assert session.run("p.done(), p.result(), p.result()").value == (True, 8, 8)
    assert session.run("p.result()").value == 8


def test_an_error_can_be_asked_for_in_a_later_step(session: Session) -> None:
    session.run("p = fail.submit()")
    failure = session.run("p.result()").failure
    assert failure is not None
    assert (failure.type, failure.message) == ("KeyError", "'gone'")


def test_the_calls_of_a_step_are_over_when_it_is(session: Session) -> None:
    seen = session.run("ps = [double.submit(n) for n in range(3)]\n1 / 0")
    assert [call.result for call in seen.calls] == [0, 2, 4]
    assert session.run("[p.result() for p in ps]").value == [0, 2, 4]


def test_a_call_that_never_ended_says_so_instead_of_waiting_for_ever() -> None:
    never = threading.Event()

    def block() -> int:
        """Never returns."""
        never.wait()
        return 1

    with with_hours(block, isolation="inline") as session:
        seen = session.run("p = block.submit()\nhour()")
        assert seen.failure is not None
        assert seen.failure.kind == "limit"
        failure = session.run("p.result()").failure
        assert failure is not None
        assert failure.type in ("RuntimeError", "ToolFailed")
    never.set()
