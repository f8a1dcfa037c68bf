"""A call held open: the step stops at it, and goes on later, here or elsewhere, with the call's answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from codeact import Session
from codeact.errors import UsageError
from codeact.session import Isolation
from codeact.toolbox import Pause
from tests.session.parts import STEP, UNRECORDED, World, an_hour_passes, until

KINDS = pytest.mark.parametrize("isolation", ["caged", "inline"])


@KINDS
def test_a_step_stops_at_a_call_held_open_and_goes_on_with_its_answer(isolation: Isolation) -> None:
    world = World()
    with Session(tools=world.tools(), isolation=isolation) as session:
        session.run("kept = 1")
        seen = session.run(STEP)
        assert not seen.ok
        assert seen.paused is not None
        assert (seen.paused.tool, seen.paused.arguments) == ("approve", {"what": "order 7"})
        assert seen.failure is not None
        assert seen.failure.type == "Paused"
        assert [call.tool for call in session.paused] == ["approve"]
        assert session.finish() is None
        assert session.go_on("yes").value == ("BEFORE", "yes", "AFTER")
        assert session.paused == ()
        assert session.run("kept, said").value == (1, "yes")
    assert world.notes == ["before", "after"]


@KINDS
def test_a_paused_step_goes_on_beside_other_tasks(isolation: Isolation) -> None:
    async def both() -> object:
        seen, _ = await asyncio.gather(session.ago_on("yes"), asyncio.sleep(0))
        return seen.value

    with Session(tools=World().tools(), isolation=isolation) as session:
        session.run(STEP)
        assert asyncio.run(both()) == ("BEFORE", "yes", "AFTER")


def test_a_call_that_says_a_time_that_is_not_recorded_goes_on_where_the_clock_is_fixed_and_says_so_where_it_is_not() -> (
    None
):
    step = f"{UNRECORDED}said = approve(str(time.time_ns()))\nsaid"
    with Session(tools=World().tools()) as session:
        held = session.run(step).paused
        failure = session.go_on("yes").failure
        assert held is not None
        assert failure is not None
        assert f"where it called approve(what={held.arguments['what']!r})" in failure.message
        assert "deterministic=True" in failure.message
    with Session(tools=World().tools(), deterministic=True) as session:
        session.run(step)
        assert session.go_on("yes").value == "yes"


@KINDS
def test_a_paused_session_goes_on_in_another_session_with_the_answer(tmp_path: Path, isolation: Isolation) -> None:
    world = World()
    with Session(tools=world.tools(), isolation=isolation) as session:
        session.run("kept = note('first')")
        session.run(STEP)
        session.save(tmp_path / "paused.session")
    with Session.resume(tmp_path / "paused.session", tools=world.tools(), isolation=isolation) as again:
        assert [call.arguments for call in again.paused] == [{"what": "order 7"}]
        assert again.go_on("yes").value == ("BEFORE", "yes", "AFTER")
        assert again.run("kept, said").value == ("FIRST", "yes")
    assert world.notes == ["first", "before", "after"]


def test_a_session_that_was_resumed_is_saved_with_the_step_it_is_paused_in(tmp_path: Path) -> None:
    world = World()
    first, second, live = (tmp_path / name for name in ("first", "second", "live"))
    with Session(tools=world.tools()) as session:
        session.run(STEP)
        session.save(first)
    with Session.resume(first, tools=world.tools(), journal=live) as again:
        again.save(second)
    for path in (second, live):
        with Session.resume(path, tools=world.tools()) as third:
            assert [call.tool for call in third.paused] == ["approve"]
            assert third.go_on("yes").value == ("BEFORE", "yes", "AFTER")
    assert world.notes == ["before", "after", "after"]


def test_a_copy_of_a_paused_session_goes_on_with_the_same_numbers_and_draws_others_afterwards(tmp_path: Path) -> None:
    world = World()
    with Session(tools=world.tools()) as session:
        session.run(f"import random\nn = note(str(random.random()))\n{STEP}")
        with session.fork() as copy:
            for each in (session, copy):
                assert each.go_on("yes").value == ("BEFORE", "yes", "AFTER")
            drawn = copy.run("random.random()").value
            assert drawn != session.run("random.random()").value
            copy.run("more = random.random()")
            copy.save(tmp_path / "copy")
            with Session.resume(tmp_path / "copy", tools=world.tools()) as again:
                assert again.run("n, more").value == copy.run("n, more").value
    assert len(world.notes) == 4


def test_a_paused_call_can_be_answered_with_an_error() -> None:
    world = World()
    with Session(tools=world.tools()) as session:
        session.run("try:\n    approve('x')\nexcept PermissionError as error:\n    said = str(error)\nsaid")
        assert session.go_on(error=PermissionError("not today")).value == "not today"


def test_a_paused_call_can_be_made_after_all() -> None:
    world = World()
    with Session(tools=world.tools()) as session:
        session.run(STEP)
        world.verdict = "fine"
        assert session.go_on().value == ("BEFORE", "fine", "AFTER")
    assert world.notes == ["before", "fine", "after"]


def test_a_step_can_pause_again_at_its_next_call() -> None:
    world = World()
    with Session(tools=world.tools()) as session:
        session.run("[approve('a'), note('between'), approve('b')]")
        seen = session.go_on("one")
        assert seen.paused is not None
        assert seen.paused.arguments == {"what": "b"}
        assert session.go_on("two").value == ["one", "BETWEEN", "two"]
    assert world.notes == ["between"]


def test_calls_side_by_side_are_finished_before_the_step_stops() -> None:
    world = World()
    with Session(tools=world.tools()) as session:
        seen = session.run("a, b = note.submit('aside'), approve.submit('b')\n[a.result(), b.result()]")
        assert seen.paused is not None
        assert session.go_on("two").value == ["ASIDE", "two"]
    assert world.notes == ["aside"]


class Till:
    """A till whose every payment takes a while, and an approval that waits for somebody."""

    def __init__(self, seconds: float) -> None:
        self.paid: list[int] = []
        self.seconds, self.asked, self.over = seconds, threading.Event(), threading.Event()

    def tools(self) -> list[Callable[..., object]]:
        def pay(amount: int) -> int:
            """Pays."""
            self.paid.append(amount)
            self.asked.set()
            self.over.wait(self.seconds)
            return amount

        def approve(amount: int) -> str:
            """Asks somebody."""
            self.asked.wait(30)  # the payment has begun
            raise Pause("somebody decides")

        return [pay, approve]


def test_a_call_that_is_waited_for_beside_one_held_open_ends_before_the_step_stops() -> None:
    till = Till(0.2)
    with Session(tools=till.tools()) as session:
        assert session.run("asked = approve.submit(5)\npaid = pay(5)\npaid, asked.result()").paused
        assert session.go_on("yes").value == (5, "yes")
    assert till.paid == [5]


def test_a_call_still_under_way_when_a_paused_step_runs_out_of_time_is_not_made_again(tmp_path: Path) -> None:
    till = Till(30)
    step = "paid, asked = pay.submit(5), approve.submit(5)\nasked.result()\npaid.result()"

    def pass_time_once_held() -> None:
        until(lambda: getattr(session._life._serving, "held", None))
        an_hour_passes(session)

    with Session(tools=till.tools()) as session:
        passing = threading.Thread(target=pass_time_once_held)
        passing.start()
        assert session.run(step).paused is not None
        passing.join()
        session.save(tmp_path / "paused.session")
        failure = session.go_on("yes").failure
        assert failure is not None
        assert "not known" in failure.message
    with Session.resume(tmp_path / "paused.session", tools=till.tools()) as again:
        assert "not known" in str(again.go_on("yes").failure)
    till.over.set()
    assert till.paid == [5]


def test_another_step_gives_a_paused_one_up() -> None:
    world = World()
    with Session(tools=world.tools()) as session:
        session.run(STEP)
        assert session.run("'said' in dir()").value is False
        with pytest.raises(UsageError, match="held open"):
            session.go_on("yes")


@pytest.mark.parametrize("answer", [7, object()])
def test_an_answer_the_tool_could_not_have_given_is_a_usage_error_and_the_step_still_waits(answer: object) -> None:
    world = World()
    with Session(tools=world.tools()) as session:
        session.run(STEP)
        with pytest.raises(UsageError, match="approve"):
            session.go_on(answer)
        assert session.go_on("yes").ok


def test_no_except_around_a_tool_takes_a_pause_for_a_failure() -> None:
    world = World()
    with Session(tools=world.tools()) as session:
        assert session.run("try:\n    approve('x')\nexcept Exception:\n    pass").paused is not None


def test_an_error_of_a_snippet_that_is_called_as_the_hosts_own_is_no_more_than_that() -> None:
    with Session() as session:
        for name in ("Paused", "Interrupted"):
            seen = session.run(f"class {name}(Exception): pass\nraise {name}('why')")
            assert (seen.failure.type, seen.failure.message, seen.paused) == (name, "why", None)
            assert session.run(f"{name}.__name__").value == name
