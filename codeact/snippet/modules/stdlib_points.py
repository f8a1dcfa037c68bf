"""The few places inside the standard library that obey what a snippet's object says: guarded for snippets alone.

A facade decides what a snippet may name. These are reached from inside the library, whoever calls: every copy is put
together in one function, every enum is made by one metaclass, every coroutine that nobody awaited is told in one place.
"""

from __future__ import annotations

import abc
import collections
import copy
import dataclasses
import enum
import functools
import inspect
import logging
import sys
import types
import typing
import warnings
from collections.abc import Callable
from typing import Any

from codeact.snippet import compared_lists, field_tables, kinds, metaclasses, methods, named, ownership, running, types_
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules import aliases, copying, field_methods, lately, put_together, segments, type_caches
from codeact.snippet.modules.type_hints import looked_up, names_around, referred
from codeact.snippet.modules.warning import WARNINGS, heard, is_heard, worded
from codeact.snippet.patches import patch
from codeact.snippet.storable import OF_ONE_SESSION

_OURS = __file__.removesuffix("modules/stdlib_points.py")


def guard() -> None:
    """Put the guards in place; outside a snippet the places do what they always did."""
    copying.guard()
    kinds.guard()
    lately.guard()
    methods.guard()
    named.guard()
    type_caches.guard()
    cached = functools.cached_property
    if "lock" in cached.__init__.__code__.co_names and not hasattr(cached, "lock"):
        cached.lock = _Lock()  # type: ignore[attr-defined]  # until Python 3.12
    for owner, name, guarded in _PLACES:
        patch(owner, name, guarded)


class _Lock:
    """The lock of a library's cached property, for that alone: held, it would stop every thread that asks for one."""

    def __get__(self, subject: Any, owner: Any = None) -> Any:
        asks = sys._getframe(1).f_code
        if subject is None or (running.in_a_snippet() and asks is not functools.cached_property.__get__.__code__):
            raise AttributeError("lock")
        return vars(subject)["lock"]

    def __set__(self, subject: Any, value: Any) -> None:
        vars(subject)["lock"] = value


def _found_field(real: Callable[..., Any]) -> Callable[..., Any]:
    """The default of a field may say that it is a `Field`, and the text that is executed holds its name."""

    def _get_field(cls: Any, *arguments: Any, **keywords: Any) -> Any:
        found = real(cls, *arguments, **keywords)
        if running.in_a_snippet():
            if type(found) is not dataclasses.Field:
                raise TypeError(f"class {cls.__name__!r}: a field is made by dataclasses.field()")
            field_tables.check_name(found.name)
        return found

    return _get_field


def _sorted_by_text(real: Callable[..., Any]) -> Callable[..., Any]:
    """The text of an annotation says `ClassVar` by a name of the snippet's; dataclasses asks a module of the host's."""

    def _is_type(annotation: str, cls: Any, a_module: Any, a_type: Any, is_type_predicate: Any) -> bool:
        if not (running.in_a_snippet() and ownership.is_own_class(cls)):
            return bool(real(annotation, cls, a_module, a_type, is_type_predicate))
        match = dataclasses._MODULE_IDENTIFIER_RE.match(annotation)  # type: ignore[attr-defined]  # typeshed hides it
        owner, word = match.groups() if match else (None, "")
        names = names_around()
        if owner is not None:
            found = names.get(owner)
            named = type(found) is types.ModuleType and found.__name__ == a_module.__name__
            names = vars(found) if named else {}
        return bool(is_type_predicate(names.get(word), a_module))

    return _is_type


def _made_enum(real: Callable[..., Any]) -> Callable[..., Any]:
    """`Enum("E", names)` makes a class that no class statement checked."""

    def __new__(metacls: Any, cls: str, bases: Any, classdict: Any, **settings: Any) -> Any:
        if running.in_a_snippet() and _asked_by_a_snippet(sys._getframe(1)):
            if ownership.is_own_class(type(classdict)):
                raise TypeError("the names of an enum come from its class statement, or from Enum(name, names)")
            classdict = _of_its_own(classdict)
            types_.screen(cls, bases, classdict, metacls)
        return real(metacls, cls, bases, classdict, **settings)

    return __new__


def _of_its_own(names: Any) -> Any:
    """What an enum is made of in a copy that nobody else holds: a snippet's code runs while it is made."""
    if type(names) is not enum._EnumDict:
        return names
    made = type(names).__new__(type(names))
    vars(made).update({name: copy.copy(value) for name, value in vars(names).items()})
    dict.update(made, names)
    return made


def _asked_by_a_snippet(frame: types.FrameType) -> bool:
    """False for an enum that a library defines while it is imported."""
    module = frame.f_globals.get("__name__", "")
    return ownership.is_own_frame(frame) or module == "enum" or module.startswith("codeact.")


def _told(real: Callable[..., Any]) -> Callable[..., Any]:
    """A coroutine that a snippet never awaited is told in the step's output, and after the step to nobody."""

    def warn(coro: Any) -> None:
        if not _is_of_a_snippet(coro):
            real(coro)
        elif (room := running.room()) is not None:
            room.write(f"RuntimeWarning: coroutine {coro.__qualname__!r} was never awaited\n", "stderr")

    return warn


