"""The replaced parts of asyncio."""

from __future__ import annotations

import contextvars
import functools
import inspect
import sys
import weakref
from collections.abc import Callable
from typing import Any

from codeact.snippet import held_subjects, ownership, running, types_
from codeact.snippet.data_objects import SimpleNamespace
from codeact.snippet.modules import decimals, waits
from codeact.snippet.modules.row import Room
from codeact.snippet.patches import patch
from codeact.snippet.words import words

_OF_LOOPS = words(
    "call_soon call_soon_threadsafe call_later call_at create_future create_task is_running is_closed time"
)
_POOL = "executor"  # of loops


def coroutines(room: Room) -> dict[str, Any]:
    """The replaced names of asyncio."""
    import asyncio

    _keep_loops()
    decimals.guard()  # a task tells of its variables

    async def to_thread(func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return await _in_a_thread(None, contextvars.copy_context().run, functools.partial(func, *args, **kwargs))

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
            prepare(runner.get_loop())
            return runner.run(main)

    def run_coroutine_threadsafe(coro: Any, loop: Any) -> Any:
        if not asyncio.iscoroutine(coro):
            raise TypeError("A coroutine object is required")
        future = vars(room.facades.import_module("concurrent.futures"))["Future"]()

        def begin() -> None:
            asyncio.futures._chain_future(asyncio.ensure_future(coro), future)  # type: ignore[attr-defined]  # typeshed hides it

        loop.call_soon_threadsafe(begin)
        return future

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
        "run_coroutine_threadsafe": run_coroutine_threadsafe,
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


def prepare(loop: Any) -> None:
    """Let a loop write nothing to the host, and let threads go on while it waits."""
    select, room = loop._selector.select, running.room()

    def select_in_turn(timeout: float | None = None) -> Any:
        turns = room.settings.get(waits.TURNS)
        return select(timeout) if turns is None else turns.select(select, timeout, lambda: loop._ready)

    loop.set_exception_handler(unheard)
    loop._selector.select = select_in_turn


def _in_a_thread(executor: Any, func: Callable[..., Any], *args: Any) -> Any:
    """A future of the running loop for what a function gives that works in a thread of the pool, or of another one."""
    import asyncio

    room = running.room()
    if executor is None:
        executor = room.settings.get(_POOL)
    if executor is None:
        pool = vars(room.facades.import_module("concurrent.futures"))["ThreadPoolExecutor"]
        executor = room.settings[_POOL] = pool(thread_name_prefix="asyncio")
    return asyncio.wrap_future(executor.submit(func, *args))


def unheard(loop: Any, context: dict[str, Any]) -> None:
    """Lose an exception that no task waits for: a loop would write it to the standard error of the host."""


def loop_of(loop: Any) -> Any:
    """What a snippet may do with an event loop."""

    given_names = words(
        "call_soon call_soon_threadsafe call_later call_at create_future create_task is_running is_closed time"
    )
    given = {word: getattr(loop, word) for word in given_names}
    return SimpleNamespace(**given, run_in_executor=_in_a_thread)
