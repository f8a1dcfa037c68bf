"""Answers are taken in as they come, also where one came while the worker had no room to say that it waits."""

from __future__ import annotations

import socket
import threading

import msgspec

from codeact.wire import messages as say
from codeact.wire.frames import host_channel, worker_channel
from codeact.wire.pairs import socket_pair
from codeact.worker.calls import Calls
from codeact.worker.output import Output
from tests.session.parts import until

LIMITS = say.StepLimits(operations=0, output_chars=0, tool_calls=9, text_chars=0, value_bytes=1 << 20, again=True)


def test_what_came_while_it_was_told_that_one_is_awaited_is_taken_in_first() -> None:
    ours, theirs = socket_pair()
    with ours, theirs:
        host, calls = host_channel(ours), Calls(worker_channel(theirs), Output(print))
        calls.begin(0, LIMITS, [])
        numbers = [calls.start("tool", (), {}) for _ in range(2)]
        noise = b"\x03" + msgspec.msgpack.encode(say.Output("x"))
        try:
            while True:
                theirs.send(noise, socket.MSG_DONTWAIT)
        except BlockingIOError:
            host.send(say.Returned(numbers[0], None))

        def make_room() -> None:
            until(lambda: calls._heard)
            host.send(say.Returned(numbers[1], None))
            while not isinstance(host.receive(20), say.Waits):
                pass
            ours.shutdown(socket.SHUT_WR)  # who waits for more hears that there is none

        reading = threading.Thread(target=make_room)
        reading.start()
        assert calls.take(None)
        reading.join()
        assert calls.first(numbers) == numbers[0]