def _is_of_a_snippet(coro: Any) -> bool:
    """True for a snippet's coroutine, and a library's that one made; without a cage they are asked to say where."""
    code = getattr(coro, "cr_code", None) or getattr(coro, "ag_code", None)
    files = [code.co_filename] if code is not None else []
    files += [file for file, _, _ in getattr(coro, "cr_origin", None) or ()]
    return any(file.startswith(("<snippet ", _OURS)) for file in files)


def _logged(real: Callable[..., Any]) -> Callable[..., Any]:
    """What a library logs while it works for a snippet is told in the step's output, and not to the host's handlers."""

    def callHandlers(self: Any, record: Any) -> None:
        if not running.in_a_snippet() or getattr(type(self), OF_ONE_SESSION, False):
            real(self, record)
        elif record.levelno >= logging.WARNING and (room := running.room()) is not None:
            room.write(f"{record.name}: {record.getMessage()}\n", "stderr")

    return callHandlers


def _warned(real: Callable[..., Any]) -> Callable[..., Any]:
    """What a library warns of while it works for a snippet goes through the filters of the session."""

    def show(message: Any) -> None:
        if not running.in_a_snippet() or is_heard():
            real(message)
        elif (room := running.room()) is None:
            return  # the snippet's code runs while no step does: there is nobody to tell
        else:
            line, module, file = _place_of(message, sys._getframe(1))
            if (own := room.settings.get(WARNINGS)) is not None:
                own.tell(message.message, message.category, line, module, file)
            else:
                room.write(worded(message.category, str(message.message), file, line), "stderr")

    return show


def _place_of(message: Any, frame: types.FrameType | None) -> tuple[int, str, str]:
    """The line and the module that a warning is said to be from: of the call, where that is what we put around one.

    And the file, where that is a snippet's or a text.
    """
    file = message.filename if message.filename.startswith("<") else ""
    if file == "<string>":  # a text, as functions of libraries are made of it
        frame = None
    while frame is not None and (frame.f_code.co_filename, frame.f_lineno) != (message.filename, message.lineno):
        frame = frame.f_back
    if frame is None:  # a snippet or a text, or of a library
        return message.lineno, file, file
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("codeact."):
        frame = frame.f_back
    if ownership.is_own_frame(frame):
        return frame.f_lineno, "__main__", frame.f_code.co_filename
    return frame.f_lineno, str(frame.f_globals.get("__name__", "")), ""


def _registered(real: Callable[..., Any]) -> Callable[..., Any]:
    """`Mapping.register(int)` would change what everything in the process is taken for."""

    def register(cls: Any, subclass: Any) -> Any:
        own = _answers_for_itself_alone(cls) or (
            _is_own(subclass) and not metaclasses.answers_for_others(type(subclass))
        )
        if running.in_a_snippet() and not own and not running.is_importing(sys._getframe(1)):
            raise CallRefused(
                f"{cls.__name__}.register takes a class of your own, which leaves it to others what they are"
            )
        if running.in_a_snippet() and cls.__module__ == "numbers":
            compared_lists.begin()
        return real(cls, subclass)

    return register


def _answers_for_itself_alone(cls: type) -> bool:
    """True for a class of the snippet's with no abstract class of a library above: that would ask it of everything."""
    asking = (base for base in ownership.mro_of(cls) if isinstance(base, abc.ABCMeta) and base not in _ASKED_NOTHING)
    return all(map(ownership.is_own_class, asking))


_ASKED_NOTHING = (abc.ABC, typing.Protocol)


def _is_own(value: object) -> bool:
    return ownership.is_class(value) and ownership.is_own_class(value)


def _told_apart(real: Callable[..., bool]) -> Callable[..., bool]:
    """A library asks what functions take, and that `obj in (type, object)`: an own object would hear of `type`."""

    def _signature_is_builtin(obj: Any) -> bool:
        own = running.in_a_snippet() and ownership.is_own_class(type(obj))
        return not own and real(obj)

    return _signature_is_builtin


_PLACES: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
    (copy, "_reconstruct", put_together.from_parts),
    (collections.UserDict, "__copy__", put_together.by_its_names),
    (collections.UserList, "__copy__", put_together.by_its_names),
    (dataclasses, "_get_field", _found_field),
    (dataclasses, "_is_type", _sorted_by_text),
    (*field_methods.MAKER, field_methods.made_from_text),
    (aliases.ROOT, "__call__", aliases.marked),
    (typing.ForwardRef, *(("evaluate", looked_up) if sys.version_info >= (3, 14) else ("_evaluate", referred))),
    (enum.EnumType, "__new__", _made_enum),
    (abc.ABCMeta, "register", _registered),
    (inspect, "_signature_is_builtin", _told_apart),
    (logging.Logger, "callHandlers", _logged),
    *segments.PLACES,
    (warnings, "_showwarnmsg", _warned),
    (warnings.catch_warnings, "__enter__", heard),
    (warnings, "_warn_unawaited_coroutine", _told),
)
