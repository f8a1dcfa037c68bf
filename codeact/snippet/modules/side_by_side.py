"""The replaced parts of asyncio and concurrent.futures."""

from __future__ import annotations

import functools
import inspect
import itertools
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from codeact.snippet import held_subjects, ownership, running, types_
from codeact.snippet.data_objects import SimpleNamespace
from codeact.snippet.modules import decimals, waits
from codeact.snippet.modules.row import Methods, Room, named
from codeact.snippet.patches import patch
from codeact.snippet.words import words


def coroutines(room: Room) -> dict[str, Any]:
    """The replaced names of asyncio."""
    import asyncio

    _keep_loops()
    decimals.guard()  # a task tells of its variables

    async def to_thread(func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    def get_running_loop() -> Any:
        return loop_of(asyncio.get_running_loop())

    def run(main: Any, *, debug: bool | None = None, loop_factory: None = None) -> Any:
        if asyncio._get_running_loop() is not None:
            raise RuntimeError("asyncio.run() cannot be called from a running event loop")
        if not asyncio.iscoroutine(main):
            if sys.version_info < (3, 14):
                raise ValueError(f"a coroutine was expected, got {main!r}")
            if not inspect.isawaitable(main):
                raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")
        with asyncio.Runner() as runner:  # debugging would tell where this machine keeps what
            runner.get_loop().set_exception_handler(unheard)
            return runner.run(main)

    chosen: list[Any] = []  # by set_event_loop

    def new_event_loop() -> Any:
        return _idle_loop(run)

    def set_event_loop(loop: Any) -> None:
        chosen[:] = [] if loop is None else [loop]

    def get_event_loop() -> Any:
        if asyncio._get_running_loop() is not None:
            return get_running_loop()
        return chosen[0] if chosen else new_event_loop()

    return {
        **_futures(),
        **_tasks(),
        "run": run,
        "to_thread": to_thread,
        "get_running_loop": get_running_loop,
        "get_event_loop": get_event_loop,
        "new_event_loop": new_event_loop,
        "set_event_loop": set_event_loop,
    }


def _idle_loop(run: Callable[[Any], Any]) -> Any:
    """What a loop that does not run yet does: it runs what it is given to its end, each time as `asyncio.run` does."""
    closed: list[bool] = []

    async def awaited(future: Any) -> Any:
        return await future

    def run_until_complete(future: Any) -> Any:
        if closed:
            raise RuntimeError("Event loop is closed")
        if not hasattr(type(future), "__await__"):
            raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")
        return run(awaited(future))

    return SimpleNamespace(
        run_until_complete=run_until_complete,
        is_running=lambda: False,
        is_closed=lambda: bool(closed),
        close=lambda: closed.append(True),
    )


def _tasks() -> dict[str, Any]:
    """What tells of the running loop, whichever is given: a loop is looked up among the host's."""
    import asyncio

    def current_task(loop: Any = None) -> Any:
        return asyncio.current_task()

    def all_tasks(loop: Any = None) -> Any:
        return asyncio.all_tasks()

    return {"current_task": current_task, "all_tasks": all_tasks}


@functools.cache
def _futures() -> dict[str, Any]:
    """What stands for the classes of futures: asyncio keeps a list of all tasks, and asks each whose it is."""
    import asyncio

    held_subjects.guard_futures(asyncio.Future, asyncio.Task)

    def standing(real: Any) -> Any:
        def __new__(cls: Any, *arguments: Any, loop: Any = None, **settings: Any) -> Any:
            return real(*arguments, **settings)  # of the running loop: another would be told when it is collected

        def __init_subclass__(cls: Any, **settings: Any) -> None:
            raise TypeError(f"class {cls.__name__!r} may not inherit from {real.__name__!r}")

        return types_.standing_for(real, {"__new__": __new__, "__init_subclass__": __init_subclass__})

    return {real.__name__: standing(real) for real in (asyncio.Future, asyncio.Task)}


def _keep_loops() -> None:
    """Let asyncio keep no loop in an object of a snippet's class, whose private names are the snippet's own."""
    from asyncio import mixins, taskgroups

    patch(mixins._LoopBoundMixin, "_get_loop", _bound_to_loop)
    patch(taskgroups.TaskGroup, "__aenter__", _entered)


#: Loop → what says in an object of the snippet's that it is bound to this one.
_marks: weakref.WeakKeyDictionary[Any, object] = weakref.WeakKeyDictionary()


def _bound_to_loop(real: Callable[..., Any]) -> Callable[..., Any]:
    def _get_loop(self: Any) -> Any:
        import asyncio

        loop: Any = asyncio._get_running_loop()
        if loop is None or not running.in_a_snippet() or ownership.module_of(type(self)).startswith("asyncio."):
            return real(self)
        mark = _marks.setdefault(loop, object())
        if self._loop is None:
            self._loop = mark
        if self._loop is not mark:
            raise RuntimeError(f"{self!r} is bound to a different event loop")
        return loop

    return _get_loop


def _entered(real: Callable[..., Any]) -> Callable[..., Any]:
    async def __aenter__(self: Any) -> Any:
        import asyncio

        if not running.in_a_snippet() or type(self) is asyncio.TaskGroup:
            return await real(self)
        if self._entered:
            raise RuntimeError(f"TaskGroup {self!r} has already been entered")
        self._loop = SimpleNamespace(**vars(loop_of(asyncio.get_running_loop())), call_exception_handler=lambda _: None)
        self._parent_task = asyncio.current_task()
        if self._parent_task is None:
            raise RuntimeError(f"TaskGroup {self!r} cannot determine the parent task")
        self._entered = True
        return self

    return __aenter__


def unheard(loop: Any, context: dict[str, Any]) -> None:
    """Lose an exception that no task waits for: a loop would write it to the standard error of the host."""


def loop_of(loop: Any) -> Any:
    """What a snippet may do with an event loop."""

    async def run_in_executor(executor: Any, func: Callable[..., Any], *args: Any) -> Any:
        return func(*args)

    given_names = words("call_soon call_later call_at create_future create_task is_running is_closed time")
    given = {word: getattr(loop, word) for word in given_names}
    return SimpleNamespace(**given, run_in_executor=run_in_executor)


def _apart(given: Any) -> tuple[list[Any], set[Any]]:
    """The calls of tools among what is waited for, which end with their answers, and the futures."""
    from concurrent.futures import Future

    every = dict.fromkeys(given)
    calls = [one for one in every if not isinstance(one, Future)]
    for result in [one.result for one in calls]:
        with suppress(Exception):  # it is the call's, and raised by result()
            result()
    return calls, every.keys() - set(calls)


def _is_over(asked: set[Any], until: str = "ALL_COMPLETED") -> bool:
    """Whether what is waited for has come, as `concurrent.futures.wait` names it."""
    from concurrent.futures import wait

    done, left = wait(asked, 0)
    if until == "FIRST_EXCEPTION" and any(not one.cancelled() and one.exception() for one in done):
        return True
    return not left or (until == "FIRST_COMPLETED" and bool(done))


def _waits_for_futures(room: Room) -> Methods:
    from concurrent import futures

    def wait(fs: Any, timeout: float | None = None, return_when: str = futures.ALL_COMPLETED) -> Any:
        calls, asked = _apart(fs)
        waits.wait(room, lambda: _is_over(asked, return_when), timeout)
        found = futures.wait(asked, 0, return_when)
        return type(found)(found.done.union(calls), found.not_done)

    def as_completed(fs: Any, timeout: float | None = None) -> Iterator[Any]:
        calls, asked = _apart(fs)
        waits.wait(room, lambda: _is_over(asked), timeout)
        return itertools.chain(calls, futures.as_completed(asked, 0))

    return named(wait, as_completed)


def _done(future: Any, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make the call now, and give the future with what came of it."""
    future.set_running_or_notify_cancel()
    try:
        future.set_result(call(*args, **kwargs))
    except Exception as error:  # it is the future's, and raised by result()
        future.set_exception(error)
    return future


def executors(room: Room) -> dict[str, Any]:
    """The replaced names of concurrent.futures."""
    from concurrent import futures
    from concurrent.futures.thread import BrokenThreadPool

    of_threads = vars(room.facades.import_module("threading"))
    Future = waits.waiting(futures.Future, of_threads["Condition"], "_condition")

    class ThreadPoolExecutor:
        def __init__(
            self,
            max_workers: int | None = None,
            thread_name_prefix: str = "",
            initializer: Callable[..., Any] | None = None,
            initargs: tuple[Any, ...] = (),
        ) -> None:
            if max_workers is not None and max_workers <= 0:
                raise ValueError("max_workers must be greater than 0")
            if initializer is not None and not callable(initializer):
                raise TypeError("initializer must be a callable")
            self._closed, self._first = False, None if initializer is None else (initializer, initargs)

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            if self._first is not None:  # there is one thread, which begins now
                initializer, initargs = self._first
                try:
                    initializer(*initargs)
                except Exception as error:
                    broken = "A thread initializer failed, the thread pool is not usable anymore"
                    raise BrokenThreadPool(broken) from error
                self._first = None
            return _done(Future(), fn, args, kwargs)

        def map(
            self, fn: Callable[..., Any], *iterables: Any, timeout: Any = None, chunksize: int = 1
        ) -> Iterator[Any]:
            side_by_side = getattr(type(fn), "map", None) if type(fn).__name__ == "Tool" else None
            if side_by_side is not None:
                return iter(side_by_side(fn, *iterables))
            futures = [self.submit(fn, *args) for args in zip(*iterables, strict=False)]
            return (future.result() for future in futures)

        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            self._closed = True

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *details: Any) -> None:
            self.shutdown()

    ThreadPoolExecutor.__module__, ThreadPoolExecutor.__qualname__ = "concurrent.futures.thread", "ThreadPoolExecutor"
    return {
        **_waits_for_futures(room),
        "Future": Future,
        "ThreadPoolExecutor": ThreadPoolExecutor,
        "Executor": ThreadPoolExecutor,
    }
