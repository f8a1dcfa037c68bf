"""Functions that store on the object they are given: taken from their class, they store where a snippet may.

`logging.Handler.setLevel(json.JSONEncoder, 3)` is an assignment to a library's class. An instance gives such a method
as it is, at the cost of a look at who asks; its class gives one that looks at what it is handed. So it is with methods
that make another of their kind: `collections.Counter.copy(int)` would give the kind of a class, which is `type` itself.
"""

from __future__ import annotations

import dis
import functools
import inspect
import itertools
import opcode
import sys
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import attributes, data_objects, ownership, running, shared, types_, unbound, unchanged
from codeact.snippet.modules import aliases, class_makers, compiled, gone_by, handed_arrays, kept_places, scipy_fit
from codeact.snippet.words import dunders

STORES = {opcode.opmap["STORE_ATTR"], opcode.opmap["DELETE_ATTR"]}
_NAMED_STORES = {opcode.opname[number] for number in STORES}
#: What else a snippet can say of them; the other operators keep no more than what they have worked out.
_ACTING = frozenset(
    dunders("call enter exit aenter aexit next anext iter getitem setitem delitem iadd imul ior set_name")
)
_KINDS = {"__class__", "type"}
#: What is done with a kind that is only looked at.
_LOOKED_AT = {"IS_OP", "COMPARE_OP", "CONTAINS_OP", "LOAD_ATTR", "LOAD_METHOD"}
#: What reads a name, and by how many bits its number is moved.
_READING = {"LOAD_GLOBAL": 1, "LOAD_METHOD": 0, "LOAD_ATTR": int(sys.version_info >= (3, 12))}
_NO_STEPS = {"CACHE", "PRECALL", "EXTENDED_ARG"}
#: Special names that a snippet can say, by which a method may give another of its kind.
_MAKING = frozenset(
    dunders("add radd sub rsub mul rmul mod rmod truediv rtruediv floordiv rfloordiv pow rpow matmul rmatmul divmod")
    + dunders("rdivmod and rand or ror xor rxor lshift rshift neg pos abs invert round trunc floor ceil getitem copy")
    + dunders("deepcopy reversed iter enter call missing next await aiter anext aenter")
)
_STORING_NAMES = {"setattr", "delattr", "__setattr__", "__delattr__", "__dict__", "vars"}
_LOOKS = "_looks_first"
_LATER = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR  # what runs later looks later
_NOT_A_LIBRARYS = ("builtins", "codeact")
_PASSING_ON = frozenset({*weakref.ProxyTypes, aliases.ROOT})
_OUR_OWN = "codeact.snippet.modules."  # what stands for classes of Python's
_looked_at: dict[str, set[str]] = {}  # for the classes of a library: the names of modules, its own and others


class _Kept(ownership.Kept):
    """A method that stores: of an instance as it is, of its class one that looks first."""

    __slots__ = ("_checked",)

    def __init__(self, method: Any, checked: Any) -> None:
        self._method, self._checked = method, checked

    def __get__(self, subject: Any, owner: Any = None) -> Any:
        return self._checked if subject is None else types.MethodType(self._method, subject)

    def __call__(self, /, *arguments: Any, **named: Any) -> Any:
        return self._checked(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._checked, name)


def keep_stores(contents: dict[str, Any]) -> None:
    """Let functions and classes of these names store on nothing that a snippet may not."""
    for name, value in list(contents.items()):
        if type(value) is types.FunctionType and not hasattr(value, _LOOKS):
            found = handed(value)
            contents[name] = _looking(found, None, attributes.store) if _stores_on_first(found) else found
            unchanged.note(value)
        elif ownership.is_class(value):
            meet(value)


def keep_library(root: str) -> None:
    """Do the same for all classes of a library that are loaded: objects hold some that no facade names."""
    looked_at = _looked_at.setdefault(root, set())
    for name in [name for name in list(sys.modules) if name not in looked_at]:
        looked_at.add(name)
        for value in list(_names(sys.modules.get(name)).values()) if name.partition(".")[0] == root else ():
            if ownership.is_class(value):
                meet(value)
    compiled.close()
    kept_places.guard()
    handed_arrays.guard()
    scipy_fit.guard()
    gone_by.guard()


def meet(cls: type) -> None:
    """Do the same for a class that a snippet has come to know, and those above it."""
    if ownership.is_plain_class(cls):  # which notes it
        return
    for base in reversed(ownership.mro_of(cls)):
        if base not in ownership.known and not ownership.is_own_class(base):
            home = ownership.module_of(base)
            unbound.keep(base)
            if home == "builtins" or _names(sys.modules.get(home)).get(base.__name__) is base:
                ownership.known.add(base)  # and no session's own
            if home.startswith(_OUR_OWN):
                keep(base)
            elif home.partition(".")[0] not in _NOT_A_LIBRARYS:
                with running.our_own_work():
                    compiled.keep(base)
                    if type in ownership.mro_of(base):
                        class_makers.keep(base)
                    keep(base)
                    data_objects.close_class(base)
                if home.partition(".")[0] in unchanged.LIBRARIES | sys.stdlib_module_names:
                    shared.share_tables(base)
                unchanged.note(base)


ownership.meet = meet


def _names(module: object) -> dict[str, Any]:
    return vars(module) if isinstance(module, types.ModuleType) else {}


