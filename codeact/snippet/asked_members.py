"""Sets that their own members change while C looks for a place for one.

`s.add(x)` remembers a free place, asks the members behind it whether they are equal, and takes that place in the end,
also where a member's `__eq__` has put another there meanwhile. The set then says that it has one more than it has, and
whoever empties it goes on past its end (CPython 3.11 to 3.13). So members are added one by one, and where any set was
changed in the middle of that, this one is counted anew before anybody sees it. Adding takes longer then: it begins with
a class whose objects can be asked.
"""

from __future__ import annotations

import ctypes
import functools
from collections import deque
from collections.abc import Iterable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.compared_lists import SETS
from codeact.snippet.defects import INIT, own, put, put_late, put_method_late, reach
from codeact.snippet.patches import put_on
from codeact.snippet.running import our_own_work
from codeact.snippet.words import dunders, words

#: Where in the table of what numbers do, which stands before the flags of a class, these are.
_MOVING = {name: (-9, place) for name, place in zip(dunders("isub iand"), (20, 26), strict=True)}
_EXCHANGED = "symmetric_difference_update"
_EXCHANGE, _JOIN = (-9, 27), (-9, 28)
#: Those it is told of are asked when they are keys: by C, or by what numbers and moments of libraries are equal to.
_ASKED = frozenset((*words("numerator denominator imag real utcoffset"), *dunders("hash class getattr getattribute")))
_EQUAL = "__eq__"
_HELD = SETS | {dict}
#: What nothing is asked about while C goes through it and no member can be asked.
_UNASKED = frozenset((list, tuple, str, bytes, range, deque, *_HELD))

_WORD = ctypes.sizeof(ctypes.c_void_p)
#: In a set: how many places are or were taken, how many members there are, the last place, and where the places are.
_FILLED, _USED, _LAST, _PLACES = (object.__basicsize__ + place * _WORD for place in range(4))

_guarded: set[str] = set()
_update: Any = set.update
_changes = [0]


def guard() -> None:
    """Guard what goes through anything while it adds, in the whole process; more calls do nothing."""
    if "always" not in _guarded:
        _guarded.add("always")
        put_on(set, "update", _adding_all(vars(set)["update"]))
        put(set, {"__init__": _filling(vars(set)["__init__"])}, INIT)
        for name in words("difference_update intersection_update"):
            put_on(set, name, _telling(vars(set)[name]))
        for name in ("add", _EXCHANGED):
            reach(set, name)


def look(names: Iterable[str], line: Iterable[type], *, of_libraries: bool) -> None:
    """Begin where objects of a class with these names, below these classes, can be keys and answer when they are.

    Keys `of_libraries` ask any object.
    """
    named = set(names)
    is_asked = of_libraries or not _ASKED.isdisjoint(named) or named == {_EQUAL} or _are_keys([*line])
    if is_asked and "asked" not in _guarded:
        _guarded.add("asked")
        with our_own_work():
            _guard()


def _guard() -> None:
    put_method_late(set, "add", _counting)
    for name, at in _MOVING.items():
        put_late(set, {name: _telling(own(set, name))}, at)
    put_method_late(set, _EXCHANGED, _exchanging)
    put_late(set, {"__ixor__": _by_operator(own(set, "__ixor__"), _exchange)}, _EXCHANGE)
    put_late(set, {"__ior__": _by_operator(own(set, "__ior__"), _add_each)}, _JOIN)


def _are_keys(line: list[type]) -> bool:
    return all(any(_says(cls, name) for cls in line) for name in (_EQUAL, "__hash__"))


def _says(cls: type, name: str) -> bool:
    return type(ownership.class_dict(cls).get(name)) is type(_says)


# ------------------------------------------------------------------------------------------------ one by one


def _counting(real: Any) -> Any:
    @functools.wraps(real)
    def add(self: Any, element: Any, /) -> None:
        _changes[0] = change = _changes[0] + 1
        real(self, element)
        if _changes[0] != change:
            _count_anew(self)

    return add


def _telling(real: Any) -> Any:
    """What changes a set otherwise may put a member where another is about to be added."""

    @functools.wraps(real)
    def change(self: Any, /, *given: Any) -> Any:
        _changes[0] += 1
        return real(self, *given)

    return change


def _count_anew(subject: Any) -> None:
    filled, used, last, places = (
        ctypes.c_ssize_t.from_address(id(subject) + at) for at in (_FILLED, _USED, _LAST, _PLACES)
    )
    of_places = (ctypes.c_void_p * (2 * last.value + 2)).from_address(places.value)  # each a member and its hash
    filled.value = sum(member is not None for member in of_places[::2])
    used.value = len([*set.__iter__(subject)])


# ------------------------------------------------------------------------------------------------ many


def _members(given: Any) -> Any:
    """What C would take from what is given: what is held meanwhile where that could be changed."""
    if type(given) in _HELD:
        return [*given]
    kind: Any = next((each for each in ownership.mro_of(type(given)) if each in SETS), None)
    return given if kind is None else [*kind.__iter__(given)]


def _add_each(subject: Any, given: Any) -> None:
    if "asked" not in _guarded and type(given) in _UNASKED:
        _update(subject, given)
    else:
        for member in _members(given):
            set.add(subject, member)


def _exchange(subject: Any, given: Any) -> None:
    for member in [*frozenset(_members(given))]:
        if set.__contains__(subject, member):
            set.discard(subject, member)
        else:
            set.add(subject, member)


def _adding_all(real: Any) -> Any:
    @functools.wraps(real)
    def update(self: Any, /, *others: Any) -> None:
        if "asked" not in _guarded and _UNASKED.issuperset(map(type, others)):
            real(self, *others)
            return
        real(self)  # it says what it is of
        for given in others:
            _add_each(self, given)

    return update


def _filling(real: Any) -> Any:
    @functools.wraps(real)
    def __init__(self: Any, /, *given: Any, **named: Any) -> None:
        if len(given) != 1 or named:
            real(self, *given, **named)
        else:
            real(self)
            _add_each(self, *given)

    return __init__


def _exchanging(real: Any) -> Any:
    @functools.wraps(real)
    def symmetric_difference_update(self: Any, other: Any, /) -> None:
        real(self, ())  # it says what it is of
        _exchange(self, other)

    return symmetric_difference_update


def _by_operator(real: Any, change: Any) -> Any:
    kind_of = type  # by this name it makes none of its kind, for `borrowed`

    @functools.wraps(real)
    def operate(self: Any, other: Any, /) -> Any:
        if not (kind_of(self) is set and kind_of(other) in SETS) and (
            set not in ownership.mro_of(kind_of(self)) or SETS.isdisjoint(ownership.mro_of(kind_of(other)))
        ):
            return real(self, other)  # it says what it is of, or that it takes sets alone
        change(self, other)
        return self

    return operate
