"""The loop with scripted models and real sessions: what the model writes is run, and what it says is not believed."""

import asyncio
import contextvars
import dataclasses
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from codeact import errors, events
from codeact.agent import Agent, compare, replay
from codeact.journal import read
from codeact.limits import Budget, Limits
from codeact.records import Reply
from codeact.skills.library import SkillLibrary
from codeact.testing import FakeProvider, Hangs, Says, ScriptedModel, replays
from codeact.toolbox import tool


def code(source):
    return f"```python\n{textwrap.dedent(source).strip()}\n```"


@pytest.fixture
def runs(tmp_path):
    return tmp_path / "runs"


@pytest.fixture
def make(runs):
    def make(replies, **options):
        model = replies if hasattr(replies, "reply") else ScriptedModel(replies)
        return Agent(model, **{"runs": runs, **options})

    return make


SENT = []


@tool(effect="write")
def send(to: str) -> str:
    """Sends a message."""
    SENT.append(to)
    return f"sent to {to}"


@tool(effect="read")
def price(item: str) -> float:
    """The price of an item."""
    return {"apple": 0.5, "pear": 0.75}[item]


# ------------------------------------------------------------------------------------------------ the loop
def test_a_run_ends_at_its_final_answer(make):
    run = make([code("final_answer(6 * 7)")]).run("compute")
    assert (run.ok, run.answer, run.ended, len(run.steps)) == (True, 42, "answered", 1)


def test_a_plain_answer_ends_the_run(make):
    assert make(["It is 42."]).run("compute").answer == "It is 42."


def test_variables_stay_from_step_to_step_and_an_error_goes_back_to_the_model(make):
    model = ScriptedModel([code("x = 6"), code("x / 0"), code("final_answer(x * 7)")])
    run = make(model).run("compute")
    assert run.answer == 42
    assert [step.observation.ok for step in run.steps] == [True, False, True]
    assert "ZeroDivisionError: division by zero" in model.seen[2][-1].content


def test_tools_are_composed_in_one_snippet_and_their_calls_are_recorded(make):
    run = make([code("final_answer(sum(price.map(['apple', 'pear'])))")], tools=[price]).run("sum up")
    assert run.answer == 1.25
    assert sorted(call.arguments["item"] for call in run.steps[0].observation.calls) == ["apple", "pear"]
    assert run.cost.tool_calls == 2


def test_inputs_are_variables_and_never_pasted(make):
    model = ScriptedModel([code("final_answer(sum(row['n'] for row in book))")])
    rows = [{"n": 1, "note": "confidential"}, {"n": 2, "note": "confidential"}]
    assert make(model).run("sum the book", inputs={"book": rows}).answer == 3
    sent = "".join(message.content for message in model.seen[0])
    assert "book: list of 2, the first: dict of 2, keys 'n', 'note'" in sent
    assert "confidential" not in sent


def test_files_lie_in_the_working_folder(make, tmp_path):
    (tmp_path / "orders.csv").write_text("a,b\n1,2\n")
    model = ScriptedModel([code("final_answer(open('orders.csv').read())")])
    assert make(model).run("read", files=[tmp_path / "orders.csv"]).answer == "a,b\n1,2\n"
    assert "orders.csv (8 bytes)" in model.seen[0][1].content


def test_what_the_model_invents_after_its_code_is_not_believed(make):
    invented = code("print(6 * 7)") + "\n\nObservation: 41\n\n" + code("final_answer(41)")
    model = ScriptedModel([invented, code("final_answer(42)")])
    assert make(model).run("compute").answer == 42
    assert "Observation: 41" not in model.seen[1][-2].content


def test_a_reply_without_code_or_answer_is_asked_back(make):
    model = ScriptedModel(["", code("final_answer(1)")])
    run = make(model).run("compute")
    assert run.answer == 1
    assert "Your reply was empty" in model.seen[1][-1].content
    assert run.steps[0].observation is None


def test_native_calls_are_run_in_order(make):
    assert make([Reply("", calls=("x = 2", "final_answer(x)"))]).run("compute").answer == 2


