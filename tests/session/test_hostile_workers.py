"""Whatever a worker says, the host survives, and the step ends with an observation that says how."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import msgspec
import pytest

from codeact.errors import SessionError
from codeact.limits import Limits
from codeact.session import answering, lanes, link, state
from codeact.session.raw import RawSession
from codeact.session.serving import Serving
from codeact.wire import messages as say
from codeact.wire.frames import host_channel, workers_decoder
from tests.sandbox.test_states import NAMES_ITS_BACKUP_IN_ITS_PLACE
from tests.session.hostile import BEGAN, FIRST_CALL, LIMITS, PACKETS, TOOLS, heard, packets, stretch
from tests.session.parts import FINDS_ITS_SERVER, until, with_hours


def listened_to(workers: int) -> set[str]:
    """The ends of so many workers' steps; each has one, and a reason where it was not a proper one."""
    ends: set[str] = set()
    for number in range(workers):
        serving, seen = heard(packets(random.Random(number)), stretch() if number % 2 else None)
        assert not (serving.missed and (serving.calls or serving.output)), number
        assert serving.error is None, (number, serving.error)
        assert serving.end is not None, number
        assert seen.ok or seen.failure is not None, number
        if serving.end == "broke the protocol":
            assert seen.failure is not None, number
            assert "broke the protocol" in seen.failure.message, number
        ends.add(serving.end)
    return ends


