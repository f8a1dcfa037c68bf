"""What type checkers make of the public names: mypy reads this file with the package, and what it shows runs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, assert_type

from codeact import Agent, Budget, Limits, Observation, Pause, Policy, Run, Session, SkillLibrary, tool
from codeact.events import Event, ToolEnded
from codeact.models import Message, OnToken, Reply, Stop
from codeact.records import Failure, ToolCall, Variable
from codeact.testing import ScriptedModel

ANSWER = "```python\nfinal_answer(stock('fig'))\n```"


@tool
def stock(item: str) -> int:
    """How many of an item there are."""
    return len(item)


@tool(effect="write", undo=lambda call: None, approve=lambda arguments: arguments["amount"] < 9)
def order(item: str, amount: int) -> str:
    """Order an item."""
    raise Pause(f"{amount} of {item}")


@tool(effect="read", cache=True)
async def price(item: str) -> float:
    """What an item costs."""
    return 1.0


class Own(Session):
    """A session of a user's."""


class Parrot:
    """A model of a user's."""

    name = "parrot"

    def reply(self, messages: Sequence[Message], *, on_token: OnToken | None = None, stop: Stop | None = None) -> Reply:
        return Reply(ANSWER)


def says(messages: Sequence[Message]) -> str:
    return ANSWER


def test_a_tool_keeps_its_type() -> None:
    assert_type(stock("fig"), int)
    assert stock("fig") == 3
    assert_type(asyncio.run(price("fig")), float)


def test_a_session_says_what_it_gives(tmp_path: Path) -> None:
    limits, policy = Limits(operations=int(1e6), wall_seconds=20), Policy(imports=["math"])
    with Own([stock, order], limits=limits, policy=policy, files={"a": b"1", "b": __file__}) as session:
        assert_type(session, Own)
        seen = session.run("order('fig', stock('fig'))")
        assert_type(seen, Observation)
        assert_type(seen.failure, Failure | None)
        assert_type(session.paused, tuple[ToolCall, ...])
        assert_type(session.variables(), dict[str, Variable])
        session.save(tmp_path / "own")
        with session.fork() as copy:
            assert_type(copy, Own)
            assert type(copy) is Own
    with Own.resume(tmp_path / "own", tools={"stock": stock, "order": order}) as again:
        assert_type(again, Own)
        assert again.go_on("no. 1").text == "'no. 1'"


def test_an_agent_says_what_it_gives(tmp_path: Path) -> None:
    agent = Agent([Parrot(), says], tools=[stock], budget=Budget(steps=2), skills=SkillLibrary(tmp_path), runs=tmp_path)
    run = agent.run("How many?", inputs={"some": 1}, files=[__file__])
    assert_type(run, Run)
    assert run.answer == 3
    events = agent.stream("How many?")
    assert_type(next(events), Event)
    events.close()  # which stops the run
    inner = agent.as_tool("count", "Count.")
    outer = Agent(ScriptedModel(["```python\nfinal_answer(count('figs'))\n```"]), tools=[inner, price], runs=None)
    assert_type(outer.run("How many?").answer, Any)


def test_the_doors_of_asyncio_take_and_give_what_the_others_do(tmp_path: Path) -> None:
    agent = Agent(says, tools=[stock], runs=tmp_path)
    told: dict[str, Any] = {"inputs": {"some": 1}, "files": {"some.py": __file__}}

    async def both() -> tuple[Run, list[ToolCall]]:
        events = agent.astream("How many?", **told, record=tmp_path / "second.jsonl")
        calls = [event.call async for event in events if isinstance(event, ToolEnded)]
        await events.aclose()
        return await agent.arun("How many?", **told, record=tmp_path / "first.jsonl"), calls

    run, calls = asyncio.run(both())
    assert (run.answer, run.inputs, run.journal) == (3, {"some": 1}, tmp_path / "first.jsonl")
    assert [call.result for call in calls] == [3]
    assert {path.name for path in tmp_path.iterdir()} == {"first.jsonl", "second.jsonl"}
