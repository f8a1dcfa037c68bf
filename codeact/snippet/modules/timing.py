"""timeit and sched: how long functions take, and when they are called."""

from __future__ import annotations

import sched
import timeit as real
from typing import Any

from codeact.snippet import types_
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules.row import Room
from codeact.snippet.named import kept, named


def timers(room: Room) -> dict[str, Any]:
    """The names of `timeit`: functions are timed, texts are not."""
    default_timer = vars(room.facades.import_module("time"))["perf_counter"]

    def timeit(
        stmt: Any = "pass",
        setup: Any = "pass",
        timer: Any = default_timer,
        number: int = 1_000_000,
        globals: Any = None,  # what texts would see
    ) -> Any:
        _only_functions(stmt, setup)
        if callable(setup):
            setup()
        started = timer()
        for _ in range(number):
            if callable(stmt):
                stmt()
        return timer() - started

    def repeat(
        stmt: Any = "pass",
        setup: Any = "pass",
        timer: Any = default_timer,
        repeat: int = 5,
        number: int = 1_000_000,
        **seen: Any,
    ) -> list[Any]:
        return [timeit(stmt, setup, timer, number) for _ in range(repeat)]

    class Timer:
        def __init__(self, stmt: Any = "pass", setup: Any = "pass", timer: Any = default_timer, **seen: Any) -> None:
            _only_functions(stmt, setup)
            self._given = stmt, setup, timer

        def timeit(self, number: int = 1_000_000) -> Any:
            return timeit(*self._given, number)

        def repeat(self, repeat: int = 5, number: int = 1_000_000) -> list[Any]:
            return [self.timeit(number) for _ in range(repeat)]

    types_.present(Timer, real.Timer)
    return {"default_timer": default_timer, "timeit": timeit, "repeat": repeat, "Timer": Timer}


def _only_functions(*given: Any) -> None:
    for one in given:
        if not callable(one) and one != "pass":
            raise CallRefused("timeit times functions inside a snippet: timeit.timeit(lambda: f(x), number=100)")


def schedulers(room: Room) -> dict[str, Any]:
    """The replaced name of sched."""
    clock = vars(room.facades.import_module("time"))

    class scheduler(sched.scheduler):  # its name in sched
        def __init__(self, timefunc: Any = clock["monotonic"], delayfunc: Any = clock["sleep"]) -> None:
            super().__init__(timefunc, delayfunc)

        def enterabs(self, time: Any, priority: Any, action: Any, argument: Any = (), kwargs: Any = None) -> Any:
            """Enter what is called later; nobody changes the names of its arguments until then."""
            names = {} if kwargs is None else dict(named(kwargs))
            return super().enterabs(time, priority, action, argument, kept(names))

        def enter(self, delay: Any, priority: Any, action: Any, argument: Any = (), kwargs: Any = None) -> Any:
            """The same, after so much time."""
            return self.enterabs(self.timefunc() + delay, priority, action, argument, kwargs)

    types_.hide(scheduler, sched.scheduler)
    return {"scheduler": scheduler}
