"""Methods that store on the object they are given: taken from their class, they store where a snippet may.

`logging.Handler.setLevel(json.JSONEncoder, 3)` is an assignment to a library's class.
"""

from __future__ import annotations

import functools
import inspect
import opcode
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from codeact.snippet import attributes, ownership, running
from codeact.snippet.words import dunders

_STORES = {opcode.opmap["STORE_ATTR"], opcode.opmap["DELETE_ATTR"]}
#: What else a snippet can say of them; the other operators keep no more than what they have worked out.
_ACTING = frozenset(dunders("call enter exit aenter aexit next anext setitem delitem iadd imul ior"))
_STORING_NAMES = {"setattr", "delattr", "__dict__", "vars"}
_kept: set[type] = set()  # classes of Python's own, which stay as long as the process


def keep_stores(contents: Mapping[str, Any]) -> None:
    """Let the methods of Python's own classes among these names store on nothing that is not of their class."""
    for value in contents.values():
        for cls in ownership.mro_of(value) if ownership.is_class(value) else ():
            home = ownership.module_of(cls)
            if cls in _kept or home.partition(".")[0] not in sys.stdlib_module_names:
                continue
            if getattr(sys.modules.get(home), cls.__name__, None) is cls:  # and no session's own
                _kept.add(cls)
            keep(cls)


def keep(owner: type) -> None:
    """Let the methods of this class store on nothing that is not of it."""
    for name, found in list(ownership.class_dict(owner).items()):
        if name.startswith("_") and name not in _ACTING:
            continue
        if type(found) is property and (found.fset or found.fdel):
            kept: Any = found.setter(_checked(owner, found.fset)).deleter(_checked(owner, found.fdel))
        else:
            kept = _checked(owner, found)
        if kept is not found:
            type.__setattr__(owner, name, kept)


def _checked(owner: type, method: Any) -> Any:
    """The method, asking first what it is given where it stores."""
    if type(method) is not types.FunctionType or hasattr(method, running.CHECKED) or not _is_storing(method):
        return method

    def check(subject: object) -> None:
        if owner not in ownership.mro_of(type(subject)) and running.in_a_snippet():
            attributes.store(subject)

    made = _after(check, method)
    setattr(made, running.CHECKED, True)
    return made


def _after(check: Callable[[object], None], method: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(method):

        @functools.wraps(method)
        async def later(self: object, /, *arguments: Any, **named: Any) -> Any:
            check(self)
            return await method(self, *arguments, **named)

        return later

    @functools.wraps(method)
    def call(self: object, /, *arguments: Any, **named: Any) -> Any:
        check(self)
        return method(self, *arguments, **named)

    return call


def _is_storing(function: types.FunctionType) -> bool:
    code = function.__code__
    return not _STORES.isdisjoint(code.co_code[::2]) or not _STORING_NAMES.isdisjoint(code.co_names)
