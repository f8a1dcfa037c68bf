"""What a metaclass may say for its classes: not what they are equal to, what they have, or what is above them."""

from __future__ import annotations

import abc
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import makers, ownership

#: What a metaclass may not define: its classes would answer for themselves, pass for others in a set of classes, or
#: have other classes above them than those they were checked for.
_ANSWERING = frozenset({"__getattr__", "__getattribute__", "__eq__", "__hash__", "__class__", "mro"})

#: What is not set on a metaclass either: what its classes make was looked at where it was made.
FIXED = _ANSWERING | {makers.CALL}

#: Nor what libraries find in its classes: pydantic believes a schema that is in the `__dict__` of one.
_SHOWING = frozenset({"__dict__", "__bases__"})

_ASKED, PREPARE = "__subclasscheck__", "__prepare__"
_is_own = ownership.is_own_class
_built_on: Callable[[type], list[type]] = type.__subclasses__


def check(name: object, defined: set[Any], line: list[type]) -> None:
    """Raise TypeError where a metaclass answers for its classes, by itself or by what it is built on.

    So it is with a class that is no metaclass; none that is below one is given the answers later.
    """
    if hooks := (_ANSWERING | _SHOWING) & defined:
        raise TypeError(f"metaclass {name!r} may not define {min(hooks)}: it would answer for its classes")
    for base in line:
        held = ownership.class_dict(base)
        answers = (FIXED if _is_own(base) else _ANSWERING) & held.keys()
        answers |= {shown for shown in _SHOWING & held.keys() if type(held[shown]) is not types.GetSetDescriptorType}
        if answers and base is not object and type not in ownership.mro_of(base):
            raise TypeError(f"metaclass {name!r} may not be built on {base.__name__!r}, which has {min(answers)}")
    prepared = PREPARE in defined or any(PREPARE in ownership.class_dict(base) for base in line if _is_own(base))
    if prepared and (others := [base for base in line if not _is_own(base) and not _is_pythons(base)]):
        raise TypeError(f"metaclass {name!r} may not have a {PREPARE}: it is built on {others[0].__name__!r}")
    if abc.ABCMeta in line and (_ASKED in defined or any(map(_answers, line))):
        raise TypeError(f"metaclass {name!r} may not have a {_ASKED}: abstract classes ask it of everything")


def is_below_one(cls: type) -> bool:
    """True for metaclasses, and for classes that some metaclass is built on."""
    return type in ownership.mro_of(cls) or any(map(is_below_one, _built_on(cls)))


def _is_pythons(base: type) -> bool:
    """True for `type`, `abc.ABCMeta` and what stands for them: others read more of their names than a dict holds."""
    return ownership.module_of(base) in ("builtins", "abc")


def check_prepared(owner: object, value: Any) -> None:
    """Raise TypeError where a class body would run in what a library gives."""
    function = value.__func__ if type(value) in (classmethod, staticmethod) else value
    if not ownership.is_own_function(function):
        raise TypeError(f"class {owner!r} may not define {PREPARE}: it must be a function of your own")


def answers_for_others(metaclass: type) -> bool:
    """True where a snippet's code says what is a subclass of the classes of this metaclass."""
    return any(map(_answers, ownership.mro_of(metaclass)))


def _answers(base: type) -> bool:
    return ownership.is_own_class(base) and _ASKED in ownership.class_dict(base)
