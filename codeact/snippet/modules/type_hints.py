"""Resolves annotations: texts are evaluated as the snippet's own, checked and counted."""

from __future__ import annotations

import functools
import operator
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from codeact.snippet import annotated, asked_classes, ownership, running
from codeact.snippet.classes import is_a
from codeact.snippet.modules.states import is_ours

Reader = Callable[[str], Any]
_NOT_A_TYPE = "Forward references must evaluate to types."
_AS_VALUE, _AS_REFERENCE, _AS_TEXT = 1, 3, 4  # annotationlib.Format, from Python 3.14 on
_GENERIC: type = typing._GenericAlias  # type: ignore[attr-defined]  # typeshed hides it
_ANNOTATED: tuple[type, ...] = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_ANNOTATED += (types.WrapperDescriptorType, types.MethodDescriptorType, types.MethodWrapperType)


def forget() -> None:
    """Let go of what typing remembers of what it was asked: it is worked out anew."""
    for clear in getattr(typing, "_cleanups", ()):
        clear()


def resolve(subject: Any, globalns: Any = None, localns: Any = None) -> dict[str, Any]:
    """The annotations of a function, class or module, with their texts evaluated where it was defined."""
    if getattr(subject, "__no_type_check__", None):
        return {}
    if ownership.is_class(subject):
        return _of_class(subject, globalns, localns)
    found = {} if is_ours(subject) else getattr(subject, "__annotations__", None)
    if found is None and not isinstance(subject, _ANNOTATED):
        raise TypeError(f"{subject!r} is not a module, class, method, or function.")
    names = _globals_of(subject) if globalns is None else dict(globalns)
    types_of_it = {type_.__name__: type_ for type_ in getattr(subject, "__type_params__", ())}
    read = running.room().reader({**types_of_it, **names, **(localns or {})})
    return {key: _resolved(value, read, is_class=False) for key, value in dict(found or {}).items()}


def _of_class(cls: type, globalns: Any, localns: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for base in reversed(ownership.mro_of(cls)):
        annotations = annotated.values(base)
        if type(annotations) is not dict or not annotations:
            continue
        own = ownership.class_dict(base).items() if ownership.is_own_class(base) else ()
        within = {key: value for key, value in own if not key.startswith("__")} if localns is None else localns
        if globalns is None:
            around = names_around() if ownership.is_own_class(base) else {}
            names = {**within, **around} if localns is None else {**around, **within}
        else:
            names = {**globalns, **within}
        read = running.room().reader(names)
        found.update((key, _resolved(value, read, is_class=True)) for key, value in annotations.items())
    return found


def _globals_of(subject: Any) -> dict[str, Any]:
    while True:
        if type(subject) is types.MethodType:
            subject = subject.__func__
        if not hasattr(subject, "__wrapped__"):
            return subject.__globals__ if ownership.is_own_function(subject) else {}
        subject = subject.__wrapped__


def names_around() -> Mapping[str, Any]:
    """The globals of the snippet's code that asks."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if ownership.is_own_frame(frame):
            return frame.f_globals
        frame = frame.f_back
    return {}


def looked_up(real: Callable[..., Any]) -> Callable[..., Any]:
    """The same from Python 3.14 on, where a text may stay text, by choice or where a name is missing."""

    def evaluate(self: Any, *, globals: Any = None, locals: Any = None, format: Any = _AS_VALUE, **more: Any) -> Any:
        if not running.in_a_snippet() or (room := running.room()) is None:
            return real(self, globals=globals, locals=locals, format=format, **more)
        if not _is_format(format):  # an object of the snippet's could be another one each time it is compared
            raise NotImplementedError(format)
        if format == _AS_TEXT:
            return real(self, format=_AS_TEXT)
        parameters = {one.__name__: one for one in more.get("type_params") or ()}
        given = {**(globals or {}), **(locals or {}), **parameters}
        types_given = {name: value for name, value in given.items() if _leads_nowhere(value)}
        try:
            return _read(self.__forward_arg__, room.reader({**types_given, **names_around()}))
        except NameError:
            if format == _AS_REFERENCE:
                return self
            raise

    return evaluate


def _is_format(format: Any) -> bool:
    known = type(format) is int or ownership.module_of(type(format)) == "annotationlib"
    return known and format in (_AS_VALUE, _AS_REFERENCE, _AS_TEXT)


def referred(real: Callable[..., Any]) -> Callable[..., Any]:
    """A text that stands for a type is the snippet's own, whoever asks what it stands for: it sees the snippet's names.

    Of the names a library gives it, which may be those of any module, it sees types that lead nowhere.
    """

    def _evaluate(self: Any, globalns: Any, localns: Any, *rest: Any, **keywords: Any) -> Any:
        if not running.in_a_snippet() or (room := running.room()) is None:
            return real(self, globalns, localns, *rest, **keywords)
        given = {**(globalns or {}), **(localns or {})}
        types_given = {name: value for name, value in given.items() if _leads_nowhere(value)}
        within = keywords.get("recursive_guard", rest[-1] if rest else frozenset())
        return _evaluated(self, room.reader({**types_given, **names_around()}), frozenset(within))

    return _evaluate


def _leads_nowhere(value: Any) -> bool:
    if ownership.is_class(value):
        return ownership.is_own_class(value) or value in ownership.BARE_TYPES
    return ownership.module_of(type(value)) == "typing"


def _resolved(value: Any, read: Reader, *, is_class: bool) -> Any:
    if value is None:
        return type(None)
    if isinstance(value, str):
        value = typing.ForwardRef(str.__str__(value), is_argument=not is_class, is_class=is_class)
    return asked_classes.shown(_evaluated(value, read))


def _evaluated(hint: Any, read: Reader, within: frozenset[str] = frozenset()) -> Any:
    """A type with all texts in it evaluated, as typing does it; one that stands in itself stays text."""
    if type(hint) is typing.ForwardRef:
        return hint if hint.__forward_arg__ in within else _evaluated_text(hint, read, within)
    alias = is_a(hint, types.GenericAlias)
    known = alias or is_a(hint, types.UnionType) or is_a(hint, _GENERIC)
    if not known or ownership.is_own_class(type(hint)):
        return hint
    given = hint.__args__
    texts = [typing.ForwardRef(part) if alias and type(part) is str else part for part in given]
    parts = tuple(_evaluated(part, read, within) for part in texts)
    if all(old is new for old, new in zip(given, parts, strict=True)) and not (alias and hint.__unpacked__):
        return hint
    if alias:
        made = types.GenericAlias(hint.__origin__, parts)
        return typing.Unpack[made] if hint.__unpacked__ else made
    return functools.reduce(operator.or_, parts) if is_a(hint, types.UnionType) else hint.copy_with(parts)


def _evaluated_text(hint: typing.ForwardRef, read: Reader, within: frozenset[str]) -> Any:
    text = hint.__forward_arg__
    known = typing._type_check(  # type: ignore[attr-defined]  # typeshed hides it
        _read(text, read),
        _NOT_A_TYPE,
        is_argument=hint.__forward_is_argument__,
        allow_special_forms=hint.__forward_is_class__,
    )
    return _evaluated(known, read, within | {text})


def _read(text: str, read: Reader) -> Any:
    try:
        return read(f"({text},)[0]" if text.startswith("*") else text)
    except SyntaxError:
        raise SyntaxError(f"Forward reference must be an expression -- got {text!r}") from None
