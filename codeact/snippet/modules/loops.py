"""Event loops of a snippet: they wait without a descriptor of their own, and let threads go on meanwhile.

A session keeps one from step to step as it keeps all else, and a copy of the session shares nothing with it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet import running, types_
from codeact.snippet.data_objects import SimpleNamespace
from codeact.snippet.modules import serials, waits
from codeact.snippet.modules.row import named
from codeact.snippet.words import words

_GIVEN = words(
    """
    call_soon call_soon_threadsafe call_later call_at create_future create_task is_running is_closed time close stop
    run_forever run_until_complete shutdown_asyncgens
    """
)
_BUSY_PASSES = 8  # a loop that has more to do looks for answers after so many: each look is a message there and back
_POOL = "executor"  # of loops


def make() -> Any:
    """A loop of the snippet that runs."""
    return _class()()


def seen(loop: Any) -> Any:
    """What a snippet may do with a loop; the same each time."""
    return loop.seen


def leave() -> Any:
    """Let no loop run while other threads do; `go_on` takes what this gives."""
    events: Any = sys.modules.get("asyncio.events")
    loop = None if events is None else events._get_running_loop()
    if loop is None:
        return None
    left = loop, sys.get_asyncgen_hooks()
    _run(None, (None, None))
    return left


def go_on(left: Any) -> None:
    """Let the loop run again that was left."""
    if left is not None:
        _run(*left)


def _run(loop: Any, hooks: Any) -> None:
    sys.modules["asyncio.events"]._set_running_loop(loop)
    sys.set_asyncgen_hooks(*hooks)


def is_one(loop: Any) -> bool:
    """True for a loop of a snippet's, as it is behind what the snippet sees."""
    return type(loop) is _class()


def _unheard(loop: Any, context: dict[str, Any]) -> None:
    """Lose an exception that no task waits for: a loop would write it to the standard error of the host."""


@functools.cache
def _selector_class() -> Any:
    import selectors

    class Selector(selectors.PollSelector):
        loop: Any = None
        _passes = 0  # in a row, in which the loop had more to do, with calls under way

        def select(self, timeout: float | None = None) -> Any:
            room = running.room()
            settings = {} if room is None else room.settings
            answers, turns = settings.get(waits.ANSWERS), settings.get(waits.TURNS)
            wait = functools.partial(self._select, answers, settings.get(waits.CLOCK))
            if turns is None:
                found = wait(timeout)
            else:
                hears = answers is not None and answers.are_awaited(self.loop)
                found = turns.select(wait, timeout, lambda: bool(self.loop._ready), hears)
            self.loop.is_woken = True
            return found

        def _select(self, answers: Any, clock: Any, timeout: float | None) -> Any:
            """Take in one answer at the most, and at moments that tell nothing of how quick the machine is."""
            are_due = answers is not None and answers.are_due
            if timeout == 0:
                if are_due:
                    self._look(answers)
            elif are_due:
                self._passes = 0
                if not answers.take(timeout) and clock is not None:
                    clock.pass_by(timeout)
            elif clock is not None and timeout is not None:
                clock.pass_by(timeout)
            else:
                return super().select(timeout)
            return []

        def _look(self, answers: Any) -> None:
            self._passes += 1
            if self._passes > _BUSY_PASSES and not answers.take_ready():
                self._passes = 0

    return Selector


@functools.cache
def _class() -> Any:
    from asyncio.selector_events import BaseSelectorEventLoop

    class Loop(BaseSelectorEventLoop):
        is_woken = False  # and asks for the time itself, to see which timers are due

        def __init__(self) -> None:
            super().__init__(selector := _selector_class()())
            selector.loop = self
            self.set_exception_handler(_unheard)
            given = {word: getattr(self, word) for word in _GIVEN}
            self.seen = SimpleNamespace(**given, run_in_executor=in_a_thread, shutdown_default_executor=_shut_down)

        def create_task(self, coro: Any, **settings: Any) -> Any:
            self._check_closed()  # type: ignore[attr-defined]  # typeshed hides it
            return task_class()(coro, loop=self, **settings)

        def time(self) -> float:
            woken, self.is_woken = self.is_woken, False
            if woken and not self._scheduled:  # type: ignore[attr-defined]  # typeshed hides it
                return 0.0  # there are none: no reading is spent on that
            room = running.room()
            return super().time() if room is None else waits.monotonic(room)

        def set_debug(self, enabled: bool) -> None:
            self._debug = False  # it would tell where this machine keeps what

        # What tells a loop of another thread: those of a snippet take turns.
        def _make_self_pipe(self) -> None:
            pass

        _close_self_pipe = _write_to_self = _make_self_pipe

    return Loop


@functools.cache
def task_class() -> Any:
    """The class of the tasks of these loops."""
    import asyncio

    return serials.in_order(asyncio.Task)


async def _shut_down(timeout: float | None = None) -> None:
    """End the threads of a loop: the session's are ended with it."""


def in_a_thread(executor: Any, func: Callable[..., Any], *args: Any) -> Any:
    """A future of the running loop for what a function gives that works in a thread of the pool, or of another one."""
    import asyncio

    room = running.room()
    if executor is None:
        executor = room.settings.get(_POOL)
    if executor is None:
        pool = vars(room.facades.import_module("concurrent.futures"))["ThreadPoolExecutor"]
        executor = room.settings[_POOL] = pool(thread_name_prefix="asyncio")
    return asyncio.wrap_future(executor.submit(func, *args))


def loops() -> dict[str, Any]:
    """The replaced names of asyncio that are about loops, and what runs them."""
    import asyncio

    chosen: list[Any] = []  # by set_event_loop

    def get_running_loop() -> Any:
        return seen(asyncio.get_running_loop())

    def new_event_loop() -> Any:
        return seen(make())

    def set_event_loop(loop: Any) -> None:
        real = getattr(vars(loop).get("is_closed"), "__self__", None) if type(loop) is SimpleNamespace else None
        if loop is not None and not is_one(real):
            raise TypeError(f"a loop is needed, not {type(loop).__name__!r}")
        chosen[:] = [] if real is None else [real]
        asyncio.set_event_loop(real)  # of this thread: asyncio.gather looks for it there

    def get_event_loop() -> Any:
        if asyncio._get_running_loop() is not None:
            return get_running_loop()
        if not chosen:
            set_event_loop(new_event_loop())
        return seen(chosen[0])

    class Runner:
        def __init__(self, *, debug: bool | None = None, loop_factory: None = None) -> None:
            real = asyncio.Runner(loop_factory=make)
            # A class built on this one is told what is kept here: what a snippet may do with it alone.
            self._runner = SimpleNamespace(run=real.run, close=real.close, get_loop=lambda: seen(real.get_loop()))

        def __enter__(self) -> Any:
            self._runner.get_loop()
            return self

        def __exit__(self, *details: object) -> None:
            self.close()

        def close(self) -> None:
            self._runner.close()

        def run(self, coro: Any, *, context: Any = None) -> Any:
            return self._runner.run(coro, context=context)

    types_.hide(Runner, asyncio.Runner)
    return {**named(get_running_loop, new_event_loop, set_event_loop, get_event_loop), "Runner": Runner}
