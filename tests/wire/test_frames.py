"""Frames: what is no message never harms the host."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeact.errors import ProtocolError
from codeact.records import Failure
from codeact.wire import frames
from codeact.wire import messages as say
from codeact.wire.frames import PACKET_BYTES, Channel, ChannelClosed, host_channel, worker_channel
from codeact.wire.scan import refuse_costly

Ends = tuple[Channel[say.ToHost], socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """The host's channel, and the bare socket of a worker that may send anything."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        yield host_channel(ours), theirs


def test_a_message_arrives_as_it_was_sent(ends: Ends) -> None:
    host, theirs = ends
    said = say.Finished(
        [1], "[1]", Failure("raised", "KeyError", "k", 1, 0), say.Spent(1, 2, 3, 0.5, 4), False, None, [], []
    )
    worker_channel(theirs).send(said)
    assert host.receive() == said


def test_a_long_message_arrives_in_packets(ends: Ends) -> None:
    host, theirs = ends
    said = say.Output("long" * PACKET_BYTES)
    sender = threading.Thread(target=worker_channel(theirs).send, args=(said,))
    sender.start()
    assert host.receive() == said
    sender.join()


def test_a_lone_surrogate_is_replaced_on_the_way(ends: Ends) -> None:
    host, theirs = ends
    worker_channel(theirs).send(say.Call(1, "f", ["\ud800"], {"a\udfff": {"b": "\ud800"}}, False))
    assert host.receive() == say.Call(1, "f", ["�"], {"a�": {"b": "�"}}, False)


_OF_A_HOST_THAT_ALLOWS_DEEP_RECURSION = """
import socket, sys
from codeact.wire.frames import host_channel
from codeact.errors import ProtocolError
sys.setrecursionlimit(1_000_000)
ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
theirs.send(b"\\x03\\x96\\xa4call\\x01\\xa1f" + b"\\x91" * 60_000)
try:
    host_channel(ours).receive()
except ProtocolError as error:
    print(error)
"""


def test_lists_in_lists_end_no_host_that_allows_deep_recursion() -> None:
    command = [sys.executable, "-c", _OF_A_HOST_THAT_ALLOWS_DEEP_RECURSION]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "nested too deeply" in done.stdout


def test_a_message_cut_off_by_a_death_does_not_spoil_the_next(ends: Ends) -> None:
    host, theirs = ends
    theirs.send(b"\x01" + msgspec.msgpack.encode(("output", "begun and never"))[:10])
    worker_channel(theirs).send(say.Done())
    assert host.receive() == say.Done()


def test_the_rest_of_a_message_without_its_beginning_is_passed_over(ends: Ends) -> None:
    host, theirs = ends
    theirs.send(b"\x00middle")
    theirs.send(b"\x02end")
    worker_channel(theirs).send(say.Done())
    assert host.receive() == say.Done()


def test_a_message_longer_than_allowed_is_refused_while_it_grows_and_not_kept() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        host: Channel[say.ToHost] = Channel(ours, msgspec.msgpack.Decoder(say.ToHost), frame_bytes=100_000)
        for flags in (b"\x01", b"\x00", b"\x00"):
            theirs.send(flags + b"x" * 50_000)
        with pytest.raises(ProtocolError, match="longer than"):
            host.receive()
        assert host._partial is None


def test_sending_what_is_too_long_is_an_error_and_sends_nothing(ends: Ends) -> None:
    host, theirs = ends
    small: Channel[say.ToWorker] = Channel(theirs, msgspec.msgpack.Decoder(say.ToWorker), frame_bytes=1000)
    with pytest.raises(ValueError, match="longer than"):
        small.send(say.Output("x" * 2000))
    small.send(say.Done())
    assert host.receive() == say.Done()


def test_a_closed_end_is_noticed(ends: Ends) -> None:
    host, theirs = ends
    theirs.close()
    with pytest.raises(ChannelClosed):
        host.receive()
    with pytest.raises(ChannelClosed):
        host.send(say.Describe())


FORGED = [
    b"\x03", b"\x03\xc1", b"\x03[1,2,3]\n", b"\x03null", b'\x03{"type":"call"}', b"\x03\x80", b"\x03\x90",
    b"\x03" + b"\x91" * 50_000, b"\x03\xdd\xff\xff\xff\xff", b"\x03\x92\xa6output\xdd\xff\xff\xff\xff",
    b"\x03\x92\xa6output\xdb\xff\xff\xff\xff", b"\x03" + msgspec.msgpack.encode(("output", 5)),
    b"\x03" + msgspec.msgpack.encode(("output", "a", "more")), b"\x03" + msgspec.msgpack.encode(("output",)),
    b"\x03" + msgspec.msgpack.encode(("call", 1, "f", {}, {}, False)), b"\x03" + msgspec.msgpack.encode(("step", "1+1")),
    b"\x03" + msgspec.msgpack.encode(("call", -(1 << 62), "f", [], {1: 2}, False)),
    b"\x03cposix\nmkdir\n(Vx\ntR.", b"\xff" + msgspec.msgpack.encode(("ready",)) + b"\x00" * 10,
]  # fmt: skip


