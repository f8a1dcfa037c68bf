"""The host's zygotes: one for each set of imports, started when first needed, replaced when it dies."""

from __future__ import annotations

import atexit
import errno
import os
import select
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from codeact.alarms import is_of_the_system
from codeact.errors import CageError, UsageError, WorkerDied
from codeact.limits import Policy
from codeact.sandbox.starting import descriptor_of, import_path, start_process, whole
from codeact.wire import orders
from codeact.wire.orders import Born, Kill, Killed, Look, MakeRoom, Order, Refused, Start
from codeact.wire.pairs import socket_pair

_IMPORT_SECONDS = 120.0
_ANSWER_SECONDS = 30.0
_END_SECONDS = 10.0
_DYING_SECONDS = 0.5
Done = TypeVar("Done")


class Zygote:
    """A running zygote and the one channel to it; safe to use from several threads."""

    def __init__(self, policy: Policy, without: frozenset[str]) -> None:
        self._lock = threading.Lock()
        self._asking: set[int] = set()  # the threads that have it, or wait for it
        self._put_off: deque[Kill] = deque()  # orders that came in one of these meanwhile
        self._owner = os.getpid()
        self._ending = False
        self.lodgers: set[int] = set()  # the sessions of it that have not been closed
        self._order = -1  # the number of the last one
        ours, theirs = socket_pair()
        self._errors = open(os.memfd_create("codeact-errors"), "w+b")  # noqa: SIM115  # as long as the zygote; no disk
        ours.setblocking(False)
        self._channel, self._socket = ours, ours.fileno()
        self.pid, self._process = 0, -1
        try:
            self._starter = start_process(theirs, self._errors.fileno())
        finally:
            theirs.close()
        paths = tuple(map(os.fsencode, whole(filter(None, import_path()))))
        start = Start(policy.imports, paths, tuple(sorted(without)), os.environb.get(b"TMPDIR", b""))
        try:
            answers = [self._exchange(start, [], _IMPORT_SECONDS), self._receive(_IMPORT_SECONDS)]
            self.pid = next(answer.pid for answer in answers if isinstance(answer, Born))
            self._process = descriptor_of(self.pid)
        except BaseException:
            self._channel.close()
            with suppress(ProcessLookupError):
                os.killpg(self._starter.pid, signal.SIGKILL)  # the zygote is in its starter's group
            self._starter.wait()
            raise

    @property
    def alive(self) -> bool:
        """Whether it is this process's own zygote and still runs."""
        return not self._dies_within(0)

    @property
    def is_dying(self) -> bool:
        """Whether it has ended or is about to: one of its sessions has, and an end closes one thing after the other."""
        return self._dies_within(_DYING_SECONDS)

    def _dies_within(self, seconds: float) -> bool:
        if self._owner != os.getpid() or self._process < 0 or self._ending:
            return True
        asked = select.poll()
        asked.register(self._process, select.POLLIN)
        asked.register(self._socket, 0)  # hung up: it is dying, its sessions before it
        return bool(asked.poll(seconds * 1000))

    def ask(self, order: Order, descriptors: Sequence[int] = ()) -> orders.Answer:
        """Give an order and wait for its answer; raises `WorkerDied` where the zygote is gone.

        In the middle of that a session may be closed in this very thread, by a signal's handler or because it was
        forgotten and is collected: it is ended afterwards.
        """
        if isinstance(order, Kill) and order.whole and threading.get_ident() in self._asking:
            self._put_off.append(order)
            return Killed(left=False)
        return self._in_turn(lambda: self._exchange(order, descriptors, _ANSWER_SECONDS))

    def _in_turn(self, give: Callable[[], Done]) -> Done:
        """Give an order while no other is given, then those that were put off meanwhile."""
        thread = threading.get_ident()
        if thread in self._asking:
            raise WorkerDied("the zygote is waited for in this very thread: a signal came in between")
        try:
            self._asking.add(thread)  # first: a signal may come in also while the lock is waited for
            with self._lock:
                return give()
        finally:
            self._asking.discard(thread)
            while self._put_off:
                with suppress(IndexError, WorkerDied, CageError):  # another thread may have given the last one
                    self.ask(self._put_off.popleft())

    def kill(self, order: Kill) -> bool:
        """Kill as ordered, whether the zygote lives or took its sessions with it; whether a backup is left."""
        if not self.alive:
            return False
        try:
            answer = self.ask(order)
        except WorkerDied:
            return False
        return isinstance(answer, Killed) and answer.left

    def tell(self, order: MakeRoom) -> None:
        """Give an order that has no answer; where the zygote is gone, so are its sessions, which shows by itself."""
        self._in_turn(lambda: self._send(order, _ANSWER_SECONDS))

    def look(self) -> None:
        """Have it look at the memory of its sessions soon, unless it is busy with something else."""
        if self.alive and not self._lock.locked() and threading.get_ident() not in self._asking:
            self._in_turn(lambda: self._send(Look(), 0))

    def _send(self, order: MakeRoom | Look, seconds: float) -> None:
        try:
            self._in_time(lambda: self._channel.send(orders.numbered(order)), select.POLLOUT, seconds)
        except OSError as error:  # full, or closed: whoever gives the next order sees that
            if not is_of_the_system(error):
                raise

    def _exchange(self, order: Order, descriptors: Sequence[int], seconds: float) -> orders.Answer:
        self._order += 1
        packet = orders.numbered(order, self._order)
        if len(packet) > orders.ORDER_BYTES:
            told = f"the names of its files or imports take {len(packet):,} bytes, {orders.ORDER_BYTES:,} are the most"
            raise UsageError(f"a session cannot be started: {told}. Hand in fewer, or shorter ones")
        try:
            self._in_time(lambda: socket.send_fds(self._channel, [packet], descriptors), select.POLLOUT, seconds)
        except OSError as error:
            if not is_of_the_system(error):
                raise
            self._kill()
            raise WorkerDied(f"the zygote does not listen ({error}){self.last_words()}") from error
        return self._receive(seconds)

    def _in_time(self, do: Callable[[], Done], ready: int, seconds: float) -> Done:
        """Do something as soon as the channel is ready for it; TimeoutError of the system's past the seconds."""
        while True:
            with suppress(BlockingIOError):
                return do()
            waiting = select.poll()
            waiting.register(self._channel, ready)
            if not waiting.poll(seconds * 1000):
                raise TimeoutError(errno.ETIMEDOUT, f"not within {seconds:g} s")

    def _receive(self, seconds: float) -> orders.Answer:
        try:
            packet = self._in_time(lambda: self._channel.recv(orders.ORDER_BYTES), select.POLLIN, seconds)
        except OSError as error:
            if not is_of_the_system(error):
                raise
            self._kill()
            raise WorkerDied(f"the zygote does not answer ({error}){self.last_words()}") from error
        if not packet:
            self._ending = True
            raise WorkerDied(f"the zygote died{self.last_words()}")
        number, said = orders.taken_apart(packet)
        if number != self._order:  # Ctrl-C ended the wait for it
            return self._receive(seconds)
        answer = orders.decode_answer(said)
        if isinstance(answer, Refused):
            raise CageError(answer.wall, answer.reason, answer.remedy)
        return answer

    def last_words(self) -> str:
        """The end of what it wrote, which is little unless it died."""
        try:
            self._errors.seek(0)
            text = self._errors.read()[-2000:].decode("utf-8", "replace").strip()
        except ValueError:  # it was closed meanwhile, by a thread that saw its end
            return ""
        return f"; it said: {text}" if text else ""

    def _kill(self) -> None:
        self._ending = True  # its sessions die before it does
        if self._process >= 0:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._process, signal.SIGKILL)

    def close(self) -> None:
        """End it and all its sessions, and wait until they are dead."""
        if self._owner != os.getpid() or self._process < 0:
            return
        with self._lock:
            self._ending = True
            self._channel.close()
            if not _has_ended(self._process, _END_SECONDS):
                self._kill()
                _has_ended(self._process, _END_SECONDS)
            self._starter.wait()
            process, self._process = self._process, -1  # first: after Ctrl-C its number may be another's
            os.close(process)
            self._errors.close()

    def forget_in_child(self) -> None:
        """After a fork of the host: let go of what belongs to the parent."""
        self._lock = threading.Lock()
        self._asking.clear()
        self._put_off.clear()
        self._channel.close()


