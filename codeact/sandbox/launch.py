"""The host's half of a caged session: have it forked by a zygote, kill its step, end it."""

from __future__ import annotations

import math
import os
import select
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from codeact.alarms import is_of_the_system
from codeact.errors import CageError, UsageError, WorkerDied
from codeact.limits import Limits, Policy
from codeact.records import Wall
from codeact.sandbox import zygotes
from codeact.sandbox.files import open_files
from codeact.sandbox.patience import Patience
from codeact.sandbox.reserve import Reserve
from codeact.sandbox.scarce import as_there_is_room
from codeact.wire import messages, orders
from codeact.wire.frames import Channel, ChannelClosed, host_channel
from codeact.wire.orders import Caged, Fork, Forked, Kill, MakeRoom, Refused, Spawn, Spawned, TakenOver
from codeact.wire.pairs import socket_pair
from codeact.wire.undelivered import NotInTime

_START_SECONDS, _ENDING_SECONDS = 20.0, 30.0
_HANGING_UP_SECONDS, _PAUSE_SECONDS = 0.01, 0.0002
_BIRTHS = 4  # tries to start a session, with another zygote where that died
_LOOK_SECONDS, _MOST_CHECKPOINTS = 0.1, 200
_REHEARSED = "sum([2, 3]) * 2"  # not what its zygote has tried: that would be known already
_REHEARSAL = messages.StepLimits(operations=1_000, output_chars=0, tool_calls=0, text_chars=100, value_bytes=1_000)
KEPT_READY = 8
_MANY = 100  # sessions of one zygote: from there on a frozen state outlives no step


class Worker:
    """One caged session: the socket its messages travel on, how its cage stands, and the means to end it."""

    def __init__(
        self, link: socket.socket, zygote: zygotes.Zygote, session: int, *, walls: tuple[Wall, ...], folder: str
    ) -> None:
        self.socket, self.walls, self.folder = link, walls, folder
        self.zygote, self._session = zygote, session
        self.steps_until_room = -1  # is made for frozen states; below zero: there is
        zygote.lodgers.add(session)
        self._closed = False
        self._looked_at = time.monotonic()

    @property
    def is_one_of_many(self) -> bool:
        """Whether its zygote has so many sessions that what each takes adds up."""
        return len(self.zygote.lodgers) > _MANY

    @property
    def fit(self) -> bool:
        """Whether it lives, and has said nothing since it was ready."""
        asked = select.poll()
        asked.register(self.socket, select.POLLIN)
        return self.zygote.alive and not asked.poll(0)

    def before_step(self) -> None:
        """Have room made for frozen states, if this is the first step that needs one."""
        if self.steps_until_room == 0:
            self.zygote.tell(MakeRoom(self._session))
        self.steps_until_room -= 1

    def look(self) -> None:
        """Have the session held to its memory, where it may have come to use more."""
        now = time.monotonic()
        if now - self._looked_at > _LOOK_SECONDS:
            self._looked_at = now
            self.zygote.look()

    def kill_step(self, unheard: int = 0) -> bool:
        """Kill the process that runs the step; True where a backup is there to take over and say so on the socket.

        `unheard` is the first call of a step that has said nothing yet: it may not have begun.
        """
        self.patience().until_begun(self.socket, unheard)
        return self.zygote.kill(Kill(self._session, whole=False))

    def patience(self, most_busy_seconds: float = math.inf, *, takes_over: bool = False) -> Patience:
        """How long it is waited for where it may only be kept from the processor."""
        return Patience(self.zygote, self._session, most_busy_seconds, takes_over=takes_over)

    def note_takeover(self) -> None:
        """Have it noted who runs the steps now, before the next one may lie about it; a dead zygote shows by itself."""
        with suppress(WorkerDied, CageError):
            self.zygote.ask(TakenOver(self._session))

    @as_there_is_room()
    def fork(self, send_request: Callable[[], object]) -> Worker:
        """A live copy of the session, with a folder of its own; raises `SessionError` where none can be made.

        `send_request` sends the message that makes the worker call `fork_session`.
        """
        ours, theirs = socket_pair()
        with theirs:
            copy = self._room_for_copy(ours)
            try:
                send_request()
                socket.send_fds(self.socket, [b"\0"], [theirs.fileno()], socket.MSG_DONTWAIT)
            except (BlockingIOError, BrokenPipeError, ConnectionResetError) as error:
                copy.close()
                raise WorkerDied(f"the worker does not read what it is sent ({error.strerror})") from error
            except BaseException:
                copy.close()
                raise
        return copy

    def _room_for_copy(self, link: socket.socket) -> Worker:
        """A copy that has yet to be made, with the host's end of its socket; at the other one waits what it needs."""
        try:
            room = self.zygote.ask(Fork(self._session), [link.fileno()])
            if not isinstance(room, Forked):
                raise WorkerDied(f"the zygote answered {type(room).__name__} instead of making room for a copy")
        except BaseException:
            link.close()
            raise
        copy = Worker(link, self.zygote, room.session, walls=self.walls, folder=room.folder)
        copy.steps_until_room = 0
        return copy

    def close(self) -> None:
        """Kill every process of the session, and wait until they have ended; more calls do nothing."""
        if self._closed:
            return
        self._closed = True
        self.zygote.lodgers.discard(self._session)
        until = time.monotonic() + _ENDING_SECONDS
        asked = select.poll()
        if self.socket.fileno() >= 0:  # of a session that was forgotten among what knows it, it may be closed first
            asked.register(self.socket, 0)
        with self.socket:
            while self.zygote.kill(Kill(self._session, whole=True)) and time.monotonic() < until:
                if asked.poll(_HANGING_UP_SECONDS * 1000):  # the last of them gives back its memory first
                    time.sleep(_PAUSE_SECONDS)
            if self.zygote.alive:  # else it is gone, or that of a process this one was forked from
                with suppress(OSError):  # its original may hold the other end, and a thread here read from this one
                    self.socket.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@as_there_is_room()
