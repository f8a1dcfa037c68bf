"""What annotations say to somebody who reads: short names of types, and what is inside those a tool defines itself.

Models and fields of pydantic are known by what they have, so that no more of pydantic is loaded for those without.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import os
import types
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from codeact.journal.hidden import is_secret

_AROUND = ("Required", "NotRequired", "ReadOnly")  # by name: typing and typing_extensions each have their own
_MOST = 30  # types told of, fields of one, values of one
_BOUNDS = {
    "gt": "more than {}", "ge": "at least {}", "lt": "less than {}", "le": "at most {}",
    "multiple_of": "a multiple of {}", "pattern": "matches {!r}",
    "min_length": "{} long at least", "max_length": "{} long at most",
}  # fmt: skip
_PASSED = "Types (pass a record as a dict of its fields; one that is returned has them as attributes):"

_LONGEST_DEFAULT = 20
_SHORTEST_KEY = 4  # shorter values of the environment are words like "en" and ""
_LEFT_OPEN = "…"  # there is a default, of which no more is said

Field = tuple[str, Any, str]  # its name, its annotation, and its default as text; empty where it may not be left out


def type_text(annotation: Any) -> str:
    """Write an annotation as one would in a signature; what `Annotated` adds is left to `told`.

    Optional[package.module.Order]  →  Order | None
    """
    if annotation is None or annotation is types.NoneType:
        return "None"
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, list):  # the parameters of a Callable
        return f"[{', '.join(map(type_text, annotation))}]"
    origin, args = get_origin(annotation), get_args(annotation)
    return _name(annotation) if origin is None else _generic(origin, args)


def told(annotations: dict[str, Any], defaults: dict[str, Any]) -> str:
    """Write what a reader of the signature still has to know; empty where that is nothing.

    Descriptions and bounds of parameters, from `Annotated` or a default that is a `Field`, and what is inside of the
    dataclasses, models, named tuples, typed dicts and enums among the types.
    """
    said = [f"    {name}: {words}" for name in annotations if (words := _words(annotations[name], defaults.get(name)))]
    inside = [_inside(kind) for kind in list(_kinds(annotations.values()))[:_MOST]]
    sections = [["Parameters:", *said]] if said else []
    if inside:
        sections.append([_PASSED if any(": record of " in line for line in inside) else "Types:", *inside])
    return "\n\n".join("\n".join(section) for section in sections)


def default_text(name: str, default: Any) -> str:
    """Write a default as one would in a signature; empty where that is long, or no number, text, truth or None.

    Nor is a model told what is given the name of a key, or a text that stands in the environment.
    """
    value = _value(default.default if hasattr(default, "is_required") else default)
    if value is None or isinstance(value, bool):
        return str(value)
    if type(value) not in (int, float, str) or is_secret(name):
        return ""
    if isinstance(value, str) and len(value) >= _SHORTEST_KEY and value in os.environ.values():
        return ""
    text = repr(value) if type(value) is not int or value.bit_length() <= 64 else ""  # which may have no end of digits
    return text if len(text) <= _LONGEST_DEFAULT else ""


def _generic(origin: Any, args: tuple[Any, ...]) -> str:
    if origin is Annotated or _name(origin) in _AROUND:
        return type_text(args[0])
    if origin in (Union, types.UnionType):
        return " | ".join(map(type_text, args))
    if origin is Literal:
        return f"Literal[{', '.join(repr(_value(arg)) for arg in args)}]"
    inside = ["..." if arg is ... else type_text(arg) for arg in args]
    return f"{_name(origin)}[{', '.join(inside) or '()'}]"


def _name(annotation: Any) -> str:
    name = getattr(annotation, "__qualname__", None) or getattr(annotation, "__name__", None)
    return name.rpartition("<locals>.")[2] if isinstance(name, str) else inspect.formatannotation(annotation)


def _value(member: Any) -> Any:
    return member.value if isinstance(member, enum.Enum) else member


def _words(annotation: Any, default: Any = None) -> str:
    """What an annotation, or the `Field` that is a default, says besides the type."""
    metadata = annotation.__metadata__ if get_origin(annotation) is Annotated else ()
    said: list[str] = []
    for entry in (*metadata, *([default] if hasattr(default, "is_required") else ())):
        description = entry if isinstance(entry, str) else getattr(entry, "description", None)
        said += [description] if isinstance(description, str) else []
        said += [words for bound in getattr(entry, "metadata", None) or [entry] for words in _bounds(bound)]
    return ", ".join(" ".join(words.split()) for words in said)


def _bounds(entry: Any) -> Iterator[str]:
    for name, words in _BOUNDS.items():
        bound = getattr(entry, name, None)
        if isinstance(bound, int | float | str):
            yield words.format(bound)


def _kinds(annotations: Iterable[Any]) -> dict[Any, None]:
    """The classes whose inside a caller has to know, each once, and those inside them."""
    found: dict[Any, None] = {}
    waiting = list(annotations)
    while waiting and len(found) < _MOST:
        annotation = waiting.pop(0)
        waiting += get_args(annotation)
        if isinstance(annotation, type) and annotation not in found:
            fields = _fields(annotation)
            if fields or issubclass(annotation, enum.Enum):
                found[annotation] = None
                waiting += [kind for _, kind, _ in fields]
    return found


def _inside(kind: Any) -> str:
    if issubclass(kind, enum.Enum):
        return f"    {_name(kind)}: {' | '.join(map(_member, list(kind)[:_MOST]))}"
    what = "dict" if _is_typed_dict(kind) else "tuple" if issubclass(kind, tuple) else "record"
    parts = []
    for name, annotation, default in _fields(kind)[:_MOST]:
        words = _words(annotation)
        parts.append(f"{name}: {type_text(annotation)}{f' = {default}' * bool(default)}{f' ({words})' * bool(words)}")
    return f"    {_name(kind)}: {what} of {', '.join(parts)}"


def _member(member: enum.Enum) -> str:
    """A member by its value, which is what crosses, and its name where that says more."""
    says_more = str(member.value).lower().replace("-", "_") != member.name.lower()
    return f"{member.value!r}{f' ({member.name})' if says_more else ''}"


def _fields(kind: Any) -> list[Field]:
    """The fields of a class that is made of fields; none of any other."""
    if hasattr(kind, "__pydantic_fields__"):
        return [
            (name, Annotated[info.annotation, info], _default(name, info))  # a call names it so, or by an alias
            for name, info in kind.__pydantic_fields__.items()
            if info.init is not False
        ]
    if dataclasses.is_dataclass(kind):
        meant = hints(kind)
        return [_field(field, meant.get(field.name, Any)) for field in dataclasses.fields(kind) if field.init]
    if _is_typed_dict(kind):
        return [(name, note, _LEFT_OPEN * _may_lack(kind, name, note)) for name, note in hints(kind).items()]
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        meant, defaults = hints(kind), kind._field_defaults
        return [
            (name, meant.get(name, Any), _default(name, defaults.get(name, dataclasses.MISSING)))
            for name in kind._fields
        ]
    return []


def _field(field: dataclasses.Field[Any], annotation: Any) -> Field:
    default: Any = field.default
    if hasattr(default, "is_required"):  # a `Field` of pydantic's
        return field.name, Annotated[annotation, default], _default(field.name, default)
    made = default if field.default_factory is dataclasses.MISSING else field.default_factory
    return field.name, annotation, _default(field.name, made)


def _default(name: str, default: Any) -> str:
    """Write the default of a field; empty where it has none."""
    has_none = default.is_required() if hasattr(default, "is_required") else default is dataclasses.MISSING
    return "" if has_none else default_text(name, default) or _LEFT_OPEN


def _is_typed_dict(kind: type) -> bool:
    return issubclass(kind, dict) and hasattr(kind, "__total__")  # `typing.is_typeddict` knows its own alone


def _may_lack(kind: Any, name: str, annotation: Any) -> bool:
    marked = _name(get_origin(annotation))  # a class whose annotations are texts does not know of it
    return marked == "NotRequired" or (marked != "Required" and name in kind.__optional_keys__)


def hints(written: Any) -> dict[str, Any]:
    """What the annotations of a function or a class stand for, or as they are where a name of theirs is not there."""
    try:
        return get_type_hints(written, include_extras=True)
    except (NameError, TypeError):
        return dict(getattr(written, "__annotations__", {}))
