"""What a tool declares to do to the world, and what follows from it."""

import asyncio
import contextlib
import threading

import pytest

from codeact import errors
from codeact.agent import Agent, replay
from codeact.agent.finding import skill_tools
from codeact.agent.ledger import Ledger
from codeact.agent.own_tools import OWN_TOOLS, ask_model_tool, search_tools_tool
from codeact.limits import Budget
from codeact.models import Stop
from codeact.skills.library import SkillLibrary
from codeact.testing import ScriptedModel
from codeact.toolbox import tool
from tests.agent.parts import code


def test_the_tools_codeact_brings_change_nothing(tmp_path):
    ask, find = ask_model_tool(ScriptedModel([]), Ledger(Budget()), Stop()), search_tools_tool([])
    tools = [ask, find, *skill_tools(SkillLibrary(tmp_path), {}, ())]
    assert {tool.name: tool.spec.effect for tool in tools} == dict.fromkeys(OWN_TOOLS, "read")


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"effect": "maybe"}, "one of read"),
        ({"effect": "write", "cache": True}, "only what a read comes to"),
        ({"effect": "read", "undo": print}, "nothing to undo"),
        ({"effect": "irreversible", "undo": print}, "nothing to undo"),
    ],
)
def test_a_declaration_that_makes_no_sense_is_refused(declared, said):
    with pytest.raises(errors.ToolError, match=said):
        tool(**declared)


def test_a_read_that_does_not_get_through_is_made_again_and_a_write_is_not(world, tmp_path):
    world.failing = [ConnectionResetError("gone"), TimeoutError("late")]
    assert world.agent(tmp_path, [code("final_answer(stock('pear'))")]).run("go").answer == 3
    writes = []

    @tool(effect="write")
    def save(x: int) -> int:
        """Saves."""
        writes.append(x)
        raise ConnectionResetError("gone")

    Agent(ScriptedModel([code("save(1)"), "no"]), tools=[save], runs=None).run("go")
    assert writes == [1]


def test_a_read_that_fails_for_another_reason_is_not_made_again(world, tmp_path):
    world.failing = [ValueError("no such item")]
    run = world.agent(tmp_path, [code("stock('pear')"), "no"]).run("go")
    assert world.calls == ["stock pear"]
    assert "no such item" in run.steps[0].observation.failure.message


def test_an_async_read_is_made_again_too(tmp_path):
    failing = [ConnectionResetError("gone")]

    @tool(effect="read")
    async def look(x: int) -> int:
        """Looks."""
        if failing:
            raise failing.pop()
        return x

    assert Agent(ScriptedModel([code("final_answer(look(4))")]), tools=[look], runs=None).run("go").answer == 4


def test_a_read_that_may_be_kept_is_made_once_until_something_changes(world, tmp_path):
    steps = [code("a = [stock('pear'), stock('pear'), stock('fig')]"), code("1 / 0"),
             code("b = stock('pear')\norder('x')\nfinal_answer([a, b, stock('pear')])")]  # fmt: skip
    run = world.agent(tmp_path, steps, declared={"cache": True}).run("go")
    assert run.answer == [[1, 1, 2], 1, 4]
    assert world.calls == ["stock pear", "stock fig", "order x", "stock pear"]
    assert replay(run.journal).answer == run.answer


def test_reads_are_not_kept_unless_that_is_said(world, tmp_path):
    assert world.agent(tmp_path, [code("final_answer([stock('a'), stock('a')])")]).run("go").answer == [1, 2]


def test_a_dry_run_reads_and_lists_what_it_would_change(world, tmp_path):
    model = ScriptedModel([code("n = stock('pear')\nr = order('pear')\nok = mail('Ann')\nfinal_answer([n, r, ok])")])
    run = world.agent(tmp_path, model, dry_run=True).run("go")
    assert world.calls == ["stock pear"]
    assert run.answer == [1, "(dry run: order was not called)", True]
    assert [(call.tool, call.arguments) for call in run.withheld] == [
        ("order", {"item": "pear"}),
        ("mail", {"to": "Ann"}),
    ]
    assert "This is a dry run" in model.seen[0][1].content
    assert world.agent(tmp_path, []).undo(run.journal) == ()
    assert replay(run.journal).answer == run.answer


def test_a_dry_run_that_is_gone_on_with_stays_dry(world, tmp_path):
    run = world.agent(tmp_path, [code("order('a')")], dry_run=True, budget=Budget(steps=1)).run("go")
    resumed = world.agent(tmp_path, [code("order('b')"), "done"]).resume(run.journal)
    assert (resumed.answer, world.calls) == ("done", [])


def test_what_a_run_changed_is_taken_back_in_reverse_order_and_once(world, tmp_path):
    steps = [code("order('a')\nmail('Ann')\nstock('a')"), code("order('b')"), code("final_answer(1)")]
    agent = world.agent(tmp_path, steps)
    run = agent.run("go")
    assert list(world.orders.values()) == ["a", "b"]
    undone = agent.undo(run.journal)
    assert [(done.call.tool, done.problem) for done in undone] == [
        ("order", ""), ("mail", "it is irreversible"), ("order", ""),
    ]  # fmt: skip
    assert undone[0].call.arguments == {"item": "b"}
    assert world.orders == {}
    assert [done.call.tool for done in agent.undo(run.journal)] == ["mail"]


