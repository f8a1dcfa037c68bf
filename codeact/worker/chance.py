"""What a session would draw from the machine's entropy comes from its seed, and repeats where the session is resumed.

`os.urandom` is the source of `uuid4`, `secrets`, `random.Random()` and `numpy.random.default_rng()`. The zygote puts
the one below in its place; until a session has a seed, it is the machine's.
"""

from __future__ import annotations

import hashlib
import os
import random
from typing import Any


class _Stream:
    """Bytes drawn from a seed: the hash (SHAKE-256, as long as asked for) of it and of how often was drawn before."""

    def __init__(self) -> None:
        self.seed: int | None = None
        self._draws = 0

    def restart(self, seed: int) -> None:
        """Draw from this seed, from its beginning."""
        self.seed, self._draws = seed, 0

    def read(self, size: int) -> bytes:
        """Give the next bytes."""
        self._draws += 1
        return hashlib.shake_256(f"{self.seed}/{self._draws}".encode()).digest(size)


_stream = _Stream()
restart = _stream.restart
_machines = os.urandom
_seed = random.Random.seed


def _urandom(size: int, /) -> bytes:
    if _stream.seed is None or not isinstance(size, int) or size < 0:
        return _machines(size)
    return _stream.read(size)


def _seed_anew(self: random.Random, a: Any = None, version: int = 2) -> None:
    """Seed a generator; without a number it draws one."""
    _seed(self, _urandom(32) if a is None and _stream.seed is not None else a, version)


def put_in_place() -> None:
    """Let all that runs in this process, and in those forked from it, draw from here."""
    os.urandom = random._urandom = _urandom  # type: ignore[attr-defined]  # a private name of random's
    random.Random.seed = _seed_anew  # type: ignore[method-assign]  # on purpose
