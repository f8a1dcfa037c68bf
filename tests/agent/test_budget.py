"""What a run may use: counted whoever uses it, told when it is nearly spent, and an end with the best there is."""

import json
import threading

import pytest

from codeact import errors
from codeact.agent import Agent, replay
from codeact.limits import Budget, Limits
from codeact.records import Reply
from codeact.testing import ScriptedModel
from tests.agent.parts import code, price, send


def test_a_run_out_of_steps_ends_with_the_best_it_has(make):
    model = ScriptedModel(lambda messages: code(f"{len(messages)} * 10"))
    run = make(model, budget=Budget(steps=3)).run("go on")
    assert (run.ended, run.ok, run.answer) == ("budget", False, 60)
    assert run.reason == "all 3 steps of the budget are used"


def test_the_model_is_told_when_the_budget_is_nearly_spent(make):
    model = ScriptedModel([code("1"), code("2"), code("final_answer(3)")])
    make(model, budget=Budget(steps=3)).run("go")
    assert "The budget is nearly spent (1 step left)" in model.seen[2][-1].content
    assert "nearly spent" not in model.seen[1][-1].content
    only = ScriptedModel([code("1")])
    make(only, budget=Budget(steps=1)).run("go")
    assert "nearly spent" not in only.seen[0][-1].content


def test_what_is_used_to_the_last_is_spent(make):
    model = ScriptedModel([Reply(code("1"), prompt_tokens=60, completion_tokens=40), code("final_answer(2)")])
    assert make(model, budget=Budget(tokens=100)).run("go").reason == "100 tokens are used, the budget was 100"


def test_tokens_and_dollars_are_counted(make):
    tokens = make(
        lambda messages: Reply(code(str(len(messages))), prompt_tokens=90, completion_tokens=20),
        budget=Budget(tokens=200),
    )
    assert tokens.run("go").reason == "220 tokens are used, the budget was 200"
    dollars = make(lambda messages: Reply(code(str(len(messages))), cost_usd=0.4), budget=Budget(cost_usd=1))
    assert dollars.run("go").cost.cost_usd == pytest.approx(1.2)


def test_operations_and_tool_calls_of_snippets_are_counted():
    looping = Agent(
        ScriptedModel(lambda messages: code(f"for i in range({10_000 + len(messages)}): pass")),
        budget=Budget(operations=25_000), runs=None,
    )  # fmt: skip
    run = looping.run("go")
    assert (run.ended, len(run.steps)) == ("budget", 3)
    assert "operations are used, the budget was 25,000" in run.reason
    calling = Agent(
        ScriptedModel(lambda messages: code(f"price.map(['pear'] * {len(messages)})")),
        tools=[price], budget=Budget(tool_calls=5), runs=None,
    )  # fmt: skip
    assert calling.run("go").reason == "tool calls made: 5, the budget was 5"


def test_a_resumed_run_goes_on_with_the_seconds_it_had_left(make):
    run = make([code("x = 1")], budget=Budget(steps=1)).run("go")
    text = run.journal.read_text().splitlines()
    used = text[-1].replace(f'"after_seconds": {json.loads(text[-1])["after_seconds"]}', '"after_seconds": 250.0')
    run.journal.write_text("\n".join([*text[:-1], used, ""]))
    resumed = make([code("y = 2"), code("final_answer(x + y)")], budget=Budget(wall_seconds=240)).resume(run.journal)
    assert (resumed.ended, resumed.reason) == ("budget", "the 240 s of the budget are over")
    resumed = make([code("y = 2"), code("final_answer(x + y)")], budget=Budget(wall_seconds=290)).resume(run.journal)
    assert (resumed.answer, 250 < resumed.cost.wall_seconds < 290) == (3, True)


def test_a_step_is_cut_off_when_the_runs_time_is_over(make):
    run = make([code("while True: pass")], budget=Budget(wall_seconds=0.6), limits=Limits(operations=10**12)).run(
        "loop"
    )
    assert run.ended == "budget"
    assert "s of the budget are over" in run.reason


@pytest.mark.parametrize("seconds", [float("inf"), 1e10])
def test_a_run_may_have_all_the_time_there_is(make, seconds):
    options = {"budget": Budget(wall_seconds=seconds), "approval_seconds": seconds, "approve": lambda tool, given: True}
    failed = []
    hook, threading.excepthook = threading.excepthook, failed.append
    try:
        run = make([code("final_answer(send('Ann'))")], tools=[send], **options).run("go")
    finally:
        threading.excepthook = hook
    assert (run.answer, failed) == ("sent to Ann", [])
    assert replay(run.journal).answer == run.answer


