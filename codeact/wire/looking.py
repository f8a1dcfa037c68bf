"""Whether to look for a message a while before sleeping for it: whichever way has taken less time lately.

To be woken takes longer than an answer does where two processes run on two cores, and looking drives them apart where
one core for both would be the quickest. Which of the two it is depends on the machine and on what else it does.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import TypeVar

Received = TypeVar("Received")

_KEPT = 16  # times as many messages as were tried are waited for in the way that took less, then both are tried again
_LATER = 3  # times as many are, before who begins by looking tries: else each side would measure the other's change
_LONGEST_REST = 8  # times as many are slept for, after looking in vain
_GAIN = 0.9  # of the time sleeping takes: looking keeps a core busy, so it has to take less than that


def looked_for(look: Callable[[], Received], sleep: Callable[[], Received], times: int) -> tuple[Received, bool]:
    """Give what comes, and whether `look` has found it, which raises BlockingIOError where nothing is there yet."""
    for _ in range(times):
        try:
            return look(), True
        except BlockingIOError:
            continue
    return sleep(), False


class Looking:
    """How one side waits for what is about to come; it begins by looking, so many `times`, or by sleeping.

    Each way is tried with so many messages. Whoever is waited for longer than `long_seconds` is not quicker for being
    looked for; where that was `in_vain` so often in a row, it is slept for a while, each time for twice as many.
    """

    def __init__(
        self,
        *,
        looks: bool,
        times: int = 20,
        long_seconds: float = 100e-6,
        tries: int = 64,
        in_vain: int = sys.maxsize,
    ) -> None:
        self.looks, self._times, self._long, self._tries = looks, times, long_seconds, tries
        self._in_vain = self._left = in_vain
        self._rest = tries  # from looking in vain
        self.kept: float = _LATER * tries if looks else 0  # messages to be waited for without hearing how long it took
        self._tried, self._spent = 0, 0.0
        self._seconds: dict[bool, float] = {}  # what the trial of each way has taken

    def receive(self, look: Callable[[], Received], sleep: Callable[[], Received]) -> Received:
        """Give what comes, waited for as has taken less time; both are as for `looked_for`."""
        if self.kept:
            self.kept -= 1
            return self._looked_for(look, sleep) if self.looks else sleep()
        began = time.perf_counter()
        received = self._looked_for(look, sleep) if self.looks else sleep()
        if not self.kept:  # else that was once too often in vain
            self.took(time.perf_counter() - began)
        return received

    def _looked_for(self, look: Callable[[], Received], sleep: Callable[[], Received]) -> Received:
        received, found = looked_for(look, sleep, self._times)
        self._left = self._in_vain if found else self._left - 1
        if not self._left:
            self._keep(False, self._rest)
            self._rest = min(2 * self._rest, _LONGEST_REST * self._tries)
        return received

    def _keep(self, looks: bool, kept: int) -> None:
        self.looks, self.kept, self._left = looks, kept, self._in_vain
        self._tried, self._spent = 0, 0.0
        self._seconds.clear()

    def took(self, seconds: float) -> None:
        """Hear how long a message was waited for."""
        self._spent += min(seconds, self._long)
        self._tried += 1
        if self._tried < self._tries:
            return
        self._seconds[self.looks] = self._spent
        self._tried, self._spent = 0, 0.0
        if len(self._seconds) == 1:
            self.looks = not self.looks
            return
        self._rest = self._tries
        self._keep(self._seconds[True] < self._seconds[False] * _GAIN, _KEPT * self._tries)


#: For what is never looked for.
NEVER = Looking(looks=False)
NEVER.kept = math.inf
