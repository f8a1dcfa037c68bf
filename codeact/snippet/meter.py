"""Counts the operations of a step in C code, and ends the step where they are spent.

Each kind of operation has a tap: a C-level iterator that gives `True` as often as the step may still pay for one.
A rewritten snippet draws from it without running a line of Python:

    for x in compress(it, loops): …      one draw for each iteration
    for _ in loops: …                    the same for `while`
    next(calls)                          one draw at the entry of a function

A tap is filled in portions of a few thousand, so that the step's budget is one for all kinds, and so that a generator
which outlives its step goes on drawing from the budget of the step that resumes it. Spent, a tap raises the ending of
the step from within the draw, and goes on raising it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, repeat
from operator import length_hint
from typing import NoReturn, TypedDict

from codeact.snippet.endings import Answered, Ending, LimitReached, StepOver
from codeact.snippet.polled import Polled
from codeact.snippet.rules import ENDING, OVER, POLLS

#: Draws handed to a tap at once: refilling then costs 0.1 ns for each, and starting a step some microseconds.
PORTION = 4096

_QUEUED = object()
_OVER = StepOver("the step is over")  # never raised itself: what is raised keeps the frames it came through


class Stream(chain[bool]):
    """One that is ours: a deep copy of what draws from it draws from the same."""

    __slots__ = ()


class Tap:
    """One kind of operation: `stream` gives `True` for each, and raises the step's ending when none is left.

    The stream is a chain of portions, each followed by a call of `more`, which queues the next portion and ends, or
    raises. What raises stays in place and is asked again with the next draw. Only a list's iterator feeds the chain:
    had it been a function that can raise, be it a RecursionError, the chain would have ended with it for good.
    """

    __slots__ = ("_more", "granted", "portion", "queue", "stream")

    def __init__(self, more: Callable[[Tap], object]) -> None:
        self._more = partial(more, self)
        self.portion = repeat(True, 0)
        self.granted = 0
        self.queue: list[Iterator[bool] | None] = [self.portion, self.after()]
        self.stream: Iterator[bool] = Stream.from_iterable(iter(self.queue))  # type: ignore[arg-type]  # None is behind it

    def after(self) -> Iterator[bool]:
        """What follows a portion."""
        return iter(self._more, _QUEUED)  # type: ignore[arg-type]  # it ends or raises

    @property
    def drawn(self) -> int:
        """How many draws the step has made."""
        return self.granted - length_hint(self.portion)


class Counts(TypedDict):
    """Operations by kind."""

    loops: int
    calls: int
    elements: int


class Meter:
    """The budget of one session's steps, shared by three kinds of operation."""

    def __init__(self) -> None:
        self.loops, self.calls, self.elements = Tap(self._more), Tap(self._more), Tap(self._more)
        self._taps = (self.loops, self.calls, self.elements)
        self._limit = self._pool = self._kept = 0
        self.ending: Ending | None = None
        self._finished = True
        self._told: list[dict[str, object]] = []
        self._polled = Polled(self.loops.stream, lambda: self._used)

    def tell(self, names: dict[str, object]) -> None:
        """Keep two of our hooks among a namespace's builtins up to date.

        `over` is true once the step is over. `ending` is the class of what no handler may catch: while a step runs the
        endings of steps, once it is over every exception.
        """
        self._told.append(names)
        names[OVER], names[ENDING] = True, BaseException

    def begin(self, operations: int) -> None:
        """Start a step that may use `operations`."""
        self._settle()
        self._limit, self._pool, self._kept = operations, operations, 0
        self.ending, self._finished = None, False
        for names in self._told:
            names[OVER], names[ENDING] = False, Ending

    def finish(self) -> None:
        """End the step: from here on every draw raises."""
        self._finished = True
        if self.ending is None:
            self.ending = _OVER
        self._close()

    def _settle(self) -> None:
        self._reclaim()
        for tap in self._taps:
            tap.granted = 0

    def _close(self) -> None:
        self._kept, self._pool = self._kept + self._pool, 0  # so that `charge` has one question to ask
        for names in self._told:
            names[OVER], names[ENDING] = True, BaseException

    def counts(self) -> Counts:
        """What the step has used of each kind."""
        loops, calls, elements = self._taps
        bulk = self._limit - self._pool - self._kept - loops.granted - calls.granted - elements.granted
        return {"loops": loops.drawn, "calls": calls.drawn, "elements": elements.drawn + bulk}

    @property
    def _used(self) -> int:
        return self._limit - self._pool - self._kept - sum([length_hint(tap.portion) for tap in self._taps])

    def interrupt(self, look: Callable[[float], object] | None) -> None:
        """Let loops that may wait for another thread `look` now and then, told the seconds since; None: they go on."""
        if look is not None:
            self._polled.look = look
        for names in self._told:
            names[POLLS] = self.loops.stream if look is None else self._polled

    def charge(self, elements: int) -> None:
        """Charge elements that are consumed without a draw for each, before they are."""
        if elements > self._pool:
            if self.ending is not None:
                self.again()
            self._reclaim()
            if elements > self._pool:
                self._spent()
        if elements > 0:
            self._pool -= elements

    def _more(self, tap: Tap) -> object:
        if self.ending is not None:
            self.again()
        if self._pool < PORTION:
            self._reclaim()
            if self._pool == 0:
                self._spent()
        amount = min(PORTION, max(1, self._pool // 2))
        portion, after = repeat(True, amount), tap.after()
        # from here on no call, so that a RecursionError cannot part what belongs together
        self._pool -= amount
        tap.granted += amount
        tap.queue[-2:] = (None, None, portion, after)
        tap.portion = portion
        return _QUEUED

    def _reclaim(self) -> None:
        for tap in self._taps:
            if not tap.granted:
                continue
            left = length_hint(tap.portion)
            all(tap.portion)
            tap.granted -= left
            self._pool += left

    def _spent(self) -> NoReturn:
        used = f"the step used its {self._limit:,} operations (loop iterations, calls and elements)"
        raise self.end(LimitReached(f"{used}: do less in one step; the user can allow more with Limits(operations=…)"))

    def end(self, ending: Ending) -> Ending:
        """The first ending of the step: the given one, or that which came before it."""
        if self._finished:
            return StepOver(*_OVER.args)
        if self.ending is None:
            self.ending = ending
            self._reclaim()
            self._close()
        return self.ending

    def refuse_between_steps(self) -> None:
        """Raise where no step runs."""
        if self._finished:
            self.again()

    def again(self) -> NoReturn:
        """Raise the step's ending once more: something tried to go on after it."""
        ending = _OVER if self._finished or self.ending is None else self.ending
        raise type(ending)(*ending.args)  # a new one: the first keeps the place where it came up

    def answer(self, value: object) -> NoReturn:
        """What `final_answer` does: end the step with its answer; the first answer counts."""
        raise self.end(Answered(value))
