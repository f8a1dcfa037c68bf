"""What waits for threads in a session that has one at a time: locks, conditions and queues, and sleep.

Each lets the threads that were started do their work, one after the other, until what it waits for is there.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from codeact.snippet import class_lines, collected, data_objects, ownership, types_
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules import borrowed
from codeact.snippet.modules.row import Room

RUNNING, STARTED = "running threads", "started threads"
_FOR_EVER = (
    "nothing else runs that could end this wait: threads do their work one after the other, each to its end; "
    "give a thread all it waits for, its end mark too, before you wait for it or its queue; where "
    "two wait for each other, use a queue without maxsize, or asyncio"
)


_PIECE_SECONDS = 0.05


class LeftWaiting(BaseException):
    """Ends what a thread does where it would wait for ever."""


def _begin(thread: Any) -> None:
    thread._Thread__begin()


def let_work(room: Room) -> None:
    """Let the threads that were started do their work; daemons may have no end, and work where they are waited for."""
    if room.settings.get(RUNNING):
        return  # one that sleeps goes on before the next begins: they end in the order in which they were started
    collected.call_later(room.settings)
    started: list[Any] = room.settings.get(STARTED, [])
    while (at := next((at for at, one in enumerate(started) if not one.daemon), None)) is not None:
        _begin(started.pop(at))


def forget(room: Room) -> None:
    """Let those that were started do nothing: their step was cut off."""
    room.settings.get(STARTED, []).clear()


def wait(room: Room, ready: Callable[[], bool], timeout: float | None = None) -> bool:
    """Let started threads do their work until something is so; without a timeout it is refused where it cannot come."""
    started: list[Any] = room.settings[STARTED]
    while not ready():
        if started:
            _begin(started.pop(0))
        elif timeout is not None:
            return False
        elif room.settings.get(RUNNING):
            raise LeftWaiting
        else:
            raise CallRefused(_FOR_EVER)
    return True


def pass_time(seconds: float) -> None:
    """Sleep, in pieces: a thread that is asked to stop hears of it between two."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > _PIECE_SECONDS:
        time.sleep(_PIECE_SECONDS)
    time.sleep(max(left, 0))


def locks(room: Room, ident: Callable[[], int]) -> dict[str, Any]:
    class Lock:
        again = False

        def __init__(self) -> None:
            self._owner, self._count = 0, 0

        def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
            bound = None if timeout < 0 else timeout
            free = not self._count or (self.again and self._owner == ident())
            if not free and not (blocking and wait(room, lambda: not self._count, bound)):
                return False
            self._owner, self._count = ident(), self._count + 1
            return True

        def release(self) -> None:
            if not self._count or (self.again and self._owner != ident()):
                raise RuntimeError("cannot release un-acquired lock" if self.again else "release unlocked lock")
            self._count -= 1

        def locked(self) -> bool:
            return self._count > 0

        def __enter__(self) -> bool:
            return self.acquire()

        def __exit__(self, *details: object) -> None:
            self.release()

        def __reduce_ex__(self, version: Any) -> Any:
            raise TypeError(f"cannot pickle '_thread.{type(self).__name__.lower()}' object")

    class RLock(Lock):
        again = True

        def _is_owned(self) -> bool:
            return self._count > 0 and self._owner == ident()

        def _release_save(self) -> tuple[int, int]:
            saved, self._owner, self._count = (self._owner, self._count), 0, 0
            return saved

        def _acquire_restore(self, saved: tuple[int, int]) -> None:
            self._owner, self._count = saved

    for cls in (Lock, RLock):
        cls.__module__, cls.__qualname__ = "threading", cls.__name__
        class_lines.presented.add(cls)
        setattr(cls, ownership.MARK, True)
        borrowed.keep(cls)
        data_objects.close_class(cls)
    return {"Lock": Lock, "RLock": RLock, **_conditions(room, RLock)}


def _conditions(room: Room, RLock: Any) -> dict[str, Any]:
    class Condition(threading.Condition):
        def __init__(self, lock: Any = None) -> None:
            super().__init__(RLock() if lock is None else lock)

        def wait(self, timeout: float | None = None) -> bool:
            this: Any = self  # typeshed hides what it is made of
            if not this._is_owned():
                raise RuntimeError("cannot wait on un-acquired lock")
            waiter = threading.Lock()
            waiter.acquire()
            this._waiters.append(waiter)
            saved = this._release_save()
            try:
                told = wait(room, lambda: not waiter.locked(), timeout)
                if not told and timeout is not None and timeout > 0:
                    pass_time(timeout)
                return told
            finally:
                this._acquire_restore(saved)
                if waiter.locked():
                    this._waiters.remove(waiter)

    types_.hide(Condition, threading.Condition)
    of_threads = (threading.Event, threading.Semaphore, threading.BoundedSemaphore, threading.Barrier)
    return {"Condition": Condition, **{real.__name__: waiting(real, Condition, "_cond") for real in of_threads}}


def waiting(real: Any, condition: Any, *names: str, lock: Callable[[], Any] = lambda: None) -> Any:
    """The class, whose conditions, all of one `lock` if it is given, are not waited on for ever."""

    def __init__(self: Any, *arguments: Any, **settings: Any) -> None:
        real.__init__(self, *arguments, **settings)
        one = lock()
        for name in names:
            setattr(self, name, condition(one))
        if hasattr(self, "mutex"):
            self.mutex = one

    made = type(real.__name__, (real,), {"__init__": __init__})
    types_.hide(made, real)
    return made


def queues(room: Room) -> dict[str, Any]:
    """The replaced names of queue."""
    import queue  # a worker does without it until it is asked for

    of_threads = vars(room.facades.import_module("threading"))

    def __init__(self: Any) -> None:
        plain.__init__(self)
        self._count = of_threads["Semaphore"](0)

    plain: Any = queue._PySimpleQueue  # type: ignore[attr-defined]  # typeshed hides what stands in where C code is lacking
    simple = type("SimpleQueue", (plain,), {"__init__": __init__})
    types_.hide(simple, plain)
    types_.present(simple, queue.SimpleQueue)
    names, real = ("not_empty", "not_full", "all_tasks_done"), (queue.Queue, queue.LifoQueue, queue.PriorityQueue)
    made = {cls.__name__: waiting(cls, of_threads["Condition"], *names, lock=of_threads["Lock"]) for cls in real}
    return {"SimpleQueue": simple, **made}
