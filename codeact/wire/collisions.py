"""Keys chosen to share a hash: to build a dict, a set or a table of them, each is compared with all before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, TypeVar

from codeact.errors import ProtocolError
from codeact.wire.parts import TooMuch

Items = TypeVar("Items", bound=Iterable[Any])

_BEARABLE = 64  # that share one hash: each is compared with those before it
_OF_LABELS = 8  # as a column may have many of each


def collide(keys: Collection[Any]) -> bool:
    """Whether so many of these different keys share a hash that building a dict of them would take for ever."""
    if len(keys) <= _BEARABLE:
        return False
    hashes = list(map(hash, keys))
    if len(set(hashes)) == len(hashes):
        return False
    return sum(times * times for times in Counter(hashes).values()) > _BEARABLE * len(hashes)


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
        return sum(map(_size, tree.values()), 1)
    return sum(map(_size, tree), 1) if type(tree) is list else 1


def uncrowded(items: Items) -> Items:
    """Give the labels of a table, some of which may be equal; ProtocolError where so many others share a hash."""
    if _crowd(items):
        raise ProtocolError("the labels of a table were chosen to collide")
    return items


def refuse_crowd(labels: Any) -> None:
    """Raise `TooMuch` where the other side would not take these labels of a table."""
    if _crowd(labels.tolist()):
        raise TooMuch("so many of its labels share a hash that it would take for ever to build")


def _crowd(items: Iterable[Any]) -> bool:
    seen: dict[int, list[Any]] = {}
    for item in items:
        others = seen.setdefault(hash(item), [])
        if item not in others:
            others.append(item)
            if len(others) > _OF_LABELS:
                return True
    return False