def test_twenty_thousand_packets_of_a_hostile_worker() -> None:
    assert listened_to(20_000 // PACKETS) == {"finished", "rolled back", "died", "broke the protocol"}


@pytest.mark.slow
def test_a_million_packets_of_a_hostile_worker() -> None:
    listened_to(1_000_000 // PACKETS)


def test_of_files_and_pictures_beyond_what_an_honest_worker_tells_of_nothing_is_looked_at() -> None:
    files = [say.WrittenFile(b"../up", 1)] * 1_000 + [say.WrittenFile(b"a.txt", 1)]
    pictures = [say.Picture("../up", "image/png", b"")] * 20 + [say.Picture("a.png", "image/png", b"")]
    spent = say.Spent(0, 0, 0, 0.0, 0)
    end = say.Finished(1, "1", None, spent, False, None, files, pictures, FIRST_CALL)
    _, seen = heard([b"\x03" + msgspec.msgpack.encode(end)])
    assert seen.value == 1
    assert seen.files == ()
    assert seen.images == ()


class Worker:
    """The worker's end of a socket, from which a test says what it likes, and the host that serves a step for it."""

    def __init__(self, ours: socket.socket, theirs: socket.socket) -> None:
        self.ours, self.theirs = ours, theirs
        self.serving = Serving(host_channel(ours), TOOLS, LIMITS, FIRST_CALL)

    def says(self, *messages: object) -> None:
        for message in messages:
            self.theirs.send(b"\x03" + msgspec.msgpack.encode(message))


@pytest.fixture
def worker() -> Iterator[Worker]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        yield Worker(ours, theirs)


def test_a_worker_that_never_stops_talking_is_looked_at_meanwhile(worker: Worker) -> None:
    looks: list[str] = []
    worker.says(*[say.Output("x")] * 20)
    worker.theirs.shutdown(socket.SHUT_WR)
    assert worker.serving.run("1", 60, meanwhile=lambda: looks.append("".join(worker.serving.output)))
    assert looks[0] == "x"


def test_what_is_awaited_between_two_steps_comes_in_time_or_not_at_all(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "_ANSWER_SECONDS", 0)
    worker.says(*[say.Output("late")] * 20, say.Done())
    with pytest.raises(SessionError, match="does not answer"):
        link.Link(SimpleNamespace(socket=worker.ours, close=worker.ours.close), "caged").expect(say.Done)


def test_a_worker_that_says_it_was_rolled_back_and_no_more_is_not_waited_for_longer_than_the_step(
    worker: Worker,
) -> None:
    worker.serving.stretch = stretch()
    worker.says(say.RolledBack(BEGAN))
    assert worker.serving.run("1", 0.1)
    worker.serving.see_if_missed(3600)
    assert worker.serving.end == "died"


def test_a_state_that_died_before_it_could_answer_leaves_its_answer_to_its_twin(worker: Worker) -> None:
    def kill() -> bool:
        worker.says(say.RolledBack(FIRST_CALL), say.RolledBack(FIRST_CALL), say.Done())
        return True

    assert not worker.serving.run("1", 0)
    worker.serving.call_off(kill, 60)
    assert worker.serving.end == "rolled back"
    assert not worker.serving.channel.readable(0), "the next step would get the answer"


def test_who_may_not_read_is_told_nothing_that_is_waited_for_until_it_is_read(worker: Worker) -> None:
    def kill() -> bool:
        worker.says(say.Waits(), say.RolledBack(FIRST_CALL), say.Done())
        return True

    assert not worker.serving.run("1", 0)
    worker.serving.call_off(kill, 60)
    told = [workers_decoder().decode(worker.theirs.recv(1 << 16)[1:]) for _ in range(2)]
    assert [type(message) for message in told] == [say.Step, say.Assign]


class InVain:
    """Whoever waits is told so at once."""

    asked = False

    def __call__(self) -> bool:
        self.asked = True
        return True


def test_who_reads_what_never_makes_a_message_is_waited_for_no_longer_than_there_is_something_to_wait_for(
    worker: Worker,
) -> None:
    worker.says(say.Call(FIRST_CALL + 1, "add", [1], {}, False))
    assert not worker.serving.run("1", 0.1)  # from the call on it is read by another thread
    worker.serving.call_off(lambda: True, 1, in_vain=(in_vain := InVain()))
    assert worker.serving.end == "died"
    assert in_vain.asked


def test_a_state_that_says_it_took_over_and_reads_nothing_is_waited_for_no_longer_than_it_may_yet_read(
    worker: Worker,
) -> None:
    worker.serving.stretch = stretch()
    worker.says(say.RolledBack(BEGAN))
    assert worker.serving.run("1", 60)
    while worker.serving.channel.send(say.Output("not read"), wait=False):
        pass
    worker.serving.see_if_missed(1, in_vain := InVain())
    assert worker.serving.end == "died"
    assert in_vain.asked


_IS_STEADY_AND_NEVER_AGAIN = """
from codeact.wire.messages import Step
server.is_steady = lambda step: True
takes_over = server.taken_over
def taken_over(told):
    def lasts(message):
        {instead}
    server.answers[Step] = lasts
    return takes_over(told)
server.taken_over = taken_over
"""


def is_built_anew(instead: str) -> bool:
    """Whether a session is what it was when the state that takes over does this instead of living steps again."""
    with with_hours(kind=RawSession, limits=Limits(wall_seconds=600)) as session:
        session.run(FINDS_ITS_SERVER + _IS_STEADY_AND_NEVER_AGAIN.format(instead=instead))
        session.assign({"x": [1]})
        session.run("x.append(2)")
        session.run("x.append(3)")
        assert session.run("x.clear()\nhour()\nwhile True: pass").rolled_back
        return bool(session.run("x").value == [1, 2, 3])


@pytest.mark.parametrize("instead", ["while True: pass", "__import__('time').sleep(3600)"])
def test_a_state_that_does_not_live_again_what_it_has_missed_is_built_anew_when_that_is_seen(
    instead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "_CATCHING_UP_SECONDS", 600)
    assert is_built_anew(instead)


def test_a_state_that_does_not_is_built_anew_in_time_where_that_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    deadline = time.monotonic() + 20

    def is_not_seen() -> bool:
        assert time.monotonic() < deadline
        return False

    monkeypatch.setattr(state, "_CATCHING_UP_SECONDS", 0.3)
    monkeypatch.setattr(link.Link, "catching_up", lambda _: is_not_seen)
    assert is_built_anew("while True: pass")


@pytest.mark.parametrize(
    "change",
    [lambda session: session.run("while True: pass"), lambda session: session.rewind(1)],
    ids=["undo", "rewind"],
)
def test_who_has_taken_over_is_known_before_a_step_can_lie_about_it(change: Callable[[RawSession], object]) -> None:
    with RawSession(limits=Limits(wall_seconds=1, checkpoints=3)) as session:
        session.run("import time\nx = time.monotonic_ns()")
        x = session.run("x").value
        session.run("1")
        session.run("2")
        change(session)
        assert session.run(NAMES_ITS_BACKUP_IN_ITS_PLACE).failure.type == "LimitReached"
        assert session.run("x").value == x


_DESCRIBES_WITHOUT_END = """
from codeact.records import Variable
told = {f"n{number}": Variable("t" * 1_000, "x" * 5_000) for number in range(2_000)}
server.namespace.variables = lambda: told
from codeact.worker import serve
serve._NAMES = 2_000
"""


def test_what_a_worker_tells_of_its_variables_is_bounded() -> None:
    with RawSession() as session:
        assert session.run(FINDS_ITS_SERVER + _DESCRIBES_WITHOUT_END).ok
        told = session.variables()
        assert len(told) == 1_000
        assert {(len(variable.type), len(variable.text)) for variable in told.values()} == {(200, 4_000)}


def test_few_bytes_that_stand_for_much_in_many_calls_break_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "_MOST_PARTS", 40_000)
    rows = {0: "rows", 1: ["a"], 2: [[1] * 3_000]}
    calls = [say.Call(FIRST_CALL + number, "add", [rows], {}, False) for number in range(1, 9)]
    serving, seen = heard([b"\x03" + msgspec.msgpack.encode(call) for call in calls])
    assert serving.end == "broke the protocol"
    assert seen.failure is not None
    assert "more parts than they may be in all" in seen.failure.message
    assert len(serving.calls) < 5


LETS_GO_OF_ITS_STATES = """
import os, stat, time
for number in range(4, 60):
    try:
        if stat.S_ISFIFO(os.fstat(number).st_mode): os.write(number, b"\\xff")
    except OSError: pass
time.sleep(0.1)
"""
BEGINS_A_MESSAGE = "os.write(3, b'\\x01' + bytes(60_000))\nfor _ in range(99): os.write(3, bytes(60_000))\nos._exit(0)"
HOLDS_THE_OTHER_END = """
import os, socket
receive, held = socket.recv_fds, []
def noting(*arguments):
    found = receive(*arguments)
    held.extend(os.dup(link) for link in found[1] if len(found[0]) == 1)  # as the host sends it
    return found
socket.recv_fds = noting
"""


def test_of_a_message_whose_rest_will_not_come_nothing_is_kept() -> None:
    with RawSession() as session:
        session.run("1")
        channel = session._life._link.channel
        seen = session.run(LETS_GO_OF_ITS_STATES + BEGINS_A_MESSAGE)
        assert seen.failure is not None
        assert channel._partial is None
        assert session.run("1").value == 1


def test_who_holds_the_other_end_of_a_closed_copy_holds_no_thread_of_the_host() -> None:
    def note() -> None:
        """Notes."""

    def busy() -> int:
        lane = [thread for thread in threading.enumerate() if thread.name == "codeact lane"]
        return len(lane) - len(lanes._idle)

    before = busy()
    with RawSession(tools=[note], limits=Limits(wall_seconds=2)) as session:
        session.run(HOLDS_THE_OTHER_END)
        for _ in range(2):
            with session.fork() as copy:
                copy.run(f"note()\n{LETS_GO_OF_ITS_STATES}\nos._exit(0)")
        assert session.run("len(held)").value == 2
        until(lambda: busy() <= before)
