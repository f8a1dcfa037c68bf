"""A run that is told to stop, or whose time is over, as a step is about to begin: the step does not begin."""

import asyncio

import pytest

from codeact import events
from codeact.agent import Agent
from codeact.agent.driving import drive
from codeact.agent.plan import Setting, asked
from codeact.limits import Budget
from codeact.models import Stop
from codeact.records import Reply
from codeact.testing import ScriptedModel
from codeact.toolbox import tool
from tests.agent.parts import DrivenTime, code


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
