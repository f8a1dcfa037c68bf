"""A run as a stream of events, from asyncio, and interrupted: nothing is lost and nothing is left running."""

import _thread
import asyncio
import contextvars
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from codeact import events
from codeact.agent import Agent, doors
from codeact.journal import read
from codeact.limits import Budget, Limits
from codeact.testing import FakeProvider, Hangs, Says, ScriptedModel
from codeact.waiting import next_of
from tests.agent.parts import code, price


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
    assert _ended("codeact-run")


def _ended(name):
    """Whether all threads of this name end, which have said by now all that they had to."""
    threads = [thread for thread in threading.enumerate() if thread.name.startswith(name)]
    for thread in threads:
        thread.join(20)
    return not any(thread.is_alive() for thread in threads)


def test_cancelling_hangs_up_on_the_provider(runs):
    async def main(provider):
        agent = Agent("openai/any", runs=runs, model_settings={"api_base": provider.url, "api_key": "x"})
        task = asyncio.create_task(agent.arun("hang"))
        await asyncio.to_thread(provider.asked.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with FakeProvider([Hangs()]) as provider:
        asyncio.run(main(provider))
        assert provider.gone.wait(60)


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
    assert "Output:\n```\n42\n```" in provider.requests[1]["messages"][-1]["content"]
    assert "sk-secret-1234" not in run.journal.read_text()


def test_a_run_that_is_gone_on_with_keeps_the_secrets_of_its_models_settings_out_of_its_journal(runs):
    with FakeProvider([Says(code("x = 1")), Says(code("final_answer('sk-secret-1234')"))]) as provider:
        settings = {"api_base": provider.url, "api_key": "sk-secret-1234"}
        begun = Agent("openai/any", runs=runs, model_settings=settings, budget=Budget(steps=1)).run("compute")
        run = Agent("openai/any", runs=runs, model_settings=settings).resume(begun.journal)
    assert run.answer == "sk-secret-1234"
    assert "sk-secret-1234" not in run.journal.read_text()


BREAKS_OFF = """
import asyncio, sys, time
from codeact import events
from codeact.agent import Agent
from codeact.testing import ScriptedModel

def slow(n: int) -> int:
    "Is slow."
    begun.append(n)
    time.sleep(0.3)
    return n

begun = []
async def main():
    agent = Agent(ScriptedModel(["```python\\nslow(1)\\n```"] * 9), tools=[slow], runs=sys.argv[1])
    async for event in agent.astream("go"):
        if isinstance(event, events.ToolStarted):
            while not begun:
                await asyncio.sleep(0.01)
            if sys.argv[2] == "closed":
                asyncio.get_running_loop().stop()
            break

loop = asyncio.new_event_loop()
if sys.argv[2] == "run":
    asyncio.run(main())
else:
    task = loop.create_task(main())
    loop.run_forever()
    loop.close()
    time.sleep(0.6)
"""


@pytest.mark.parametrize("ends", ["run", "closed"])
def test_a_stream_that_is_broken_off_as_its_loop_ends_says_nothing_on_the_terminal(tmp_path, ends):
    command = [sys.executable, "-c", BREAKS_OFF, str(tmp_path / "runs"), ends]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert "Exception in thread" not in ended.stderr
    assert ends == "closed" or ended.stderr == ""  # of a loop closed under its tasks, asyncio complains itself


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
    assert process.wait(60) == 0
    recording = read(next((tmp_path / "runs").iterdir()))
    assert [entry["index"] for entry in recording.of("step")] == [1]
    assert _left_over(process.pid) == []


def _left_over(group):
    """The processes of the program's session that do not end by themselves: what was killed may still be on its way out."""
    deadline = time.monotonic() + 60
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


class Waits:
    """A model that hangs until it is stopped."""

    name = "waits"

    def reply(self, messages, *, on_token=None, stop=None):
        stop.wait(3600)


class Interrupts(Waits):
    """One that interrupts the program, too, once, without waking it."""

    def __init__(self, ready=lambda: True):
        self._once, self._ready = iter([_thread.interrupt_main]), ready

    def reply(self, messages, *, on_token=None, stop=None):
        for interrupt in self._once:
            while not self._ready():
                time.sleep(0)
            interrupt()
        super().reply(messages, stop=stop)


def waiting_for_events():
    """Whether the main thread waits in a stream: elsewhere Ctrl-C is met by the code that reads the stream."""
    return sys._current_frames()[threading.main_thread().ident].f_code is next_of.__code__


def test_ctrl_c_ends_a_stream_with_the_last_events_of_its_run(make):
    assert list(make(Interrupts(waiting_for_events)).stream("hang"))[-1].run.ended == "interrupted"


def test_ctrl_c_as_an_event_comes_loses_no_event(make, monkeypatch):
    def met(told):
        next_of(told)
        raise KeyboardInterrupt

    monkeypatch.setattr(doors, "next_of", met)
    seen = list(make(Waits()).stream("go"))
    assert [type(seen[0]), type(seen[-1])] == [events.RunStarted, events.RunEnded]
    assert seen[-1].run.ended == "interrupted"


def test_ctrl_c_stops_all_candidates(make):
    assert make(Interrupts(), candidates=3).run("hang").ended == "interrupted"
    assert _ended("codeact-candidate")


def test_ctrl_c_that_does_not_wake_the_wait_for_a_provider_is_heard(runs):
    with FakeProvider([Hangs("tok")]) as provider:
        agent = Agent("openai/any", runs=runs, model_settings={"api_base": provider.url, "api_key": "x"})
        run = agent.run("hang", on_event=lambda event: isinstance(event, events.Token) and _thread.interrupt_main())
    assert run.ended == "interrupted"
