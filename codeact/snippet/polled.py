"""What loops draw from that may wait for another thread: every so many operations the others go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import compress, repeat

#: Draws of a loop between two questions whether it is time for the others.
_PORTION = 100

_TURN = 10_000  # operations between two turns
_SECONDS = 1e-7  # what threads see pass for an operation: about what one takes


class Polled:
    """A stream of draws, of which each loop takes portions; between two of them it may `look` after the others.

    Whether it is time is told by what the step has `used`, and by nothing that differs from run to run.
    """

    def __init__(self, stream: Iterator[bool], used: Callable[[], int]) -> None:
        self._stream, self._used, self._last = stream, used, 0
        self.look: Callable[[float], object] = float

    def __iter__(self) -> Iterator[bool]:
        while True:
            yield from compress(repeat(True, _PORTION), self._stream)
            self._ask()

    def _ask(self) -> None:
        passed = self._used() - self._last
        if passed < 0:  # it is another step's
            self._last = 0
        elif passed >= _TURN:
            self._last += passed
            self.look(passed * _SECONDS)
