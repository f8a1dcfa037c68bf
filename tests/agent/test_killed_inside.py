"""A run that is killed while an agent is at work that it called as a tool: that one has a recording of its own."""

import shutil

import pytest

from codeact.agent import Agent, replay
from codeact.errors import ModelRefused
from codeact.testing import ScriptedModel
from codeact.toolbox import tool
from tests.agent.parts import code, two_agents

SELL = [code("got = trader('sell')\nfinal_answer([got, order('x')])")]


def cut(journal, kind, *, nth=0):
    """Cut a recording off before one of its lines of a kind, as if the host had been killed there."""
    lines = journal.read_text().splitlines(keepends=True)
    found = [number for number, line in enumerate(lines) if f'"kind": "{kind}"' in line]
    journal.write_text("".join(lines[: found[nth]]))


def the_inner(tmp_path):
    """The recording of the inner agent's only run."""
    (found,) = (tmp_path / "runs").iterdir()
    return found


def killed_within_the_inner_agent(world, tmp_path):
    """The recording of a run that was killed when an agent had ordered, and was about to order once more."""
    inner = [code("first = order('a')\nfinal_answer([first, order('b')])")]
    journal = two_agents(world, tmp_path, inner, SELL).run("go").journal
    cut(journal, "charged", nth=2)  # a reply and a call were
    cut(the_inner(tmp_path), "call_started", nth=1)
    del world.orders["no. 2"], world.orders["no. 3"], world.calls[1:]
    return journal


def test_an_agent_in_which_a_run_was_killed_is_gone_on_with(world, tmp_path):
    journal = killed_within_the_inner_agent(world, tmp_path)
    run = two_agents(world, tmp_path, [], []).resume(journal)
    assert (run.answer, world.calls) == ([["no. 1", "no. 2"], "no. 3"], ["order a", "order b", "order x"])
    assert run.cost.tool_calls == 4
    assert replay(run.journal).answer == run.answer


def test_what_an_agent_changed_in_which_a_run_was_killed_is_taken_back(world, tmp_path):
    journal = killed_within_the_inner_agent(world, tmp_path)
    agent = two_agents(world, tmp_path, [], [])
    assert [(done.call.tool, done.problem) for done in agent.undo(journal)] == [("trader", "")]
    assert world.orders == {}
    assert agent.undo(journal) == ()


def test_an_agent_whose_recording_is_gone_is_neither_called_again_nor_passed_over(world, tmp_path):
    journal = killed_within_the_inner_agent(world, tmp_path)
    the_inner(tmp_path).unlink()
    agent = two_agents(world, tmp_path, [], [code("final_answer('looked')")])
    assert "cannot be read" in agent.undo(copy_of(journal))[0].problem
    run = agent.resume(journal)
    assert "whether it happened is not known" in run.steps[0].observation.failure.message
    assert (run.answer, world.calls) == ("looked", ["order a"])


def test_a_tool_that_was_calling_an_agent_when_the_run_was_killed_is_named_once_and_left_as_it_is(world, tmp_path):
    trader, undone = world.agent(tmp_path, [code("final_answer(order('a'))")]).as_tool("trader", "Trades."), []

    @tool(effect="write", undo=undone.append)
    def trade(what: str) -> str:
        """Trades."""
        return trader(what)

    agent = Agent(ScriptedModel([code("final_answer(trade('pears'))")]), tools=[trade], runs=tmp_path / "outer")
    journal = agent.run("go").journal
    cut(journal, "call")
    (left,) = agent.undo(journal)
    assert left.call.tool == "trade"
    assert "whether it happened is not known" in left.problem
    assert undone == []


def copy_of(journal):
    """The same recording, to be looked at besides."""
    return shutil.copy(journal, journal.with_suffix(".copy"))


def test_the_same_call_of_an_agent_once_more_is_not_taken_for_the_one_that_was_cut_off(world, tmp_path):
    inner = ScriptedModel(lambda _: code("final_answer(order('a'))"))
    agent = two_agents(
        world, tmp_path, inner, [code("final_answer([trader('sell'), trader('sell')])")], approve="pause"
    )
    journal = agent.run("go").journal
    agent.resume(journal, decision=True)
    cut(journal, "call")
    assert agent.resume(journal).ended == "paused"
    agent.resume(journal, decision=True)
    assert world.calls == ["order a"] * 2
    assert len(list((tmp_path / "runs").iterdir())) == 2 + 1  # the one whose recording was cut off waits for ever


def test_a_decision_is_followed_once_wherever_the_run_that_follows_it_is_killed(world, tmp_path):
    inner = [code("mail('Ann')\nfinal_answer(mail('Ben'))")]
    journal = two_agents(world, tmp_path, inner, SELL, approve="pause").run("go").journal
    agent = two_agents(world, tmp_path, [], [], approve="pause")
    waiting = copy_of(journal).read_text()
    agent.resume(journal, decision=True)
    journal.write_text(waiting)  # the outer run was killed before it heard of anything
    again = agent.resume(journal, decision=True)
    assert (again.ended, world.calls) == ("paused", ["mail Ann"])
    assert "'Ben'" in again.reason
    assert agent.resume(journal, decision=True).answer == [True, "no. 3"]
    assert world.calls == ["mail Ann", "mail Ben", "order x"]


def test_an_agent_whose_model_cannot_be_asked_as_it_is_gone_on_with_is_gone_on_with_later(world, tmp_path):
    inner = [code("first = order('a')"), code("final_answer([first, order('b')])")]
    journal = two_agents(world, tmp_path, inner, SELL).run("go").journal
    cut(journal, "call")
    cut(the_inner(tmp_path), "reply", nth=1)
    del world.orders["no. 2"], world.orders["no. 3"], world.calls[1:]
    with pytest.raises(ModelRefused):
        two_agents(world, tmp_path, ScriptedModel(lambda _: ModelRefused("no credit")), []).resume(journal)
    run = two_agents(world, tmp_path, inner[1:], []).resume(journal)
    assert (run.answer, world.calls) == ([["no. 1", "no. 2"], "no. 3"], ["order a", "order b", "order x"])
