"""One page of memory between a session and its zygote, in which the session says which of its processes is which.

The zygote believes a number only where the kernel says that process is one of the session's own.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Sequence

from codeact.worker import kernel

_MOST = mmap.PAGESIZE // 4 - 2


class Page:
    """The numbers of a session's processes: who runs the steps, then the frozen states."""

    def __init__(self, descriptor: int = -1) -> None:
        """Map a new page, or the one behind a descriptor (which may be closed afterwards)."""
        self._address = kernel.map_shared_page(descriptor)

    def write(self, pids: Sequence[int]) -> None:
        """Say which processes there are; the running one comes first."""
        numbers = pids[:_MOST]
        packed = struct.pack(f"2I{len(numbers)}I", 1, len(numbers), *numbers)
        ctypes.memmove(self._address, packed, len(packed))

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
        count = min(struct.unpack_from("I", raw, 4)[0], _MOST)
        return [number for number in struct.unpack_from(f"{count}I", raw, 8) if 1 < number < 1 << 31]

    def unmap(self) -> None:
        """Let go of the page."""
        if self._address:
            kernel.unmap_page(self._address)
            self._address = 0
