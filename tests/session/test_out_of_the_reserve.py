"""Sessions that were made before anybody asked for them behave as those that were not."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from codeact import Limits, Policy, Session
from codeact.errors import UsageError
from codeact.sandbox import launch, zygotes
from codeact.testing import raw_session
from tests.session.parts import an_hour_passes, with_hours

ENDLESS = Limits(operations=10**12)


@pytest.fixture(autouse=True)
def one_in_reserve() -> Iterator[None]:
    launch.keep_ready(1)
    yield
    launch.keep_ready(launch.KEPT_READY)


def wait_for_one(limits: Limits, *, checked: bool = True) -> None:
    """Ask for sessions of this kind until one is ready."""
    kind = launch._Kind(Policy(), frozenset(), checked, limits.memory_bytes, limits.folder_bytes, limits.checkpoints)
    until = time.monotonic() + 20
    while not (shelf := launch._reserve._shelves.get(kind)) or not shelf.ready:
        assert time.monotonic() < until, "none was made ready"
        if shelf is None or shelf.asked < 2:  # forgotten where one could not be made: an earlier test killed it
            launch.start(policy=Policy(), limits=limits, checked=checked).close()
        time.sleep(0.005)


def double(number: int) -> int:
    """Twice the number."""
    return 2 * number


def test_a_first_step_that_is_killed_leaves_what_was_there_before_it() -> None:
    wait_for_one(ENDLESS)
    with with_hours(double, limits=ENDLESS, seed=3) as session:
        session.assign({"x": 20})
        seen = session.run("x = 0\nhour()\nwhile True: pass")
        assert seen.rolled_back
        assert seen.failure is not None
        assert session.run("double(x) + 2").value == 42
        assert session.run("hour()\nwhile True: pass").rolled_back
        assert session.run("double(x) + 2").value == 42


def test_a_first_step_can_be_gone_back_from() -> None:
    wait_for_one(Limits())
    with Session(tools=[double]) as session:
        session.assign({"x": 1})
        session.run("x = double(x)")
        session.rewind(1)
        assert session.run("x").value == 1
        with pytest.raises(UsageError, match="cannot go back"):
            session.rewind(5)
        assert session.run("double(x)").value == 2


def test_a_copy_made_before_the_first_step_is_whole() -> None:
    running: list[Session] = []

    def hour() -> None:
        """Takes an hour."""
        an_hour_passes(running[-1])

    wait_for_one(ENDLESS)
    with Session(tools=[double, hour], limits=ENDLESS) as session, session.fork() as copy:
        for each in (session, copy):
            running.append(each)
            assert each.run("x = double(4)\nx").value == 8
            assert each.run("hour()\nwhile True: pass").rolled_back
            assert each.run("x").value == 8


@pytest.mark.parametrize("steps_before", [0, 1, 2])
def test_no_step_finds_a_place_to_fork_into(steps_before: int) -> None:
    wait_for_one(Limits(), checked=False)
    with raw_session() as session:
        for _ in range(steps_before):
            session.run("1")
        seen = session.run("import os\nos.fork() or os._exit(0)")
    assert seen.failure is not None
    assert seen.failure.type == "BlockingIOError"


def test_a_session_whose_zygote_is_killed_while_it_waits_is_replaced_unnoticed() -> None:
    wait_for_one(Limits())
    zygote = zygotes.for_policy(Policy(), frozenset())
    zygote._kill()
    assert not zygote.alive
    with Session() as session:
        assert session.run("1 + 1").value == 2


def test_a_zygote_that_was_closed_has_no_last_words() -> None:
    zygote = zygotes.Zygote(Policy(), frozenset())
    zygote.close()
    assert zygote.last_words() == ""