@pytest.mark.parametrize("packet", FORGED, ids=lambda packet: repr(packet[:20]))
def test_a_forged_packet_breaks_the_protocol_and_nothing_else(ends: Ends, packet: bytes) -> None:
    host, theirs = ends
    theirs.send(packet)
    with pytest.raises(ProtocolError):
        host.receive(1)


@pytest.mark.parametrize(
    "frame",
    [
        b"\xdd\x00\x01\x00\x00" + b"\x90" * 65536,
        b"\x91" * 300,
        b"\xdf\x00\x00\x00\x01\x15\x01",
        b"\x81\xcb" + b"\x00" * 9,
        b"\xc7\x01\x00\x00",
    ],
    ids=["too many", "too deep", "integer key", "float key", "extension"],
)
def test_a_frame_that_would_cost_too_much_is_refused_unread(frame: bytes) -> None:
    with pytest.raises(ProtocolError):
        refuse_costly(memoryview(frame), nodes=60_000, depth=250)


def test_an_honest_frame_is_not_refused() -> None:
    value = {
        "tagged": {0: "ints", 1: b"12345678", 2: 0, 3: 0},
        "rows": [{"a": 1.5, "b": "é" * 300, "c": None, "d": b"x" * 70_000} for _ in range(50)],
        "n": -(1 << 40),
    }
    refuse_costly(memoryview(msgspec.msgpack.encode(value)))


def everything(host: Channel[say.ToHost]) -> None:
    """Take in messages until something is none."""
    while True:
        assert isinstance(host.receive(1), msgspec.Struct)


packets = st.binary(max_size=200) | st.builds(
    lambda flags, body: bytes([flags]) + body,
    st.integers(0, 255),
    st.builds(
        lambda head, rest: msgspec.msgpack.encode([head, *rest]),
        st.sampled_from(["ready", "done", "call", "output", "finished", "described", "content", "rolled-back", "step", 7]),
        st.lists(st.none() | st.booleans() | st.integers(-5, 1 << 40) | st.text(max_size=5) | st.lists(st.integers(0, 9)), max_size=9),
    ),
)  # fmt: skip


@given(st.lists(packets, min_size=1, max_size=8))
@settings(max_examples=300, deadline=None)
def test_whatever_a_worker_sends_the_host_gets_messages_or_a_clear_end(sent: list[bytes]) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            for packet in sent:
                theirs.send(packet)
        host = host_channel(ours)
        with pytest.raises((ChannelClosed, ProtocolError)):
            everything(host)


def test_what_is_not_read_is_not_waited_for_beyond_its_time() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        channel = host_channel(ours)
        with pytest.raises(TimeoutError):
            channel.send(say.Assign({"x": b"x" * 10_000_000}), seconds=0.02)
        with channel._sending:
            with pytest.raises(TimeoutError):
                channel.send(say.Assign({}), seconds=0.02)
            assert channel.send(say.Assign({}), wait=False) is False


@pytest.mark.parametrize("pause", [0.02, 0.0], ids=["drip", "flood"])
def test_packets_that_make_no_message_do_not_put_off_the_time_out(ends: Ends, pause: float) -> None:
    host, theirs = ends
    over = threading.Event()

    def drip() -> None:
        theirs.settimeout(60)
        while not over.wait(pause):
            theirs.send(b"\0")

    dripping = threading.Thread(target=drip)
    dripping.start()
    giving_up = threading.Timer(60, lambda: worker_channel(theirs).send(say.Done()))
    giving_up.start()
    try:
        with pytest.raises(TimeoutError):
            host.receive(0.2)
    finally:
        giving_up.cancel()
        over.set()
        host.receive_ready()
        dripping.join()


def test_a_long_message_on_its_way_is_not_awaited_in_vain(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_ASKED_SECONDS", 0)  # as for a host that is given a processor for one packet at a time
    host, theirs = ends
    said = say.Output("x" * PACKET_BYTES * 2)
    worker_channel(theirs).send(said)
    assert next(host.receive_within(60, lambda: True)) == said


def test_who_never_stops_talking_is_awaited_in_vain_no_longer_than_the_rest_of_a_message(ends: Ends) -> None:
    host, theirs = ends
    worker, said = worker_channel(theirs), say.Output("more")
    asked = iter(range(1_000_000))

    def in_vain() -> bool:
        worker.send(said)
        return next(asked) >= 0

    with pytest.raises(TimeoutError, match="it sleeps"):
        assert set(host.receive_within(3600, in_vain)) == {said}


def test_who_never_completes_a_message_is_awaited_no_longer_than_a_few_of_the_longest_take(ends: Ends) -> None:
    host, theirs = ends
    host.frame_bytes = PACKET_BYTES

    def sends_more() -> bool:
        theirs.send(b"\x01" + bytes(PACKET_BYTES - 1))  # a beginning
        return False

    with pytest.raises(TimeoutError, match="a few of the longest messages"):
        next(host.receive_within(3600, sends_more))
