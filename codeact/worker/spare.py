"""What is held while a snippet runs, and let go for the worker's own needs: a snippet may use up all there is."""

from __future__ import annotations

import mmap
import os
from contextlib import suppress

_DESCRIPTORS = 6  # a pipe for the next frozen state, a folder and a file to look at, and some to be sure
_BYTES = 8 << 20  # to say how a step has failed, and send it


class Spare:
    """A few descriptors, and some memory, that are no snippet's."""

    def __init__(self) -> None:
        self._descriptors: list[int] = []
        self._memory: mmap.mmap | None = None

    def hold(self) -> None:
        """Take as much as there is, up to a little."""
        with suppress(OSError):  # code without the language has used them up for good
            while len(self._descriptors) < _DESCRIPTORS:
                self._descriptors.append(os.dup(0))
        with suppress(OSError):  # what earlier steps left takes all there is
            self._memory = self._memory or mmap.mmap(-1, _BYTES, mmap.MAP_PRIVATE)  # counted, and never filled

    def release(self) -> None:
        """Let go of the descriptors."""
        for descriptor in self._descriptors:
            try:
                os.close(descriptor)
            except OSError:  # code without the language has closed it
                continue
        self._descriptors.clear()

    def release_memory(self) -> bool:
        """Let go of the memory where it is needed, as to take it anew costs microseconds; whether there was any."""
        held, self._memory = self._memory is not None, None
        return held
