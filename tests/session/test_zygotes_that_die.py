"""Steps that run while their zygote is killed from outside: whoever has noticed nothing of one has it run anew."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from codeact import Limits, Observation, Policy, Session
from codeact.sandbox import zygotes
from codeact.session import Listener, unheard
from codeact.session.link import Link
from codeact.session.serving import Serving
from codeact.session.state import State
from codeact.wire.frames import host_channel
from codeact.wire.orders import Stir
from codeact.wire.pairs import socket_pair
from tests.sandbox.conftest import until


def kill_zygote() -> int:
    """Kills it."""
    pid = zygotes.for_policy(Policy(), frozenset()).pid
    os.kill(pid, signal.SIGKILL)
    return pid


def test_a_zygote_that_is_killed_as_soon_as_it_has_begun_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = zygotes.descriptor_of

    def then_killed(pid: int) -> int:
        monkeypatch.undo()
        killed.append(pid)
        os.kill(pid, signal.SIGKILL)
        until(lambda: not Path(f"/proc/{pid}").exists())
        return taken(pid)

    killed: list[int] = []
    zygotes.close_all()
    monkeypatch.setattr(zygotes, "descriptor_of", then_killed)
    with Session() as session:
        assert session.run("1 + 1").value == 2
        assert session._life._link.worker.zygote.pid not in {*killed, 0}
    assert len(killed) == 1


COUNTS = "print('counts')\nfor i in range(10_000_000): pass\nx += 2\nx"


@contextmanager
def in_the_step(session: Session, act: Callable[[], object]) -> Iterator[None]:
    """Do this once the next step has begun, in a thread of its own."""
    worker = session._life._link.worker

    def has_begun() -> bool:
        serving = session._life._serving
        return serving is not None and worker.zygote.ask(Stir(worker._session)).step == serving.first_call

    with ThreadPoolExecutor() as threads:
        done = threads.submit(lambda: (until(has_begun), act()))
        yield
    done.result()


@pytest.mark.parametrize("checkpoints", [0, 1])
def test_a_step_whose_zygote_is_killed_ends_as_if_nothing_had_been(checkpoints: int) -> None:
    with Session(limits=Limits(checkpoints=checkpoints)) as session:
        session.run("x = 40")
        worker = session._life._link.worker
        with in_the_step(session, lambda: os.kill(worker.zygote.pid, signal.SIGKILL)):
            seen = session.run(COUNTS)

        assert not worker.zygote.alive
        assert (seen.value, seen.stdout, seen.rolled_back) == (42, "counts\n", False)
        assert session.run("x").value == 42


def test_a_state_that_takes_over_from_a_zygote_that_is_killed_is_not_the_end_of_the_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def then_killed(self: Link, serving: Serving) -> None:
        monkeypatch.undo()
        os.kill(worker.zygote.pid, signal.SIGKILL)
        assert serving.end == "rolled back"
        until(lambda: not worker.zygote.alive)

    with Session() as session:
        session.run("import os\nx = 40")  # so that a state is frozen before the next step
        worker = session._life._link.worker
        monkeypatch.setattr(Link, "roll_back_if_due", then_killed)
        with in_the_step(session, worker.kill_step):
            seen = session.run(COUNTS)

        assert (seen.value, seen.stdout, seen.rolled_back) == (42, "counts\n", False)
        assert session.run("x").value == 42


@pytest.mark.parametrize("checkpoints", [0, 1])
def test_a_step_that_has_called_tools_goes_on_with_their_answers_when_its_zygote_is_killed(
    checkpoints: int, tmp_path: Path
) -> None:
    made: list[int] = []

    def note(n: int) -> int:
        """Notes it; the third one also ends the zygote."""
        made.append(n)
        if n == 3 and made.count(n) == 1:
            kill_zygote()
        return n * 10

    path = tmp_path / "journal"
    with Session(tools=[note], limits=Limits(checkpoints=checkpoints), journal=path) as session:
        session.run("import random\nx = [1]")
        seen = session.run("drawn = random.random()\nx += note.map([1, 2])\nx += [note(n) for n in range(3, 300)]\nx")

        assert (seen.failure, sorted(made)) == (None, [*range(1, 300)])
        assert seen.value == [1, *range(10, 3000, 10)]
        drawn = session.run("drawn").value
    with Session.resume(path, tools=[note]) as session:
        assert session.run("drawn").value == drawn
    assert sorted(made) == [*range(1, 300)]


def test_a_step_with_a_call_under_way_is_not_run_again_when_its_zygote_is_killed() -> None:
    ended = threading.Event()

    def kill_and_wait() -> None:
        """Returns when the step is over."""
        kill_zygote()
        ended.wait(20)

    with Session(tools=[kill_and_wait]) as session:
        session.run("x = 1")
        seen = session.run("sent = kill_and_wait.submit()\nwhile True: pass")
        ended.set()

        assert seen.failure is not None
        assert (seen.failure.kind, len(seen.calls)) == ("crash", 1)
        assert "it was killed, or memory ran out" in seen.failure.message
        assert "the step is not the cause" in seen.failure.hint
        assert session.run("x").value == 1


@pytest.mark.parametrize("which", ["call_started", "call_ended"])
def test_a_step_whose_calls_were_heard_is_not_run_again_when_its_zygote_is_killed(which: str) -> None:
    heard: list[object] = []
    with Session(tools=[kill_zygote], listener=Listener(**{which: lambda *said: heard.append(said)})) as session:
        session.run("x = 1")
        seen = session.run("x = kill_zygote()\nwhile True: pass")

        assert seen.failure is not None
        assert (seen.failure.kind, len(seen.calls), len(heard)) == ("crash", 1, 1)
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


def test_an_answer_that_no_worker_reads_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unheard, "_WRITING_SECONDS", 0)
    ours, theirs = socket_pair()
    with ours, theirs:
        serving = Serving(host_channel(ours), {}, Limits(), 1)
        with serving.giving:
            assert not unheard.may_go_on(serving)

        assert unheard.may_go_on(serving)


def test_a_step_that_is_lived_again_has_seconds_however_few_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    given, real = [], State._served

    def served(self: State, serving: Serving, source: str) -> Observation:
        if serving.only_recorded:
            given.append(serving.seconds)
        return real(self, serving, source)

    monkeypatch.setattr(State, "_served", served)
    with Session(limits=Limits(wall_seconds=1)) as session:
        session.run("x = 1")
        session._life._link.close()

        assert session.run("x").value == 1
        assert given == [5]
