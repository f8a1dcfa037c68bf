"""Copies that are put together from parts: what an object says of its copy is done as the snippet itself may do it.

`copy` calls what the object names, and sets the attributes it tells, whatever these are. The object may say so in its
class or, as copies ask itself first, in its own dictionary.
"""

from __future__ import annotations

import collections
import copy
from collections.abc import Callable
from typing import Any

from codeact.snippet import attributes, ownership, running
from codeact.snippet.classes import instance_dict
from codeact.snippet.words import word_set

_HOOKS = word_set(
    "__reduce__ __reduce_ex__ __getstate__ __setstate__ __getnewargs__ __getnewargs_ex__ __getattribute__"
)


def from_parts(real: Callable[..., Any]) -> Callable[..., Any]:
    """An object may say what makes its copy, and which attributes that gets: only a thing of its own kind gets them."""

    def reconstruct(x: Any, memo: Any, func: Any, args: Any, *rest: Any, **keywords: Any) -> Any:
        if not running.in_a_snippet():
            return real(x, memo, func, args, *rest, **keywords)
        cls = type(x)
        hooks = _own_hooks(cls) if ownership.is_own_class(cls) else set()
        state = rest[0] if rest else keywords.get("state")
        if state is not None:
            hooks |= _hooks_held(x)
        if hooks and not ownership.is_plain_class(cls):
            raise TypeError(
                f"{cls.__name__!r} defines {min(hooks)} on top of a library's class: define __copy__ instead"
            )
        make = attributes.get if func is getattr else func  # a method is copied by the name its function says it has

        def made(*arguments: Any) -> Any:
            y = make(*arguments)
            own = type(y) is cls or ownership.is_own_class(type(y)) or _is_made_anew(type(y), cls)
            if state is not None and (ownership.is_class(y) or not own):
                raise TypeError(f"a copy of {cls.__name__!r} cannot set the attributes of a {type(y).__name__!r}")
            return y

        if not hooks or state is None:
            return real(x, memo, made, args, *rest, **keywords)
        y = real(x, memo, made, args)
        _give_state(y, state if memo is None else copy.deepcopy(state, memo))
        return real(x, memo, lambda: y, (), None, *rest[1:], **{**keywords, "state": None} if not rest else keywords)

    return reconstruct


def _is_made_anew(made: type, cls: type) -> bool:
    """True where a library makes a class like that of the object for its copy, as email does for headers."""
    return not ownership.is_own_class(cls) and ownership.mro_of(made)[1:] == ownership.mro_of(cls)[1:]


def _give_state(y: Any, state: Any) -> None:
    """Do what copies do with what an object says of its state; its attributes are set as a snippet may set them."""
    line = ownership.mro_of(type(y))
    setter = next((base for base in line if "__setstate__" in ownership.class_dict(base)), None)
    if setter is BaseException:
        named, in_slots = None, state
    elif setter is not None and not ownership.is_own_class(setter):
        raise TypeError(f"a copy cannot set the state of a {setter.__name__!r}: define __copy__ instead")
    elif hasattr(y, "__setstate__"):
        y.__setstate__(state)
        return
    else:
        named, in_slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
    if named is not None:
        attributes.load(y, "__dict__").update(named)
    for key, value in (in_slots or {}).items():
        attributes.put(y, key, value)


def _own_hooks(cls: type) -> set[str]:
    found: set[str] = set()
    for base in ownership.mro_of(cls):
        names = ownership.class_dict(base)
        if not _HOOKS.isdisjoint(names) and ownership.is_own_class(base):
            found |= _HOOKS.intersection(names)
    return found


def _hooks_held(x: Any) -> set[str]:
    """What the object itself holds under such names: copies ask it before its class."""
    return {name for name in instance_dict(x) if type(name) is str and name in _HOOKS}


def by_its_names(real: Callable[..., Any]) -> Callable[..., Any]:
    """A user dict or list asks itself of which class its copy is, and gives that all its attributes."""

    def __copy__(self: Any) -> Any:
        if not running.in_a_snippet():
            return real(self)
        cls: Any = type(self)
        made = cls.__new__(cls)
        if type(made) is not cls or not {collections.UserDict, collections.UserList} & set(ownership.mro_of(cls)):
            raise TypeError(f"a copy of {cls.__name__!r} cannot be a {type(made).__name__!r}")
        made.__dict__.update(self.__dict__)
        made.__dict__["data"] = copy.copy(self.__dict__["data"])
        return made

    return __copy__
