"""Formats texts as `str.format` does, after the attributes a text names have been checked."""

from __future__ import annotations

import collections
import functools
import re
import types
from _string import formatter_field_name_split, formatter_parser  # type: ignore[import-not-found]  # has no stub
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from codeact.snippet import library_methods, names
from codeact.snippet.endings import AttributeRefused
from codeact.snippet.ownership import mro_of
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


def widths(text: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> int:
    """The sum of the widths and precisions past three digits that a text asks for, those given as values included."""
    total = place = 0
    for _, field, spec, _ in formatter_parser(text) if _may_be_wide(text) else ():
        if field is None:
            continue
        place += field == ""
        total += sum(int(digits) for digits in _LONG.findall(spec))
        for _, inner, _, _ in formatter_parser(spec) if "{" in spec else ():
            given: Any = keywords.get(inner)
            if inner == "" or (inner is not None and inner.isdecimal()):
                index = place if inner == "" else int(inner[:9])
                given = arguments[index] if index < len(arguments) else None
                place += inner == ""
            total += abs(given) if type(given) is int and abs(given) > 999 else 0
    return total


@functools.lru_cache(maxsize=1024)
def _may_be_wide(text: str) -> bool:
    return any(spec and ("{" in spec or _LONG.search(spec)) for _, _, spec, _ in formatter_parser(text))


@functools.lru_cache(maxsize=1024)
def is_ordinary(text: str) -> bool:
    """True for a text whose fields name nothing that is refused, and ask for no width worth a charge."""
    try:
        return refused_in_text(text) is None and not _may_be_wide(text)
    except ValueError:
        return False


_LONG = re.compile(r"\d{4,18}", re.ASCII)
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
