"""Frames: a message as packets on a Unix socket of kind SEQPACKET.

A packet is one byte of flags and up to 64 KiB of the message. A packet flagged FIRST throws away what came before of
a message that never got its LAST: either side may be killed in the middle of one, and the next still gets through.
"""

from __future__ import annotations

import functools
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import msgspec

from codeact.alarms import is_of_the_system
from codeact.errors import ProtocolError
from codeact.snippet.endings import Ending
from codeact.wire.looking import Looking, looked_for
from codeact.wire.messages import ToHost, ToWorker, without_surrogates
from codeact.wire.scan import refuse_costly
from codeact.wire.undelivered import NotInTime, TooLong

PACKET_BYTES = 64 << 10
FRAME_BYTES = 80 << 20
_FIRST, _LAST = 1, 2
_WHOLE = _FIRST | _LAST
_LOOKS, _LOOKS_FOR_STEPS = 20, 200  # in vain they take some 25 to 35 µs, and 150 to 300
_ASKED_SECONDS = 0.02
_REST_SECONDS, _MOST_MESSAGES = 0.2, 4
_UNSCANNED_BYTES = 64 << 10  # what so few bytes can decode to is a few MiB at most
_DEEP = 5_000  # levels of lists in lists, one a byte; decoding takes some 300 bytes of stack for each

Received = TypeVar("Received")
Left = Callable[[], float]  # says how many seconds are left


class ChannelClosed(Ending):
    """The other side is gone; no snippet can catch it."""


class Unread(ChannelClosed):
    """The other side is gone, and has not read all it was sent."""


