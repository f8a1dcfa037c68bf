"""What a model, a tool or a person may do wrong: handled, and said to whoever can put it right."""

import pytest

from codeact.agent import Agent
from codeact.limits import Budget
from codeact.records import Reply
from codeact.testing import FakeProvider, Says, ScriptedModel
from tests.agent.parts import World, code


def told(replies, **options):
    """The run, and what the model was shown after each reply but the last."""
    model = ScriptedModel(replies)
    run = Agent(model, **{"runs": None, **options}).run("go")
    return run, [messages[-1].content for messages in model.seen[1:]]


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("final_answer(1)\nfinal_answer(2)", 1),
        ("try:\n    final_answer(1)\nexcept BaseException:\n    pass\nfinally:\n    final_answer(2)", 1),
        ("for i in range(3):\n    final_answer(i)", 0),
        ("list(map(final_answer, [1, 2]))", 1),
        ("def g():\n    yield 1\n    final_answer(3)\nlist(g())", 3),
        ("import asyncio\nasync def f(x):\n    final_answer(x)\nawait asyncio.gather(f(7), f(8))", 7),
        ("import threading\nthreading.Thread(target=lambda: final_answer(5)).start()", 5),
    ],
)
def test_the_first_answer_counts_wherever_it_is_given(source, answer):
    assert told([code(source)])[0].answer == answer


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("final_answer(lambda: 1)", "the value is of type function"),
        ("final_answer(x for x in 'ab')", "the value is of type generator"),
        ("class A:\n    pass\nfinal_answer(A())", "the value is of type A:"),
        ("final_answer({'f': [1, print]})", "its [1] is of type function:"),
        ("a = []\na.append(a)\nfinal_answer(a)", "holds itself"),
        ("final_answer('x' * 10**8)", "the value is of type str"),
    ],
)
def test_an_answer_that_cannot_leave_the_session_goes_back_to_the_model(source, said):
    run, (shown,) = told([code(source), code("final_answer(1)")])
    assert run.answer == 1
    assert "final_answer was refused" in shown
    assert said in shown
    assert "give plain data" in shown


def test_a_tool_that_breaks_the_promise_of_its_type_fails_and_is_named():
    def number(name: str) -> int:
        """A number."""
        return "many"

    _, (shown,) = told([code("number('x')"), "ok"], tools=[number])
    assert "number() promises int and returned str: " in shown


@pytest.mark.parametrize("reply", ["x" * 1_000_000, f"```python\nx = '{'y' * 1_000_000}'\n```"])
def test_a_reply_of_a_megabyte_is_asked_back(reply):
    run, (shown,) = told([reply, "ok"])
    assert run.ok
    assert "too long to act on" in shown


def test_a_megabyte_of_output_is_cut_and_the_cut_is_told():
    _, (shown,) = told([code("print('z' * 1_000_000)"), "ok"])
    assert len(shown) < 60_000
    assert "1,000,000" in shown or "left out" in shown or "cut" in shown


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (lambda messages: "", "Your reply was empty"),
        (lambda messages: code("x = 1\nx"), "Value: 1"),
        (lambda messages: code(f"y{len(messages)} = missing"), "name 'missing' is not defined"),
        (lambda messages: code("final_answer(print)"), "final_answer was refused"),
    ],
)
def test_a_model_that_does_the_same_again_and_again_is_told_once_and_then_stopped(reply, reason):
    run, shown = told(reply, budget=Budget(steps=9))
    assert (run.ended, len(run.steps)) == ("failed", 4)
    assert reason in run.reason
    assert ["done the same 3 times and got the same" in text for text in shown] == [False, False, True]


@pytest.mark.parametrize(
    "source",
    ["order = 3", "def order(item): pass", "import math as order", "for order in [1]: pass", "del order",
     "globals()['order'] = 1", "final_answer = print", "class order: pass", "with open('x', 'w') as order: pass"],
)  # fmt: skip
def test_a_name_of_a_tool_stays_the_tools(source):
    world = World()
    run, (shown,) = told([code(source), code("final_answer(order('pear'))")], tools=world.tools())
    assert "cannot be rebound" in shown
    assert (run.answer, world.calls) == ("no. 1", ["order pear"])


@pytest.mark.parametrize(
    ("sent", "shown"), [("\ud83d\ude00", "\N{GRINNING FACE}"), ("\ud83d", "\N{REPLACEMENT CHARACTER}")]
)
def test_half_a_character_in_a_reply_or_a_task_is_mended(tmp_path, sent, shown):
    for call in ((), (f"final_answer('{sent}')",)):
        reply = Reply("" if call else code(f"final_answer('{sent}')"), calls=call)
        assert Agent(ScriptedModel([reply]), runs=tmp_path).run("go").answer == shown
    with FakeProvider([Says("done")]) as provider:
        settings = {"api_base": provider.url, "api_key": "none"}
        agent = Agent("openai/any", runs=tmp_path, instructions=sent, model_settings=settings)
        assert agent.run(f"say {sent}").answer == "done"


@pytest.mark.parametrize("source", ["final_answer()", "final_answer(1, 2)"])
def test_an_answer_with_the_wrong_number_of_values_is_explained(source):
    run, (shown,) = told([code(source), code("final_answer(1)")])
    assert run.answer == 1
    assert "final_answer()" in shown
    assert "<locals>" not in shown