def test_the_beginning_of_the_messages_never_changes(make):
    model = ScriptedModel([code("1"), code("2 / 0"), "", code("final_answer(3)")])
    make(model, tools=[price], budget=Budget(steps=5)).run("compute")
    for earlier, later in zip(model.seen, model.seen[1:], strict=False):
        assert later[: len(earlier)] == earlier


def test_a_final_answer_inside_a_loop_counts_once(make):
    run = make([code("for i in range(5):\n    final_answer(i)")]).run("compute")
    assert (run.answer, len(run.steps)) == (0, 1)


def test_tools_cannot_be_rebound(make):
    model = ScriptedModel([code("price = lambda item: 0"), code("final_answer(price('pear'))")])
    assert make(model, tools=[price]).run("buy").answer == 0.75


def test_an_answer_of_the_wrong_type_goes_back_to_the_model(make):
    @dataclasses.dataclass
    class Total:
        amount: float
        currency: str

    model = ScriptedModel(
        [code("final_answer({'amount': 'much'})"), code("final_answer({'amount': 2, 'currency': 'EUR'})")]
    )
    assert make(model, output_type=Total).run("total").answer == Total(2.0, "EUR")
    assert "final_answer was refused: amount:" in model.seen[1][-1].content


def test_a_check_of_the_answer_may_refuse_it_with_a_reason(make):
    model = ScriptedModel([code("final_answer(-1)"), code("final_answer(1)")])
    agent = make(model, final_answer_checks=[lambda answer: "it must be positive" if answer < 0 else None])
    assert agent.run("compute").answer == 1
    assert "it must be positive" in model.seen[1][-1].content


# ----------------------------------------------------------------------------------------------- its limits
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
    assert calling.run("go").reason == "6 tool calls were made, the budget was 5"


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


def test_three_identical_failures_are_noticed_told_and_then_end_the_run(make):
    model = ScriptedModel(lambda messages: code("missing_name"))
    run = make(model).run("go")
    assert (run.ended, len(run.steps)) == ("failed", 4)
    assert "3rd time" in model.seen[3][-1].content
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


# --------------------------------------------------------------------------------------------------- errors
def test_a_model_that_cannot_be_asked_raises_and_leaves_the_run_saved(make, runs):
    with pytest.raises(errors.NotAuthorised) as caught:
        make([code("x = 1"), errors.NotAuthorised("no key")]).run("go")
    saved = next(runs.iterdir())
    assert "codeact resume" in caught.value.__notes__[0]
    assert [entry.kind for entry in read(saved).entries] == ["ready", "reply", "step", "end"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"files": ["/nowhere/a.csv"]}, "there is no file"),
        ({"files": "a.csv"}, "a list of paths"),
        ({"inputs": {"not a name": 1}}, "no variable's name"),
    ],
)
def test_what_is_wrong_with_a_task_is_said_before_the_model_is_asked(make, wrong, said):
    with pytest.raises(errors.UsageError, match=said):
        make(["never"]).run("go", **wrong)
    with pytest.raises(errors.UsageError, match="a text that says"):
        make(["never"]).run("  ")


def test_a_folder_for_recordings_that_cannot_be_made_is_replaced_and_the_run_says_by_which(make, tmp_path):
    (tmp_path / "file").write_text("in the way")
    run = make(["42"], runs=tmp_path / "file" / "runs").run("go")
    assert run.answer == "42"
    assert read(run.journal).header["task"] == "go"


def test_what_is_wrong_with_a_tool_is_said_when_the_agent_is_made(make):
    with pytest.raises(errors.ToolError):
        make(["never"], tools=[lambda x: x])


# ---------------------------------------------------------------------------------------------- the other doors
def test_a_stream_tells_what_happens_in_order(make):
    kinds = [type(event).__name__ for event in make([code("final_answer(price('pear'))")], tools=[price]).stream("buy")]
    assert kinds == [
        "RunStarted", "StepStarted", "Token", "Replied", "CodeReady", "ToolStarted", "ToolEnded", "Observed",
        "Answered", "RunEnded",
    ]  # fmt: skip


