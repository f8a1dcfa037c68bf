"""Steps that run while their zygote is killed from outside: whoever has noticed nothing of one has it run anew."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from codeact import Limits, Policy, Session
from codeact.sandbox import zygotes
from codeact.session import Listener
from codeact.wire.orders import Stir
from tests.sandbox.conftest import until


def kill_zygote() -> int:
    """Kills it."""
    pid = zygotes.for_policy(Policy(), frozenset()).pid
    os.kill(pid, signal.SIGKILL)
    return pid


@pytest.mark.parametrize("checkpoints", [0, 1])
def test_a_step_whose_zygote_is_killed_ends_as_if_nothing_had_been(checkpoints: int) -> None:
    with Session(limits=Limits(checkpoints=checkpoints)) as session:
        session.run("x = 40")
        worker = session._life._link.worker

        def kill_in_step() -> None:
            until(lambda: (step := session._life._serving) and in_step(step.first_call))
            os.kill(worker.zygote.pid, signal.SIGKILL)

        def in_step(first_call: int) -> bool:
            return bool(worker.zygote.ask(Stir(worker._session)).step == first_call)

        killer = threading.Thread(target=kill_in_step)
        killer.start()
        seen = session.run("print('counts')\nfor i in range(10_000_000): pass\nx += 2\nx")
        killer.join()

        assert (seen.value, seen.stdout, seen.rolled_back) == (42, "counts\n", False)
        assert session.run("x").value == 42


def test_a_step_that_has_called_a_tool_is_not_run_anew_when_its_zygote_is_killed() -> None:
    with Session(tools=[kill_zygote]) as session:
        session.run("x = 1")
        seen = session.run("x = kill_zygote()\nwhile True: pass")

        assert seen.failure is not None
        assert (seen.failure.kind, len(seen.calls)) == ("crash", 1)
        assert session.run("x").value == 1


def test_a_step_whose_output_was_heard_is_not_run_anew_when_its_zygote_is_killed() -> None:
    heard: list[str] = []

    def hear(text: str) -> None:
        heard.append(text)
        kill_zygote()

    with Session(listener=Listener(output=hear)) as session:
        session.run("x = 1")
        seen = session.run("print('here')\nwhile True: pass")

        assert seen.failure is not None
        assert (seen.failure.kind, heard) == ("crash", ["here\n"])
        assert session.run("x").value == 1
