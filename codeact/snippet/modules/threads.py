"""threading with one thread at a time: one goes on where another waits, which is one of the orders threads may run in.

A thread works from its start until it waits for something. One that waits for ever is left where it is.
"""

from __future__ import annotations

import contextvars
import itertools
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from codeact.snippet import named as names_of_arguments
from codeact.snippet import types_
from codeact.snippet.modules.row import Methods, Room, named
from codeact.snippet.modules.traced import lines_of
from codeact.snippet.modules.waits import let_use, locks, look, turns_of, wait

if TYPE_CHECKING:
    from codeact.snippet.modules.turns import Turns


def threads(room: Room) -> dict[str, Any]:
    """The replaced names of threading."""
    turns = turns_of(room)

    def current_thread() -> Any:
        return turns.current or main

    thread = _thread_class(room, current_thread)
    main = _main_thread(thread)

    def get_ident() -> int:
        return int(current_thread().ident)

    def enumerate() -> list[Any]:
        return [main, *turns.begun]

    def active_count() -> int:
        return len(enumerate())

    of_threads = locks(room, get_ident)
    return {
        **named(current_thread, get_ident, enumerate, active_count),
        "main_thread": lambda: main,
        "Thread": thread,
        "Timer": _timer_class(thread, of_threads["Event"]),
        "local": _local_class(turns),
        **of_threads,
    }


def _main_thread(thread: Any) -> Any:
    kind = _own(type("_MainThread", (thread,), {}), threading._MainThread)  # type: ignore[attr-defined]  # typeshed hides it
    main = kind(name="MainThread")
    main.ident, main._Thread__state = 1, "started"
    return main


def _own(cls: Any, real: Any) -> Any:
    """The class, which stands for `real` in a session."""
    types_.present(cls, real)
    let_use(cls)
    return cls


def _thread_class(room: Room, current: Callable[[], Any]) -> Any:
    methods = {**_making(turns_of(room)), **_working(room, current), **_telling(room)}
    for name, method in methods.items():
        method.__qualname__ = f"Thread.{name}"  # as errors about its arguments call it
    return _own(type("Thread", (), methods), threading.Thread)


# `_Thread__state` and `_Thread__work` are named as in the body of a class, so that no subclass happens to use them.


def _making(turns: Turns) -> Methods:
    numbers = itertools.count(1)

    def __init__(  # noqa: PLR0913, PLR0917  # as Python's
        self: Any,
        group: None = None,
        target: Callable[..., Any] | None = None,
        name: str | None = None,
        args: Any = (),
        kwargs: Any = None,
        *,
        daemon: bool | None = None,
    ) -> None:
        if group is not None:
            raise AssertionError("group argument must be None for now")
        if name is None:
            told = getattr(target, "__name__", None) if target is not None else None
            name = f"Thread-{next(numbers)}" + (f" ({told})" if told is not None else "")
        self.ident, self._Thread__state = None, "initial"
        self.name, self.daemon = str(name), bool(getattr(turns.current, "daemon", False) if daemon is None else daemon)
        self._target, self._args, self._kwargs = target, args, kwargs or {}

    return named(__init__)


def _working(room: Room, current: Callable[[], Any]) -> Methods:
    from codeact.snippet.modules.turns import NOT_A_THREADS

    idents = itertools.count(2)
    turns = turns_of(room)

    def start(self: Any) -> None:
        if getattr(self, "_Thread__state", None) is None:
            raise RuntimeError("thread.__init__() not called")
        if self._Thread__state != "initial":
            raise RuntimeError("threads can only be started once")
        turns.begin(self, self._Thread__work, daemon=bool(self.daemon))

    def run(self: Any) -> None:
        try:
            if self._target is not None:
                self._target(*self._args, **names_of_arguments.named(self._kwargs))
        finally:
            del self._target, self._args, self._kwargs

    def work(self: Any) -> None:
        self._Thread__state, self.ident = "started", next(idents)
        try:
            contextvars.Context().run(self.run)
        except NOT_A_THREADS:
            raise
        except SystemExit:
            return
        except BaseException as error:
            room.write(f"Exception in thread {self.name}:\n{''.join(lines_of(error))}", "stderr")
        finally:
            self._Thread__state = "stopped"

    def join(self: Any, timeout: float | None = None) -> None:
        if self._Thread__state == "initial":
            raise RuntimeError("cannot join thread before it is started")
        if current() is self:
            raise RuntimeError("cannot join current thread")
        wait(room, lambda: self._Thread__state == "stopped", timeout)

    return {**named(start, run, join), "_Thread__work": work}


