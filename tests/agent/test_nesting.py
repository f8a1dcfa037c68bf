"""Agents as tools of agents."""

import threading

import pytest

from codeact import errors, events
from codeact.agent import Agent, replay
from codeact.limits import Budget
from codeact.records import Reply
from codeact.testing import ScriptedModel
from codeact.toolbox import tool
from tests.agent.parts import code


def test_an_agent_is_a_tool_of_another_on_its_account_and_its_events_are_nested(make):
    inner = make([Reply(code("final_answer(21)"), prompt_tokens=100)]).as_tool("half", "Computes half of the answer.")
    told = []
    outer = make([Reply(code("final_answer(half('go') * 2)"), prompt_tokens=10)], tools=[inner])
    run = outer.run("compute", on_event=told.append)
    assert (run.answer, run.cost.prompt_tokens, run.cost.steps) == (42, 110, 1)
    nested = [type(event.event).__name__ for event in told if isinstance(event, events.Nested)]
    assert (nested[0], nested[-1]) == ("RunStarted", "RunEnded")


def test_an_inner_agent_stops_where_the_outer_budget_is_spent(make):
    inner = make(lambda messages: Reply(code(str(len(messages))), prompt_tokens=60)).as_tool("think", "Thinks.")
    run = make([code("think('hard')")], tools=[inner], budget=Budget(tokens=100)).run("go")
    assert run.ended == "budget"
    assert "the agent think gave no answer: 120 tokens are used" in run.steps[0].observation.failure.message


def test_agents_that_call_each_other_end_at_a_depth(make):
    calls = []

    def again(task: str) -> str:
        """Does the task."""
        calls.append(task)
        return inner(task)

    said = code("try:\n    final_answer(again('deeper'))\nexcept Exception as error:\n    final_answer(str(error))")
    inner = make(lambda messages: said, tools=[again]).as_tool("inner", "Goes deeper.")
    run = make([code("final_answer(inner('go'))")], tools=[inner])
    assert "inner() would be agent number 5 below one another" in run.run("go").answer
    assert len(calls) == 3


def test_a_pause_inside_an_inner_agent_is_saved_at_that_call_and_goes_on_from_it(world, tmp_path):
    told = []
    inner = [code("n = stock('pear')\nfinal_answer([n, mail('Ann')])")]
    outer = [code("got = trader('sell')\nfinal_answer([got, order('x')])")]

    def agents(inner, outer, **options):
        trader = world.agent(tmp_path, inner, **options).as_tool("trader", "Trades.")
        return Agent(ScriptedModel(outer), tools=[trader, world.tools()[0]], runs=tmp_path / "outer")

    paused = agents(inner, outer, approve="pause").run("go", on_event=told.append)
    assert (paused.ended, world.calls) == ("paused", ["stock pear"])
    assert paused.reason == "mail({'to': 'Ann'}) waits for a decision, in the agent trader"
    assert agents([], [], approve="pause").resume(paused.journal).ended == "paused"
    with pytest.raises(errors.UsageError, match="changed arguments"):
        agents([], []).resume(paused.journal, decision={"whom": "Ben"})
    run = agents([], []).resume(paused.journal, decision={"to": "Ben"})
    assert (run.answer, world.calls) == ([[1, True], "no. 3"], ["stock pear", "mail Ben", "order x"])
    assert replay(run.journal).answer == run.answer
    assert run.cost.tool_calls == 4  # trader, stock, mail, order: each once


def test_a_refusal_reaches_the_call_inside_the_inner_agent(world, tmp_path):
    inner = [code("mail('Ann')"), code("final_answer('without mail')")]

    def agent(inner, outer):
        trader = world.agent(tmp_path, inner, approve="pause").as_tool("trader", "Trades.")
        return Agent(ScriptedModel(outer), tools=[trader], runs=tmp_path / "outer")

    paused = agent(inner, [code("final_answer(trader('sell'))")]).run("go")
    assert agent(inner[1:], []).resume(paused.journal, decision=False).answer == "without mail"
    assert world.calls == []


def test_inner_agents_run_side_by_side(world, tmp_path):
    both = threading.Barrier(2)

    @tool(effect="read")
    def meet(name: str) -> int:
        """Meets the other one."""
        return both.wait(20)

    inner = Agent(lambda messages: code("final_answer(meet('me'))"), tools=[meet], runs=None)
    outer = [code("final_answer(sorted(think.map(['a', 'b'])))")]
    agent = Agent(ScriptedModel(outer), tools=[inner.as_tool("think", "Thinks.")], runs=None)
    assert agent.run("go").answer == [0, 1]


def test_what_an_inner_agent_changed_is_taken_back_with_what_the_outer_one_changed(world, tmp_path):
    trader = world.agent(tmp_path, [code("order('a')\nmail('Ann')\nfinal_answer(order('b'))")]).as_tool(
        "trader", "Trades."
    )
    agent = Agent(ScriptedModel([code("order('c')\nfinal_answer(trader('go'))")]), runs=tmp_path / "outer",
                  tools=[trader, world.tools()[0]])  # fmt: skip
    run = agent.run("go")
    assert len(world.orders) == 3
    undone = agent.undo(run.journal)
    assert [(done.call.tool, done.problem) for done in undone] == [
        ("trader", "mail(): it is irreversible"),
        ("order", ""),
    ]
    assert world.orders == {}
