"""A plan on demand: asked for once, kept in view, paid for, and not asked for again."""

from codeact import events
from codeact.agent import Agent, replay
from codeact.cli.page import page_of
from codeact.limits import Budget
from codeact.records import Reply
from codeact.testing import ScriptedModel
from tests.agent.parts import code

PLAN = Reply("1. Look.\n2. Answer.", prompt_tokens=50)


def test_a_plan_is_asked_for_before_the_first_step_and_stays_in_view(tmp_path):
    model, told = ScriptedModel([PLAN, code("x = 1"), code("final_answer(x)")]), []
    run = Agent(model, plan=True, runs=tmp_path).run("go", on_event=told.append)
    assert (run.answer, run.cost.steps, run.cost.prompt_tokens) == (1, 2, 50)
    assert "numbered plan" in model.seen[0][-1].content
    assert [message.content for message in model.seen[1]][2] == "1. Look.\n2. Answer."
    assert model.seen[2][: len(model.seen[1])] == model.seen[1]
    assert events.Planned("1. Look.\n2. Answer.") in told
    assert replay(run.journal).answer == 1
    assert "1. Look." in page_of(run.journal)


def test_a_run_that_is_gone_on_with_keeps_its_plan(tmp_path):
    run = Agent(ScriptedModel([PLAN, code("x = 1")]), plan=True, runs=tmp_path, budget=Budget(steps=1)).run("go")
    model = ScriptedModel([code("final_answer(x)")])
    resumed = Agent(model, plan=True, runs=tmp_path).resume(run.journal)
    assert (resumed.answer, resumed.cost.prompt_tokens) == (1, 50)
    assert model.seen[0][2].content == "1. Look.\n2. Answer."


def test_no_plan_is_asked_for_unless_that_is_said(tmp_path):
    model = ScriptedModel(["42"])
    Agent(model, runs=None).run("go")
    assert "plan" not in model.seen[0][-1].content
