"""One page of memory between a session and its zygote, in which the session says which of its processes is which.

The zygote believes a number only where the kernel says that process is one of the session's own.
"""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
from collections.abc import Sequence

from codeact.worker import kernel

# Whole numbers: whether those of processes are about to change, how many there are, whether there are copies, the first
# call of the step that runs, in two; they.
_SETTLED, _COUNT, _COPIED, _LOW, _HIGH, _FIRST = range(6)
_NUMBERS = mmap.PAGESIZE // 4
_MOST = _NUMBERS - _FIRST
_WORD = 0xFFFFFFFF
# Reading beyond the end of one that a session has cut off would end the zygote.
_LENGTH_IS_FIXED = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


def page_file() -> int:
    """A descriptor of a new page, to be handed to a session."""
    made = os.memfd_create("codeact-page", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(made, mmap.PAGESIZE)
    fcntl.fcntl(made, fcntl.F_ADD_SEALS, _LENGTH_IS_FIXED)
    return made


class Page:
    """The numbers of a session's processes: who runs the steps, then the frozen states."""

    def __init__(self, descriptor: int = -1) -> None:
        """Map a new page, or the one behind a descriptor (which may be closed afterwards)."""
        self._address = kernel.map_shared_page(descriptor)
        held = (ctypes.c_uint32 * _NUMBERS).from_address(self._address)
        self._numbers = memoryview(held).cast("B").cast("I")

    def write(self, pids: Sequence[int]) -> None:
        """Say which processes there are; the running one comes first."""
        numbers, count = self._numbers, min(len(pids), _MOST)
        for place in range(count):
            numbers[_FIRST + place] = pids[place]
        numbers[_COUNT] = count
        numbers[_SETTLED] = 1

    def unsettle(self) -> None:
        """Say that the states are about to change, until `write` says which there are."""
        self._numbers[_SETTLED] = 0

    @property
    def settled(self) -> bool:
        """Whether what stands here is not about to change."""
        return self._numbers[_SETTLED] != 0

    def read(self) -> list[int]:
        """What the session last said; anything can stand here."""
        count = min(self._numbers[_COUNT], _MOST)
        return [number for number in self._numbers[_FIRST : _FIRST + count].tolist() if 1 < number < 1 << 31]

    def note_step(self, first_call: int) -> None:
        """Say that a step has begun: the state to go back to, where there is to be one, is frozen."""
        self._numbers[_LOW], self._numbers[_HIGH] = first_call & _WORD, first_call >> 32 & _WORD

    @property
    def step(self) -> int:
        """The first call of the step that has begun last; anything can stand here."""
        return self._numbers[_HIGH] << 32 | self._numbers[_LOW]

    def tell_of_copies(self) -> None:
        """Say that the session has been copied, to the states that were frozen before it was as well."""
        self._numbers[_COPIED] = 1

    @property
    def has_copies(self) -> bool:
        """Whether the session has been copied, or is a copy."""
        return self._numbers[_COPIED] != 0

    def keep(self) -> None:
        """Have it in this process and those forked before alone: it is no other session's."""
        kernel.call("madvise", self._address, mmap.PAGESIZE, mmap.MADV_DONTFORK)

    def unmap(self) -> None:
        """Let go of the page; nothing else is to be done with it then."""
        if self._address:
            self._numbers.release()
            kernel.unmap_page(self._address)
            self._address = 0
