"""What waits for threads: locks, conditions and queues, and sleep. While one waits the others go on."""

from __future__ import annotations

import functools
import sys
import threading
import time
import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from codeact.snippet import array_forms, class_lines, collected, data_objects, ownership, running, types_
from codeact.snippet.modules import borrowed
from codeact.snippet.modules.row import Room

if TYPE_CHECKING:
    from codeact.snippet.modules.turns import Turns

CLOCK, READINGS, TURNS, INTERRUPT, ANSWERS = "clock", "readings", "turns", "interrupt", "answers"

_PIECE_SECONDS = 0.05
_NOT_NEGATIVE = "positive" if sys.version_info < (3, 13) else "a non-negative number"  # as CPython says it


def turns_of(room: Room) -> Turns:
    """The threads of a session that asks for some."""
    from codeact.snippet.modules.turns import Turns  # a worker does without it until threads are asked for

    def sleep(seconds: float, until: float) -> None:
        if CLOCK in room.settings:
            room.settings[CLOCK].pass_by(seconds)
        pass_time(until - time.monotonic())

    if TURNS not in room.settings:
        room.settings[TURNS] = Turns(sleep, room.settings.get(INTERRUPT, lambda look: None), room.settings.get(ANSWERS))
        begin(room)
    found: Turns = room.settings[TURNS]
    return found


def begin(room: Room) -> None:
    """Let the threads of a step begin no deeper in calls than it does."""
    if (turns := room.settings.get(TURNS)) is not None:
        turns.prepare()


def let_work(room: Room) -> None:
    """Let the threads that were started work to their end: the step is at its own."""
    collected.call_later(room.settings)
    if (turns := room.settings.get(TURNS)) is not None:
        turns.settle()


def forget(room: Room) -> None:
    """End the threads: their step was cut off, or the session is over."""
    if (turns := room.settings.get(TURNS)) is not None:
        turns.end()


def are_others(room: Room) -> bool:
    """Whether more than one thread, or the step and a thread, have something to do."""
    turns = room.settings.get(TURNS)
    return turns is not None and turns.are_others


def _is_so_of_another(question: Callable[[], bool]) -> bool:
    room = running.room()
    return room is not None and are_others(room) and bool(room.settings[TURNS].is_so_of_another(question))


array_forms.elsewhere.append(_is_so_of_another)


def current(room: Room) -> Any:
    """The thread that runs; None for the step's own."""
    turns = room.settings.get(TURNS)
    return None if turns is None else turns.current


def call(room: Room, number: int, timeout: float | None = None) -> None:
    """Let the others go on until the call of this number is answered, or so long."""
    if are_others(room):
        room.settings[TURNS].call(number, timeout)


def look(room: Room) -> None:
    """Let the others go on: something was asked that is not so yet."""
    room.settings[TURNS].look()


def wait(room: Room, ready: Callable[[], bool], timeout: float | None = None) -> bool:
    """Whether something came to be so in time, while the others went on."""
    collected.call_later(room.settings)
    return bool(room.settings[TURNS].wait(ready, timeout))


def sleep(room: Room, seconds: float) -> None:
    """Let time pass: what the session's clock shows, where it has one, and the others go on."""
    collected.call_later(room.settings)
    turns, clock = room.settings.get(TURNS), room.settings.get(CLOCK)
    if turns is not None:
        turns.wait(lambda: False, seconds, sleeps=clock is None)
    elif clock is not None:
        clock.pass_by(seconds)
    else:
        pass_time(seconds)
        if ANSWERS in room.settings:
            room.settings[ANSWERS].take_ready()


def monotonic(room: Room) -> float:
    """Seconds by which Python's own code tells how long a wait has: recorded, as what a snippet reads is."""
    told = room.settings.get(READINGS)
    return time.monotonic() if told is None else float(told.read(time.monotonic_ns)) / 1e9


def pass_time(seconds: float) -> None:
    """Sleep, in pieces: a thread that is asked to stop hears of it between two."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > _PIECE_SECONDS:
        time.sleep(_PIECE_SECONDS)
    time.sleep(max(left, 0))


def _checked_bound(blocking: Any, timeout: Any) -> float:
    if not blocking:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if not isinstance(timeout, (int, float)):
        raise TypeError(f"{type(timeout).__name__!r} object cannot be interpreted as an integer")
    if timeout < 0:
        raise ValueError(f"timeout value must be {_NOT_NEGATIVE}")
    if timeout > threading.TIMEOUT_MAX:
        raise OverflowError("timeout value is too large")
    return timeout


def let_use(cls: Any) -> None:
    """Let a class that a session has for itself be used as one of the snippet's."""
    setattr(cls, ownership.MARK, True)
    borrowed.keep(cls)
    data_objects.close_class(cls)


