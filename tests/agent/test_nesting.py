"""Agents as tools of agents."""

import functools
import subprocess
import sys
import threading

import pytest

from codeact import errors, events
from codeact.agent import Agent, replay
from codeact.limits import Budget
from codeact.records import Reply
from codeact.testing import ScriptedModel
from codeact.toolbox import tool
from tests.agent.parts import code, two_agents


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

    agents = functools.partial(two_agents, world, tmp_path)
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


def test_an_inner_agent_that_answered_before_the_outer_run_was_cut_off_is_not_asked_again(world, tmp_path):
    agent = functools.partial(two_agents, world, tmp_path, approve="pause")
    outer = [code("got = trader('sell')\nfinal_answer([got, order('x')])")]
    journal = agent([code("final_answer(mail('Ann'))")], outer).run("go").journal
    agent([], []).resume(journal, decision=True)
    lines = journal.read_text().splitlines(keepends=True)
    ended = next(number for number, line in enumerate(lines) if '"kind": "decided"' in line)
    journal.write_text("".join(lines[:ended]))
    run = agent([], []).resume(journal, decision=True)
    assert (run.answer, world.calls) == ([True, "no. 3"], ["mail Ann", "order x", "order x"])
    assert [done.call.tool for done in agent([], []).undo(journal)] == ["order", "trader"]


def test_a_refusal_reaches_the_call_inside_the_inner_agent(world, tmp_path):
    inner = [code("mail('Ann')"), code("final_answer('without mail')")]
    agent = functools.partial(two_agents, world, tmp_path, approve="pause")
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


def test_what_an_inner_agent_changed_before_it_paused_or_gave_up_is_taken_back(world, tmp_path):
    def trader(name, *replies, **options):
        return world.agent(tmp_path, [*replies], **options).as_tool(name, "Trades.")

    tools = [
        trader("quitter", code("order('a')"), budget=Budget(steps=1)),
        trader("asker", code("order('b')\nmail('Ann')"), approve=lambda name, _: name == "order" or "pause"),
    ]
    outer = ScriptedModel([code("try:\n    quitter('go')\nexcept Exception:\n    asker('go')")])
    agent = Agent(outer, tools=tools, runs=tmp_path / "outer")
    run = agent.run("go")
    assert (run.ended, len(world.orders)) == ("paused", 2)
    assert [(done.call.tool, done.problem) for done in agent.undo(run.journal)] == [("asker", ""), ("quitter", "")]
    assert world.orders == {}
    assert agent.undo(run.journal) == ()


def test_what_an_inner_agent_would_change_in_a_dry_run_is_listed_and_what_it_reads_happens(world, tmp_path):
    inner = ScriptedModel([code("n = stock('pear')\norder('a')\nfinal_answer([n, mail('Ann')])")])
    trader = world.agent(tmp_path, inner, approve="pause").as_tool("trader", "Trades.")
    outer = [code("got = trader('go')\norder('b')"), code("final_answer(got)")]
    agent = Agent(ScriptedModel(outer), tools=[trader, world.tools()[0]], runs=tmp_path / "outer", dry_run=True,
                  budget=Budget(steps=1))  # fmt: skip
    stopped = agent.run("go")
    agent.budget = Budget()
    run = agent.resume(stopped.journal)
    assert (run.answer, world.calls) == ([1, True], ["stock pear"])
    wanted = [("order", {"item": "a"}), ("mail", {"to": "Ann"}), ("order", {"item": "b"})]
    for told in (stopped, run, replay(run.journal)):
        assert [(call.tool, call.arguments) for call in told.withheld] == wanted
    assert "This is a dry run" in inner.seen[0][1].content
    assert agent.undo(run.journal) == ()


