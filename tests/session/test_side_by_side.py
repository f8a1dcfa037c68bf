"""Calls side by side are answered in the order they were answered in, where their step is run again."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from codeact import Session
from codeact.errors import Diverged
from codeact.records import ToolCall
from codeact.session import Listener
from codeact.toolbox import Pause

CHAINS = """
import asyncio
async def chain(n, pauses):
    x = await first.aio(n)
    for _ in range(pauses):
        await asyncio.sleep(0)
    return await then.aio(x)
both = await asyncio.gather(chain(1, 0), chain(2, 5))
"""


class Shop:
    """Tools of which the first answers the later call earlier, and the next takes its time for one of them."""

    def __init__(self) -> None:
        self.made: list[tuple[str, int]] = []

    def tools(self) -> list[Callable[..., object]]:
        def first(n: int) -> int:
            """Counts."""
            self.made.append(("first", n))
            time.sleep(0.2 if n == 1 else 0.01)
            return n

        def then(n: int) -> int:
            """Multiplies."""
            self.made.append(("then", n))
            time.sleep(0.3 if n == 2 else 0)
            return 10 * n

        def approve(what: list[int]) -> str:
            """Asks somebody."""
            raise Pause("somebody decides")

        return [first, then, approve]


MADE = [("first", 1), ("first", 2), ("then", 1), ("then", 2)]


SETS = """
import asyncio
from concurrent.futures import ThreadPoolExecutor, wait
async def tasks():
    done, _ = await asyncio.wait([asyncio.create_task(first.aio(n)) for n in range(5, 13)])
    return [task.result() for task in done]
async def as_they_come():
    for one in asyncio.as_completed([then.aio(n) for n in range(5, 13)]):
        await one
def answers(calls):
    return [call.result() for call in wait(calls).done]
with ThreadPoolExecutor(8) as pool:
    found = [
        asyncio.run(tasks()),
        asyncio.run(as_they_come()),
        answers([first.submit(n) for n in range(5, 13)]),
        answers([pool.submit(first, n) for n in range(5, 13)]),
    ]
found
"""


@pytest.fixture
def shop() -> Shop:
    return Shop()


def test_what_stands_in_a_set_has_the_same_order_in_each_session(shop: Shop) -> None:
    orders, begun = [], []
    listener = Listener(call_started=lambda tool, arguments: begun.append((tool, arguments["n"])))
    for _ in range(2):
        with Session(shop.tools(), listener=listener) as session:
            orders.append(session.run(SETS).value)
    assert orders[0] == orders[1]
    assert [n for tool, n in begun if tool == "then"] == [*range(5, 13)] * 2


def test_chains_of_calls_are_lived_again(shop: Shop, tmp_path: Path) -> None:
    with Session(shop.tools()) as session:
        session.run(CHAINS)
        session.save(tmp_path / "saved")
    with Session.resume(tmp_path / "saved", shop.tools()) as again:
        assert again.run("both").value == [10, 20]
    assert sorted(shop.made) == MADE


def test_chains_of_calls_are_lived_again_where_a_worker_died(shop: Shop) -> None:
    with Session(shop.tools()) as session:
        session.run(CHAINS)
        session._life._link.close()
        assert session.run("both").value == [10, 20]
    assert sorted(shop.made) == MADE


def test_a_paused_step_with_chains_of_calls_goes_on(shop: Shop, tmp_path: Path) -> None:
    with Session(shop.tools()) as session:
        session.run(f"{CHAINS}\n[*both, approve(both)]")
        session.save(tmp_path / "saved")
        assert session.go_on("yes").value == [10, 20, "yes"]
    with Session.resume(tmp_path / "saved", shop.tools()) as again:
        assert again.go_on("no").value == [10, 20, "no"]
    assert sorted(shop.made) == MADE


def test_chains_that_another_version_recorded_are_lived_again(shop: Shop, tmp_path: Path) -> None:
    with Session(shop.tools()) as session:
        session.run(CHAINS.replace("5)", "0)"))
        session.save(tmp_path / "saved")
    recorded, changed = re.subn(r', "begun": \d+', "", (tmp_path / "saved").read_text())
    assert changed
    (tmp_path / "saved").write_text(recorded)
    with Session.resume(tmp_path / "saved", shop.tools()) as again:
        assert again.run("both").value == [10, 20]


def test_another_call_beside_others_is_named(shop: Shop, tmp_path: Path) -> None:
    with Session(shop.tools()) as session:
        session.run(CHAINS)
        session.save(tmp_path / "saved")
    changed = (tmp_path / "saved").read_text().replace('"arguments": {"n": 2}', '"arguments": {"n": 3}')
    (tmp_path / "saved").write_text(changed)
    with pytest.raises(Diverged, match=r"first\(n=2\) where it called first\(n=3\)"):
        Session.resume(tmp_path / "saved", shop.tools())


def test_calls_of_a_step_that_goes_on_wait_for_those_that_were_answered_before(shop: Shop) -> None:
    def ask(n: int) -> int:
        """Asks somebody."""
        shop.made.append(("ask", n))
        raise Pause("somebody decides")

    with Session([*shop.tools(), ask]) as session:
        step = "calls = [ask.submit(1), first.submit(2), ask.submit(3), first.submit(4)]\n[call.result() for call in calls]"
        answers = iter("abc")
        seen = session.run(step)
        while seen.paused is not None:
            seen = session.go_on(ord(next(answers)))
    assert seen.value == [97, 2, 98, 4]
    assert sorted(call for call in shop.made if call[0] == "first") == [("first", 2), ("first", 4)]


MEETS = """
import asyncio
seen = []
async def meets():
    seen.append(await first.aio())