def start(
    *,
    policy: Policy,
    limits: Limits,
    without: frozenset[str] = frozenset(),
    checked: bool = True,
    files: Mapping[str, Path | bytes] | None = None,
) -> Worker:
    """Start a caged session of its own; raises `CageError` where a wall that was asked for cannot be put up.

    `files` lie read-only in its working folder. `checked=False` runs code as it comes, for attacks on the cage.
    """
    _refuse_impossible(limits, without)
    kind = _Kind(policy, without, checked, limits.memory_bytes, limits.folder_bytes, limits.checkpoints)
    try:
        return _started(kind, files or {})
    except OSError as error:
        if not is_of_the_system(error) or not _reserve.empty():
            raise
    return _started(kind, files or {})  # with what those kept ready took


def _started(kind: _Kind, files: Mapping[str, Path | bytes]) -> Worker:
    if not files:
        return _reserve.take(kind) or _start_with(kind, {})
    handed_in = open_files(files)
    try:
        return _start_with(kind, handed_in)
    finally:
        for descriptor in handed_in.values():
            os.close(descriptor)


class _Kind(msgspec.Struct, frozen=True):
    """All that is settled when a session is born; sessions of one kind without files are alike until spoken to."""

    policy: Policy
    without: frozenset[str]
    checked: bool
    memory_bytes: int
    folder_bytes: int
    checkpoints: int


def _start_with(kind: _Kind, files: Mapping[str, int]) -> Worker:
    """Start a session; where it dies over that, or its zygote, another one is started, and nobody notices."""
    for _ in range(_BIRTHS - 1):
        with suppress(WorkerDied):
            return _born(zygotes.for_policy(kind.policy, kind.without), kind, files)
    zygote = zygotes.for_policy(kind.policy, kind.without)
    try:
        return _born(zygote, kind, files)
    except WorkerDied as error:
        if not zygote.alive:
            raise
        remedy = "Start it again; if it happens again, report it"
        raise CageError("cage", f"{error}; that was the last of {_BIRTHS} tries", remedy) from error


def _made_ready(kind: _Kind) -> Worker | None:
    """One more session, of a zygote that is there already: the program may be about to end."""
    zygote = zygotes.running(kind.policy, kind.without)
    if zygote is None:
        return None
    worker = _born(zygote, kind, {})
    try:
        _rehearse(host_channel(worker.socket))
    except BaseException:
        worker.close()
        raise
    return worker


def _rehearse(channel: Channel[messages.ToHost]) -> None:
    """Have the worker do once what every session does first, so that it finds all it needs at hand; nothing is left."""
    try:
        for said in (messages.Define([], [], seed=0), messages.Step(_REHEARSED, _REHEARSAL, backup=False)):
            channel.send(said)
        channel.receive(_START_SECONDS)
    except (ChannelClosed, NotInTime) as error:
        raise WorkerDied(f"a worker that was kept ready does not answer ({error})") from error


def _born(zygote: zygotes.Zygote, kind: _Kind, files: Mapping[str, int]) -> Worker:
    """Have a zygote fork a session, and hear how its cage stands."""
    order = Spawn(
        checked=kind.checked,
        check_first=kind.policy.check_first,
        memory_bytes=kind.memory_bytes,
        folder_bytes=kind.folder_bytes,
        checkpoints=kind.checkpoints,
        files=tuple(files),
        replaceable=not files,  # they may be others by then
    )
    ours, theirs = socket_pair()
    try:
        spawned = zygote.ask(order, [theirs.fileno(), *files.values()])
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    if not isinstance(spawned, Spawned):
        raise WorkerDied(f"the zygote answered {type(spawned).__name__} instead of a session")
    word = _first_word(ours, zygote)
    worker = Worker(ours, zygote, spawned.session, walls=word.walls, folder=word.folder)
    worker.steps_until_room = 1 if order.replaceable else -1
    return worker


_reserve: Reserve[_Kind, Worker] = Reserve(_made_ready, most=KEPT_READY)


def keep_ready(most: int) -> None:
    """Keep at most so many sessions of one kind ready from now on; with 0 every session is made when asked for."""
    _reserve.most = most
    _reserve.empty()


def _refuse_impossible(limits: Limits, without: frozenset[str]) -> None:
    if unknown := sorted(without - set(orders.WALLS)):
        raise UsageError(f"without={unknown!r:.80}: no such wall. The walls are {', '.join(orders.WALLS)}")
    if orders.PRIVILEGES in without and (more := {orders.LANDLOCK, orders.SYSCALLS} - without):
        raise UsageError(f"without={sorted(without)}: {' and '.join(sorted(more))} cannot stand without privileges")
    if limits.checkpoints > _MOST_CHECKPOINTS:
        raise UsageError(f"Limits(checkpoints={limits.checkpoints}): {_MOST_CHECKPOINTS} at most, each is a process")


def _first_word(link: socket.socket, zygote: zygotes.Zygote) -> Caged:
    waiting = select.poll()
    waiting.register(link, select.POLLIN)
    packet = link.recv(orders.ORDER_BYTES) if waiting.poll(_START_SECONDS * 1000) else b""
    if not packet:
        link.close()
        over = "together with its zygote" if zygote.is_dying else "while its cage was put on"
        raise WorkerDied(f"the worker died {over}{zygote.last_words()}")
    word = orders.decode_first_word(packet)
    if isinstance(word, Refused):
        link.close()
        raise CageError(word.wall, word.reason, word.remedy)
    return word
