"""A worker that was told that the next step comes soon looks for it; any other sleeps."""

from __future__ import annotations

import socket
from functools import partial
from pathlib import Path

import pytest

from codeact.limits import Policy
from codeact.wire import messages as say
from codeact.wire.frames import host_channel
from codeact.worker.namespace import Namespace
from codeact.worker.place import Place
from codeact.worker.serve import serve

LIMITS = say.StepLimits(operations=1_000, output_chars=100, tool_calls=0, text_chars=100, value_bytes=1_000)


class Watched(socket.socket):
    """A socket that counts how often it was looked at without sleeping."""

    looks = 0

    def recv(self, bufsize, flags=0):
        self.looks += bool(flags & socket.MSG_DONTWAIT)
        return super().recv(bufsize, flags)


@pytest.mark.parametrize("soon", [(), (1,), (1, 2)])
def test_only_after_a_step_that_says_so_the_next_message_is_looked_for(tmp_path: Path, soon: tuple[int, ...]) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, Watched(fileno=theirs.detach()) as watched:
        host = host_channel(ours)
        host.send(say.Define([], [], seed=None))
        for number in (1, 2, 3):
            host.send(say.Step(f"{number}", LIMITS, backup=False, first_call=number, soon=number in soon))
        host.send(say.Describe())
        ours.shutdown(socket.SHUT_WR)

        serve(watched, partial(Namespace, Policy(), folder=str(tmp_path)), None, Place(folder=str(tmp_path)))

        assert [host.receive().value for _ in range(3)] == [1, 2, 3]
        assert watched.looks == len(soon)
