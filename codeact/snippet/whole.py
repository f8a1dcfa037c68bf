"""The whole numbers that functions of C take things for: ints, what is built on them, what has an `__index__`."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Iterator
from typing import Any

from codeact.snippet.ownership import class_dict, is_own_class, mro_of

_CHUNK = 18
_LONG = re.compile(r"\d{4,}")  # also of other scripts, as formats take them


def whole(value: Any) -> int:
    """The number of an `int` or of what is built on it, without asking its class; 0 of anything else."""
    kind = type(value)
    if kind is int:
        return value  # type: ignore[no-any-return]  # the question before says that it is one
    return int.__index__(value) if int in mro_of(kind) else 0


def settled(value: Any) -> Any:
    """The value as it will be used: a number where an `__index__` is asked, which may say another one each time."""
    kind: Any = type(value)
    return operator.index(value) if _is_asked(kind) else value


@functools.lru_cache(maxsize=1024)
def _is_asked(kind: Any) -> bool:
    if int in mro_of(kind) or found(kind, "__index__") is None:
        return False
    return is_own_class(kind) or found(kind, "__len__") is None  # arrays have none where they have several items


def is_factor(kind: Any) -> bool:
    """True for what repeats a sequence."""
    return int in mro_of(kind) or _is_asked(kind)


def found(kind: type, name: str) -> Any:
    """What instances of a class find under a special name."""
    return next((held[name] for base in mro_of(kind) if name in (held := class_dict(base))), None)


def counts_as(kind: type, *methods: str) -> bool:
    """True for `int`, and for what is built on it and leaves it these methods."""
    return kind is int or (int in mro_of(kind) and all(found(kind, name) is vars(int).get(name) for name in methods))


def numbers_in(text: str) -> Iterator[int]:
    """The numbers of four digits and more that a format says; past 36 digits it is large enough."""
    for digits in _LONG.findall(text):
        start = 0
        while len(digits) - start > 2 * _CHUNK and not int(digits[start : start + _CHUNK]):
            start += _CHUNK
        yield int(digits[start : start + 2 * _CHUNK])
