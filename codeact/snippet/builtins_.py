"""The builtins of a snippet: every name of the language, given, replaced or refused, each with its reason."""

from __future__ import annotations

import builtins
import inspect
import io
import sys
import types
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from codeact.snippet import (
    alias_parts,
    asked_members,
    attribute_rules,
    attributes,
    bare_states,
    class_statements,
    collected,
    defects,
    held_subjects,
    long_ranges,
    members_let_go,
    moved_memory,
    no_methods,
    ownership,
    plain_order,
    reentered,
    rules,
    set_up_once,
    types_,
    unbound,
)
from codeact.snippet.builtin_names import GIVEN, REFUSED, REPLACED
from codeact.snippet.endings import CallRefused
from codeact.snippet.facade import Facades
from codeact.snippet.given import Asked
from codeact.snippet.helping import helper
from codeact.snippet.live_names import GlobalNames, live
from codeact.snippet.modules.printing import Output
from codeact.snippet.modules.row import Room

Protected = Callable[[], Collection[str]]

_MISSING = object()


def make_builtins(*, facades: Facades, names: dict[str, Any], protected: Protected = frozenset) -> dict[str, Any]:
    """The builtins of one session; `names` are a snippet's globals, of which it may not rebind the protected ones."""
    _guard()
    room = facades.room
    made: dict[str, Any] = {name: getattr(builtins, name) for name in GIVEN if hasattr(builtins, name)}
    made.update((name, _refuser(name, why)) for name, why in REFUSED.items())
    made.update(
        {
            "__name__": "builtins",
            "__doc__": None,
            "__debug__": True,
            "__build_class__": class_statements.build_class,
            "__import__": facades.import_,
            "type": types_.type_,
            "memoryview": types_.STAND_INS[memoryview],
            "getattr": attributes.get,
            "hasattr": attributes.has,
            "setattr": attributes.put,
            "delattr": attributes.drop,
            "print": _printer(room),
            "open": room.open,
            "input": _asker(room),
            "help": helper(room, names),
            **_views(names, protected),
        }
    )
    for name, function in made.items():
        if type(function) is types.FunctionType and name in REPLACED:
            real = vars(builtins).get(name)  # `help` comes with `site`
            function.__name__ = function.__qualname__ = name
            function.__module__, function.__doc__ = "builtins", real.__doc__
            no_methods.note(function, real)
    return made


def _guard() -> None:
    """Hold back what of Python's own is held back, in the whole process."""
    defects.guard()
    moved_memory.guard_always()
    reentered.guard()
    set_up_once.guard()
    held_subjects.guard()
    members_let_go.guard()
    bare_states.guard()
    unbound.guard()
    long_ranges.guard()
    alias_parts.guard()
    plain_order.guard()
    collected.guard()
    asked_members.guard()


def _refuser(name: str, why: str) -> Callable[..., Any]:
    def refused(*arguments: Any, **keywords: Any) -> Any:
        raise CallRefused(f"{name}() is refused: {why}")

    refused.__name__ = refused.__qualname__ = name
    return refused


_WHOLE = (Output, io.StringIO, io.TextIOWrapper)  # to these, a line is the same in one piece


_AT_ONCE = 100  # values whose texts are there at the same time


def _begun(write: Callable[[str], object], values: tuple[Any, ...], between: str) -> tuple[Any, ...]:
    """Write all but the last values bit by bit, as their texts may be far larger than they are; gives the last."""
    start = 0
    while len(values) - start > _AT_ONCE:
        write(_in_one_piece(values[start : start + _AT_ONCE], between, between))
        start += _AT_ONCE
    return values[start:]


def _in_one_piece(values: Iterable[Any], between: str, after: str) -> str:
    """The line that print writes; a text of the snippet's own class has no say in it."""
    return str.join(between, [str(value) for value in values]) + str.__str__(after)


def _check_texts(**given: Any) -> None:
    for label, text in given.items():
        if text is not None and not issubclass(type(text), str):
            raise TypeError(f"{label} must be None or a string, not {type(text).__name__}")


def _printer(room: Room) -> Callable[..., None]:
    def write_all(
        *values: Any,
        sep: str | None = " ",
        end: str | None = "\n",
        file: Any = None,
        flush: bool = False,
        **unknown: Any,
    ) -> None:
        if unknown:
            print(**unknown)  # it says so, and prints nothing
        if type(sep) is not str or type(end) is not str:
            _check_texts(sep=sep, end=end)
        between, after = " " if sep is None else sep, "\n" if end is None else end
        if file is None:
            if "stdout" not in room.streams:
                if len(values) > _AT_ONCE:
                    values = _begun(room.output, values, between)
                room.output(_in_one_piece(values, between, after))
                return
            if (file := room.streams["stdout"]) is None:
                return
        if type(file) in _WHOLE:
            if len(values) > _AT_ONCE:
                values = _begun(file.write, values, between)
            file.write(_in_one_piece(values, between, after))
        else:
            for number, value in enumerate(values):
                if number:
                    file.write(between)
                file.write(str(value))
            file.write(after)
        if flush:
            file.flush()

    return write_all


