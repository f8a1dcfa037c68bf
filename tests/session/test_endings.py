"""However a step ends, the session keeps the state before it, and the next step runs."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from codeact import Limits, Session
from codeact.errors import ProtocolError, UsageError
from codeact.records import Observation
from codeact.testing import raw_session
from tests.session.parts import an_hour_passes, with_hours


@pytest.fixture
def session() -> Iterator[Session]:
    with with_hours(limits=Limits(operations=1_000_000, memory_bytes=256 << 20)) as opened:
        opened.run("kept = 1")
        yield opened


def ended(seen: Observation, kind: str) -> None:
    """The step ended this way, and the state is that of before it."""
    assert seen.failure is not None
    assert seen.failure.kind == kind, seen.failure
    assert seen.rolled_back


@pytest.mark.parametrize(
    "bomb",
    [
        "kept = 2\nwhile True: pass",
        "kept = 2\nimport time\nhour()\ntime.sleep(60)",
        "kept = 2\nx = 10 ** 10 ** 9",
        "kept = 2\ntry:\n    while True: pass\nexcept BaseException:\n    pass",
    ],
)
def test_a_limit_goes_back_to_before_the_step(session: Session, bomb: str) -> None:
    ended(session.run(bomb), "limit")
    assert session.run("kept").value == 1


def test_what_a_step_printed_before_it_got_stuck_in_c_is_told() -> None:
    with Session(limits=Limits(wall_seconds=1)) as session:
        seen = session.run("print('read', 3)\nprint('matching')\nimport re\nre.match('(a+)+$', 'a' * 40 + 'b')")
        ended(seen, "limit")
        assert seen.stdout == "read 3\nmatching\n"


def test_the_cost_of_a_step_says_whether_it_was_counted_to_its_end(session: Session) -> None:
    with Session(limits=Limits(wall_seconds=0.3, operations=1 << 60)) as short:
        killed = short.run("while True: pass").cost
        assert (killed.counted, killed.operations) == (False, 0)
        assert killed.wall_seconds >= 0.3
        assert short.run("sum([1])").cost.counted
    assert session.run("1 / 0").cost.counted


def test_a_tool_that_blocks_for_ever_does_not_hold_up_the_session() -> None:
    never = threading.Event()

    def block() -> int:
        """Never returns."""
        an_hour_passes(session)
        never.wait()
        return 1

    with Session(tools=[block]) as session:
        session.run("kept = 1")
        seen = session.run("kept = 2\nblock()")
        ended(seen, "limit")
        assert [call.error for call in seen.calls] == ["the step ended before the call did"]
        assert session.run("kept").value == 1
    never.set()


def test_inline_a_tool_that_blocks_for_ever_does_not_hold_up_the_session() -> None:
    never = threading.Event()

    def block() -> int:
        """Never returns."""
        an_hour_passes(session)
        never.wait()
        return 1

    with Session(tools=[block], isolation="inline") as session:
        session.run("kept = 1")
        seen = session.run("try:\n    block()\nexcept Exception:\n    caught = 1")
        assert seen.failure is not None
        assert seen.failure.kind == "limit"
        assert session.run("kept").value == 1
    never.set()


def test_without_checkpoints_a_killed_step_costs_a_rebuild_and_calls_no_tool_twice() -> None:
    made: list[int] = []

    def draw(n: int) -> int:
        """Draws."""
        made.append(n)
        return 10 * n

    with with_hours(draw, limits=Limits(checkpoints=0)) as session:
        session.assign({"given": [1]})
        luck = session.run("import random\nkept = draw(1)\nluck = random.random()\nluck").value
        ended(session.run("kept = draw(2)\nimport time\nhour()\ntime.sleep(60)"), "limit")
        assert session.run("kept, given, luck").value == (10, [1], luck)
    assert made == [1, 2]


def test_going_back_one_step(session: Session) -> None:
    session.run("kept = 2")
    session.rewind()
    assert session.run("kept").value == 1


def test_going_back_further_than_is_kept_is_a_usage_error(session: Session) -> None:
    with pytest.raises(UsageError):
        session.rewind(7)
    assert session.run("kept").value == 1


def test_an_interrupt_from_another_thread_stops_the_step_and_keeps_the_session() -> None:
    started = threading.Event()

    def start() -> None:
        """Says that the step runs."""
        started.set()

    with Session(tools=[start], limits=Limits(operations=10**12)) as session:
        session.run("kept = 1")

        def stop() -> None:
            started.wait()
            session.interrupt()

        threading.Thread(target=stop).start()
        seen = session.run("kept = 2\nstart()\nwhile True: pass")
        ended(seen, "limit")
        assert seen.failure is not None
        assert seen.failure.type == "Interrupted"
        assert session.run("kept").value == 1


def test_an_interrupted_step_without_checkpoints_ends_before_its_state_is_built_again() -> None:
    with Session(limits=Limits(checkpoints=0, wall_seconds=60)) as session:
        session.run("import time\ntime.sleep(0.3)\nkept = 1")
        for _ in range(2):  # the second one while the state is built again, over and over
            seen: list[Observation] = []
            step = threading.Thread(target=lambda seen=seen: seen.append(session.run("time.sleep(60)")))
            step.start()
            while step.is_alive():
                session.interrupt()
                step.join(0.05)
            assert seen[0].failure is not None
            assert "interrupted" in seen[0].failure.message
            assert seen[0].rolled_back
        assert session.run("kept").value == 1


def test_an_interrupt_between_two_steps_does_nothing(session: Session) -> None:
    session.interrupt()
    assert session.run("kept").value == 1


def test_cancelling_the_async_door_interrupts_the_step() -> None:
    async def scenario() -> Any:
        started = asyncio.Event()

        async def start() -> None:
            """Says that the step runs."""
            started.set()

        with Session(tools=[start], limits=Limits(operations=10**12)) as session:
            await session.arun("kept = 1")
            running = asyncio.create_task(session.arun("kept = 2\nstart()\nwhile True: pass"))
            await started.wait()
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            return (await session.arun("kept")).value

    assert asyncio.run(scenario()) == 1


def test_async_tools_run_on_the_callers_loop() -> None:
    async def scenario() -> None:
        async def which() -> bool:
            """Compares loops."""
            return asyncio.get_running_loop() is here

        here = asyncio.get_running_loop()
        with Session(tools=[which]) as session:
            assert (await session.arun("which()")).value is True

    asyncio.run(scenario())


def test_sessions_run_side_by_side_from_threads() -> None:
    results: dict[int, Any] = {}

    def work(number: int) -> None:
        with Session() as own:
            own.run(f"x = {number}")
            results[number] = own.run("x * 10").value

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {0: 0, 1: 10, 2: 20, 3: 30}


# --- hostile workers: the language is off, the code speaks on the session's own socket ---------------------------

FIND = """
import os, socket, struct, msgspec
from codeact.wire import messages as say
sock = socket.socket(fileno=os.dup(3))
def tell(message):
    sock.send(b"\\x03" + msgspec.msgpack.encode(message))
