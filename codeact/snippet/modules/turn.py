"""One of those who take turns, and what it waits for."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Any, Protocol
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

    __slots__ = ("at_end", "call", "daemon", "due", "gives_up", "hears", "looks", "ready", "stack", "thread", "until")

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
        call: int = 0,
        hears: bool = False,
        looks: bool = False,
        gives_up: bool = False,
    ) -> None:
        """Note what has to be so before it goes on: `due` at the latest, which for the machine is `until`.

        Or it waits for the answer to the `call` of this number; one that `hears` may be ready by an answer. One that
        `looks` goes on when there is no other to.
        """
        self.ready, self.due, self.until = ready, due, until
        self.call, self.hears, self.looks, self.gives_up = call, hears, looks, gives_up


class Answers(Protocol):
    """Where the answers of tools come in."""

    def take(self, seconds: float | None) -> bool:
        """Take in one that comes within so many seconds, or as late as it does; whether one did."""

    def take_ready(self) -> bool:
        """Take in one that is there; whether one was."""

    def first(self, numbers: Collection[int]) -> int | None:
        """Give the call of these whose answer came first; None where none has."""


def due_of(turn: Turn) -> float:
    """When a turn goes on at the latest."""
    return math.inf if turn.due is None else turn.due
