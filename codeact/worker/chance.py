"""What a session would draw from the machine's entropy comes from its seed, and repeats where the session is resumed.

`os.urandom` is the source of `uuid4`, `secrets`, `random.Random()` and `numpy.random.default_rng()`. The zygote puts
the one below in its place; until a session has a seed, it is the machine's.

A generator that was made without a seed, and is there when chance begins anew in a copy, goes on as another one.
"""

from __future__ import annotations

import _random
import gc
import hashlib
import os
import random
import sys
import weakref
from collections.abc import Iterator
from typing import Any

_SEED_BYTES = 32
_ENTROPY_BYTES = 16  # what a generator of numpy asks for
_MOST_DRAWS = 10_000  # remembered


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
        return self.of(self._draws, size)

    def of(self, what: object, size: int) -> bytes:
        """Give the bytes that belong to this, whatever was drawn before."""
        return hashlib.shake_256(f"{self.seed}/{what}".encode()).digest(size)


_stream = _Stream()
_machines = os.urandom
_seed = random.Random.seed
_seeded_from: dict[int, tuple[weakref.ref[random.Random], bytes]] = {}  # generators by their ids, and what they drew
_entropy: dict[int, None] = {}  # what generators of numpy may have drawn, the latest last


def restart(seed: int) -> None:
    """Draw from this seed from now on, also where a generator that was made without one does."""
    _stream.restart(seed)
    for refer, drawn in list(_seeded_from.values()):
        if (generator := refer()) is not None:
            _random.Random.seed(generator, int.from_bytes(_stream.of(drawn, _SEED_BYTES)))  # no code of a snippet's
            if type(generator) is random.Random:
                generator.gauss_next = None  # type: ignore[attr-defined]  # the second of a pair drawn together
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None and _entropy:
        for bits in _made_without_a_seed(numpy_random):
            was = bits.seed_seq
            entropy = int.from_bytes(_stream.of(was.entropy, _ENTROPY_BYTES))
            bits.state = type(bits)(numpy_random.SeedSequence(entropy, spawn_key=was.spawn_key)).state


def _made_without_a_seed(numpy_random: Any) -> Iterator[Any]:
    """What numpy's generators draw bits from, as far as numpy made it alone."""
    kinds = [getattr(numpy_random, name) for name in ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")]
    for found in gc.get_objects():
        if type(found) not in kinds or type(found.seed_seq) is not numpy_random.SeedSequence:
            continue
        entropy = found.seed_seq.entropy
        if type(entropy) is int and entropy in _entropy:
            yield found


def _urandom(size: int, /) -> bytes:
    if _stream.seed is None or not isinstance(size, int) or size < 0:
        return _machines(size)
    drawn = _stream.read(size)
    if size == _ENTROPY_BYTES:
        _entropy[int.from_bytes(drawn)] = None
        if len(_entropy) > _MOST_DRAWS:
            del _entropy[next(iter(_entropy))]
    return drawn


def _seed_anew(self: random.Random, a: Any = None, version: int = 2) -> None:
    """Seed a generator; without a number it draws one."""
    at = id(self)
    _seeded_from.pop(at, None)
    if a is None and _stream.seed is not None:
        a = _urandom(_SEED_BYTES)
        _seeded_from[at] = weakref.ref(self, lambda _: _seeded_from.pop(at, None)), a
    _seed(self, a, version)


def put_in_place() -> None:
    """Let all that runs in this process, and in those forked from it, draw from here."""
    os.urandom = random._urandom = _urandom  # type: ignore[attr-defined]  # a private name of random's
    random.Random.seed = _seed_anew  # type: ignore[method-assign]  # on purpose
