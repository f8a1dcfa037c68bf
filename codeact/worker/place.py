"""Where a session's steps run, and who is told of them."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec


def _nothing(step: int) -> None:
    """Who kills a step need not be told which it is."""


class Place(msgspec.Struct, frozen=True):
    """Where steps run: their folder, what counts their processor seconds, what is told each one's first call.

    Without `mounts` what was handed in can be moved and changed.
    """

    folder: str = "."
    clock: Callable[[], float] = time.process_time
    begin: Callable[[int], object] = _nothing
    mounts: bool = True
