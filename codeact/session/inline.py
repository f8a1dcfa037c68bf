"""A worker without a cage: the same loop and language on a thread of this process, over the same messages."""

from __future__ import annotations

import fcntl
import functools
import mmap
import os
import socket
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from codeact.errors import UsageError
from codeact.limits import Policy
from codeact.records import Wall
from codeact.session import lanes
from codeact.session.apart import Apart
from codeact.session.settings import content_of
from codeact.session.stopping import Stop
from codeact.snippet import ownership, sinks
from codeact.snippet.running import our_own_work
from codeact.wire.pairs import socket_pair
from codeact.worker.namespace import Namespace
from codeact.worker.nested import take_away
from codeact.worker.place import Place
from codeact.worker.serve import serve

_STOP_SECONDS = 0.5
_PREFIX = "codeact-inline-"
_JUST_MADE_SECONDS = 3600.0  # a folder that is not locked by then never will be
_REMOVING_SECONDS = 1.0
_STACK_BYTES = 256 << 20  # of which memory is taken as it is used; C goes into what is nested without counting how deep
_starting = threading.Lock()
_WALLS = (
    Wall("language", True, "snippets are checked, rewritten and metered"),
    Wall("cage", False, 'isolation="inline": no process of its own', 'Leave out isolation="inline"'),
)


class InlineWorker:
    """Looks like a caged worker, and is a thread: it can be asked to stop, not made to."""

    def __init__(self, policy: Policy, files: Mapping[str, Path | bytes]) -> None:
        self.walls = _WALLS
        sinks.watch()
        try:
            _remove_stale(tempfile.gettempdir())
            self.folder = tempfile.mkdtemp(prefix=_PREFIX)
        except OSError as error:
            problem = f'isolation="inline": no working folder can be made ({error.strerror})'
            raise UsageError(f"{problem}. Set TMPDIR to a folder that can be written") from error
        self._owner = os.getpid()
        lock = _locked(self.folder)
        self._take_away = weakref.finalize(self, _take_away, self.folder, lock, self._owner)  # also if never closed
        try:
            _hand_in(files, Path(self.folder))
        except BaseException:
            self._take_away()
            raise
        self.socket, theirs = socket_pair()
        self._stop = Stop()
        make = partial(_namespace, policy, self.folder, self._stop)
        self._thread = threading.Thread(target=self._run, args=(theirs, make), name="codeact inline", daemon=True)
        try:
            with _deep_stacks():
                lanes.start(self._thread, 'a session with isolation="inline"')
        except BaseException:
            theirs.close()
            self.socket.close()
            self._take_away()
            raise

    def _run(self, theirs: socket.socket, make: partial[Namespace]) -> None:
        sys.set_coroutine_origin_tracking_depth(1)  # of this thread's: those that nobody awaits are none of the host's
        try:
            serve(theirs, make, None, Place(self.folder, time.thread_time, self._stop.begin))
        finally:
            ownership.forget_classes()  # of all sessions; those of others are looked at once more
            theirs.close()

    def stop_step(self, step: int) -> bool:
        """Ask the snippet to stop, in the thread that runs it; False, as no backup takes over, and it may yet stop."""
        self._stop.ask(step)
        return False

    def close(self) -> None:
        """Hang up and take the working folder away; more calls do nothing."""
        if self._owner != os.getpid():  # forked from the one whose thread and folder these are
            self.socket.close()
            return
        with suppress(OSError):  # closed before
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        if self._thread is not threading.current_thread():
            self._thread.join(_STOP_SECONDS)
        self._take_away()


@contextmanager
def _deep_stacks() -> Iterator[None]:
    """Let threads that are started have stacks of this size, where there is room for that."""
    with _starting:
        before = threading.stack_size()
        try:
            with suppress(OSError), mmap.mmap(-1, _STACK_BYTES):
                threading.stack_size(_STACK_BYTES)
            yield
        finally:
            threading.stack_size(before)


def _take_away(folder: str, lock: int, owner: int) -> None:
    if os.getpid() == owner:  # not in a process forked from it, when that one ends
        with our_own_work():  # a session that was forgotten may be collected while a snippet of another one runs
            take_away(folder)
            if lock >= 0:
                os.close(lock)


def _locked(folder: str) -> int:
    """A lock on a folder, which ends with this process, however that ends; -1 where none is to be had."""
    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:  # it is another user's, or gone, or there is no descriptor left
        return -1
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # somebody else has it, or there are no locks in this place
        os.close(held)
        return -1
    return held


@functools.cache
def _remove_stale(place: str) -> None:
    """Remove what processes that were killed have left of their sessions, once for each process of ours."""
    made_before = time.time() - _JUST_MADE_SECONDS
    with suppress(OSError), os.scandir(place) as entries:
        for folder in [entry.path for entry in entries if entry.name.startswith(_PREFIX)]:
            with suppress(FileNotFoundError):  # another one has removed it
                if os.stat(folder).st_mtime < made_before and (lock := _locked(folder)) >= 0:
                    take_away(folder, seconds=_REMOVING_SECONDS)
                    os.close(lock)


def _namespace(policy: Policy, folder: str, stop: Stop, *, output: Callable[[str], object]) -> Namespace:
    made = Namespace(policy, folder=folder, output=output)
    made.inside = Apart(stop).step
    return made


def _hand_in(files: Mapping[str, Path | bytes], folder: Path) -> None:
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content_of(name, content))
        target.chmod(0o444)
