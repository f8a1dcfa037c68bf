"""What `__mro__`, `__bases__` and `mro` tell a snippet: the classes above one of its own, as `type(x)` tells them."""

from __future__ import annotations

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


def line(subject: object, name: str) -> Any:
    """What `x.name` gives for one of these names."""
    if not is_class(subject) or not is_own_class(subject):
        if name == "mro" and not is_class(subject) and not _is_of_a_class(found := getattr(subject, name)):
            return found
        raise refusal(subject, name, "it is given for your own classes")
    if any(ownership.module_of(base).startswith("codeact") or base in hidden for base in mro_of(subject)):
        raise refusal(subject, name, "the class is built on one that stands for a library's")
    found = getattr(subject, name)
    if type(found) is types.MethodDescriptorType:  # of a metaclass: it would tell of any class, and of `type` itself
        return _mro
    return tuple(dict.fromkeys(map(asked_classes.shown, found))) if type(found) is tuple else found


def _mro(cls: Any, /) -> list[Any]:
    return list(line(cls, "__mro__"))


_mro.__name__ = _mro.__qualname__ = "mro"


def _is_of_a_class(found: object) -> bool:
    """True for the method of classes, which an alias of `type` gives as well."""
    whose = behind.owner(found)
    return is_class(whose) and (type(found) is not types.MethodDescriptorType or type in mro_of(whose))
