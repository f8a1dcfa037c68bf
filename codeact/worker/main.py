"""The zygote: imports done once, no untrusted code ever; it forks, kills and reaps sessions on the host's orders.

    host ─ starts ─▶ keeper ─ forks ─▶ zygote (first process of its own namespaces) ─ forks ─▶ sessions

The keeper only waits, because a process enters a process namespace by being forked into it. When the host dies, in
whatever way, the zygote sees it and ends, and with it everything in its namespaces.
"""

from __future__ import annotations

import gc
import importlib
import mmap
import os
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NoReturn

from codeact.errors import CageError, ProtocolError
from codeact.limits import Policy
from codeact.wire import orders
from codeact.wire.orders import Caged, Kill, Killed, Ready, Refused, Spawn, Spawned, Start
from codeact.worker import cage, kernel, mounts, zygote
from codeact.worker.cage import Bounds, Plan

_MOST_FILES = 250  # descriptors one packet can carry


def main(control: int, host: int) -> NoReturn:
    """Serve the host's orders on the descriptor `control`; `host` is a process descriptor of the host, or -1."""
    channel = socket.socket(fileno=control)
    try:
        start = orders.decode_order(channel.recv(orders.ORDER_BYTES))
        if not isinstance(start, Start):
            raise ProtocolError(f"the first order is a {type(start).__name__}")
        without = frozenset(start.without)
        as_root = os.geteuid() == 0
        left = zygote.leave(without)
        _become_child(channel, host, own_process_namespace=orders.PIDS in left)
        _import_all(start)
        plan = zygote.plan_cage(left, without, as_root=as_root)
    except CageError as error:
        channel.send(orders.encode(Refused(error.wall, error.reason, error.remedy)))
        os._exit(1)
    _Zygote(channel, host, plan, Policy(start.imports)).serve()


def _become_child(channel: socket.socket, host: int, *, own_process_namespace: bool) -> None:
    """Go on as the first process of the new namespace; the keeper stays behind and waits."""
    if own_process_namespace:
        child = os.fork()
        if child:
            channel.close()
            if host >= 0:
                os.close(host)
            status = os.waitpid(child, 0)[1]
            os._exit(max(0, os.waitstatus_to_exitcode(status)) & 0xFF)
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)


def _import_all(start: Start) -> None:
    sys.path.extend(path for path in start.paths if path not in sys.path)
    for name in start.imports:
        with suppress(ImportError):  # the snippet that imports it is told so, in its own step
            importlib.import_module(name)
    from codeact.worker import serve  # noqa: F401  # loaded once, for all sessions


@dataclass
class _Session:
    """What the zygote knows of one session: its process group, who runs its steps, its folder on disk if it has one."""

    group: int
    page: mmap.mmap = field(repr=False)
    folder: str | None = None

    def running(self) -> int:
        """The process that runs the steps, as the session itself says; believed only if it is one of the group."""
        pid = int(struct.unpack("I", self.page[:4])[0])
        with suppress(OSError):
            if os.getpgid(pid) == self.group:
                return pid
        return self.group


