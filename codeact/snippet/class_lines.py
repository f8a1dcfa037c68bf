"""What `__mro__` and its like tell a snippet: the classes above and below one of its own, as `type(x)` tells them."""

from __future__ import annotations

import builtins
import types
import weakref
from typing import Any

from codeact.snippet import asked_classes, behind, ownership
from codeact.snippet.attribute_rules import refusal
from codeact.snippet.ownership import is_class, is_own_class, mro_of

#: Library classes a stand-in is built on, which no answer may hold; filled by `types_.hide`.
hidden: set[type] = set()


#: All classes that show themselves under the name of another, some of them of one session; filled by `types_.present`.
presented: weakref.WeakSet[type] = weakref.WeakSet()

#: The classes every snippet knows by name, and whatever they are built on.
_BUILTINS = frozenset(found for name, found in vars(builtins).items() if is_class(found) and name[0] != "_")

_below: Any = type.__subclasses__


def line(subject: object, name: str) -> Any:
    """What `x.name` gives for one of the names of what is above a class."""
    if not is_class(subject) or not (is_own_class(subject) or _is_builtin(subject)):
        if name == "mro" and not is_class(subject) and not _is_of_a_class(found := getattr(subject, name)):
            return found
        raise refusal(subject, name, "it is given for your own classes, and for builtins")
    if any(ownership.module_of(base).startswith("codeact") or base in hidden for base in mro_of(subject)):
        raise refusal(subject, name, "the class is built on one that stands for a library's")
    found = getattr(subject, name)
    if type(found) is types.MethodDescriptorType:  # of a metaclass: it would tell of any class, and of `type` itself
        return _mro
    if type(found) is tuple:
        return tuple(dict.fromkeys(map(asked_classes.shown, found)))
    return asked_classes.shown(found)


def _is_builtin(cls: type) -> bool:
    return all(base in _BUILTINS and asked_classes.shown(base) is base for base in mro_of(cls))


def _mro(cls: Any, /) -> list[Any]:
    return list(line(cls, "__mro__"))


_mro.__name__ = _mro.__qualname__ = "mro"


def heirs(subject: object, name: str) -> Any:
    """What `x.__subclasses__` gives: a function that tells the classes a snippet built on one of its own.

    Nobody else can build on a class that has the mark; one that has it not may be the host's.
    """
    if not is_class(subject) or ownership.MARK not in ownership.class_dict(subject):
        raise refusal(subject, name, "it leads to classes of others; it is given for your own")
    of_a_metaclass = type in mro_of(subject)  # then the function takes the class
    below = _below if of_a_metaclass else _below.__get__(subject)

    def __subclasses__(*given: Any) -> list[Any]:
        found = below(*given)
        if of_a_metaclass:
            heirs(given[0], name)
        return [heir for heir in found if is_own_class(heir)]

    return __subclasses__


def _is_of_a_class(found: object) -> bool:
    """True for the method of classes, which an alias of `type` gives as well."""
    whose = behind.owner(found)
    return is_class(whose) and (type(found) is not types.MethodDescriptorType or type in mro_of(whose))
