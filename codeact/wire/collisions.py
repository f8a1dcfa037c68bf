"""Keys chosen to share a hash: to build a dict, a set or a table of them, each is compared with all before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from typing import Any, TypeVar

from codeact.wire.parts import TAG

Keys = TypeVar("Keys", bound=Collection[Any])

_BEARABLE = 64  # that share one hash: each is compared with those before it
_CONVERTED = 64_000  # bits, squared, of a whole number that a Decimal is made of in the time of one part


def collide(keys: Collection[Any]) -> bool:
    """Whether so many of these different keys share a hash that building a dict of them would take for ever."""
    if len(keys) <= _BEARABLE:
        return False
    hashes = list(map(hash, keys))
    if len(set(hashes)) == len(hashes):
        return False
    return sum(times * times for times in Counter(hashes).values()) > _BEARABLE * len(hashes)


def spread(keys: Keys) -> Keys:
    """Give the keys of a recorded value; ValueError where so many share a hash that it would take for ever to build."""
    if collide(keys):
        raise ValueError("so many of its keys share a hash that it would take for ever to build")
    return keys


def compared(keys: Collection[Any], trees: Collection[Any]) -> int:
    """How many parts of keys that share a hash are compared when a dict is built; `trees` are what they cross as."""
    if dict not in set(map(type, trees)):
        return 0
    crowds: dict[int, list[Any]] = {}
    for key, tree in zip(keys, trees, strict=True):
        crowds.setdefault(hash(key), []).append(tree)
    return sum((len(crowd) - 1) * sum(map(_size, crowd)) // 2 for crowd in crowds.values() if len(crowd) > 1)


def _size(tree: Any) -> int:
    if type(tree) is dict:
        digits = tree.get(1) if tree.get(TAG) == "int" else None
        return sum(map(_size, tree.values()), _converting(8 * len(digits)) if type(digits) is bytes else 1)
    return sum(map(_size, tree), 1) if type(tree) is list else 1


def _converting(bits: int) -> int:
    """How many parts a whole number counts for: a Decimal that it is compared with makes one of it each time."""
    return bits * bits // _CONVERTED


def comparing(item: Any, others: list[Any]) -> int:
    """How many parts long numbers count for until an item is found among others of its hash; if not, it is added."""
    try:
        place = others.index(item)
    except ValueError:
        others.append(item)
        place = len(others) - 1
    return (place * _weight(item) + sum(map(_weight, others[:place]))) // 2


def _weight(value: Any) -> int:
    if isinstance(value, int):
        return _converting(value.bit_length())
    if isinstance(value, Fraction):
        return _converting(value.numerator.bit_length()) + _converting(value.denominator.bit_length())
    return sum(map(_weight, value)) if isinstance(value, tuple | frozenset) else 0