def test_three_identical_failures_are_noticed_told_and_then_end_the_run(make):
    model = ScriptedModel(lambda messages: code("missing_name"))
    run = make(model).run("go")
    assert (run.ended, len(run.steps)) == ("failed", 4)
    assert "done the same 3 times and got the same" in model.seen[3][-1].content
    assert "missing_name" in run.reason


def test_questions_to_the_model_from_a_snippet_are_on_the_runs_account(make):
    def model(messages):
        if len(messages) == 1:
            return Reply("short", prompt_tokens=50)
        return Reply(code("final_answer(ask_model.map(['a', 'b', 'c']))"), prompt_tokens=10)

    run = make(model, ask_model=True).run("summarise")
    assert run.answer == ["short"] * 3
    assert run.cost.prompt_tokens == 160


def test_a_thousand_tools_are_searched_and_not_listed(make):
    def named(number):
        def function(x: int) -> int:
            """Does something."""
            return x + number

        function.__name__ = f"tool_{number}"
        return function

    model = ScriptedModel([code("print(search_tools('price of an item'))"), code("final_answer(price('pear'))")])
    run = make(model, tools=[*(named(number) for number in range(1_000)), price]).run("buy a pear")
    assert run.answer == 0.75
    assert sum(len(message.content) for message in model.seen[0]) < 4_000
    assert "def price(item: str) -> float:" in run.steps[0].observation.stdout


def test_a_context_that_is_too_long_is_shortened_once_and_asked_again(make):
    refused = []

    def model(messages):
        if len(messages) >= 4 and not refused:
            refused.append(sum(len(message.content) for message in messages))
            return errors.ContextTooLong("too long")
        return code("print('word ' * 4000)") if len(messages) < 4 else code("final_answer(1)")

    scripted = ScriptedModel(model)
    assert make(scripted).run("go").answer == 1
    assert sum(len(message.content) for message in scripted.seen[-1]) < refused[0] / 2
    assert "characters of step 1's output left out" in scripted.seen[-1][-1].content


def test_no_tool_call_is_made_beyond_the_budget_within_a_step(make, world):
    run = make([code("[order(str(i)) for i in range(9)]")], tools=world.tools(), budget=Budget(tool_calls=3)).run("go")
    assert (run.ended, len(world.calls)) == ("budget", 3)
    assert "no tool call is left, this one was not made" in run.steps[0].observation.failure.message


def test_a_run_that_may_make_no_call_and_count_nothing_may_still_answer(make, world):
    model = ScriptedModel([code("stock('pear')"), code("[n for n in range(3)]"), code("final_answer(1 + 1)")])
    run = make(model, tools=world.tools(), budget=Budget(tool_calls=0, operations=0)).run("go")
    assert (run.answer, world.calls) == (2, [])
    failures = [step.observation.failure for step in run.steps]
    assert "the budget was 0" in failures[0].message
    assert (failures[1].kind, failures[2]) == ("limit", None)


def test_a_step_computes_no_more_than_the_run_may(make):
    run = make([code("for i in range(10**9): pass")], budget=Budget(operations=50_000)).run("go")
    assert run.steps[0].observation.failure.kind == "limit"
    assert run.cost.operations <= 60_000


@pytest.mark.parametrize(
    ("budget", "source", "left"),
    [({"tool_calls": 7}, "[price('pear') for i in range(6)]", "(1 of 7 tool calls left)"),
     ({"operations": 1_000}, "for i in range(900): pass", " of 1,000 operations left)")],
)  # fmt: skip
def test_the_model_is_told_of_calls_and_operations_too(make, budget, source, left):
    model = ScriptedModel([code(source), "done"])
    make(model, tools=[price], budget=Budget(**budget)).run("go")
    assert left in model.seen[1][-1].content


def test_what_snippets_and_inner_agents_spent_is_still_spent_after_a_resume(make, runs):
    def model(messages):
        if len(messages) == 1:
            return Reply("short", prompt_tokens=50)
        return Reply(code("x = ask_model('a')\ny = think('b')"), prompt_tokens=10)

    think = make([Reply(code("final_answer(1)"), prompt_tokens=100)]).as_tool("think", "Thinks.")
    run = make(model, ask_model=True, tools=[think], budget=Budget(steps=1)).run("go")
    assert run.cost.prompt_tokens == 160
    again = make([Reply("done", prompt_tokens=1)], ask_model=True, tools=[think]).resume(run.journal)
    assert (again.cost.prompt_tokens, again.cost.tool_calls) == (161, run.cost.tool_calls)