def _has_ended(process: int, seconds: float) -> bool:
    waiting = select.poll()
    waiting.register(process, select.POLLIN)
    return bool(waiting.poll(seconds * 1000))


_Kind = tuple[tuple[str, ...], frozenset[str]]
_zygotes: dict[_Kind, Zygote] = {}
_starting: dict[_Kind, threading.Lock] = {}  # one for each, so that slow imports of one hold up no other
_lock = threading.Lock()


def for_policy(policy: Policy, without: frozenset[str]) -> Zygote:
    """The zygote with this policy's imports and these walls left out, started or replaced where needed."""
    kind = (policy.imports, without)
    with _lock:
        starting = _starting.setdefault(kind, threading.Lock())
    with starting:
        zygote = _zygotes.get(kind)
        if zygote is None or not zygote.alive:
            if zygote is not None:
                zygote.close()
            zygote = Zygote(policy, without)
            with _lock:
                _zygotes[kind] = zygote
        return zygote


def running(policy: Policy, without: frozenset[str]) -> Zygote | None:
    """The zygote that `for_policy` would give, where it needs none to be started."""
    zygote = _zygotes.get((policy.imports, without))
    return zygote if zygote is not None and zygote.alive else None


def close_all() -> None:
    """End every zygote of this process, with all their sessions."""
    with _lock:
        for zygote in _zygotes.values():
            with suppress(OSError):
                zygote.close()
        _zygotes.clear()


def _forget_all_in_child() -> None:
    global _lock  # noqa: PLW0603  # the parent's lock may be held for ever in a forked child
    _lock = threading.Lock()
    for zygote in _zygotes.values():
        zygote.forget_in_child()
    _zygotes.clear()
    _starting.clear()


atexit.register(close_all)
os.register_at_fork(after_in_child=_forget_all_in_child)