def _telling(room: Room) -> Methods:
    def __repr__(self: Any) -> str:
        more = (" daemon" if self.daemon else "") + ("" if self.ident is None else f" {self.ident}")
        return f"<{type(self).__name__}({self.name}, {self._Thread__state}{more})>"

    def is_alive(self: Any) -> bool:
        if self._Thread__state == "started":
            look(room)
        return bool(self._Thread__state == "started")

    def getName(self: Any) -> Any:
        return self.name

    def setName(self: Any, name: str) -> None:
        self.name = str(name)

    def isDaemon(self: Any) -> Any:
        return self.daemon

    def setDaemon(self: Any, daemonic: bool) -> None:
        self.daemon = bool(daemonic)

    return named(__repr__, is_alive, getName, setName, isDaemon, setDaemon)


def _timer_class(thread: Any, Event: Any) -> Any:
    def __init__(
        self: Any, interval: float, function: Callable[..., Any], args: Any = None, kwargs: Any = None
    ) -> None:
        thread.__init__(self)
        self.interval, self.function = interval, function
        self.args, self.kwargs = [] if args is None else args, {} if kwargs is None else kwargs
        self.finished = Event()

    def cancel(self: Any) -> None:
        self.finished.set()

    def run(self: Any) -> None:
        if not self.finished.wait(self.interval):
            self.function(*self.args, **names_of_arguments.named(self.kwargs))
        self.finished.set()

    return _own(type("Timer", (thread,), named(__init__, cancel, run)), threading.Timer)


class _Kept:
    """What threads have stored on one `local`: their names by their turns, and what sets it up for each."""

    __slots__ = ("__weakref__", "_names", "_of", "arguments", "settings")

    def __init__(self, subject: Any, arguments: tuple[Any, ...], settings: dict[str, Any]) -> None:
        self._of, self._names = weakref.ref(subject), dict[Any, dict[str, Any]]()
        self.arguments, self.settings = arguments, settings

    def give(self, subject: Any, turn: Any) -> bool:
        """Let it have the names of a thread; whether they are new."""
        if is_new := turn not in self._names:
            self._names[turn] = {}
            turn.at_end = turn.at_end or weakref.WeakSet()
            turn.at_end.add(self)
        object.__setattr__(subject, "__dict__", self._names[turn])
        return is_new

    def forget(self, turn: Any) -> None:
        """Let go of what a thread stored."""
        del self._names[turn]
        if (subject := self._of()) is not None:
            object.__setattr__(subject, "__dict__", {})


def _local_class(turns: Turns) -> Any:
    class local:
        """What each thread stores for itself; it is set up anew in each that asks for it."""

        __slots__ = ("__dict__", "__weakref__", "_kept")  # the last is nobody's: its name is taken away below

        def __new__(cls, /, *arguments: Any, **settings: Any) -> Any:
            if (arguments or settings) and cls.__init__ is object.__init__:
                raise TypeError("Initialization arguments are not supported")
            made = object.__new__(cls)
            kept = _Kept(made, arguments, settings)
            keep(made, kept)
            kept.give(made, turns.turn)
            return made

        def __getattribute__(self, name: str) -> Any:
            change(self)
            return object.__getattribute__(self, name)

        def __getattr__(self, name: str) -> Any:
            cls = "_thread._local" if type(self) is local else type(self).__name__
            raise AttributeError(f"{cls!r} object has no attribute {name!r}")

        def __setattr__(self, name: str, value: object) -> None:
            change(self)
            object.__setattr__(self, name, value)

        def __delattr__(self, name: str) -> None:
            change(self)
            object.__delattr__(self, name)

    kept_of, keep = local._kept.__get__, local._kept.__set__  # type: ignore[attr-defined]  # it is a slot
    del local._kept, local.__slots__  # type: ignore[attr-defined]  # as above

    def change(subject: Any) -> None:
        """Let it have the names of the thread that runs."""
        kept = kept_of(subject)
        if kept.give(subject, turns.turn):
            subject.__init__(*kept.arguments, **kept.settings)

    return _own(local, threading.local)
