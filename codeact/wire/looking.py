"""Whether to look for a message a while before sleeping for it: whichever way has taken less time lately.

To be woken takes longer than an answer does where two processes run on two cores, and looking drives them apart where
one core for both would be the quickest. Which of the two it is depends on the machine and on what else it does.
"""

from __future__ import annotations

_TRIED = 64  # messages waited for in one way, and then in the other
_KEPT = 1_024  # in the way that took less time, until both are tried again
_LATER = 3 * _TRIED  # who begins by looking tries after the other side has: else each would measure the other's change
_LONG_SECONDS = 100e-6  # whoever is waited for longer is not quicker for being looked for
_GAIN = 0.9  # of the time sleeping takes: looking keeps a core busy, so it has to take less than that


class Looking:
    """How one side waits for what is about to come; it begins by looking, or by sleeping."""

    __slots__ = ("_seconds", "_spent", "_tried", "kept", "looks")

    def __init__(self, *, looks: bool) -> None:
        self.looks = looks
        self.kept = _LATER if looks else 0  # messages to be waited for without being told how long it took
        self._tried, self._spent = 0, 0.0
        self._seconds: dict[bool, float] = {}  # what the trial of each way has taken

    def took(self, seconds: float) -> None:
        """Hear how long a message was waited for."""
        self._spent += min(seconds, _LONG_SECONDS)
        self._tried += 1
        if self._tried < _TRIED:
            return
        self._seconds[self.looks] = self._spent
        self._tried, self._spent = 0, 0.0
        if len(self._seconds) == 1:
            self.looks = not self.looks
            return
        self.looks = self._seconds[True] < self._seconds[False] * _GAIN
        self.kept = _KEPT
        self._seconds.clear()
