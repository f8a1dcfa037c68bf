"""C code that is entered again by the snippet's code that it asks: what it holds on to then has to stay.

It reads what it was going to compare or to call next from memory that the inner call let go of. So a comparison goes
over copies, which hold what they are of, and an iterator that works is not asked for its next item.
"""

from __future__ import annotations

import collections
import contextvars
import csv
import ctypes
import decimal
import functools
import itertools
import operator
import struct
import sys
import weakref
from collections.abc import Callable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.compared_lists import EQUALS, ORDERS
from codeact.snippet.defects import COMPARISON, INIT, make_by, own, put, put_late
from codeact.snippet.patches import put_on
from codeact.snippet.running import our_own_work

_NEXT = 7  # how far from the flags of a class stands what gives the next item
_FIRST = object.__basicsize__  # where an object of C has the first of what it holds

_CHANGED = "deque mutated during iteration"  # in CPython's words

_guarded: set[str] = set()


class _BySequence:
    def __getitem__(self, place: int) -> Any:
        raise IndexError


def guard() -> None:
    """Guard what is met seldom, in the whole process."""
    if "seldom" in _guarded:
        return
    _guarded.add("seldom")
    for kind in (type(iter(_BySequence())), type(iter(int, 1))):
        put(kind, {"__next__": _alone(kind.__next__, id, {})}, _NEXT)
    alone = [_alone(vars(kind)["__next__"], _whose_groups, _grouping) for kind in _GROUPS]
    for kind, following in zip(_GROUPS, alone, strict=True):
        put(kind, {"__next__": following}, _NEXT)
    for kind in (weakref.ProxyType, weakref.CallableProxyType):
        put(kind, {name: _holding_both(vars(kind)[name]) for name in ORDERS + EQUALS}, COMPARISON)
    vars(collections)["_count_elements"] = count_elements
    ordered, context = collections.OrderedDict, contextvars.Context
    equal = _ordered_equal(ordered)
    put(ordered, {**_rest(ordered), "__eq__": equal, "__ne__": _unequal(equal)}, COMPARISON)
    for function in (_index(collections.deque), _remove(collections.deque)):
        put_on(collections.deque, function.__name__, function)
    equal = _context_equal(context)
    put(context, {**_rest(context), "__eq__": equal, "__ne__": _unequal(equal)}, COMPARISON)
    real = struct.Struct.__init__
    put(struct.Struct, {"__init__": _once(real)}, INIT)
    make_by(struct.Struct, _with_a_format(real))
    put(type(csv.reader(())), {"__next__": _alone(vars(type(csv.reader(())))["__next__"], id, {})}, _NEXT)


def look() -> None:
    """Begin to compare decimals in their context with the first class there is: any can pass for one of numbers."""
    if "numbers" not in _guarded:
        _guarded.add("numbers")
        kind = decimal.Decimal
        with our_own_work():
            put_late(kind, {name: _in_its_context(own(kind, name)) for name in ORDERS + EQUALS}, COMPARISON)


def _rest(cls: Any) -> dict[str, Any]:
    """The comparisons of a class as they are: the slot is one for all."""
    return {name: vars(cls)[name] for name in ORDERS + EQUALS}


# ------------------------------------------------------------------------------------------------ iterators


_grouping: dict[int, Any] = {}
_GROUPS: tuple[Any, ...] = (itertools.groupby, itertools._grouper)  # type: ignore[attr-defined]  # typeshed hides it


def _alone(real: Any, whose: Callable[[Any], int], working: dict[int, Any]) -> Any:
    """What gives the next item, and refuses while it works on one: as a generator does."""

    @functools.wraps(real)
    def __next__(self: Any, /) -> Any:
        if working and whose(self) in map(whose, list(working.values())):
            raise ValueError("iterator already executing")
        at = id(self)
        working[at] = self
        try:
            return real(self)
        finally:
            del working[at]

    return __next__


def _whose_groups(subject: Any) -> int:
    """The same for all the groups of one `groupby`, which work with what it holds."""
    return id(_first_held(subject) if type(subject) is _GROUPS[1] else subject)


# ------------------------------------------------------------------------------------------------ comparisons


def _in_its_context(real: Any) -> Any:
    """A number that is compared with one of a snippet's borrows the context, which that may exchange."""

    kind_of, unasking = type, (decimal.Decimal, int, float)

    @functools.wraps(real)
    def compare(self: Any, other: Any, /) -> Any:
        if kind_of(other) in unasking:
            return real(self, other)
        held = [decimal.getcontext()]
        try:
            return real(self, other)
        finally:
            held.clear()

    return compare


