"""One page of memory between a session and its zygote, in which the session says which of its processes is which.

The zygote believes a number only where the kernel says that process is one of the session's own.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Sequence

from codeact.worker import kernel

# Three whole numbers, then those of processes: whether they are about to change, how many, whether there are copies.
_COUNT, _COPIED, _NUMBERS = 4, 8, 12
_MOST = (mmap.PAGESIZE - _NUMBERS) // 4


class Page:
    """The numbers of a session's processes: who runs the steps, then the frozen states."""

    def __init__(self, descriptor: int = -1) -> None:
        """Map a new page, or the one behind a descriptor (which may be closed afterwards)."""
        self._address = kernel.map_shared_page(descriptor)

    def write(self, pids: Sequence[int]) -> None:
        """Say which processes there are; the running one comes first."""
        numbers = pids[:_MOST]
        packed = struct.pack(f"{len(numbers)}I", *numbers)
        ctypes.memmove(self._address + _NUMBERS, packed, len(packed))
        ctypes.memmove(self._address, struct.pack("2I", 1, len(numbers)), _COPIED)

    def unsettle(self) -> None:
        """Say that the states are about to change, until `write` says which there are."""
        ctypes.memmove(self._address, bytes(4), 4)

    @property
    def settled(self) -> bool:
        """Whether what stands here is not about to change."""
        return ctypes.string_at(self._address, 4) != bytes(4)

    def read(self) -> list[int]:
        """What the session last said; anything can stand here."""
        raw = ctypes.string_at(self._address, mmap.PAGESIZE)
        count = min(struct.unpack_from("I", raw, _COUNT)[0], _MOST)
        return [number for number in struct.unpack_from(f"{count}I", raw, _NUMBERS) if 1 < number < 1 << 31]

    def tell_of_copies(self) -> None:
        """Say that the session has been copied, to the states that were frozen before it was as well."""
        ctypes.memmove(self._address + _COPIED, b"\1", 1)

    @property
    def has_copies(self) -> bool:
        """Whether the session has been copied, or is a copy."""
        return ctypes.string_at(self._address + _COPIED, 1) == b"\1"

    def unmap(self) -> None:
        """Let go of the page."""
        if self._address:
            kernel.unmap_page(self._address)
            self._address = 0
