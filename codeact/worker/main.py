"""The zygote: imports done once, no untrusted code ever; it forks, kills and reaps sessions on the host's orders.

    host ─ starts ─▶ starter ─ forks ─▶ zygote (first process of its own namespaces) ─ forks ─▶ sessions

A process enters a process namespace only by being forked into it; the starter stays behind as the zygote's parent and
ends with it, so that whoever looks at the host's children sees all that runs for it. When the host dies, in whatever
way, the zygote sees it and ends, and with it everything in its namespaces.
"""

from __future__ import annotations

import gc
import importlib
import os
import select
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from typing import NoReturn

import msgspec

from codeact.errors import CageError, ProtocolError
from codeact.limits import Policy
from codeact.snippet.modules import readings, warning
from codeact.wire import orders
from codeact.wire.orders import (
    Fork,
    Forked,
    Kill,
    Killed,
    Look,
    MakeRoom,
    Refused,
    Spawn,
    Spawned,
    Start,
    Stir,
    TakenOver,
)
from codeact.worker import cage, chance, kernel, mounts, rlimits, zygote
from codeact.worker.birth import Home, become_session
from codeact.worker.cage import Bounds
from codeact.worker.checkpoint import processes_needed
from codeact.worker.page import Page, page_file
from codeact.worker.prepared import Prepared
from codeact.worker.sessions import Sessions

_ARROW_THREADS = 2  # reading Parquet takes a thread that computes and one that reads, and hangs where it gets neither
# What an order raises that cannot be read, is not due, or lacks a descriptor.
_NO_ORDER = (msgspec.MsgspecError, ProtocolError, LookupError, ValueError)
_MORE_ROOM = "Close some sessions, or allow more processes (ulimit -u), descriptors (ulimit -n), file sizes (ulimit -f)"
_ENDING_SECONDS = 0.01  # that all other orders may wait for the end of one session
_MOST_FILES = 250  # descriptors one packet can carry
_CHILD_ENDED = signal.SIGCHLD.value  # an enumeration is slow to say so


def main(control: int, host: int) -> NoReturn:
    """Serve the host's orders on the descriptor `control`; `host` is a process descriptor of the host."""
    channel = socket.socket(fileno=control)
    try:
        start = orders.decode_order(orders.taken_apart(channel.recv(orders.ORDER_BYTES))[1])
        if not isinstance(start, Start):
            raise ProtocolError(f"the first order is a {type(start).__name__}")
        os.umask(0o022)  # sessions look for modules as others, through the folders of their small root
        without = frozenset(start.without)
        as_root = os.geteuid() == 0
        left = zygote.leave(without)
        home = zygote.home(start.temporary)
        zygote.become_first_process(channel, host, home)
        _import_all(start)
        warning.hear_of_calls()
        chance.put_in_place()
        readings.put_on_dates()
        plan = zygote.plan_cage(left, without, as_root=as_root, imports=start.imports)
    except CageError as error:
        channel.send(orders.numbered(Refused(error.wall, error.reason, error.remedy)))
        os._exit(1)
    _Zygote(channel, host, Sessions(plan, home), Policy(start.imports)).serve()


def _import_all(start: Start) -> None:
    sys.path.extend(path for path in map(os.fsdecode, start.paths) if path not in sys.path)
    for name in start.imports:
        with suppress(ImportError):  # the snippet that imports it is told so, in its own step
            importlib.import_module(name)
    if "numpy" in sys.modules:
        importlib.import_module("numpy.random")  # numpy puts it off, and each session seeds it
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        arrow.set_cpu_count(1)
        arrow.set_io_thread_count(1)