def _lock_class(room: Room, ident: Callable[[], int]) -> Any:
    class Lock:
        again = False

        def __init__(self) -> None:
            self._owner, self._count = 0, 0

        def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
            bound = None if timeout == -1 else _checked_bound(blocking, timeout)
            if self._count and not (self.again and self._owner == ident()):
                if not blocking:
                    look(room)
                if self._count and not (blocking and wait(room, lambda: not self._count, bound)):
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

        def _is_owned(self) -> bool:
            return self._count > 0 and not (self.again and self._owner != ident())

        def _release_save(self) -> tuple[int, int]:
            saved, self._owner, self._count = (self._owner, self._count), 0, 0
            return saved

        def _acquire_restore(self, saved: tuple[int, int]) -> None:
            wait(room, lambda: not self._count)
            self._owner, self._count = saved

    return Lock


def locks(room: Room, ident: Callable[[], int]) -> dict[str, Any]:
    """The locks and conditions of threading; `ident` says which thread runs."""
    Lock = _lock_class(room, ident)
    RLock: Any = type("RLock", (Lock,), {"again": True})
    for cls in (Lock, RLock):
        cls.__module__, cls.__qualname__ = "threading", cls.__name__
        class_lines.presented.add(cls)
        let_use(cls)
    return {"Lock": Lock, "RLock": RLock, **_conditions(room, Lock, RLock)}


def _conditions(room: Room, Lock: Any, RLock: Any) -> dict[str, Any]:
    told = {"_time": functools.partial(monotonic, room)}

    class Condition(waiting(threading.Condition, {"RLock": RLock, **told})):  # type: ignore[misc]  # made as it runs
        def wait(self, timeout: float | None = None) -> bool:
            this: Any = self
            if not this._is_owned():
                raise RuntimeError("cannot wait on un-acquired lock")
            waiter = Lock()
            waiter.acquire()
            this._waiters.append(waiter)
            saved = this._release_save()
            try:
                return wait(room, lambda: not waiter.locked(), timeout)
            finally:
                this._acquire_restore(saved)
                if waiter.locked():
                    this._waiters.remove(waiter)

    types_.hide(Condition, threading.Condition)
    made: dict[str, Any] = {"Lock": Lock, "Condition": Condition}
    for real in (threading.Event, threading.Semaphore, threading.Barrier):
        made[real.__name__] = waiting(real, {**made, **told})
    look_where(room, made["Event"], is_set=False)
    return {**made, "BoundedSemaphore": waiting(threading.BoundedSemaphore, made, made["Semaphore"])}


def look_where(room: Room, cls: Any, **answers: bool) -> None:
    """Let the others go on where a method would answer so, and look again."""

    def looking(asked: Any, answer: bool) -> Callable[[Any], Any]:
        @functools.wraps(asked)
        def ask(self: Any) -> Any:
            if asked(self) is answer:
                look(room)
            return asked(self)

        return ask

    for name, answer in answers.items():
        setattr(cls, name, looking(getattr(cls, name), answer))


def waiting(real: Any, given: Mapping[str, Any], *above: Any) -> Any:
    """The class, made of what a session waits with and tells the time by, which its module has by these names."""
    names = {**vars(sys.modules[real.__module__]), **given}
    made = {
        name: types.FunctionType(own.__code__, names, own.__name__, own.__defaults__, own.__closure__)
        for name, own in vars(real).items()
        if isinstance(own, types.FunctionType) and not given.keys().isdisjoint(own.__code__.co_names)
    }
    cls = type(real.__name__, (real, *above), made)
    types_.hide(cls, real)
    return cls


def queues(room: Room) -> dict[str, Any]:
    """The replaced names of queue."""
    import queue  # a worker does without it until it is asked for

    given = {"threading": room.facades.import_module("threading"), "time": functools.partial(monotonic, room)}
    plain: Any = queue._PySimpleQueue  # type: ignore[attr-defined]  # typeshed hides what stands in where C code is lacking
    simple, made = waiting(plain, given), {"Queue": waiting(queue.Queue, given)}
    types_.present(simple, queue.SimpleQueue)
    for real in (queue.LifoQueue, queue.PriorityQueue):
        made[real.__name__] = waiting(real, given, made["Queue"])
    for cls in (simple, made["Queue"]):
        look_where(room, cls, empty=True)
    return {"SimpleQueue": simple, **made}
