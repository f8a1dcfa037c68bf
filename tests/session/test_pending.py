"""Calls sent off with `submit`: over with their step at the latest, their answers there for later ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeact import Limits, Session


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
