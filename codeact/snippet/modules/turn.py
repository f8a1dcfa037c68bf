"""One of those who take turns, and what it waits for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

import greenlet


def always() -> bool:
    """So at any time."""
    return True


def never() -> bool:
    """So at no time."""
    return False


class Turn:
    """One who takes turns: the step itself, or a thread."""

    __slots__ = ("at_end", "calls", "daemon", "due", "gives_up", "hears", "looks", "ready", "stack", "thread", "until")

    def __init__(self, thread: Any = None, daemon: bool = True) -> None:
        self.thread, self.daemon, self.stack = thread, daemon, greenlet.getcurrent()
        self.at_end: WeakSet[Any] | None = None  # what is to `forget` it then
        self.wait_for(always)

    def wait_for(  # noqa: PLR0913  # what can be said of a wait
        self,
        ready: Callable[[], bool],
        due: float | None = None,
        until: float = 0.0,
        *,
        calls: bool = False,
        looks: bool = False,
        gives_up: bool = False,
    ) -> None:
        """Note what has to be so before it goes on: `due` at the latest, which for the machine is `until`.

        One that waits for a tool `calls`; one that `looks` goes on when there is no other to.
        """
        self.ready, self.due, self.until = ready, due, until
        self.calls, self.looks, self.gives_up = calls, looks, gives_up
        self.hears: int | None = None  # from where comes what lets it go on before


def due_of(turn: Turn) -> float:
    """When a turn goes on at the latest."""
    return math.inf if turn.due is None else turn.due
