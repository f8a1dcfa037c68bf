"""What is held while a snippet runs, and let go for the worker's own needs: a snippet may use up all there is."""

from __future__ import annotations

import mmap
import os
import sys
from contextlib import suppress

from codeact.records import Failure
from codeact.snippet.explain import NO_MEMORY

FULL = Failure("limit", "MemoryError", NO_MEMORY, hint="let go of variables and files that are not needed any more")
FULL_FOLDER = Failure(
    "limit",
    "LimitReached",
    "the step wrote more into the working folder than there is memory left to remember it by",
    hint="write less, or raise Limits(memory_bytes=…)",
)
_DESCRIPTORS = 6  # a pipe for the next frozen state, a folder and a file to look at, and some to be sure
_BYTES = 8 << 20  # to say how a step has failed, and send it
_LEAST_BYTES = 128 << 10  # of a part of it; the heap of the C library grows by as much
# Where the variables leave less than this, a step may read them and adds no more than a few objects to them; where they
# leave less than half of it, next to none. Else the last of it went bit by bit, and the process died between two steps.
_SCARCE_BYTES = 4 << 20
_FEW_OBJECTS, _FEWER_OBJECTS = 500, 100
_ARENA_BYTES = 1 << 20  # Python takes memory for small objects by so much, and what a step reads with stays in one


class Spare:
    """A few descriptors, and some memory, that are no snippet's."""

    def __init__(self) -> None:
        self._descriptors: list[int] = []
        self._memory: list[mmap.mmap] = []
        self._bytes = 0  # of that
        self._most = _BYTES  # that are to be held
        self._more = 0  # objects than before the step, where it began with little
        self._began = _BYTES, 0  # with how much of it the step began, and where that was not all, with how many objects

    def hold(self, *, lends: bool) -> None:
        """Take as much as there is, up to a little; next to none of the memory where it `lends` that to the step.

        So it does where a step is lived again: another process may need more for the same, and when it was lived first,
        what was before it may have left no more than a part of the memory.
        """
        with suppress(OSError):  # code without the language has used them up for good
            while len(self._descriptors) < _DESCRIPTORS:
                self._descriptors.append(os.dup(0))
        self._most = _LEAST_BYTES if lends else _BYTES
        self.hold_memory()
        self._began = self._bytes, sys.getallocatedblocks() if self._bytes < _BYTES else 0

    def hold_memory(self) -> None:
        """Take the memory anew, in parts where it is not all there: counted, and never filled."""
        if self._bytes == self._most:
            return
        self.release_memory()
        size = self._most
        while self._bytes < self._most and size >= _LEAST_BYTES:
            try:
                self._memory.append(mmap.mmap(-1, size, mmap.MAP_PRIVATE))
                self._bytes += size
            except OSError:  # what earlier steps left takes all there is
                size >>= 1

    def is_eaten(self) -> bool:
        """Take the memory anew after a step; whether too little of it is left for what comes between steps.

        A step that it was lent to left enough when it was lived first.
        """
        self.hold_memory()
        if self._most < _BYTES:
            return False
        had, _ = self._began
        if max(had, self._bytes) >= _SCARCE_BYTES:
            return self._bytes < _SCARCE_BYTES >> 1
        few, most = (_FEW_OBJECTS, _ARENA_BYTES) if had >= _SCARCE_BYTES >> 1 else (_FEWER_OBJECTS, 0)
        return had - self._bytes > most or self._more > few

    def release(self) -> None:
        """Let go of the descriptors, and see how many objects more there are, before the worker makes its own."""
        had, objects = self._began
        self._more = sys.getallocatedblocks() - objects if had < _BYTES else 0
        for descriptor in self._descriptors:
            try:
                os.close(descriptor)
            except OSError:  # code without the language has closed it
                continue
        self._descriptors.clear()

    def release_memory(self) -> bool:
        """Let go of the memory where it is needed, as to take it anew costs microseconds; whether there was any."""
        held, self._bytes = self._bytes > 0, 0
        self._memory.clear()
        return held
