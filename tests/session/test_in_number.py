"""Many sessions at once: each takes less, and does what one alone does."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from codeact import Limits, Policy, Session
from codeact.sandbox import zygotes
from tests.sandbox.conftest import descendants, none_ready

MANY = 101


@pytest.fixture(scope="module")
def others() -> Iterator[int]:
    """So many other sessions are open; the processes below their zygote."""
    gc.collect()  # forgotten ones do not end while these are counted
    with none_ready(), ExitStack() as stack:
        for _ in range(MANY):
            stack.enter_context(Session())
        yield len(descendants(zygotes.for_policy(Policy(), frozenset()).pid))


def test_one_of_many_sessions_keeps_no_frozen_state_between_two_steps(others: int) -> None:
    with Session(limits=Limits(checkpoints=3)) as session:
        for step in range(4):
            assert session.run(f"x = {step}").ok
            assert len(descendants(zygotes.for_policy(Policy(), frozenset()).pid)) == others + 1


@pytest.mark.parametrize("undone", ["while True: pass", "x[-1] = 0\n[0] * 10**12"])
def test_one_of_many_sessions_undoes_a_step_that_ends_at_a_limit(others: int, undone: str) -> None:
    with Session(limits=Limits(operations=100_000)) as session:
        for step in ("x = [1]", "x.append(2)", "x.append(3)"):
            assert session.run(step).ok
        seen = session.run(f"x.append(4)\n{undone}")
        assert (seen.ok, seen.rolled_back) == (False, True)
        assert session.run("x").value == [1, 2, 3]


def test_one_of_many_sessions_goes_back_by_living_again_and_calls_no_tool_twice(others: int) -> None:
    made: list[int] = []

    def note(n: int) -> int:
        """Counts."""
        made.append(n)
        return n

    with Session([note], limits=Limits(checkpoints=2)) as session:
        for step in range(4):
            assert session.run(f"x = note({step})").ok
        session.rewind(2)
        assert session.run("x").value == 1
    assert made == [0, 1, 2, 3]


def test_one_of_many_sessions_is_copied(others: int) -> None:
    with Session() as session:
        session.run("x = 1")
        session.run("x += 1")
        with session.fork() as copy:
            assert copy.run("x += 1\nx").value == 3
            assert copy.run("x").value == 3
        assert session.run("x").value == 2
