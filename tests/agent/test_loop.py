"""The loop with scripted models and real sessions: what the model writes is run, and what it says is not believed."""

import dataclasses
import subprocess
import sys

import pydantic
import pytest

from codeact import errors, events
from codeact.agent import replay
from codeact.journal import read
from codeact.limits import Budget
from codeact.records import Reply
from codeact.skills.library import SkillLibrary
from codeact.testing import ScriptedModel, replays
from tests.agent.parts import code, price

PNG = b"\x89PNG\r\n\x1a\n0123456789"


def test_a_run_ends_at_its_final_answer(make):
    run = make([code("final_answer(6 * 7)")]).run("compute")
    assert (run.ok, run.answer, run.ended, len(run.steps)) == (True, 42, "answered", 1)


def test_a_run_that_is_printed_says_its_answer_or_why_there_is_none(make):
    assert str(make([code("final_answer([6 * 7])")]).run("compute")) == "[42]"
    unanswered = make([code("6 * 7")], budget=Budget(steps=1)).run("compute")
    assert str(unanswered) == "budget: the only step of the budget is used"


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


def test_files_given_as_bytes_lie_there_are_shown_and_recorded(make):
    model = ScriptedModel([code("final_answer(open('orders.csv', 'rb').read())")])
    run = make(model).run("read", files={"orders.csv": b"a,b\xff\n", "dot.png": PNG})
    assert run.answer == b"a,b\xff\n"
    assert "orders.csv (5 bytes)" in model.seen[0][1].content
    assert [image.data for image in model.seen[0][1].images] == [PNG]
    assert replays(run.journal)


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


def test_the_model_is_told_at_once_what_type_the_answer_is_to_be_of(make):
    class Line(pydantic.BaseModel):
        amount: float = pydantic.Field(gt=0, description="in EUR")

    model = ScriptedModel([code("final_answer([{'amount': 2}])")])
    make(model, output_type=list[Line]).run("total")
    assert model.seen[0][-1].content == (
        "total\n\nThe value for final_answer: list[Line]\n\n"
        "Types (pass a record as a dict of its fields; one that is returned has them as attributes):\n"
        "    Line: record of amount: float (in EUR, more than 0)"
    )


def test_a_check_of_the_answer_may_refuse_it_with_a_reason(make):
    model = ScriptedModel([code("final_answer(-1)"), code("final_answer(1)")])
    agent = make(model, final_answer_checks=[lambda answer: "it must be positive" if answer < 0 else None])
    assert agent.run("compute").answer == 1
    assert "it must be positive" in model.seen[1][-1].content


def test_a_check_of_the_answer_may_refuse_it_by_raising(make):
    def positive(answer):
        assert answer > 0, "it must be positive"

    run = make([code("final_answer(-1)"), code("final_answer(1)")], final_answer_checks=[positive]).run("go")
    assert (run.answer, run.checked) == (1, True)


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


def test_a_folder_for_recordings_that_cannot_be_made_is_replaced_and_the_run_says_by_which(make, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "file").write_text("in the way")
    run = make(["42"], runs=tmp_path / "file" / "runs").run("go")
    assert run.answer == "42"
    assert read(run.journal).header["task"] == "go"


def test_what_is_wrong_with_a_tool_is_said_when_the_agent_is_made(make):
    with pytest.raises(errors.ToolError):
        make(["never"], tools=[lambda x: x])


def test_tools_of_a_generator_are_there_in_each_run(make):
    agent = make(lambda messages: code("final_answer(price('pear'))"), tools=(tool for tool in [price]))
    assert [agent.run("go").answer for _ in range(2)] == [0.75, 0.75]


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
    assert library.usage()[kept].uses == 1
    assert replay(run.journal).answer == 2.0


def test_keeping_skills_needs_a_library(make):
    with pytest.raises(errors.UsageError, match="needs a library"):
        make(["x"], promote="verified")


def test_an_agent_works_where_codeact_was_copied_to_and_never_installed(tmp_path):
    asks = (
        "import importlib.metadata as known; from codeact import Agent; from codeact.testing import ScriptedModel\n"
        "known.Distribution.discover = lambda **names: iter(())\n"
        "print(Agent(ScriptedModel(['it works']), runs='runs', isolation='inline').run('go').answer)"
    )
    command = [sys.executable, "-W", "ignore", "-c", asks]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("it works\n", "")
