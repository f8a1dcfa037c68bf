"""Descriptors held while a snippet runs, and let go for the worker's own needs: a snippet may use up all there are."""

from __future__ import annotations

import os

_MOST = 6  # a pipe for the next frozen state, a folder and a file to look at, and some to be sure


class Spare:
    """A few descriptors that are no snippet's."""

    def __init__(self) -> None:
        self._held: list[int] = []

    def hold(self) -> None:
        """Take as many as there are, up to a few."""
        try:
            while len(self._held) < _MOST:
                self._held.append(os.dup(0))
        except OSError:  # code without the language has used them up for good
            return

    def release(self) -> None:
        """Let go of them."""
        for descriptor in self._held:
            try:
                os.close(descriptor)
            except OSError:  # as above
                continue
        self._held.clear()