class _Zygote:
    """Serves orders until the host is gone."""

    def __init__(self, channel: socket.socket, host: int, sessions: Sessions, policy: Policy) -> None:
        self.channel, self.host, self.sessions, self.policy = channel, host, sessions, policy
        self.plan = sessions.plan
        self.prepared: dict[tuple[bool, bool], Prepared] = {}
        self.unsettled: list[Prepared] = []  # of those that sessions begin with
        self.wakes, self.wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)

    def serve(self) -> NoReturn:
        """Serve as long as there is a host, and take every session along, also where something fails meanwhile."""
        try:
            self.serve_host()
        except BaseException:  # such as a host that is gone while it is answered
            traceback.print_exc()
        self.end()

    def serve_host(self) -> None:
        """Obey, bury, and look at what the sessions take, until the host is gone."""
        signal.set_wakeup_fd(self.wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the host's terminal is the host's affair
        self.prepare(checked=True, check_first=True)
        self.channel.send(orders.numbered(orders.Ready()))
        waiting = select.poll()
        for descriptor in (self.channel.fileno(), self.wakes, self.host):
            waiting.register(descriptor, select.POLLIN)
        while True:
            left = 0.0 if self.unsettled else self.sessions.watch.seconds_left
            ready = {descriptor for descriptor, _ in waiting.poll(None if left is None else left * 1000)}
            self.sessions.look_if_due()
            if self.host in ready:
                return
            if self.wakes in ready:
                self.reap()
            if self.channel.fileno() in ready and not self.obey():
                return
            if not ready and self.unsettled:
                self.settle()

    def obey(self) -> bool:
        """Take one order and answer it; False where there are no more."""
        packet, descriptors, _, _ = socket.recv_fds(self.channel, orders.ORDER_BYTES, _MOST_FILES + 1)
        if not packet:
            return False
        number, said = orders.taken_apart(packet)
        try:
            order = orders.decode_order(said)
            if isinstance(order, Look | MakeRoom):  # nobody waits for what comes of it
                with suppress(OSError):  # nor for what went wrong: the step finds no room
                    self.obey_silently(order)
                return True
            answer = self.answer(order, descriptors)
        except CageError as error:
            answer = Refused(error.wall, error.reason, error.remedy)
        except OSError as error:
            reason = f"the order could not be followed ({error})"
            answer = Refused("zygote", reason, _MORE_ROOM)
        except _NO_ORDER as error:
            reason = f"this is no order that can be followed ({type(error).__name__}: {error})"
            answer = Refused("zygote", reason, "This is a defect worth reporting; the other sessions live on")
        self.channel.send(orders.numbered(answer, number))
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def obey_silently(self, order: Look | MakeRoom) -> None:
        """Do what an order says that has no answer."""
        if isinstance(order, MakeRoom):
            self.sessions.make_room(order.session)
        else:
            self.sessions.watch.want()

    def answer(self, order: Start | Spawn | Fork | Kill | TakenOver | Stir, descriptors: list[int]) -> orders.Answer:
        """Do what an order says."""
        match order:
            case Spawn():
                return self.spawn(order, descriptors)
            case Fork():
                alive = self.sessions.knows(order.session)
                return self.fork(order.session, descriptors) if alive else Killed(left=False)
            case Kill(whole=False):
                return Killed(left=self.sessions.kill_step(order.session))
            case Kill():
                return Killed(left=self.close(order.session))
            case TakenOver():
                self.sessions.note_runner(order.session, took_over=True)
                return orders.Noted()
            case Stir():
                return self.sessions.stirring(order.session)
            case Start():
                raise ProtocolError("a zygote is started once")

    def prepare(self, *, checked: bool, check_first: bool) -> Prepared:
        """The namespace that sessions of this kind begin with."""
        kind = checked, check_first
        if kind not in self.prepared:
            self.prepared[kind] = Prepared(Policy(self.policy.imports, check_first=check_first), checked=checked)
            gc.freeze()
            gc.enable()
        return self.prepared[kind]

    def settle(self) -> None:
        """Try out once more what sessions begin with: the first one has it, and nobody waits for anything."""
        prepared = self.unsettled.pop()
        with suppress(OSError):  # where there are no descriptors left for it, sessions begin as it is
            prepared.try_out()
            if not prepared.is_settled:
                self.unsettled.append(prepared)
        gc.freeze()

    def spawn(self, order: Spawn, descriptors: list[int]) -> Spawned:
        """Fork a session; it cages itself and reports over its own socket."""
        self.sessions.bury()  # first, so that no dead session is known by the number the new one may get
        processes = processes_needed(order.checkpoints) + (_ARROW_THREADS if "pyarrow" in sys.modules else 0)
        rlimits.require(processes)
        if len(descriptors) != 1 + len(order.files):
            raise ProtocolError(f"a session with {len(order.files)} files comes with {len(descriptors)} descriptors")
        files = tuple(zip(order.files, range(cage.SOCKET + 1, cage.SOCKET + len(descriptors)), strict=True))
        lodging = self.sessions.lodge(files)
        grows = order.replaceable and orders.SYSCALLS not in self.plan.without  # else its limits are final
        alone = processes - processes_needed(order.checkpoints) + processes_needed(0)
        at_first = alone if grows else processes
        allowed = self.sessions.processes_allowed(lodging.uid, at_first)
        sizes = (os.fstat(source).st_size for source in descriptors[1:])
        handed_in = sum(map(mounts.room_for, order.files, sizes))
        bounds = Bounds(order.memory_bytes, order.folder_bytes + handed_in, processes, alone, allowed)
        prepared, page = self.prepare(checked=order.checked, check_first=order.check_first), Page()
        try:
            pid = kernel.fork()
        except OSError:
            page.unmap()
            self.sessions.dislodge(lodging)
            raise
        if pid == 0:
            signal.set_wakeup_fd(-1)
            kernel.default_action(_CHILD_ENDED)
            become_session(order, descriptors, Home(self.plan, prepared, page, lodging, bounds))
        if not (prepared.is_settled or prepared in self.unsettled):
            self.unsettled.append(prepared)
        return Spawned(session=self.sessions.add(pid, lodging, page, bounds=bounds, at_first=at_first))

    def fork(self, number: int, descriptors: list[int]) -> Forked:
        """Make room for a copy; its page and what binds it to its own place go past the host, which may lose them."""
        descriptors.append(page_file())
        copy, lodging = self.sessions.fork(number, descriptors[1])
        if self.plan.landlock_version:
            descriptors.append(cage.landlock_rules(self.plan, lodging))
        with socket.socket(fileno=descriptors.pop(0)) as hosts_end:
            socket.send_fds(hosts_end, [os.fsencode(lodging.folder)], descriptors)
        return Forked(copy, lodging.folder)

    def close(self, session: int) -> bool:
        """End a session; whether it has yet to end after the moment that a small one takes."""
        ended, until = select.poll(), time.monotonic() + _ENDING_SECONDS
        ended.register(self.wakes, select.POLLIN)
        while (is_ending := self.sessions.close(session)) and (left := until - time.monotonic()) > 0:
            ended.poll(left * 1000)
            self.reap()
        return is_ending

    def reap(self) -> None:
        """Bury every dead child: sessions, and what they left behind."""
        with suppress(BlockingIOError):
            os.read(self.wakes, 4096)
        self.sessions.bury()

    def end(self) -> NoReturn:
        """Take every session along; the kernel does it where this is the first process of a namespace."""
        is_zygote = os.getpid() == self.plan.zygote_pid  # else a session that failed before it was one
        if is_zygote and (self.plan.zygote_pid != 1 or not self.plan.small_root):
            self.sessions.close_all()
        os._exit(0)
