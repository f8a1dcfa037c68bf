"""Which attributes a pattern reads by position: those of a class that others can pass for are names it may say.

`case A(x)` reads the first name of `A.__match_args__` from whatever passes for an `A`. What a class body says there is
checked as it is; a named tuple's fields have any names, and are read from its own instances alone.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Collection, Iterable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.attribute_rules import attribute_kind, refused_pattern

WORDS = "__match_args__"

#: Metaclasses by which nothing passes for an instance but an instance.
_HONEST: frozenset[type] = frozenset({type, enum.EnumType})


def close(names: dict[str, Any], line: list[type], metaclasses: Iterable[Any]) -> None:
    """End what a class inherits at the first name no pattern may ask for, where its metaclass says what passes for it.

    `names` are what it is made of, `line` its bases and theirs.
    """
    if _HONEST.issuperset(filter(ownership.is_class, metaclasses)) or dict.__contains__(names, WORDS):
        return
    told = [found for base in line if type(found := ownership.class_dict(base).get(WORDS)) is tuple]
    if not all(map(_may_ask, itertools.chain(*told))):
        dict.__setitem__(names, WORDS, tuple(itertools.takewhile(_may_ask, told[0])))


def check_words(owner: object, value: object) -> None:
    """Raise TypeError where what a class body says there holds a name no pattern may ask for.

    What is no tuple of strings makes the pattern itself fail, unless a descriptor stands for another value.
    """
    words = value if type(value) is tuple else ()
    if type(value) not in (tuple, list, str, int, type(None)) or any(
        type(word) is str and refused_pattern(word) is not None for word in words
    ):
        raise TypeError(f"class {owner!r}: {WORDS} must be a tuple of names a pattern may ask for")


def _may_ask(word: Any) -> bool:
    return type(word) is str and refused_pattern(word) is None


def check_class_told(owner: object, names: Collection[Any], line: list[type]) -> None:
    """Raise TypeError where instances pass for others by a `__class__`, and a library's guarded methods are theirs."""
    own = [base for base in line if ownership.is_own_class(base)]
    if "__class__" not in names and not any("__class__" in ownership.class_dict(base) for base in own):
        return
    for base in line:
        if base not in own and base is not object and any(map(_is_guarded, ownership.class_dict(base))):
            raise TypeError(f"class {owner!r} may not define __class__: it is built on {base.__name__!r}")


def _is_guarded(name: Any) -> bool:
    return name == "__getattr__" or (not name.startswith("_") and attribute_kind(name) != "free")
