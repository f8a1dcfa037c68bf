"""How a worker waits for an answer: it looks for it a while, sleeps then, and does not look in vain for ever."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Iterator

import pytest

from codeact.wire import messages as say
from codeact.wire.frames import Channel, ChannelClosed, worker_channel

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


def test_where_looking_was_in_vain_it_is_left_out_ever_longer_up_to_a_bound(watched: Watched) -> None:
    watched.answers = iter([ANSWER] * 5_000)
    looked = [number for number, looks in enumerate(_looks(worker_channel(watched), watched, 5_000)) if looks]
    between = [later - earlier for earlier, later in itertools.pairwise(looked)]

    assert between[:3] == [9, 17, 33]
    assert between[-1] == max(between) == 1025


def test_where_an_answer_was_found_the_next_is_looked_for_and_the_count_begins_anew(watched: Watched) -> None:
    channel = worker_channel(watched)
    watched.answers = iter([ANSWER] * 9)
    _looks(channel, watched, 9)  # in vain, and left out eight times
    found = []
    for _ in range(2):
        watched.answer(ANSWER)
        found += _looks(channel, watched, 1)
    watched.answers = iter([ANSWER] * 10)

    assert found == [1, 1]
    assert [looks > 0 for looks in _looks(channel, watched, 10)] == [True, *[False] * 8, True]


def _looks(channel: Channel[say.ToWorker], watched: Watched, times: int) -> list[int]:
    """How often it looked for each answer."""
    made = []
    for _ in range(times):
        before = watched.looks
        assert channel.receive_soon() == ANSWER
        made.append(watched.looks - before)
    return made


def test_an_answer_in_parts_is_waited_for_to_its_end(watched: Watched) -> None:
    watched.answer(LONG)

    assert worker_channel(watched).receive_soon() == LONG


def test_a_host_that_hung_up_is_noticed_while_looking(watched: Watched) -> None:
    watched.other.close()

    with pytest.raises(ChannelClosed):
        worker_channel(watched).receive_soon()