def keep(owner: type) -> None:
    """Let the methods of this class store on nothing that is not of it, and make none of its kind of a class."""
    made: dict[Any, _Kept] = {}
    made_of: dict[Any, Any] = {}  # for all its names
    for name, real in list(ownership.class_dict(owner).items()):
        if not _is_said(owner, name) or not _is_method(real) or hasattr(real, _LOOKS):
            continue
        found = real if name.startswith("_") else made_of.setdefault(real, handed(real))
        asked = [attributes.store] if name not in _MAKING - _ACTING and _is_storing(found) else []
        unread = compiled.is_compiled(found)
        if type not in ownership.mro_of(owner) and (unread or any(map(_makes_its_like, _written(found)))):
            asked.append(_no_class)
        if asked:
            kept = made.setdefault((found, *asked), _Kept(found, _looking(found, owner, *asked)))
            type.__setattr__(owner, name, kept)
        elif found is not real:
            type.__setattr__(owner, name, found)


def _is_said(owner: type, name: str) -> bool:
    """True where a snippet can say the name of a method: of a class that a session has for itself, private ones too."""
    if not name.startswith("_") or name in _ACTING | _MAKING:
        return True
    return ownership.is_own_class(owner) and not name.endswith("__")


def handed(function: Any) -> Any:
    """A function that sets attributes of what it is handed after the first, looking at that; any other as it is.

    `axes.add_artist(Line2D)` would be an assignment to a class that everybody shares.
    """
    if type(function) is not types.FunctionType or function.__code__.co_flags & _LATER:
        return function
    places = {place for code in _written(function) for place in _others_set(code)}
    if not places:
        return function

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        if running.is_in_a_step():
            for at, name in places:
                no_shared(arguments[at] if at < len(arguments) else named.get(name))
        return function(*arguments, **named)

    return call


def _others_set(code: types.CodeType) -> list[tuple[int, str]]:
    """The parameters after the first of which the code of a function sets attributes, with their places."""
    changed = _set_in(code)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if changed else ()
    return [(at, name) for at, name in enumerate(names) if at and name in changed]


def no_shared(given: Any) -> None:
    """Raise where a class or a function of a library stands in the place of what a library's function sets up.

    So may an alias or a weak proxy, which pass on what is stored on them.
    """
    kinds = ownership.mro_of(type(given))
    is_set_up = types.FunctionType in kinds or not _PASSING_ON.isdisjoint(kinds)
    if is_set_up or (type in kinds and given not in ownership.BARE_TYPES):
        attributes.store(given)


def _is_method(found: Any) -> bool:
    return type(found) is types.FunctionType or compiled.is_compiled(found)


def _no_class(subject: object) -> None:
    """Raise where the kind of an object is none that a snippet may have: of a class, or of what stands for one."""
    if isinstance(subject, type) or type(subject) in types_.STAND_INS:
        raise TypeError(f"a method of a library takes an instance first, not {type(subject).__name__!r}")


def _looking(function: Any, owner: type | None, *asked: Callable[[object], object]) -> Any:
    """The function, asking first what it is given where that is no instance of the owner."""

    def check(subject: object) -> None:
        if owner not in ownership.mro_of(type(subject)) and running.in_a_snippet():
            for ask in asked:
                ask(subject)

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
        not STORES.isdisjoint(code.co_code[::2]) or not _STORING_NAMES.isdisjoint(code.co_names)
        for code in _written(function)
    )


def _stores_on_first(function: Any) -> bool:
    """True where a function sets an attribute of its first argument: others it may store on are what it makes."""
    return any(code.co_varnames[0] in _set_in(code) for code in _written(function) if code.co_argcount)


def _set_in(code: types.CodeType) -> set[str]:
    """What the code of a function sets attributes of, by the names it has there."""
    return set() if STORES.isdisjoint(code.co_code[::2]) else _read_before_stores(code)


@functools.lru_cache(maxsize=10_000)  # each session asks, and `dis` takes long
def _read_before_stores(code: types.CodeType) -> set[str]:
    pairs = itertools.pairwise(dis.get_instructions(code))
    return {_last(before.argval) for before, after in pairs if after.opname in _NAMED_STORES}


def _last(said: Any) -> str:
    """The name that was read; the latter of two, which one step may read from Python 3.13 on."""
    found = said[-1] if type(said) is tuple and said else said
    return found if type(found) is str else ""


def _makes_its_like(code: types.CodeType) -> bool:
    """True where a function does more with the kind of an object than look at it."""
    if _KINDS.isdisjoint(code.co_names):
        return False
    steps = list(_steps(code))
    for at, (name, said) in enumerate(steps):
        asks = name == "LOAD_GLOBAL" and said == "type"
        if asks or said == "__class__":
            then = at + (3 if asks and [name for name, _ in steps[at + 2 : at + 3]] == ["CALL"] else 1)
            if then >= len(steps) or steps[then][0] not in _LOOKED_AT:
                return True
    return False


def _steps(code: types.CodeType) -> Iterator[tuple[str, str]]:
    """What the code of a function does, and by which name where it reads one; `dis` takes ten times as long."""
    above = 0
    for operation, number in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        name, argument = opcode.opname[operation], number | above << 8
        above = argument if name == "EXTENDED_ARG" else 0
        if name not in _NO_STEPS:
            index = argument >> _READING.get(name, 0)
            yield name, code.co_names[index] if name in _READING and index < len(code.co_names) else ""