async def main():
    task = asyncio.create_task(meets())
    await asyncio.sleep(0)
    {calls}
    asyncio.get_running_loop().call_soon(seen.append, "soon")
    {more}
    await task
asyncio.run(main())
seen
"""
OVERTAKES = MEETS.format(calls="second()", more="third.submit()")
MEANWHILE = MEETS.format(calls="calls = [second.submit(''), second.submit('x' * 1_000_000)]", more="")


def test_an_answer_that_is_recorded_before_another_one_is_seen_before_it(tmp_path: Path) -> None:
    recorded, overtaken = threading.Event(), threading.Event()

    def first() -> str:
        """Answers at once."""
        return "first"

    def second() -> None:
        """Answers when the first answer is recorded, and may be on its way."""
        assert recorded.wait(20)

    def third() -> None:
        """Is called when the second answer has been seen."""

    def ended(call: ToolCall) -> None:
        if call.tool == "first":
            recorded.set()
            overtaken.wait(0.3)  # in vain: nothing passes it meanwhile

    def started(tool: str, arguments: dict[str, object]) -> None:
        if tool == "third":
            overtaken.set()

    tools, listener = [first, second, third], Listener(call_started=started, call_ended=ended)
    with Session(tools, listener=listener, journal=tmp_path / "journal") as session:
        assert session.run(OVERTAKES).value == ["first", "soon"]
    with Session.resume(tmp_path / "journal", tools) as again:
        assert again.run("seen").value == ["first", "soon"]


def test_an_answer_that_comes_while_a_long_call_is_sent_is_seen_when_one_is_looked_for(tmp_path: Path) -> None:
    recorded = threading.Event()

    def first() -> str:
        """Answers at once."""
        return "first"

    def second(text: str) -> None:
        """Is handed something long."""

    def ended(call: ToolCall) -> None:
        recorded.set()

    def started(tool: str, arguments: dict[str, object]) -> None:
        if arguments == {"text": ""}:  # the next call is not read on until the first one is answered
            assert recorded.wait(20)
            with session._life._serving.giving:  # type: ignore[union-attr]  # of the step that runs
                pass

    tools, listener = [first, second], Listener(call_started=started, call_ended=ended)
    with Session(tools, listener=listener, journal=tmp_path / "journal") as session:
        assert session.run(MEANWHILE).value == ["soon", "first"]
    with Session.resume(tmp_path / "journal", tools) as again:
        assert again.run("seen").value == ["soon", "first"]