class Channel(Generic[Received]):
    """Typed messages over one socket; sending is safe from several threads, receiving is for one."""

    def __init__(
        self,
        sock: socket.socket,
        decoder: msgspec.msgpack.Decoder[Received],
        *,
        frame_bytes: int = FRAME_BYTES,
        looks: bool = False,
    ) -> None:
        self.socket = sock
        self.frame_bytes = frame_bytes
        self._encode = msgspec.msgpack.Encoder().encode_into
        self._decode = decoder.decode
        self._outgoing = bytearray(4096)
        self._partial: bytearray | None = None
        self.bytes_sent = self.bytes_received = 0
        self.meanwhile: Callable[[], object] | None = None  # takes in what has arrived where there is no room to send
        self._sending = threading.Lock()
        self.looking = Looking(looks=looks, times=_LOOKS)

    @property
    def bytes_crossed(self) -> int:
        """How much has crossed, both ways."""
        return self.bytes_sent + self.bytes_received

    def fileno(self) -> int:
        """Give the socket's descriptor."""
        return self.socket.fileno()

    def send(
        self,
        message: Any,
        *,
        wait: bool = True,
        seconds: float | None = None,
        in_vain: Callable[[], bool] | None = None,
    ) -> bool:
        """Send one message; ChannelClosed where nobody listens any more, TooLong where it is that.

        Without `wait`, a message that is not sent at once is not sent at all; whether it was. NotInTime where it is
        not sent within the seconds, or `in_vain` says that it will not be: who is alive may read nothing.
        """
        if wait and seconds is None:
            with self._sending:  # given back also where an exception comes from outside right after it was taken
                return self._send(message, wait, None)
        if not self._sending.acquire(wait, seconds if wait and seconds is not None else -1):
            if wait:
                raise NotInTime(f"another message is not read within {seconds:g} s")
            return False
        try:
            return self._send(message, wait, None if seconds is None else _left_of(seconds, in_vain))
        finally:
            self._sending.release()

    def _send(self, message: Any, wait: bool, left: Left | None) -> bool:
        out = self._outgoing
        try:
            self._encode(message, out, 1)
        except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot say
            self._encode(without_surrogates(message), out, 1)
        if len(out) > self.frame_bytes:
            self._outgoing = bytearray(4096)
            raise TooLong(f"a message of {len(out):,} bytes is longer than the {self.frame_bytes:,} allowed")
        short = len(out) <= PACKET_BYTES
        try:
            if short:
                out[0] = _WHOLE
                self._put(out, left) if wait else self.socket.send(out, socket.MSG_DONTWAIT)
            elif wait:
                self._send_in_parts(memoryview(out)[1:], left)
        except BlockingIOError:
            return False
        except OSError as error:
            if not is_of_the_system(error):
                raise
            raise Unread(str(error)) from error
        finally:
            if not short:
                self._outgoing = bytearray(4096)
        self.bytes_sent += len(out)
        return short or wait

    def _send_in_parts(self, content: memoryview, left: Left | None) -> None:
        step = PACKET_BYTES - 1
        for start in range(0, len(content), step):
            flags = (_FIRST if start == 0 else 0) | (_LAST if start + step >= len(content) else 0)
            self._put(bytes((flags,)) + content[start : start + step], left)

    def _put(self, packet: bytes | bytearray, left: Left | None) -> None:
        """Send one packet. If both sides did nothing but wait for room, neither would ever get it."""
        if self.meanwhile is None and left is None:
            self.socket.send(packet)
            return
        while True:
            try:
                self.socket.send(packet, socket.MSG_DONTWAIT)
                return
            except BlockingIOError:
                poll = select.poll()
                poll.register(self.socket, select.POLLOUT | (select.POLLIN if self.meanwhile else 0))
                found = poll.poll(None if left is None else _ASKED_SECONDS * 1000)
                if not found and left is not None and left() <= 0:
                    raise NotInTime("what is sent is not read") from None
                if self.meanwhile is not None and any(said & select.POLLIN for _, said in found):
                    self.meanwhile()

    def receive(self, timeout_seconds: float | None = None) -> Received:
        """Give the next message.

        Raises ChannelClosed at the end, NotInTime past the time-out, ProtocolError for anything that is no message.
        """
        until = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        late = False  # packets that make no message may go on coming
        while until is None or (self.readable(until - time.monotonic()) and not late):
            frame = self._next_packet()
            if frame is not None:
                return self._decoded(frame)
            late = until is not None and time.monotonic() > until
        raise NotInTime(f"no message within {timeout_seconds:g} s")

    def receive_within(self, seconds: float, in_vain: Callable[[], bool] | None) -> Iterator[Received]:
        """Give one message after the other; NotInTime once the seconds are over, however many go on coming.

        It is also raised where `in_vain`, which is asked meanwhile, says that nothing will come. Who waits for room to
        send the rest of a long message sleeps as well, and has a moment more as long as something comes: no more than
        a few such messages in all.
        """
        until, most = time.monotonic() + seconds, self.bytes_received + _MOST_MESSAGES * self.frame_bytes
        at_once = seconds if in_vain is None else _ASKED_SECONDS
        rest_until: float | None = None
        while (left := until - (now := time.monotonic())) > 0 and self.bytes_received < most:
            is_vain = in_vain is not None and in_vain()
            rest_until = (rest_until or now + _REST_SECONDS) if is_vain else None
            if rest_until is not None and (now > rest_until or not self.readable(0)):
                raise NotInTime("it sleeps, or does something else")
            try:
                message = self.receive(min(left, at_once))
            except NotInTime:
                continue
            yield message
        raise NotInTime(f"not what was awaited within {seconds:g} s, or in a few of the longest messages")

    def receive_soon(self) -> Received:
        """Give the next message, which is about to come: it is looked for before it is slept for, where that pays."""
        return self.looking.receive(self._receive_at_once, self.receive)

    def receive_step(self) -> Received:
        """Give the next message, which the host has said to look for: it gives one step after the other."""
        return looked_for(self._receive_at_once, self.receive, _LOOKS_FOR_STEPS)[0]

    def _receive_at_once(self) -> Received:
        return self.receive_packet(socket.MSG_DONTWAIT) or self.receive()

    def receive_packet_soon(self, looking: Looking, is_there: Callable[[], bool]) -> Received | None:
        """Take one packet, looked for where that pays; None where `is_there`, which waits for it, says so."""
        at_once = functools.partial(self.receive_packet, socket.MSG_DONTWAIT)
        return looking.receive(at_once, lambda: self.receive_packet() if is_there() else None)

    def receive_packet(self, how: int = 0) -> Received | None:
        """Take one packet, and give the message where it is complete; waits for no other."""
        frame = self._next_packet(how)
        return None if frame is None else self._decoded(frame)

    def forget(self) -> None:
        """Let go of what has come of a message whose rest will not come."""
        self._partial = None

    def receive_ready(self) -> Received | None:
        """Give a message if one is there already, else None."""
        while self.readable(0):
            frame = self._next_packet()
            if frame is not None:
                return self._decoded(frame)
        return None

    def readable(self, seconds: float) -> bool:
        """Whether something arrives within the seconds, or the other side hangs up."""
        poll = select.poll()
        poll.register(self.socket, select.POLLIN)
        return bool(poll.poll(max(seconds, 0) * 1000))

    def _next_packet(self, how: int = 0) -> memoryview | None:
        """Take one packet; the frame it completes, or None."""
        try:
            packet = self.socket.recv(PACKET_BYTES + 1, how)
        except OSError as error:
            if isinstance(error, BlockingIOError) or not is_of_the_system(error):
                raise
            raise (Unread if isinstance(error, ConnectionResetError) else ChannelClosed)(str(error)) from error
        if not packet:
            raise ChannelClosed("the other side closed the socket")
        self.bytes_received += len(packet)
        flags, content = packet[0], memoryview(packet)[1:]
        if flags == _WHOLE:
            self._partial = None
            return content
        if flags & _FIRST:
            self._partial = bytearray()
        if self._partial is None:
            return None  # the rest of a message whose beginning went to a process that is gone
        try:
            self._partial += content
        except MemoryError:
            self._partial = None  # the rest of it is thrown away as it comes
            raise
        if len(self._partial) > self.frame_bytes:
            self._partial = None  # whoever holds the session that ends with it need not hold that
            raise ProtocolError(f"a message is longer than {self.frame_bytes:,} bytes")
        if flags & _LAST:
            frame, self._partial = memoryview(self._partial), None
            return frame
        return None

    def _decoded(self, frame: memoryview) -> Received:
        try:
            if len(frame) > _DEEP and (len(frame) > _UNSCANNED_BYTES or sys.getrecursionlimit() > _DEEP):
                refuse_costly(frame)
            return self._decode(frame)
        except RecursionError:
            refuse_costly(frame)
            raise  # it is not the message that is too deep, but who takes it in
        except (msgspec.DecodeError, ValueError, TypeError) as error:
            raise ProtocolError(f"what was sent is no message: {str(error)[:200]}") from error


def host_channel(sock: socket.socket) -> Channel[ToHost]:
    """Give the host's end: it understands what a worker may say."""
    return Channel(sock, _hosts_decoder())


def worker_channel(sock: socket.socket) -> Channel[ToWorker]:
    """Give the worker's end: it understands what the host says."""
    return Channel(sock, workers_decoder(), looks=True)


@functools.cache
def _hosts_decoder() -> msgspec.msgpack.Decoder[ToHost]:
    return msgspec.msgpack.Decoder(ToHost)


@functools.cache
def workers_decoder() -> msgspec.msgpack.Decoder[ToWorker]:
    """Give the decoder of what the host says, which is made once: it looks at every type that is made of."""
    return msgspec.msgpack.Decoder(ToWorker)


def _left_of(seconds: float, in_vain: Callable[[], bool] | None) -> Left:
    until = time.monotonic() + seconds
    return lambda: 0.0 if in_vain is not None and in_vain() else until - time.monotonic()