def test_an_inner_agent_asks_by_the_callers_approve_unless_it_has_its_own(world, tmp_path):
    asked = []

    def approve(name, arguments):
        asked.append(name)
        return name != "mail"

    said = code("order('a')\ntry:\n    mail('Ann')\nexcept PermissionError:\n    final_answer('no mail')")
    heir = world.agent(tmp_path, [said]).as_tool("heir", "Trades.")
    free = world.agent(tmp_path, [code("final_answer(mail('Ben'))")], approve=lambda *_: True).as_tool(
        "free", "Trades."
    )
    outer = ScriptedModel([code("final_answer([heir('go'), free('go')])")])
    run = Agent(outer, tools=[heir, free], approve=approve, runs=tmp_path / "outer").run("go")
    assert (run.answer, asked) == (["no mail", True], ["order", "mail"])
    assert world.calls == ["order a", "mail Ben"]


def test_a_pause_inside_an_inner_agent_goes_on_in_another_process(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(TRADING)

    def goes(*arguments):
        done = subprocess.run([sys.executable, program, *arguments], cwd=tmp_path, capture_output=True, text=True,
                              check=True)  # fmt: skip
        return done.stdout.splitlines()

    state, journal = goes("run")
    assert (state, (tmp_path / "sent.txt").read_text()) == ("paused", "first\n")
    assert goes("resume", journal) == ["answered", "['Ann', 'Cid']"]
    assert (tmp_path / "sent.txt").read_text() == "first\nCid\nlast\n"


TRADING = """
import sys
from codeact import Agent, tool
from codeact.testing import ScriptedModel


@tool(effect="write")
def mail(to: str) -> str:
    "Sends a mail."
    with open("sent.txt", "a") as file:
        file.write(to + "\\n")
    return to


def replies(*codes):
    return ScriptedModel([f"```python\\n{code}\\n```" for code in codes])


def approve(name, arguments):
    return "pause" if arguments["to"] == "Ben" else True


starts = sys.argv[1] == "run"
inner = "mail('first')\\nfinal_answer(['Ann', mail('Ben')])"
outer = "got = trader('go')\\nmail('last')\\nfinal_answer(got)"
trader = Agent(replies(inner) if starts else replies(), tools=[mail], runs="runs").as_tool("trader", "Trades.")
agent = Agent(replies(outer) if starts else replies(), tools=[trader, mail], runs="runs", approve=approve)
if starts:
    run = agent.run("go")
    print(run.ended, run.journal, sep="\\n")
else:
    run = agent.resume(sys.argv[2], decision={"to": "Cid"})
    print(run.ended, run.answer, sep="\\n")
"""


def test_inner_agents_side_by_side_make_no_call_beyond_the_outer_budget(tmp_path):
    made, together = [], threading.Barrier(4)

    @tool(effect="read")
    def look(x: int) -> int:
        """Looks."""
        made.append(x)
        return x

    def model(messages):
        if len(messages) == 2:
            together.wait(20)
        return code("final_answer(len([look(n) for n in range(3)]))")

    inner = Agent(model, tools=[look], runs=None).as_tool("think", "Thinks.")
    outer = [code("think.map(['a', 'b', 'c', 'd'])")]
    run = Agent(ScriptedModel(outer), tools=[inner], runs=None, budget=Budget(tool_calls=9)).run("go")
    assert (run.ended, len(made), run.cost.tool_calls) == ("budget", 5, 9)


def test_a_tool_that_calls_an_agent_is_not_called_again_after_a_pause(world, tmp_path):
    trader = world.agent(tmp_path, [code("final_answer(mail('Ann'))")], approve="pause").as_tool("trader", "Trades.")

    @tool(effect="write")
    def trade(what: str) -> bool:
        """Notes it, and trades."""
        world.calls.append(what)
        return trader(what)

    said = code("try:\n    trade('pears')\nexcept Exception as error:\n    final_answer(str(error))")
    agent = Agent(ScriptedModel([said]), tools=[trade], runs=tmp_path / "outer")
    run = agent.run("go")
    assert "trade() calls an agent that waits for a decision, mail({'to': 'Ann'}) waits" in run.answer
    assert world.calls == ["pears"]
    assert replay(run.journal).answer == run.answer