"""

FORGERIES = {
    "no message": "sock.send(b'[1,2,3]')",
    "a tool that is not there": "tell(say.Call(1 << 32 | 1, 'os.system', ['true'], {}, False))",
    "a number that is not the next": "tell(say.Call(5, 'add', [1], {}, False))",
    "a message for the worker": "tell(say.Describe())",
    "an answer nobody asked for": "tell(say.Done())",
    "a value with a forged tag": "tell(say.Call((1 << 32) + 1, 'add', [{0: 'eval', 1: 'x'}], {}, False))",
}


def add(a: int) -> int:
    """Adds one."""
    return a + 1


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_message_ends_the_session_and_not_the_host(forgery: str) -> None:
    with raw_session(tools=[add]) as session:
        seen = session.run(FIND + forgery + "\nimport time\ntime.sleep(60)")
        assert seen.failure is not None
        assert (seen.failure.kind, seen.failure.type) == ("crash", "ProtocolError")
        with pytest.raises(ProtocolError):
            session.run("1")


DEATHS: dict[str, str] = {
    "exit": "os._exit(0)",
    "crash": "import ctypes; ctypes.string_at(0)",
    "hang up": "os.close(3); sock.close(); os._exit(1)",
}


@pytest.mark.parametrize("death", DEATHS.values(), ids=DEATHS)
def test_a_death_goes_back_to_before_the_step(death: str) -> None:
    with raw_session() as session:
        session.run("kept = 1")
        ended(session.run(FIND + "kept = 2\n" + death), "crash")
        assert session.run("kept").value == 1


def test_a_flood_of_output_frames_is_cut_by_the_host() -> None:
    with raw_session(limits=Limits(wall_seconds=1, output_chars=1000)) as session:
        seen = session.run(FIND + "while True: tell(say.Output('x' * 10_000))")
        assert len(seen.stdout) <= 1200


def test_a_flood_of_waits_ends_the_session_and_not_the_host() -> None:
    call = "tell(say.Call((1 << 32) + 1, 'add', [1], {}, True))"
    with raw_session(tools=[add]) as session:
        seen = session.run(f"{FIND}{call}\nwhile True: tell(say.Waits()), sock.recv(99)")
        assert (seen.failure.kind, seen.failure.type) == ("crash", "ProtocolError")


@pytest.mark.usefixtures("nothing_in_reserve")
def test_nothing_of_a_session_is_left_open(session: Session) -> None:
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    def once() -> None:
        with Session() as other:
            other.run("1")

    once()
    before = descriptors()
    repeat: Callable[[], None] = once
    for _ in range(5):
        repeat()
    assert descriptors() == before
