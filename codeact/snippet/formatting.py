"""Formats texts as `str.format` does, after the attributes a text names have been checked."""

from __future__ import annotations

import collections
import functools
import types
from _string import formatter_field_name_split, formatter_parser  # type: ignore[import-not-found]  # has no stub
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from codeact.snippet import library_methods, names
from codeact.snippet.endings import AttributeRefused
from codeact.snippet.ownership import mro_of
from codeact.snippet.whole import numbers_in
from codeact.snippet.words import word_set


@functools.lru_cache(maxsize=1024)
def refused_in_text(text: str) -> str | None:
    """The first attribute a format text may not name; None where all are fine. A broken text raises ValueError."""
    for _, field, spec, _ in formatter_parser(text):
        if field is None:
            continue
        _, rest = formatter_field_name_split(field)
        for is_attribute, key in rest:
            if is_attribute and not _harmless(key):
                return str(key)
        if spec and "{" in spec and (inner := refused_in_text(spec)) is not None:
            return inner
    return None


def formatted(charge: Callable[[int], object], method: Any, /, text: Any, *given: Any, **named: Any) -> str:
    """What `str_format` or `str_format_map` gives; the widths its fields ask for are charged as each is known."""
    if str not in mro_of(type(text)) or not _may_be_wide(plain := str.__str__(text)):
        return method(text, *given, **named)  # type: ignore[no-any-return]  # a text
    check(plain)
    if method is str_format:
        return "".join(_fields(charge, plain, lambda one, spec: str.format(one, *given, **{**named, _BESIDE: spec})))
    if len(given) != 1 or named:
        return method(text, *given, **named)  # type: ignore[no-any-return]  # it says what is wrong
    return "".join(_fields(charge, plain, lambda one, spec: str.format_map(one, _Beside(given[0], spec))))


_BESIDE = " spec"  # no name that a text would say


class _Beside:
    """A mapping with one more name, for the specification of a field."""

    def __init__(self, mapping: Mapping[str, Any], spec: str) -> None:
        self._mapping, self._spec = mapping, spec

    def __getitem__(self, name: str) -> Any:
        return self._spec if name == _BESIDE else self._mapping[name]


def _fields(charge: Callable[[int], object], text: str, put: Callable[[str, str], str]) -> Iterator[str]:
    """The parts of a formatted text; `put` formats one field, which may name the specification `beside` it."""
    places = _Places()
    for literal, field, wanted, conversion in formatter_parser(text):
        yield literal
        if field is None:
            continue
        name = places.named(field) + (f"!{conversion}" if conversion else "")
        spec = wanted
        if "{" in wanted:
            parts = [*formatter_parser(wanted)]
            if any(inner and "{" in inner for _, _, inner, _ in parts):
                raise ValueError("Max string recursion exceeded")
            spec = "".join(
                one if inner is None else one + put(_field(places.named(inner), kind, deep), "")
                for one, inner, deep, kind in parts
            )
        charge(sum(numbers_in(spec)))
        yield put(f"{{{name}:{{{_BESIDE}}}}}", spec)


def _field(name: str, conversion: str | None, spec: str) -> str:
    return "{" + name + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}"


class _Places:
    """Numbers the fields of a text that have no name, as Python does."""

    def __init__(self) -> None:
        self._next: int | None = None
        self._numbered = False

    def named(self, field: str) -> str:
        first, _ = formatter_field_name_split(field)
        if first == "":
            if self._numbered:
                raise ValueError("cannot switch from manual field specification to automatic field numbering")
            self._next = 0 if self._next is None else self._next + 1
            return f"{self._next}{field}"
        if type(first) is int:
            if self._next is not None:
                raise ValueError("cannot switch from automatic field numbering to manual field specification")
            self._numbered = True
        return field


@functools.lru_cache(maxsize=1024)
def _may_be_wide(text: str) -> bool:
    try:
        return any(spec and ("{" in spec or any(numbers_in(spec))) for _, _, spec, _ in formatter_parser(text))
    except ValueError:  # str.format says what is wrong with it
        return False


@functools.lru_cache(maxsize=1024)
def is_ordinary(text: str) -> bool:
    """True for a text whose fields name nothing that is refused, and ask for no width worth a charge."""
    try:
        return refused_in_text(text) is None and not _may_be_wide(text)
    except ValueError:
        return False


_SPECIAL = library_methods.NAMES.keys() | word_set(
    "format format_map mro obj raw detach get_loop parser ntpath zip content_manager header_factory"
)


def _harmless(name: str) -> bool:
    if name in names.REFUSED_NAMES or name in _SPECIAL:
        return False
    return not name.startswith("_") or name in ("__name__", "__qualname__", "__doc__", "__module__")


def check(text: str) -> str:
    """The text itself where all it names is harmless; raises AttributeError where not."""
    try:
        name = refused_in_text(text)
    except ValueError:
        return text  # str.format says what is wrong with it
    if name is not None:
        raise AttributeRefused(f"the format text names the attribute {name!r}, which is refused; use an f-string")
    return text


def format_method(subject: object, name: str) -> Any:
    """What `x.format` and `x.format_map` give: guarded methods of texts, the attribute itself of anything else."""
    if type(subject) is str:
        return getattr(subject, name) if is_ordinary(subject) else functools.partial(_METHODS[name], subject)
    found: Any = getattr(subject, name)
    kind: type = type(found)
    if kind is _BUILTIN_METHOD and str in mro_of(type(found.__self__)):
        return functools.partial(_METHODS[name], found.__self__)
    if kind is _UNBOUND_METHOD and found.__objclass__ is str:
        return _METHODS[name]
    if kind is types.MethodType and found.__func__ is vars(collections.UserString)[name]:
        return functools.partial(_of_user_string, _METHODS[name], found.__self__)
    if found is vars(collections.UserString)[name]:
        return functools.partial(_of_user_string, _METHODS[name])
    return found


def _of_user_string(method: Callable[..., str], text: collections.UserString, /, *given: Any, **named: Any) -> str:
    return method(text.data, *given, **named)


def str_format(text: str, /, *arguments: Any, **keywords: Any) -> str:
    """What `str.format` is inside a snippet."""
    if str not in mro_of(type(text)):
        raise TypeError(f"descriptor 'format' for 'str' objects doesn't apply to a {type(text).__name__!r} object")
    return str.format(check(str.__str__(text)), *arguments, **keywords)


def str_format_map(text: str, mapping: Mapping[str, Any], /) -> str:
    """What `str.format_map` is inside a snippet."""
    if str not in mro_of(type(text)):
        raise TypeError(f"descriptor 'format_map' for 'str' objects doesn't apply to a {type(text).__name__!r} object")
    return str.format_map(check(str.__str__(text)), mapping)


_BUILTIN_METHOD: type = types.BuiltinMethodType
_UNBOUND_METHOD: type = types.MethodDescriptorType
_METHODS = {"format": str_format, "format_map": str_format_map}