class _Zygote:
    """Serves orders until the host is gone."""

    def __init__(self, channel: socket.socket, host: int, plan: Plan, policy: Policy) -> None:
        self.channel, self.host, self.plan, self.policy = channel, host, plan, policy
        self.sessions: dict[int, _Session] = {}
        self.wakes, self.wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)

    def serve(self) -> NoReturn:
        signal.set_wakeup_fd(self.wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the host's terminal is the host's affair
        gc.collect()
        gc.freeze()
        self.channel.send(orders.encode(Ready()))
        waiting = select.poll()
        for descriptor in (self.channel.fileno(), self.wakes, *([self.host] if self.host >= 0 else [])):
            waiting.register(descriptor, select.POLLIN)
        while True:
            ready = {descriptor for descriptor, _ in waiting.poll()}
            if self.host in ready:
                self.end()
            if self.wakes in ready:
                self.reap()
            if self.channel.fileno() in ready:
                self.obey()

    def obey(self) -> None:
        """Take one order and answer it."""
        packet, descriptors, _, _ = socket.recv_fds(self.channel, orders.ORDER_BYTES, _MOST_FILES + 1)
        if not packet:
            self.end()
        order = orders.decode_order(packet)
        if isinstance(order, Spawn):
            answer: orders.Answer = self.spawn(order, descriptors)
        elif isinstance(order, Kill):
            answer = Killed(left=self.kill(order))
        else:
            raise ProtocolError(f"{type(order).__name__} came after the start")
        for descriptor in descriptors:
            os.close(descriptor)
        self.channel.send(orders.encode(answer))

    def spawn(self, order: Spawn, descriptors: list[int]) -> Spawned:
        """Fork a session; it cages itself and reports over its own socket."""
        page = mmap.mmap(-1, mmap.PAGESIZE)
        folder = None if self.plan.small_root else tempfile.mkdtemp(prefix="codeact-")
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _become_session(order, descriptors, self.plan, _Home(self.policy, page, folder or mounts.FOLDER))
        self.sessions[pid] = _Session(pid, page, folder)
        return Spawned(session=pid)

    def kill(self, order: Kill) -> bool:
        """Kill one process or all of a session and wait until they are dead; whether any other lives."""
        session = self.sessions.get(order.session)
        if session is None:
            return False
        if order.whole:
            with suppress(ProcessLookupError):
                os.killpg(session.group, signal.SIGKILL)
            while _exists(session.group):
                _wait_for_any(session.group)
            self.forget(order.session)
            return False
        running = session.running()
        with suppress(ProcessLookupError):
            os.kill(running, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(running, 0)
        return _exists(session.group)

    def forget(self, number: int) -> None:
        session = self.sessions.pop(number)
        session.page.close()
        if session.folder is not None:
            shutil.rmtree(session.folder, ignore_errors=True)

    def reap(self) -> None:
        """Bury every dead child: sessions, and what they left behind."""
        with suppress(BlockingIOError):
            os.read(self.wakes, 4096)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        for number in [number for number, session in self.sessions.items() if not _exists(session.group)]:
            self.forget(number)

    def end(self) -> NoReturn:
        for number in list(self.sessions):
            self.kill(Kill(number, whole=True))
        os._exit(0)


def _exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _wait_for_any(group: int) -> None:
    """Wait for one child of a process group; a grandchild becomes a child when its parent has died."""
    with suppress(ChildProcessError):
        os.waitpid(-group, 0)


@dataclass(frozen=True)
class _Home:
    """What a new session gets from its zygote."""

    policy: Policy
    page: mmap.mmap
    folder: str


def _become_session(order: Spawn, descriptors: list[int], plan: Plan, home: _Home) -> NoReturn:
    """Put on the cage, say so, and serve the host until it hangs up."""
    exit_code = 1
    try:
        _gather(descriptors)
        channel = socket.socket(fileno=cage.SOCKET)
        files = tuple(zip(order.files, range(cage.SOCKET + 1, cage.SOCKET + len(descriptors)), strict=True))
        processes = 1 + order.checkpoints
        bounds = Bounds(order.memory_bytes, order.folder_bytes, processes)
        try:
            walls = cage.put_on(plan, bounds, folder=home.folder, files=files)
        except CageError as error:
            channel.send(orders.encode(Refused(error.wall, error.reason, error.remedy)))
            os._exit(1)
        channel.send(orders.encode(Caged(walls, home.folder)))
        _serve(channel, order, home)
        exit_code = 0
    except BaseException:
        traceback.print_exc()  # into the zygote's errors, which the host shows where a session did not start
    finally:
        os._exit(exit_code)


def _gather(descriptors: list[int]) -> None:
    """Move the session's socket, and the files after it, to the first numbers after the standard three."""
    high = [os.dup2(descriptor, 1000 + index) for index, descriptor in enumerate(descriptors)]
    for index, descriptor in enumerate(high):
        os.dup2(descriptor, cage.SOCKET + index, inheritable=False)


def _serve(channel: socket.socket, order: Spawn, home: _Home) -> None:
    from functools import partial

    from codeact.worker import checkpoint, namespace, serve

    make_namespace = partial(namespace.Namespace, home.policy, folder=home.folder, checked=order.checked)
    serve.serve(channel, make_namespace, checkpoint.Checkpoints(order.checkpoints, home.page))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
