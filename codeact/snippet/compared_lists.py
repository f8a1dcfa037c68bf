"""Lists that are compared by copies, which hold what they are of: C compares their last two items without that.

`[x] < [y]` asks `x` and `y`, and what these are made of. Where that comes to the snippet's code, it can take both out
of their lists, and C goes on with what lies there by then (CPython 3.11, and 3.12 until 3.12.5). As copies take longer,
this begins with what could be asked: a class whose objects are compared, or are among what is, or `cmp_to_key`.
"""

from __future__ import annotations

import datetime
import functools
import types
from collections.abc import Iterable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.defects import COMPARISON, own, put_late
from codeact.snippet.running import our_own_work
from codeact.snippet.words import dunders, words

ORDERS, EQUALS = dunders("lt le gt ge"), dunders("eq ne")
#: Those it is told of are asked by numbers and moments that are compared, and by the views of dictionaries.
_ASKED = frozenset((*words("numerator denominator utcoffset"), *dunders("class getattr getattribute hash")))
_COMPARED = frozenset((*dunders("class getattr getattribute"), *ORDERS, *EQUALS))
_ASKED_OF_SETS = frozenset(dunders("len contains"))
SETS = frozenset((set, frozenset))

_FIELDS = "__dataclass_fields__"
_UNASKED = frozenset((types.NoneType, types.FunctionType, types.MemberDescriptorType))

_noted: set[str] = set()


def look(names: Iterable[str], line: Iterable[type] = ()) -> None:
    """Begin where there is a class with these names, below these classes, whose objects C can come to ask."""
    named, above = frozenset(names), frozenset(line)
    if (
        not (_COMPARED | _ASKED).isdisjoint(named)
        or datetime.tzinfo in above
        or not (SETS.isdisjoint(above) or _ASKED_OF_SETS.isdisjoint(named))
        or any(map(_is_compared, above))
    ):
        begin()


def look_at_fields(cls: type) -> None:
    """Begin where this dataclass can come to ask: it compares its fields, of which a class may say what they are."""
    _noted.add("fields")
    line = ownership.mro_of(cls)
    table = next((found for base in line if type(found := ownership.class_dict(base).get(_FIELDS)) is dict), {})
    said = (ownership.class_dict(base).get(name) for name in table for base in line)
    if any(type(each) not in _UNASKED and hasattr(type(each), "__get__") for each in said):
        begin()


def look_at_stored() -> None:
    """The same where a class is about to be given an attribute, which may be a field of a dataclass below it."""
    if "fields" in _noted:
        begin()


def _is_compared(cls: type) -> bool:
    held = ownership.class_dict(cls)
    return any(type(held.get(name)) is types.FunctionType for name in _COMPARED)


def begin() -> None:
    """Have lists be compared by copies from now on, in the whole process."""
    if "begun" not in _noted:
        _noted.add("begun")
        with our_own_work():
            orders = {name: _over_copies(own(list, name)) for name in ORDERS}
            put_late(list, {**{name: vars(list)[name] for name in EQUALS}, **orders}, COMPARISON)


def _over_copies(real: Any) -> Any:
    kind_of, copy = type, list.copy

    @functools.wraps(real)
    def compare(self: Any, other: Any, /) -> Any:
        if kind_of(other) is list or list in ownership.mro_of(kind_of(other)):
            return real(copy(self), copy(other))
        return real(self, other)

    return compare