def test_a_change_that_cannot_be_taken_back_is_named_and_those_before_it_still_are(world, tmp_path):
    agent = world.agent(tmp_path, [code("order('a')\norder('b')"), "done"])
    run = agent.run("go")
    del world.orders["no. 2"]
    assert [done.problem for done in agent.undo(run.journal)] == ["KeyError: 'no. 2'", ""]


def test_a_change_of_a_tool_that_is_not_there_any_more_is_named_and_no_read(world, tmp_path):
    run = world.agent(tmp_path, [code("stock('fig')\nfinal_answer(order('fig'))")]).run("go")
    [undone] = Agent("none", runs=None).undo(run.journal)
    assert (undone.call.result, undone.problem) == ("no. 2", "its tool is not there any more")
    assert world.orders == {"no. 2": "fig"}


def test_a_run_that_was_taken_back_is_not_gone_on_with(world, tmp_path):
    agent = world.agent(tmp_path, [code("order('a')")], budget=Budget(steps=1))
    run = agent.run("go")
    agent.undo(run.journal)
    with pytest.raises(errors.JournalError, match="taken back: start it anew"):
        agent.resume(run.journal)


def test_what_had_begun_when_a_run_was_cut_off_is_named_and_left_to_be_looked_at(world, tmp_path):
    agent = world.agent(tmp_path, [code("order('a')\nstock('a')\norder('b')"), "done"])
    journal = agent.run("go").journal
    lines = journal.read_text().splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines) if '"kind": "call"' in line]
    journal.write_text("".join(lines[: ends[-1]]))  # order('b') has begun
    undone = agent.undo(journal)
    assert [(done.call.arguments["item"], done.problem) for done in undone] == [
        ("b", "it had begun when the run was cut off, and whether it happened is not known: look, and take it back by hand"),
        ("a", ""),
    ]  # fmt: skip
    assert world.orders == {"no. 3": "b"}


def test_a_run_of_which_nothing_could_be_taken_back_is_gone_on_with(world, tmp_path):
    run = world.agent(tmp_path, [code("mail('Ann')")], budget=Budget(steps=1)).run("go")
    agent = world.agent(tmp_path, ["done"])
    assert [done.problem for done in agent.undo(run.journal)] == ["it is irreversible"]
    assert agent.resume(run.journal).answer == "done"


def test_a_change_is_not_taken_back_again_where_taking_it_back_was_cut_off(world, tmp_path):
    taken = []

    def take_back(call):
        taken.append(call.arguments["n"])
        if len(taken) == 2:
            raise KeyboardInterrupt

    @tool(effect="write", undo=take_back)
    def pay(n: int) -> int:
        """Pays."""
        return n

    agent = Agent(ScriptedModel([code("pay(1)\npay(2)\npay(3)"), "done"]), tools=[pay], runs=tmp_path)
    journal = agent.run("go").journal
    with pytest.raises(KeyboardInterrupt):
        agent.undo(journal)
    undone = agent.undo(journal)
    assert [(done.call.arguments["n"], "whether that happened" in done.problem) for done in undone] == [
        (2, True), (1, False),
    ]  # fmt: skip
    assert [done.call.arguments["n"] for done in agent.undo(journal)] == [2]
    assert taken == [3, 2, 1]


# ---------------------------------------------------------------------------------------------------- side by side
PATIENCE, IN_VAIN = 20, 0.1  # seconds a call waits for another one: that will come, that must not come


def _at_once(effect, *, seconds, **declared):
    """The most calls of a tool of this effect that were under way together; each waits so long for another."""
    under_way, most, together = [], [], threading.Barrier(2)

    @tool(effect=effect, **declared)
    def touch(item: str) -> str:
        """Touches something."""
        under_way.append(item)
        most.append(len(under_way))
        with contextlib.suppress(threading.BrokenBarrierError):
            together.wait(seconds)
        under_way.remove(item)
        return item

    agent = Agent(ScriptedModel([code("final_answer(touch.map(['a', 'b']))")]), tools=[touch], runs=None)
    assert agent.run("go").answer == ["a", "b"]
    return max(most)


@pytest.mark.parametrize(("effect", "most"), [("read", 2), ("idempotent", 2), ("write", 1), ("irreversible", 1)])
def test_reads_happen_side_by_side_and_changes_one_after_the_other(effect, most):
    assert _at_once(effect, seconds=PATIENCE if most == 2 else IN_VAIN) == most


def test_a_tool_may_say_that_its_changes_do_not_get_in_each_others_way():
    assert _at_once("write", seconds=PATIENCE, parallel=True) == 2
    assert _at_once("read", seconds=IN_VAIN, parallel=False) == 1


def test_async_changes_happen_one_after_the_other_too():
    under_way, most = [], []

    @tool(effect="write")
    async def touch(item: str) -> str:
        """Touches something."""
        under_way.append(item)
        most.append(len(under_way))
        await asyncio.sleep(0)
        under_way.remove(item)
        return item

    agent = Agent(ScriptedModel([code("final_answer(touch.map(['a', 'b', 'c']))")]), tools=[touch], runs=None)
    assert (agent.run("go").answer, max(most)) == (["a", "b", "c"], 1)
