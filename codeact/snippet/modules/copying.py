"""`copy`, whose copies of a snippet's objects are put together by our own hand.

An object may say how it is copied: what to call, and which attributes the result is to have. The call is one the
snippet could make itself. The attributes it could not always set itself, so they are set on its own objects alone.
"""

from __future__ import annotations

import copy
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.modules.row import Room
from codeact.snippet.words import words

_HOOKS = frozenset(
    words("__reduce__ __reduce_ex__ __getstate__ __setstate__ __getnewargs__ __getnewargs_ex__ __getattribute__")
)


def copies(room: Room) -> dict[str, Any]:
    """The replaced names of copy."""
    return {name: _OWN[name] for name in ("copy", "deepcopy", "replace") if name in _OWN}


def _put_together(real: Callable[..., Any]) -> Callable[..., Any]:
    def reconstruct(x: Any, memo: Any, func: Any, args: Any, *rest: Any, **keywords: Any) -> Any:
        cls = type(x)
        if not ownership.is_own_class(cls):
            return real(x, memo, func, args, *rest, **keywords)
        if not ownership.is_plain_class(cls) and (hooks := _own_hooks(cls)):
            raise TypeError(
                f"{cls.__name__!r} defines {min(hooks)} on top of a library's class: define __copy__ instead"
            )

        def made(*arguments: Any) -> Any:
            y = func(*arguments)
            if rest and rest[0] is not None and (ownership.is_class(y) or not ownership.is_own_class(type(y))):
                raise TypeError(f"a copy of {cls.__name__!r} cannot set the attributes of a {type(y).__name__!r}")
            return y

        return real(x, memo, made, args, *rest, **keywords)

    return reconstruct


def _own_hooks(cls: type) -> set[str]:
    own = [base for base in ownership.mro_of(cls) if ownership.is_own_class(base)]
    return {name for base in own for name in ownership.class_dict(base) if name in _HOOKS}


def _rebuilt() -> dict[str, Any]:
    """The functions of `copy` with names of their own, in which `_reconstruct` is ours."""
    names: dict[str, Any] = dict(vars(copy))
    made = {
        value: types.FunctionType(value.__code__, names, value.__name__, value.__defaults__, value.__closure__)
        for value in vars(copy).values()
        if type(value) is types.FunctionType and value.__module__ == "copy"
    }
    for real, own in made.items():
        defaults = real.__defaults__ or ()
        own.__defaults__ = tuple(made.get(one, one) if callable(one) else one for one in defaults)
        own.__kwdefaults__ = {
            key: made.get(one, one) if callable(one) else one for key, one in (real.__kwdefaults__ or {}).items()
        }
        own.__doc__, own.__module__ = real.__doc__, "copy"
    names.update((name, made[value]) for name, value in vars(copy).items() if type(value) is types.FunctionType)
    for table in ("_copy_dispatch", "_deepcopy_dispatch"):
        if table in names:
            names[table] = {kind: made.get(value, value) for kind, value in names[table].items()}
    names["_reconstruct"] = _put_together(names["_reconstruct"])
    return names


_OWN = _rebuilt()


def with_own_copies(module: types.ModuleType, *functions: str) -> dict[str, Any]:
    """Functions of a module, and those they call there, over our copies in the place of the module's `copy`."""
    names: dict[str, Any] = {
        **vars(module),
        "copy": types.SimpleNamespace(copy=_OWN["copy"], deepcopy=_OWN["deepcopy"]),
    }
    for name, value in vars(module).items():
        if type(value) is types.FunctionType and value.__module__ == module.__name__:
            own = types.FunctionType(value.__code__, names, name, value.__defaults__, value.__closure__)
            own.__kwdefaults__, own.__doc__, own.__module__ = value.__kwdefaults__, value.__doc__, value.__module__
            names[name] = own
    return {name: names[name] for name in functions}