def _asker(room: Room) -> Callable[..., Any]:
    def ask(prompt: object = "", /) -> Any:
        if "stdin" not in room.streams:
            why = "nobody is there to answer; use the inputs you were given, or set sys.stdin to an io.StringIO"
            raise CallRefused(f"input() is refused: {why}")
        if (file := room.streams["stdin"]) is None:
            raise RuntimeError("input(): lost sys.stdin")
        room.write(str(prompt))
        line = file.readline()
        if not issubclass(type(line), str):
            raise TypeError("object.readline() returned non-string")
        if not line:
            raise EOFError("EOF when reading a line")
        return str.removesuffix(line, "\n")

    return ask


# --------------------------------------------------------------------------------------- names and their values


def _check_global(protected: Protected) -> Callable[[Any], None]:
    def check(name: Any) -> None:
        if type(name) is not str or not name.isidentifier():
            raise CallRefused(f"{name!r} is no name a snippet can say, and cannot be stored among its names")
        if name in protected():
            raise CallRefused(f"{name!r} is a name of the session and cannot be rebound")
        if name in rules.FIXED_NAMES or (name.startswith("__") and name.endswith("__")):
            raise CallRefused(f"the special name {name} cannot be bound here")

    return check


def _check_body(name: Any) -> None:
    if type(name) is not str or not name.isidentifier():
        raise CallRefused(f"{name!r} is no name a class body can bind")
    if (why := attribute_rules.refused_definition(name)) is not None:
        raise CallRefused(f"a class may not define {name}: {why}")


def _views(names: dict[str, Any], protected: Protected) -> dict[str, Any]:
    check = _check_global(protected)

    def of_text(frame: types.FrameType) -> dict[str, Any]:
        around = frame.f_globals
        if around.get(rules.TEXTS) is names:  # a text that was given a dictionary
            return live(users(around), around, check)
        return live(users(names), names, check, kind=GlobalNames)

    def globals_() -> dict[str, Any]:
        return of_text(sys._getframe(1))

    def of_frame(frame: types.FrameType) -> Any:
        around: Any = frame.f_locals
        if type(around) is Asked:
            return around.mapping
        if frame.f_locals is frame.f_globals:
            return of_text(frame)
        found = users(frame.f_locals)
        if frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            return found
        return live(found, frame.f_locals, check if frame.f_code.co_name == "<module>" else _check_body)

    def locals_() -> Any:
        return of_frame(ownership.snippets_frame(sys._getframe(1)))

    def vars_(subject: Any = _MISSING, /) -> Any:
        if subject is not _MISSING:
            return vars_of(subject)
        return of_frame(ownership.snippets_frame(sys._getframe(1)))

    def dir_(subject: Any = _MISSING, /) -> list[str]:
        if subject is not _MISSING:
            return dir_of(subject)
        return sorted(of_frame(ownership.snippets_frame(sys._getframe(1))).keys())

    return {"globals": globals_, "locals": locals_, "vars": vars_, "dir": dir_}


def users(found: Mapping[str, Any]) -> dict[str, Any]:
    """The names among these that a snippet made."""
    return {name: value for name, value in found.items() if name.isidentifier() and not name.startswith("__")}


def vars_of(subject: Any) -> Any:
    """What `vars(x)` is inside a snippet."""
    if type(subject) is types.ModuleType:
        return {name: value for name, value in subject.__dict__.items() if not name.startswith("_")}
    if not hasattr(subject, "__dict__"):
        raise TypeError("vars() argument must have __dict__ attribute")
    return attributes.load(subject, "__dict__")


def dir_of(subject: Any) -> list[str]:
    """What `dir(x)` is inside a snippet: the names that may be said."""
    if type(subject) is types.ModuleType:
        return sorted(name for name in subject.__dict__ if not name.startswith("_"))
    return [name for name in builtins.dir(subject) if type(name) is str and _may_say(subject, name)]


def _may_say(subject: Any, name: str) -> bool:
    kind = attribute_rules.attribute_kind(name)
    if name == ownership.MARK:
        return False
    if kind != "private":
        return kind != "refused"
    try:
        attributes.private(subject, name)
    except AttributeError:
        return False
    return True
