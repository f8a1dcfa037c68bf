"""What `__init__` of a library's class is inside a snippet: it sets up instances of the snippet's own classes alone.

What `__getnewargs__` tells for the making of copies stands beside it, and which classes are empty before it.
"""

from __future__ import annotations

import collections
import functools
import sys
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet.attribute_rules import refusal
from codeact.snippet.defects import made_by_python
from codeact.snippet.ownership import BARE_TYPES, class_dict, is_class, is_own_class, is_own_function, module_of, mro_of
from codeact.snippet.rules import COUNTED

#: Containers, of which to be set up anew is to be filled anew: whoever holds one may do that.
_CONTAINERS = BARE_TYPES | {collections.deque, collections.Counter}


def is_harmless(found: Any, cls: type) -> bool:
    """True for the `__init__` of what takes none, and of a container."""
    return cls in _CONTAINERS or (type(found) is types.MethodWrapperType and found.__objclass__ is object)


def is_empty_at_first(cls: type) -> bool:
    """True for what C sets up in the `__init__` of a library: past that, methods of it read where there is nothing."""
    made: Any = class_dict(cls).get("__new__")
    is_of_c = type(made) is types.BuiltinFunctionType and made.__self__ is cls
    return is_of_c and "__init__" in class_dict(cls) and module_of(cls).partition(".")[0] not in _PYTHONS


def new(found: Any) -> Any:
    """What makes an instance; of those that are made by functions of ours, `object.__new__` makes none, as before."""
    return new_object if found is object.__new__ else found


def new_object(cls: Any, /, *arguments: Any, **keywords: Any) -> Any:
    """What `object.__new__` makes."""
    for base in mro_of(cls) if is_class(cls) else ():
        if base in made_by_python:
            raise TypeError(f"object.__new__({cls.__name__}) is not safe, use {base.__name__}.__new__()")
    return object.__new__(cls, *arguments, **keywords)


new_object.__name__, new_object.__qualname__ = "__new__", "object.__new__"

_PYTHONS = sys.stdlib_module_names | {"codeact"}


def new_arguments(subject: object, name: str) -> Any:
    """`__getnewargs__`, which of a plain value, and of what is built on one, is the value itself."""
    found = getattr(subject, name)
    plain = not is_class(subject) and not BARE_TYPES.isdisjoint(mro_of(type(subject)))
    if plain or is_own_function(getattr(found, "__func__", found)):
        return found
    raise refusal(subject, name, "it is given for plain values, and for objects of your own classes that define it")


@functools.lru_cache(maxsize=1000)
def of_own_instances(found: Callable[..., Any]) -> Callable[..., Any]:
    """The function, of instances of a class of the snippet's own and of plain values."""

    def __init__(*arguments: Any, **keywords: Any) -> Any:
        cls = type(arguments[0]) if arguments else object
        if is_own_class(cls) or cls in BARE_TYPES:
            return found(*arguments, **keywords)
        raise TypeError(f"__init__() takes an instance of a class of your own first, not {cls.__name__!r}")

    __init__.__annotations__ = {}
    functools.update_wrapper(__init__, found, updated=())
    del __init__.__wrapped__  # type: ignore[attr-defined]  # what update_wrapper leaves, and nobody may ask for
    if type(found) is types.FunctionType:
        setattr(__init__, COUNTED, found)
    return __init__
