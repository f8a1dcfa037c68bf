"""Several replies for a step: each is tried on a copy, the best is run for real, and the others leave no trace."""

import asyncio
import threading

import pytest

from codeact import errors, events
from codeact.agent import Agent, replay
from codeact.journal import read
from codeact.records import Reply
from codeact.testing import ScriptedModel
from codeact.toolbox import tool
from tests.agent.parts import code


class OnEach:
    """Gives each question of a step another reply of that step's list."""

    def __init__(self, *steps):
        self.name, self._steps, self._lock = "several", [list(step) for step in steps], threading.Lock()

    def reply(self, messages, *, on_token=None, stop=None):
        with self._lock:
            return Reply(self._steps[(len(messages) - 2) // 2].pop(0), prompt_tokens=10)


@pytest.fixture
def sent():
    return []


@pytest.fixture
def tools(sent):
    @tool(effect="write")
    def send(to: str) -> str:
        """Sends."""
        sent.append(to)
        return f"sent to {to}"

    @tool(effect="read")
    async def look(what: str) -> str:
        """Looks."""
        return what.upper()

    return [send, look]


def test_the_candidate_that_works_is_run_and_the_others_change_nothing(tmp_path, tools, sent):
    first = [code("x = 1\nsend('Ann')\n1 / 0"), code("raise ValueError(look('a'))"), code("x = look('b')")]
    model = OnEach([first[1], first[2], "```python\nnot python at all("], [code("final_answer(x)")] * 3)
    told = []
    run = Agent(model, tools=tools, candidates=3, runs=tmp_path).run("go", on_event=told.append)
    assert (run.answer, run.steps[0].code, len(run.steps), sent) == ("B", "x = look('b')", 2, [])
    assert [(event.step, event.count) for event in told if isinstance(event, events.CandidateChosen)] == [
        (1, 3),
        (2, 3),
    ]
    assert (run.cost.prompt_tokens, run.cost.steps) == (60, 2)
    assert len(list(read(run.journal).of("candidate"))) == 4
    assert replay(run.journal).answer == "B"


def test_a_write_waits_for_the_choice_and_then_happens_once(tmp_path, tools, sent):
    model = OnEach([code("1 / 0"), code("final_answer(send('Ann'))")])
    run = Agent(model, tools=tools, candidates=2, runs=tmp_path).run("go")
    assert (run.answer, sent) == ("sent to Ann", ["Ann"])
    assert len(list(read(run.journal).of("call"))) == 1


def test_an_answer_that_the_checks_take_is_better_than_one_they_refuse(tools):
    model = OnEach([code("final_answer(-1)"), code("x = 1"), code("final_answer(2)")])
    agent = Agent(model, candidates=3, final_answer_checks=[lambda answer: answer > 0], runs=None)
    assert agent.run("go").answer == 2


def test_candidates_are_tried_on_the_callers_loop(tools):
    model = OnEach([code("1 / 0"), code("final_answer(look('b'))")])
    assert asyncio.run(Agent(model, tools=tools, candidates=2, runs=None).arun("go")).answer == "B"


@pytest.mark.parametrize("options", [{"candidates": 0}, {"candidates": 101}, {"candidates": 2, "isolation": "inline"}])
def test_candidates_need_a_session_that_can_be_copied(options):
    with pytest.raises(errors.UsageError, match="candidates="):
        Agent(ScriptedModel([]), **options)