def test_closing_a_stream_stops_the_run(make, runs):
    stream = make([code("while True: pass")], limits=Limits(operations=10**12)).stream("loop")
    for event in stream:
        if isinstance(event, events.CodeReady):
            break
    stream.close()
    assert [entry["ended"] for entry in read(next(runs.iterdir())).of("end")] == ["interrupted"]


def test_async_tools_run_on_the_callers_loop(make):
    loops = []

    async def fetch(url: str) -> str:
        """Fetches."""
        loops.append(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return url.upper()

    async def main():
        run = await make([code("final_answer(fetch('x'))")], tools=[fetch]).arun("fetch")
        return run.answer, loops[0] is asyncio.get_running_loop()

    assert asyncio.run(main()) == ("X", True)


def test_tools_see_the_context_variables_of_whoever_started_the_run(make):
    user = contextvars.ContextVar("user", default="nobody")

    def whoami() -> str:
        """Says who."""
        return user.get()

    async def whoami_later() -> str:
        """Says who."""
        return user.get()

    agent = make(lambda messages: code("final_answer([whoami(), whoami_later()])"), tools=[whoami, whoami_later])

    async def main():
        user.set("Ann")
        return (await agent.arun("go")).answer

    assert asyncio.run(main()) == ["Ann", "Ann"]
    user.set("Ben")
    assert list(agent.stream("go"))[-1].run.answer == ["Ben", "Ben"]
    assert agent.run("go").answer == ["Ben", "Ben"]


def test_cancelling_a_run_leaves_nothing_running(make, runs):
    async def main():
        started = asyncio.Event()

        async def wait(x: int) -> int:
            """Waits for ever."""
            started.set()
            await asyncio.sleep(3600)
            return x

        task = asyncio.create_task(make([code("wait(1)")], tools=[wait]).arun("wait"))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert [entry["ended"] for entry in read(next(runs.iterdir())).of("end")] == ["interrupted"]
    assert not [thread for thread in threading.enumerate() if thread.name == "codeact-run"]


def test_cancelling_hangs_up_on_the_provider(runs):
    async def main(provider):
        agent = Agent("openai/any", runs=runs, model_settings={"api_base": provider.url, "api_key": "x"})
        task = asyncio.create_task(agent.arun("hang"))
        await asyncio.to_thread(provider.asked.wait, 20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with FakeProvider([Hangs()]) as provider:
        asyncio.run(main(provider))
        assert provider.gone.wait(10)


def test_many_agents_run_at_once_in_one_loop_and_lose_no_event(tmp_path):
    async def one(number):
        agent = Agent(ScriptedModel([code(f"x = {number}"), code("final_answer(x * 2)")]), runs=None)
        seen = [event async for event in agent.astream("double")]
        return seen[-1].run.answer, [type(event).__name__ for event in seen].count("Observed")

    async def main():
        return await asyncio.gather(*(one(number) for number in range(20)))

    assert asyncio.run(main()) == [(number * 2, 2) for number in range(20)]


def test_a_model_over_http_drives_a_run_from_end_to_end(runs):
    with FakeProvider([Says(code("x = 6 * 7\nprint(x)")), Says(code("final_answer(x)"))]) as provider:
        agent = Agent("openai/any", runs=runs, model_settings={"api_base": provider.url, "api_key": "sk-secret-1234"})
        run = agent.run("compute")
    assert (run.answer, run.cost.prompt_tokens) == (42, 22)
    assert "Output:\n42" in provider.requests[1]["messages"][-1]["content"]
    assert "sk-secret-1234" not in run.journal.read_text()


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


def test_a_call_that_writes_waits_for_approval_and_may_be_refused_or_changed(make):
    SENT.clear()
    answers = {"Ann": True, "Ben": False, "Cid": {"to": "Dan"}}
    asked = []

    def approve(name, arguments):
        asked.append(name)
        return answers[arguments["to"]]

    steps = [code("price('pear')\nsend('Ann')"), code("send('Ben')"), code("final_answer(send('Cid'))")]
    run = make(steps, tools=[send, price], approve=approve).run("go")
    assert (run.answer, SENT, asked) == ("sent to Dan", ["Ann", "Dan"], ["send"] * 3)
    assert "was not approved" in run.steps[1].observation.failure.message
    assert replay(run.journal).answer == "sent to Dan"


def test_a_recording_is_a_test_in_one_line(make):
    run = make([code("final_answer(price('pear'))")], tools=[price]).run("go")
    assert replays(run.journal)


def test_two_recordings_are_compared_by_what_happened(make):
    same = [make([code("print(1)"), code("final_answer(2)")]).run("go").journal for _ in range(2)]
    other = make([code("print(1)"), code("final_answer(3)")]).run("go").journal
    assert compare(*same) == ""
    assert compare(same[0], other).startswith("entry 3: reply")


# --------------------------------------------------------------------------------------------------- skills
def test_what_worked_becomes_a_skill_that_the_next_run_finds_calls_and_replays(make, tmp_path):
    library = SkillLibrary(tmp_path / "skills")
    told = []
    steps = [code("book"), code("costs = [price(row['item']) * row['n'] for row in book]\nfinal_answer(sum(costs))")]
    first = make(steps, tools=[price], skills=library, promote="verified")
    task = "Add up what the fruit in the order book costs"
    assert first.run(task, inputs={"book": [{"item": "pear", "n": 2}]}, on_event=told.append).answer == 1.5
    (kept,) = [event.name for event in told if isinstance(event, events.SkillPromoted)]

    model = ScriptedModel([code(f"final_answer({kept}(book))")])
    second = make(model, tools=[price], skills=library)
    run = second.run(task + " today", inputs={"book": [{"item": "apple", "n": 4}]}, on_event=told.append)
    assert run.answer == 2.0
    assert f"def {kept}(" in model.seen[0][0].content
    assert events.SkillsFound((kept,)) in told
    assert events.SkillUsed(1, kept) in told
    assert library.usage()[kept].successes == 1
    assert replay(run.journal).answer == 2.0


def test_keeping_skills_needs_a_library(make):
    with pytest.raises(errors.UsageError, match="needs a library"):
        make(["x"], promote="verified")


# -------------------------------------------------------------------------------------- journal, replay, resume
def test_a_recorded_run_replays_offline_with_its_tools_results(make):
    SENT.clear()
    run = make(
        [code("a = send('Ann')\nprint(a)"), code("1 / 0"), code("final_answer([a, send('Ben')])")], tools=[send]
    ).run("go")
    again = replay(run.journal)
    assert (again.answer, len(again.steps), again.ended) == (run.answer, 3, "answered")
    assert SENT == ["Ann", "Ben"]


def test_a_replay_that_goes_another_way_names_the_first_difference(make):
    run = make([code("print(1)"), code("final_answer(2)")]).run("go")
    run.journal.write_text(run.journal.read_text().replace(r"print(1)\n", r"print(3)\n"))
    with pytest.raises(errors.Diverged, match=r"step 1 differs from the recording in its code"):
        replay(run.journal)


def test_a_replayed_call_that_was_not_recorded_is_named(make):
    run = make([code("final_answer(price('pear'))")], tools=[price]).run("go")
    run.journal.write_text(run.journal.read_text().replace("'pear'", "'plum'"))
    with pytest.raises(errors.Diverged, match=r"step 1 calls price\(\{'item': 'plum'\}\); recorded is price"):
        replay(run.journal)


def test_an_interrupted_run_goes_on_and_no_effect_happens_twice(make, runs):
    SENT.clear()
    with pytest.raises(errors.NotAuthorised):
        make([code("send('Ann')\nx = 1"), errors.NotAuthorised("no key")], tools=[send]).run("go")
    run = make([code("send('Ben')\nfinal_answer(x + 1)")], tools=[send]).resume(next(runs.iterdir()))
    assert (run.answer, len(run.steps), SENT) == (2, 2, ["Ann", "Ben"])
    assert replay(run.journal).answer == 2


def test_a_run_killed_inside_a_step_serves_the_calls_it_had_made(make, runs):
    SENT.clear()
    whole = make([code("a = send('Ann')\nb = send('Ben')\nfinal_answer([a, b])")], tools=[send]).run("go")
    lines = whole.journal.read_text().splitlines()
    cut = lines[: next(number for number, line in enumerate(lines) if '"kind": "call"' in line) + 1]
    (runs / "cut.jsonl").write_text("\n".join(cut) + '\n{"kind": "call_sta')
    SENT.clear()
    run = make(["never"], tools=[send]).resume(runs / "cut.jsonl")
    assert run.answer == ["sent to Ann", "sent to Ben"]
    assert SENT == ["Ben"]


def test_a_call_that_had_begun_when_the_run_was_killed_is_not_made_again_blindly(make, runs):
    whole = make([code("send('Ann')"), code("final_answer(1)")], tools=[send]).run("go")
    lines = whole.journal.read_text().splitlines()
    begun = next(number for number, line in enumerate(lines) if '"kind": "call_started"' in line)
    (runs / "cut.jsonl").write_text("\n".join(lines[: begun + 1]) + "\n")
    SENT.clear()
    run = make([code("final_answer('checked')")], tools=[send]).resume(runs / "cut.jsonl")
    assert SENT == []
    assert "whether it happened is not known" in run.steps[0].observation.failure.message


def test_a_resumed_run_asks_nothing_back_twice(make):
    run = make(["", code("x = 1")], budget=Budget(steps=2)).run("go")
    resumed = make([code("final_answer(x)")], budget=Budget(steps=5)).resume(run.journal)
    assert resumed.answer == 1
    assert len(list(read(run.journal).of("asked_back"))) == 1


def test_a_run_that_was_answered_is_not_resumed(make):
    run = make(["42"]).run("go")
    with pytest.raises(errors.JournalError, match="was answered"):
        make(["43"]).resume(run.journal)


def test_a_run_out_of_budget_goes_on_with_a_larger_one(make):
    run = make([code("x = 5")], budget=Budget(steps=1)).run("go")
    assert run.ended == "budget"
    assert make([code("final_answer(x)")], budget=Budget(steps=5)).resume(run.journal).answer == 5


def test_a_file_that_changed_since_is_named_on_a_resume(make, tmp_path):
    (tmp_path / "a.csv").write_text("1")
    run = make([code("x = 1")], budget=Budget(steps=1)).run("go", files=[tmp_path / "a.csv"])
    (tmp_path / "a.csv").write_text("2")
    with pytest.raises(errors.JournalError, match=r"a\.csv.*has changed since"):
        make(["x"]).resume(run.journal)


PROGRAM = """
import sys
from codeact.agent import Agent
from codeact.limits import Limits
from codeact.skills.library import SkillLibrary
from codeact.testing import ScriptedModel

agent = Agent(ScriptedModel(["```python\\nx = 1\\n```", "```python\\nwhile True: pass\\n```"]), runs=sys.argv[1],
              limits=Limits(operations=10**12))
def told(event):
    if type(event).__name__ == "CodeReady":
        print(event.step, flush=True)
run = agent.run("loop", on_event=told)
print(run.ended, run.reason, len(run.steps), flush=True)
"""


def test_ctrl_c_saves_the_run_and_leaves_no_process(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    process = subprocess.Popen(
        [sys.executable, tmp_path / "program.py", tmp_path / "runs"],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout.readline() == "1\n"
    assert process.stdout.readline() == "2\n"
    os.kill(process.pid, signal.SIGINT)
    assert process.stdout.read() == "interrupted stopped by Ctrl-C 1\n"
    assert process.wait(10) == 0
    recording = read(next((tmp_path / "runs").iterdir()))
    assert [entry["index"] for entry in recording.of("step")] == [1]
    assert _left_over(process.pid) == []


def _left_over(group):
    """The processes of the program's session that are still there half a second later at most."""
    deadline = time.monotonic() + 0.5
    while True:
        left = [pid for pid in os.listdir("/proc") if pid.isdigit() and _session_of(pid) == group]
        if not left or time.monotonic() > deadline:
            return left


def _session_of(pid):
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else int(fields[3])
