"""The replaced parts of asyncio."""

from __future__ import annotations

import contextvars
import functools
import inspect
import re
import sys
import weakref
from collections.abc import Callable
from typing import Any

from codeact.snippet import held_subjects, ownership, running, types_
from codeact.snippet.data_objects import SimpleNamespace
from codeact.snippet.modules import decimals, loops
from codeact.snippet.modules.row import Room
from codeact.snippet.patches import patch

#: Where the code of a coroutine of a library is, at the end of what tells of it.
_PLACE = re.compile(r"(?:, defined)? at /[^\n]*:\d+\Z")


def coroutines(room: Room) -> dict[str, Any]:
    """The replaced names of asyncio."""
    import asyncio

    _keep_loops()
    decimals.guard()  # a task tells of its variables

    async def to_thread(func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return await loops.in_a_thread(None, contextvars.copy_context().run, functools.partial(func, *args, **kwargs))

    def run(main: Any, *, debug: bool | None = None, loop_factory: None = None) -> Any:
        if asyncio._get_running_loop() is not None:
            raise RuntimeError("asyncio.run() cannot be called from a running event loop")
        if not asyncio.iscoroutine(main):
            if sys.version_info < (3, 14):
                raise ValueError(f"a coroutine was expected, got {main!r}")
            if not inspect.isawaitable(main):
                raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")
        with asyncio.Runner(loop_factory=loops.make) as runner:
            return runner.run(main)

    def run_coroutine_threadsafe(coro: Any, loop: Any) -> Any:
        if not asyncio.iscoroutine(coro):
            raise TypeError("A coroutine object is required")
        future = vars(room.facades.import_module("concurrent.futures"))["Future"]()

        def begin() -> None:
            asyncio.futures._chain_future(asyncio.ensure_future(coro), future)  # type: ignore[attr-defined]  # typeshed hides it

        loop.call_soon_threadsafe(begin)
        return future

    return {
        **_futures(),
        **_tasks(),
        "as_completed": _as_completed(),
        **loops.loops(),
        "run": run,
        "to_thread": to_thread,
        "run_coroutine_threadsafe": run_coroutine_threadsafe,
    }


def _as_completed() -> Any:
    """What begins what it is given in the order in which it stands there: asyncio puts it in a set first."""
    import asyncio

    def begun(fs: Any) -> Any:
        if asyncio.isfuture(fs) or asyncio.iscoroutine(fs):
            return fs
        return [asyncio.ensure_future(one) for one in dict.fromkeys(fs)]

    def in_turn(fs: Any, *, timeout: float | None = None) -> Any:
        yield from asyncio.as_completed(begun(fs), timeout=timeout)

    def also_asynchronously(fs: Any, *, timeout: float | None = None) -> Any:
        return asyncio.as_completed(begun(fs), timeout=timeout)

    made = in_turn if sys.version_info < (3, 13) else also_asynchronously
    made.__name__ = made.__qualname__ = "as_completed"
    return made


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

    return {real.__name__: standing(real) for real in (asyncio.Future, loops.task_class())}


def _keep_loops() -> None:
    """Let asyncio keep no loop in an object of a snippet's class, whose private names are the snippet's own.

    Nor take one of the snippet's for a loop, which would be told of errors when nothing is bounded any more.
    """
    import asyncio
    from asyncio import coroutines, events, format_helpers, mixins, taskgroups

    patch(mixins._LoopBoundMixin, "_get_loop", _bound_to_loop)
    patch(taskgroups.TaskGroup, "__aenter__", _entered)
    patch(vars(asyncio.tasks)["_GatheringFuture"], "__init__", _of_real_loops)
    types_.shield(events.Handle, events.TimerHandle)
    patch(format_helpers, "_get_function_source", _source_told)
    patch(coroutines, "_format_coroutine", _place_told)


def _of_real_loops(real: Callable[..., Any]) -> Callable[..., Any]:
    def __init__(self: Any, children: Any, *, loop: Any) -> None:
        if running.in_a_snippet() and not loops.is_one(loop):
            raise TypeError(f"a loop is needed, not {type(loop).__name__!r}")
        real(self, children, loop=loop)

    return __init__


def _source_told(real: Callable[..., Any]) -> Callable[..., Any]:
    def _get_function_source(func: Any) -> Any:
        """Where a function is from; not where this machine keeps it."""
        source = real(func)
        return None if source is not None and running.in_a_snippet() and source[0].startswith("/") else source

    return _get_function_source


def _place_told(real: Callable[..., Any]) -> Callable[..., Any]:
    def _format_coroutine(coro: Any) -> str:
        told: str = real(coro)
        return _PLACE.sub("", told) if running.in_a_snippet() else told

    return _format_coroutine


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
        self._loop = SimpleNamespace(
            **vars(loops.seen(asyncio.get_running_loop())), call_exception_handler=lambda _: None
        )
        self._parent_task = asyncio.current_task()
        if self._parent_task is None:
            raise RuntimeError(f"TaskGroup {self!r} cannot determine the parent task")
        self._entered = True
        return self

    return __aenter__
