"""What a step without a cage left on classes and functions that everybody shares: it is taken off again.

A library sets attributes of what a snippet's object holds, in more places than can be looked at: `line.axes = Line2D`
has `stale` set on a class. What it sets there is data. What stays is what libraries keep on their own classes: code,
which is put there when it is asked for first, or by the guards; a count; and what stands for None.
"""

from __future__ import annotations

import ctypes
import sys
import types
from itertools import compress
from operator import ne
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.words import word_set

_CODE = frozenset({types.FunctionType, types.BuiltinFunctionType, property, classmethod, staticmethod})
#: Libraries whose classes and functions are everyone's.
LIBRARIES = word_set("numpy pandas scipy sklearn sympy matplotlib mpl_toolkits networkx")
_COUNT_AT = 48 * 8  # where a class has its `tp_version_tag`: another one after each change, and 0 until it is asked
_UNCOUNTED = -1  # stands there never: whether such a class has changed is to be looked at

#: What functions have, and classes.
_functions: dict[types.FunctionType, dict[str, Any]] = {}
_classes: dict[type, dict[str, Any]] = {}
#: Where each of these functions has it, and how much it was; in the same order.
_attributes: dict[types.FunctionType, dict[str, Any]] = {}
_sizes: dict[types.FunctionType, int] = {}
#: Where the interpreter counts the changes of each of these classes, and what stood there; in the same order.
_counts: dict[type, ctypes.c_uint] = {}
_counted: dict[type, ctypes.c_uint] = {}

_looked_at: set[type] = set()  # of the classes that are known
_watched: list[bool] = []


def watch() -> None:
    """Note from now on what snippets come to know: there is a session without a cage."""
    _watched[:] = [True]


def note(subject: Any) -> None:
    """Note what a function of Python's or of a library has, or a class of a library, where there is such a session.

    No class of Python's has data by the names that libraries set, and of a module nobody reviewed it is its own affair.
    """
    if not _watched:
        return
    if type(subject) is types.FunctionType:
        if subject.__globals__.get("__name__", "").partition(".")[0] in LIBRARIES | sys.stdlib_module_names:
            attributes = _attributes[subject] = vars(subject)
            _functions[subject], _sizes[subject] = dict(attributes), len(attributes)
    elif ownership.module_of(subject).partition(".")[0] in LIBRARIES:
        type.__getattribute__(subject, "__init__")  # from when on its changes are counted
        _classes[subject] = dict(ownership.class_dict(subject))
        count = _counts[subject] = ctypes.c_uint.from_address(id(subject) + _COUNT_AT)
        _counted[subject] = ctypes.c_uint(count.value or _UNCOUNTED)


def note_anew() -> None:
    """Note what the host has changed since, and what snippets knew before: no step runs."""
    new = ownership.known - _looked_at if len(ownership.known) > len(_looked_at) else set()
    _looked_at.update(new)
    for subject in (*new, *_changed()):
        note(subject)


def put_back() -> None:
    """Take off the data that is there since, and put back what is not there any more."""
    for subject in _changed():
        of_a_class = ownership.is_class(subject)
        held = _classes[subject] if of_a_class else _functions[subject]
        now = dict(ownership.class_dict(subject) if of_a_class else vars(subject))
        for name in held.keys() | now.keys():
            if held.get(name) is not now.get(name) and not name.startswith("__") and _is_left(name, held, now):
                _put(subject, name, held)


def _changed() -> list[Any]:
    """Those that have more or less than was noted; without a turn of a loop for each, as there are thousands."""
    functions = compress(_functions, map(ne, map(len, _attributes.values()), _sizes.values()))
    now, then = (b"".join(counts.values()) for counts in (_counts, _counted))
    if now == then:
        return [*functions]
    return [*functions, *compress(_classes, map(ne, memoryview(now).cast("I"), memoryview(then).cast("I")))]


def _put(subject: Any, name: str, held: dict[str, Any]) -> None:
    if not ownership.is_class(subject):
        vars(subject).pop(name, None)
        vars(subject).update({name: held[name]} if name in held else {})
    elif name in held:
        type.__setattr__(subject, name, held[name])
    else:
        type.__delattr__(subject, name)


def _is_left(name: str, held: dict[str, Any], now: dict[str, Any]) -> bool:
    """True for what no library keeps on its own classes, and for what is not there."""
    value = now.get(name)
    kind = type(value)
    if ownership.is_class(value):
        return ownership.is_own_class(value)
    if kind in _CODE:
        return ownership.is_own_function(value)
    kept = name in held and name in now and type(held[name]) in (kind, type(None))
    return not kept and not ownership.module_of(kind).startswith("codeact")
