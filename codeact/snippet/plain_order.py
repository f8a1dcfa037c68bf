"""Ordered dictionaries that keep their order as every dictionary does, and nowhere else.

C keeps a list of keys beside what it finds keys by, and asks keys in the middle of its work on both: a key whose
`__eq__` emptied the dictionary had a place in the list let go of twice. Since Python 3.7 that list is not needed:
without it, an ordered dictionary is asked as a dictionary is, by the same C code.
"""

from __future__ import annotations

import collections
import functools
import gc
import math
import pprint
import reprlib
import sys
from collections.abc import Iterable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.defects import ask_as, put
from codeact.snippet.patches import put_on
from codeact.snippet.words import dunders

_ITER, _REPR, _STORE = 6, -10, (-7, 2)  # how far from the flags of a class they stand; a table, and the place

_guarded: list[bool] = []


def guard() -> None:
    """Have all of them keep their order so, in the whole process; more calls do nothing."""
    if _guarded:
        return
    _guarded.append(True)
    kind = collections.OrderedDict
    _keep_anew(kind)
    for name in dunders("setitem delitem reversed"):
        put_on(kind, name, vars(dict)[name])
    ask_as(kind, dict, _STORE)
    put(kind, {"__iter__": _iter(kind)}, _ITER)
    for view, plain in (({}.keys(), "keys"), ({}.values(), "values"), ({}.items(), "items")):
        of_order = type(getattr(kind(), plain)())
        for name in dunders("iter reversed"):
            put_on(of_order, name, vars(type(view))[name])
        ask_as(of_order, type(view), _ITER)
    for function in (_copy(kind), _setdefault(kind), _pop(kind), _popitem(kind), _move_to_end(kind)):
        put_on(kind, function.__name__, function)
    printed, said = vars(pprint.PrettyPrinter)["_dispatch"], vars(kind)["__repr__"]
    put(kind, {"__repr__": _repr(kind)}, _REPR)
    printed[vars(kind)["__repr__"]] = printed[said]


def _keep_anew(kind: Any) -> None:
    """Bring those that are there into their order: it was changed in the list of keys alone."""
    listed, forget = vars(kind)["__iter__"], vars(kind)["clear"]
    for each in [each for each in gc.get_objects() if issubclass(type(each), kind)]:
        items = [(key, dict.__getitem__(each, key)) for key in listed(each)]
        forget(each)
        dict.update(each, items)


# ------------------------------------------------------------------------------------------------ methods

_gone: dict[int, int] = {}  # how many first places are empty, by the id of a dictionary; one too many costs time alone


def _first(subject: Any) -> Any:
    """The first key; empty places before it are closed from time to time, as each is looked at every time."""
    at, size = id(subject), dict.__len__(subject)
    empty = _gone[at] = _gone.pop(at, 0) + 1
    if empty > _FEW + 8 * math.isqrt(size):
        _put_anew(subject, [*dict.items(subject)])
        _gone.pop(at, None)  # keys that were asked may have asked for the first one themselves
    elif len(_gone) > _MOST:
        _gone.clear()
    return next(dict.__iter__(subject), None)


_FEW, _MOST = 64, 1000


def _put_anew(subject: Any, items: Iterable[Any]) -> None:
    dict.clear(subject)
    dict.update(subject, items)


def _iter(kind: Any) -> Any:
    """A function of Python's: `dict(x)` asks what is gone through in another way for its keys and each value."""
    real = dict.__iter__

    @functools.wraps(vars(kind)["__iter__"])
    def __iter__(self: Any, /) -> Any:
        return real(self)

    return __iter__


_ABSENT: Any = object()


def _pop(kind: Any) -> Any:
    """With `default` as a keyword, too, which a dictionary's does not take."""
    real = dict.pop

    @functools.wraps(vars(kind)["pop"])
    def pop(self: Any, /, key: Any, default: Any = _ABSENT) -> Any:
        return real(self, key) if default is _ABSENT else real(self, key, default)

    return pop


def _popitem(kind: Any) -> Any:
    def popitem(self: Any, /, last: Any = True) -> Any:
        """Remove and return a (key, value) pair from the dictionary.

        Pairs are returned in LIFO order if last is true or FIFO order if false.
        """
        if not dict.__len__(self):
            raise KeyError("dictionary is empty")
        if last:
            return dict.popitem(self)
        key = _first(self)
        return key, dict.pop(self, key)

    popitem.__qualname__ = f"{kind.__name__}.popitem"
    return popitem


def _move_to_end(kind: Any) -> Any:
    def move_to_end(self: Any, /, key: Any, last: Any = True) -> None:
        """Move an existing element to the end (or beginning if last is false).

        Raise KeyError if the element does not exist.
        """
        kept = _kept(self, key)
        value = dict.pop(self, key)
        if last:
            dict.__setitem__(self, kept, value)
        else:
            _put_anew(self, [(kept, value), *dict.items(self)])

    move_to_end.__qualname__ = f"{kind.__name__}.move_to_end"
    return move_to_end


class _Like:
    """Is equal to what a key is equal to, and keeps it: 1 is found by True, and stays 1."""

    __slots__ = ("_hash", "_key", "kept")

    def __init__(self, key: Any) -> None:
        self._key, self._hash, self.kept = key, hash(key), key

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if other is self._key or other == self._key:
            self.kept = other
            return True
        return False


def _kept(subject: Any, key: Any) -> Any:
    """The key by which a dictionary has what it has for this one."""
    if type(key) in ownership.BARE_TYPES:
        dict.__contains__(subject, like := _Like(key))
        return like.kept
    if any(each is key for each in dict.__iter__(subject)):
        return key
    return next((each for each in dict.__iter__(subject) if each == key), key)


def _copy(kind: Any) -> Any:
    class_of = ownership.class_of  # by this name it makes none of its kind, for `borrowed`

    @functools.wraps(vars(kind)["copy"])
    def copy(self: Any, /) -> Any:
        made = class_of(self)()
        if class_of(self) is kind:
            dict.update(made, self)
            return made
        for name in [*kind.__iter__(self)]:
            made[name] = self[name]
        return made

    return copy


def _setdefault(kind: Any) -> Any:
    class_of = ownership.class_of

    @functools.wraps(vars(kind)["setdefault"])
    def setdefault(self: Any, /, key: Any, default: Any = None) -> Any:
        if class_of(self) is kind:
            return dict.setdefault(self, key, default)
        if key not in self:
            self[key] = default
            return default
        return self[key]

    return setdefault


def _repr(kind: Any) -> Any:
    kind_of = type

    def said(subject: Any) -> Any:
        if sys.version_info >= (3, 12):
            return dict(subject)
        return list(kind.items(subject) if kind_of(subject) is kind else subject.items())

    @functools.wraps(vars(kind)["__repr__"])
    @reprlib.recursive_repr()
    def __repr__(self: Any, /) -> str:
        name = kind_of(self).__name__
        if not dict.__len__(self):
            return f"{name}()"
        return f"{name}({said(self)!r})"

    return __repr__
