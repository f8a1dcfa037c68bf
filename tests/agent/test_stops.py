"""A run that is told to stop, whose time is over, or whose recording finds no room, as a step is about to begin."""

import asyncio
import re
import signal

import pytest

from codeact import events
from codeact.agent import Agent, replay
from codeact.agent.driving import drive
from codeact.agent.preparing import Setting, asked
from codeact.errors import JournalError
from codeact.limits import Budget
from codeact.models import Stop
from codeact.records import Reply
from codeact.testing import ScriptedModel
from codeact.toolbox import tool
from tests.agent.parts import DrivenTime, code
from tests.full_disk import room_for


@pytest.fixture
def looked():
    return []


@pytest.fixture
def look(looked):
    @tool(effect="read")
    def look(where: str) -> str:
        """Looks."""
        looked.append(where)
        return where

    return look


def at_the_code(do):
    """What does this as a step is about to begin."""
    return lambda event: do() if isinstance(event, events.CodeReady) else None


def driven(agent, emit, stop, loop=None):
    return drive(agent, asked("go", None, ()), Setting(emit, stop, loop=loop))


def test_a_stop_that_comes_as_a_step_is_about_to_begin_is_heard(look, looked):
    stop = Stop()
    agent = Agent(ScriptedModel([code("look('a')")]), tools=[look], runs=None)
    assert (driven(agent, at_the_code(stop.set), stop).ended, looked) == ("interrupted", [])


def test_a_stop_that_comes_as_a_step_is_about_to_begin_on_a_loop_is_heard(look, looked):
    stop = Stop()
    agent = Agent(ScriptedModel([code("look('a')")]), tools=[look], runs=None)

    async def main():
        loop = asyncio.get_running_loop()
        return await asyncio.to_thread(driven, agent, at_the_code(stop.set), stop, loop)

    assert (asyncio.run(main()).ended, looked) == ("interrupted", [])


def test_a_step_does_not_begin_where_the_time_was_over_before(look, looked, monkeypatch):
    host = DrivenTime()
    monkeypatch.setattr("codeact.clock.time", host)

    def move_on():
        host.ahead += 3600

    agent = Agent(ScriptedModel([code("look('a')")]), tools=[look], runs=None, budget=Budget(wall_seconds=600))
    assert (driven(agent, at_the_code(move_on), Stop()).ended, looked) == ("budget", [])


class TakesItsTime:
    """A model that takes a second to get ready, and does not answer while there is any time left."""

    name = "takes its time"

    def __init__(self, host):
        self._host = host

    def prepare(self):
        self._host.ahead += 1

    def reply(self, messages, *, on_token=None, stop=None):
        self._host.ahead += stop.seconds_left
        stop.wait(1)


def test_a_run_whose_time_is_over_while_the_model_answers_has_spent_its_budget(monkeypatch):
    host = DrivenTime()
    monkeypatch.setattr("codeact.clock.time", host)
    run = driven(Agent(TakesItsTime(host), runs=None, budget=Budget(wall_seconds=600)), lambda event: None, Stop())
    assert (run.ended, run.reason) == ("budget", "the 600 s of the budget are over")


class StopsAsItAnswers:
    """A model that stops the run with its last reply."""

    name = "stops"

    def __init__(self, stop, replies):
        self._stop, self._left = stop, replies

    def reply(self, messages, *, on_token=None, stop=None):
        self._left -= 1
        if not self._left:
            self._stop.set()
        return Reply(code("look('a')"))


def test_no_candidate_is_tried_once_the_run_is_stopped(look, looked):
    stop = Stop()
    agent = Agent(StopsAsItAnswers(stop, 2), tools=[look], runs=None, candidates=2)
    assert (driven(agent, lambda event: None, stop).ended, looked) == ("interrupted", [])


def test_a_run_whose_recording_finds_no_room_says_how_to_go_on_and_goes_on(make):
    lines = [code(f"text = {'x' * 20_000!r}\nlen(text)"), code("final_answer(len(text))")]
    with room_for(15_000), pytest.raises(JournalError, match="make room there") as full:
        make(lines).run("go")
    recording = re.search(r"codeact resume (\S+) goes on from there", full.value.__notes__[0])[1]
    assert make(lines).resume(recording).answer == 20_000


@pytest.mark.parametrize("replies", [[code("final_answer(1)")], [code("1"), code("2")]], ids=["answered", "not"])
def test_ctrl_c_in_a_replay_is_raised_and_no_difference_from_the_recording(make, replies):
    run = make(replies, budget=Budget(steps=2)).run("go")
    with pytest.raises(KeyboardInterrupt):
        replay(run.journal, on_event=at_the_code(lambda: signal.raise_signal(signal.SIGINT)))
