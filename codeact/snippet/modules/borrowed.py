"""Functions that store on the object they are given: taken from their class, they store where a snippet may.

`logging.Handler.setLevel(json.JSONEncoder, 3)` is an assignment to a library's class. An instance gives such a method
as it is, at the cost of a look at who asks; its class gives one that looks at what it is handed.
"""

from __future__ import annotations

import dis
import functools
import inspect
import itertools
import opcode
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import attributes, data_objects, ownership, running
from codeact.snippet.modules import compiled
from codeact.snippet.words import dunders

_STORES = {opcode.opmap["STORE_ATTR"], opcode.opmap["DELETE_ATTR"]}
_NAMED_STORES = {opcode.opname[number] for number in _STORES}
#: What else a snippet can say of them; the other operators keep no more than what they have worked out.
_ACTING = frozenset(dunders("call enter exit aenter aexit next anext setitem delitem iadd imul ior"))
_STORING_NAMES = {"setattr", "delattr", "__setattr__", "__delattr__", "__dict__", "vars"}
_LOOKS = "_looks_first"
_NOT_A_LIBRARYS = ("builtins", "codeact")
_walked: set[str] = set()  # names of modules


class _Kept(ownership.Kept):
    """A method that stores: of an instance as it is, of its class one that looks first."""

    __slots__ = ("_checked",)

    def __init__(self, method: Any, checked: Any) -> None:
        self._method, self._checked = method, checked

    def __get__(self, subject: Any, owner: Any = None) -> Any:
        return self._checked if subject is None else types.MethodType(self._method, subject)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._checked(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._checked, name)


def keep_stores(contents: dict[str, Any]) -> None:
    """Let functions and classes of these names store on nothing that a snippet may not."""
    for name, value in list(contents.items()):
        if type(value) is types.FunctionType and not hasattr(value, _LOOKS) and _stores_on_first(value):
            contents[name] = _looking(value, None)
        elif ownership.is_class(value):
            meet(value)


def keep_library(root: str) -> None:
    """Do the same for all classes of a library that are loaded: objects hold some that no facade names."""
    for name, module in list(sys.modules.items()):
        if name not in _walked and (name == root or name.startswith(f"{root}.")):
            _walked.add(name)
            for value in list(_names(module).values()):
                if ownership.is_class(value):
                    meet(value)


def meet(cls: type) -> None:
    """Do the same for a class that a snippet has come to know, and those above it."""
    if ownership.is_plain_class(cls):  # which notes it
        return
    for base in reversed(ownership.mro_of(cls)):
        if base not in ownership.known and not ownership.is_own_class(base):
            home = ownership.module_of(base)
            if home == "builtins" or _names(sys.modules.get(home)).get(base.__name__) is base:
                ownership.known.add(base)  # and no session's own
            if home.partition(".")[0] not in _NOT_A_LIBRARYS:
                with running.our_own_work():
                    compiled.keep(base)
                    keep(base)
                    data_objects.close_class(base)


ownership.meet = meet


def _names(module: object) -> dict[str, Any]:
    return vars(module) if isinstance(module, types.ModuleType) else {}


def keep(owner: type) -> None:
    """Let the methods of this class store on nothing that is not of it."""
    made: dict[Any, _Kept] = {}
    for name, found in list(ownership.class_dict(owner).items()):
        if name.startswith("_") and name not in _ACTING:
            continue
        if _is_method(found) and not hasattr(found, _LOOKS) and _is_storing(found):
            kept = made.setdefault(found, _Kept(found, _looking(found, owner)))  # one for all its names
            type.__setattr__(owner, name, kept)


def _is_method(found: Any) -> bool:
    return type(found) is types.FunctionType or compiled.is_compiled(found)


def _looking(function: Any, owner: type | None) -> Any:
    """The function, asking first what it is given where that is no instance of the owner."""

    def check(subject: object) -> None:
        if owner not in ownership.mro_of(type(subject)) and running.in_a_snippet():
            attributes.store(subject)

    made = _after(check, function)
    setattr(made, _LOOKS, True)
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


def _written(function: Any) -> Iterator[types.CodeType]:
    """The code of a function, and of what it was wrapped around."""
    while function is not None:
        if type(function) is types.FunctionType:
            yield function.__code__
        function = getattr(function, "__wrapped__", None)


def _is_storing(function: Any) -> bool:
    return compiled.is_compiled(function) or any(
        not _STORES.isdisjoint(code.co_code[::2]) or not _STORING_NAMES.isdisjoint(code.co_names)
        for code in _written(function)
    )


def _stores_on_first(function: Any) -> bool:
    """True where a function sets an attribute of its first argument: others it may store on are what it makes."""
    return any(_is_set(code, code.co_varnames[0]) for code in _written(function) if code.co_argcount)


def _is_set(code: types.CodeType, name: str) -> bool:
    if _STORES.isdisjoint(code.co_code[::2]):
        return False
    return any(
        after.opname in _NAMED_STORES and before.argval == name
        for before, after in itertools.pairwise(dis.get_instructions(code))
    )
