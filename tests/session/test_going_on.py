"""A worker that says its step is over and goes on, or says so twice: nobody waits for it, nor loses what was before."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from codeact.errors import SessionError, UsageError, WorkerDied
from codeact.limits import Limits
from codeact.session import link, state
from codeact.session.raw import RawSession
from tests.session.parts import FINDS_ITS_SERVER

LITTLE = Limits(memory_bytes=64 << 20, folder_bytes=8 << 20)  # less may take less time to let go of

_SAYS_ITS_END_TWICE = """
import os, msgspec
from codeact.wire.messages import Finished, Output, Spent
for said in Finished(41, "41", None, Spent(0, 0, 0, 0.0, 0), False, None, [], [], 1 << 32), Output("late"):
    os.write(3, bytes([3]) + msgspec.msgpack.encode(said))
kept = 1
"""


def test_the_end_of_a_step_that_comes_twice_is_no_answer_to_what_is_asked_next() -> None:
    with RawSession() as session:
        assert session.run(_SAYS_ITS_END_TWICE).value == 41
        assert "kept" in session.variables()
        session.assign({"given": 2})
        assert session.run("kept + given").value == 3


_ENDS_AND_READS_NOTHING = """
import os, msgspec, time
from codeact.wire.messages import Finished, Spent
said = Finished(1, "1", None, Spent(0, 0, 0, 0.0, 0), False, None, [], [], 1 << 32)
os.write(3, bytes([3]) + msgspec.msgpack.encode(said))
time.sleep(3600)
"""


@pytest.mark.parametrize(
    "use",
    [
        lambda session: session.assign({"large": b"x" * 30_000_000}),
        lambda session: session.variables(),
        lambda session: session.fork(),
    ],
    ids=["what is not read", "what is not answered", "a copy"],
)
def test_a_worker_that_neither_reads_nor_answers_holds_up_nobody(
    use: Callable[[RawSession], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "_ANSWER_SECONDS", 0.3)
    with RawSession() as session:
        assert session.run(_ENDS_AND_READS_NOTHING).value == 1
        with pytest.raises(SessionError, match="does not answer"):
            use(session)


@pytest.mark.parametrize("use", [lambda session: session.variables(), lambda session: session.fork()])
def test_an_answer_of_a_worker_that_sleeps_is_not_waited_for(use: Callable[[RawSession], object]) -> None:
    with RawSession() as session:
        assert session.run(_ENDS_AND_READS_NOTHING).value == 1
        with pytest.raises(SessionError, match=r"does not answer \(it sleeps"):
            use(session)


_READS = "import socket\nsocket.socket(fileno=os.dup(3)).recv(1 << 20)\n"
_COMPUTES = {
    "reading nothing": "while True: pass",
    "having read": _READS + "while True: pass",
    "sending what is no message": _READS + "while True: os.write(3, bytes(1 << 16))",
}


@pytest.mark.parametrize("computes", _COMPUTES.values(), ids=_COMPUTES)
@pytest.mark.parametrize(
    "use",
    [lambda session: session.variables(), lambda session: session.assign({"large": b"x" * 30_000_000})],
    ids=["a question", "what does not fit its socket"],
)
def test_a_worker_that_computes_instead_of_answering_is_not_waited_for(
    computes: str, use: Callable[[RawSession], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "_ANSWER_SECONDS", 3600)
    with RawSession(limits=LITTLE) as session:
        assert session.run(_ENDS_AND_READS_NOTHING.replace("time.sleep(3600)", computes)).value == 1
        with pytest.raises(SessionError, match="does not answer"):
            use(session)


_GOES_ON = {"asleep": "time.sleep(3600)", "computing": "while True: pass"}


@pytest.mark.parametrize("goes_on", _GOES_ON.values(), ids=_GOES_ON)
def test_a_step_that_says_it_is_over_and_goes_on_is_taken_out_by_going_back(goes_on: str) -> None:
    code = _ENDS_AND_READS_NOTHING.replace("1 << 32", "server.last").replace("time.sleep(3600)", goes_on)
    with RawSession(limits=LITTLE) as session:
        session.run("kept = 1")
        assert session.run(FINDS_ITS_SERVER + code).value == 1
        session.rewind(1)
        assert session.run("kept").value == 1


def test_a_step_that_is_never_over_when_it_is_lived_again_costs_what_came_from_it_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state, "_TIMES_LONGER", 1)
    monkeypatch.setattr(state, "_LIVED_AGAIN_SECONDS", 1.0)
    with RawSession(limits=Limits(wall_seconds=1)) as session:
        session.run("kept = 1")
        assert session.run(_ENDS_AND_READS_NOTHING.replace("1 << 32", "2 << 32")).value == 1
        session._life._link.close()
        with pytest.raises(SessionError, match="what it was before step 2: step 2 does something else"):
            session.run("kept")
        assert session.run("kept").value == 1


_ENDS_WHEN_IT_IS_LIVED_AGAIN = "if server.last != 2 << 32: __import__('os')._exit(1)"


def test_where_the_worker_dies_over_a_step_that_is_lived_again_it_is_said_how_to_go_back_to_before_it() -> None:
    with RawSession(limits=Limits(checkpoints=1)) as session:
        session.run("kept = 1")
        session.run(FINDS_ITS_SERVER + _ENDS_WHEN_IT_IS_LIVED_AGAIN)
        session.run("kept = 2")
        session._life._link.close()
        with pytest.raises(WorkerDied, match=re.escape("each time, rewind(2) goes back to before step 2")):
            session.run("kept")
        with pytest.raises(UsageError, match="3 is the most"):
            session.rewind(4)
        session.rewind(2)
        assert session.run("kept").value == 1
