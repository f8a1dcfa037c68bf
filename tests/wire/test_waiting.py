"""How either side waits for what is about to come: it looks for it a while before it sleeps, where that pays."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from codeact.wire import messages as say
from codeact.wire.frames import ChannelClosed, host_channel, worker_channel
from codeact.wire.looking import NEVER, Looking

ANSWER = say.Returned(1, "text")
LONG = say.Returned(1, "text" * 50_000)


class Watched(socket.socket):
    """A worker's socket that counts how often it was looked at, and is answered once it is slept at."""

    looks = sleeps = 0
    answers: Iterator[say.Returned]

    def recv(self, bufsize, flags=0):
        self.looks += bool(flags & socket.MSG_DONTWAIT)
        if not flags and (answer := next(self.answers, None)) is not None:
            self.sleeps += 1
            self.answer(answer)
        return super().recv(bufsize, flags)

    def answer(self, message: say.Returned) -> None:
        """Have the other side say something."""
        worker_channel(self.other).send(message)


@pytest.fixture
def watched() -> Iterator[Watched]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with Watched(fileno=ours.detach()) as socket_, theirs:
        socket_.other, socket_.answers = theirs, iter(())
        yield socket_


def test_an_answer_that_is_there_is_not_slept_for(watched: Watched) -> None:
    watched.answer(ANSWER)

    assert worker_channel(watched).receive_soon() == ANSWER
    assert (watched.looks, watched.sleeps) == (1, 0)


def test_an_answer_that_does_not_come_soon_is_slept_for(watched: Watched) -> None:
    watched.answers = iter([ANSWER])

    assert worker_channel(watched).receive_soon() == ANSWER
    assert (watched.looks > 1, watched.sleeps) == (True, 1)


def test_where_looking_does_not_pay_an_answer_is_slept_for_at_once(watched: Watched) -> None:
    watched.answers = iter([ANSWER])
    channel = worker_channel(watched)
    channel.looking = Looking(looks=False)

    assert channel.receive_soon() == ANSWER
    assert (watched.looks, watched.sleeps) == (0, 1)


def test_a_worker_begins_by_looking_and_a_host_by_sleeping(watched: Watched) -> None:
    assert worker_channel(watched).looking.looks
    assert not host_channel(watched).looking.looks


def test_how_long_it_takes_is_asked_until_both_ways_were_tried(watched: Watched) -> None:
    channel = host_channel(watched)
    kept = []
    for _ in range(200):
        worker_channel(watched.other).send(say.Done())
        channel.receive_soon()
        kept.append(channel.looking.kept)

    assert kept[:128] == [0] * 127 + [1024]
    assert kept[128:] == list(range(1023, 1023 - 72, -1))


def test_an_answer_in_parts_is_waited_for_to_its_end(watched: Watched) -> None:
    watched.answer(LONG)

    assert worker_channel(watched).receive_soon() == LONG


def test_a_host_that_hung_up_is_noticed_while_looking(watched: Watched) -> None:
    watched.other.close()

    with pytest.raises(ChannelClosed):
        worker_channel(watched).receive_soon()


def test_a_step_that_was_said_to_come_soon_is_looked_for_and_then_slept_for(watched: Watched) -> None:
    channel = worker_channel(watched)
    watched.answer(ANSWER)
    assert channel.receive_step() == ANSWER
    assert (watched.looks, watched.sleeps) == (1, 0)

    watched.answers = iter([ANSWER])
    assert channel.receive_step() == ANSWER
    assert (watched.looks > 100, watched.sleeps) == (True, 1)


def test_what_a_step_says_is_asked_for_only_where_looking_did_not_find_it(watched: Watched) -> None:
    channel, asked = host_channel(watched), []

    def is_there() -> bool:
        asked.append(1)
        return len(asked) > 1

    worker_channel(watched.other).send(say.Done())
    assert channel.receive_packet_soon(Looking(looks=True), is_there) == say.Done()
    assert (watched.looks, asked) == (1, [])

    assert channel.receive_packet_soon(Looking(looks=True), is_there) is None  # as it says that there is nothing
    worker_channel(watched.other).send(say.Done())
    assert channel.receive_packet_soon(NEVER, is_there) == say.Done()
    assert len(asked) == 2