def _unequal(equal: Callable[[Any, Any], Any]) -> Any:
    def __ne__(self: Any, other: Any, /) -> Any:
        found = equal(self, other)
        return found if found is NotImplemented else not found

    return __ne__


def _ordered_equal(kind: Any) -> Any:
    plain: Any = dict.__eq__

    @functools.wraps(vars(kind)["__eq__"])
    def __eq__(self: Any, other: Any, /) -> Any:
        found = plain(self, other)
        if found is not True or kind not in ownership.mro_of(type(other)):
            return found
        return [*kind.__iter__(self)] == [*kind.__iter__(other)]

    return __eq__


def _context_equal(kind: Any) -> Any:
    real = vars(kind)["__eq__"]

    @functools.wraps(real)
    def __eq__(self: Any, other: Any, /) -> Any:
        if type(other) is not kind:
            return real(self, other)
        return dict(self.items()) == dict(other.items())

    return __eq__


def _holding_both(real: Any) -> Any:
    """A proxy lends what it stands for; here that is held while it is compared."""

    @functools.wraps(real)
    def compare(self: Any, other: Any, /) -> Any:
        held = [_first_held(each) for each in (self, other) if type(each) in weakref.ProxyTypes]
        try:
            return real(self, other)
        finally:
            held.clear()

    return compare


def _index(kind: Any) -> Any:
    """`d.index(x)` lends what it compares; an iterator holds it, and ends where the deque is changed."""

    real = vars(kind)["index"]

    @functools.wraps(real)
    def index(self: Any, value: Any, start: Any = 0, stop: Any = sys.maxsize, /) -> int:
        size: int = kind.__len__(self)
        first, last, _ = slice(_place(start), _place(stop)).indices(size)
        items = kind.__iter__(self)
        if value in itertools.islice(items, first, max(first, last)):
            return size - operator.length_hint(items) - 1
        next(items, None)  # it says so where the deque was changed by the last that was compared
        return real(kind(), value)  # type: ignore[no-any-return]  # it says that it is not there

    return index


def _place(given: Any) -> int:
    if not hasattr(type(given), "__index__"):
        raise TypeError("slice indices must be integers or have an __index__ method")
    return operator.index(given)


def _remove(kind: Any) -> Any:
    real = vars(kind)["remove"]

    @functools.wraps(real)
    def remove(self: Any, value: Any, /) -> None:
        size, items = kind.__len__(self), kind.__iter__(self)
        try:
            is_found = value in items
            place = size - operator.length_hint(items) - 1
            next(items, None)
        except RuntimeError as error:
            if str(error) == _CHANGED:
                raise IndexError(_CHANGED) from error
            raise
        if not is_found:
            real(kind(), value)  # it says so
        kind.__delitem__(self, place)

    return remove


def _first_held(subject: Any) -> Any:
    """What a weak reference refers to, or the `groupby` a group is of."""
    return ctypes.py_object.from_address(id(subject) + _FIRST).value


# ------------------------------------------------------------------------------------------------ set up anew


def _once(real: Any) -> Any:
    """What goes through the parts of a format goes on where they were, if it is given another."""

    @functools.wraps(real)
    def __init__(self: Any, /, *given: Any, **named: Any) -> None:
        if self.format:
            raise TypeError("a Struct keeps its format: make another")
        real(self, *given, **named)

    return __init__


def _with_a_format(set_up: Callable[[Any, str], None]) -> Callable[..., Any]:
    """One that was never set up reads memory where its format would be."""

    def wrapped(real: Callable[..., Any]) -> Callable[..., Any]:
        def __new__(cls: Any, /, *given: Any, **named: Any) -> Any:
            made = real(cls)
            set_up(made, "")
            return made

        return __new__

    return wrapped


# ------------------------------------------------------------------------------------------------ sums


_UNASKED, _count_in_c = frozenset((list, tuple, str, bytes, dict)), vars(collections)["_count_elements"]


def count_elements(mapping: Any, iterable: Any, /) -> None:
    """What a `Counter` counts by: C lends the count to whatever adds one to it."""
    if not ownership.classes_made and type(iterable) in _UNASKED:
        _count_in_c(mapping, iterable)
        return
    found = mapping.get
    for each in iterable:
        mapping[each] = found(each, 0) + 1


count_elements.__name__ = count_elements.__qualname__ = "_count_elements"
