"""Values in a journal: plain JSON stays readable as it is, everything else carries a tag that starts with `$`.

What text cannot say whole (records, times in a named zone, arrays, tables) is written as it crosses the wall.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec

from codeact.errors import JournalError, ProtocolError
from codeact.records import Described
from codeact.snippet.describe import describe
from codeact.wire.collisions import spread
from codeact.wire.digits import is_long, read_fraction, written_fraction
from codeact.wire.parts import Uncrossable
from codeact.wire.scan import refuse_costly
from codeact.wire.texts import read_written, written
from codeact.wire.values import UNBOUNDED, pack, unpack

_DEEPEST = 100
_LONGEST_DESCRIPTION = 500
_OURS = ("codeact.records.", "codeact.limits")  # what lines are made of: read as dicts

# type → its tag, and how its value is written as text; read back by `_FROM_TEXT`
_AS_TEXT: dict[type, tuple[str, Callable[[Any], str]]] = {
    int: ("$int", hex),  # of a long one
    bytes: ("$bytes", lambda value: base64.b64encode(value).decode()),
    Decimal: ("$decimal", str),
    Fraction: ("$fraction", written_fraction),
    complex: ("$complex", str),
    datetime.datetime: ("$datetime", datetime.datetime.isoformat),
    datetime.date: ("$date", datetime.date.isoformat),
    datetime.time: ("$time", datetime.time.isoformat),
    datetime.timedelta: ("$microseconds", lambda value: str(value // datetime.timedelta(microseconds=1))),
}
_FROM_TEXT: dict[str, Callable[[str], Any]] = {
    "$bytes": base64.b64decode,
    "$decimal": Decimal,
    "$fraction": read_fraction,
    "$complex": complex,
    "$datetime": datetime.datetime.fromisoformat,
    "$date": datetime.date.fromisoformat,
    "$time": datetime.time.fromisoformat,
    "$microseconds": lambda text: datetime.timedelta(microseconds=float(text) if "." in text else int(text)),
    "$float": float,
    "$int": lambda text: int(text, 16),
    "$packed": lambda text: _unpacked(base64.b64decode(text)),
}
_AS_LIST: dict[type, str] = {tuple: "$tuple", set: "$set", frozenset: "$frozenset"}
_FROM_LIST: dict[str, Callable[[Any], Any]] = {
    "$tuple": tuple,
    "$set": lambda items: set(spread(items)),
    "$frozenset": lambda items: frozenset(spread(items)),
}
_WRONG = (TypeError, ValueError, ArithmeticError, AttributeError, KeyError, msgspec.DecodeError, ProtocolError)


def encode(value: Any, redact: Callable[[str], str] = str, depth: int = 0) -> Any:
    """Give the value as JSON; texts pass through `redact`, a value of a foreign type becomes a description."""
    if value is None or isinstance(value, bool) or (type(value) is int and not is_long(value)):
        return value
    if isinstance(value, str):
        return redact(str(value))
    if depth > _DEEPEST:
        return {"$described": "nested too deeply to record"}
    if type(value) is float:
        return value if math.isfinite(value) else {"$float": str(value)}
    if type(value) in _AS_TEXT and not _has_more_to_it(value):
        tag, write = _AS_TEXT[type(value)]
        return {tag: write(value) if tag != "$bytes" else write(_redacted_bytes(value, redact))}
    return _encode_container(value, redact, depth + 1)


def _encode_container(value: Any, redact: Callable[[str], str], depth: int) -> Any:
    if type(value) is list:
        return [encode(item, redact, depth) for item in value]
    if type(value) in _AS_LIST:
        return {_AS_LIST[type(value)]: [encode(item, redact, depth) for item in value]}
    if isinstance(value, Mapping):
        if all(type(key) is str and not key.startswith("$") for key in value):
            return {redact(key): encode(item, redact, depth) for key, item in value.items()}
        return {"$dict": [[encode(key, redact, depth), encode(item, redact, depth)] for key, item in value.items()]}
    return _encode_foreign(value, redact, depth)


def _has_more_to_it(value: Any) -> bool:
    """Whether a time is one of two alike, or in a zone with rules."""
    zone, fold = getattr(value, "tzinfo", None), getattr(value, "fold", 0)
    return bool(fold) or not (zone is None or type(zone) is datetime.timezone)


def _encode_foreign(value: Any, redact: Callable[[str], str], depth: int) -> Any:
    if not type(value).__module__.startswith(_OURS) and (packed := _packed(value, redact, depth)) is not None:
        return packed
    if type(value) in _AS_TEXT:  # a zone of a type that does not cross
        tag, write = _AS_TEXT[type(value)]
        return {tag: write(value)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: encode(getattr(value, field.name), redact, depth) for field in dataclasses.fields(value)}
    if callable(dump := getattr(value, "model_dump", None)):  # a pydantic model, without importing pydantic
        return encode(dump(), redact, depth)
    if callable(item := getattr(value, "item", None)) and getattr(value, "shape", None) == ():  # a numpy scalar
        return encode(item(), redact, depth)
    return {"$described": redact(_description(value))}


def _packed(value: Any, redact: Callable[[str], str], depth: int) -> Any:
    """Give what crosses the wall as the wire packs it, or as what it crosses as where that is plain; else None."""
    if (text := written(value)) is not None:
        return {"$written": [text[0], redact(text[1])]}
    try:
        tree = pack(value, UNBOUNDED)
        if type(tree) not in (dict, list):
            return encode(tree, redact, depth)
        content = msgspec.msgpack.encode(tree)
    except (Uncrossable, TypeError, ValueError):
        return None
    if _redacted_bytes(content, redact) != content:
        return None
    return {"$packed": base64.b64encode(content).decode()}


def _redacted_bytes(value: bytes, redact: Callable[[str], str]) -> bytes:
    text = value.decode("utf-8", "surrogateescape")
    return value if redact(text) == text else redact(text).encode("utf-8", "surrogateescape")


def _description(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # it is the user's own, and a run does not end with it
        text = describe(value, _LONGEST_DESCRIPTION)
    return text if len(text) <= _LONGEST_DESCRIPTION else f"{text[:_LONGEST_DESCRIPTION]}… ({len(text):,} characters)"


def decode(value: Any, *, in_key: bool = False) -> Any:
    """Give the value that `encode` wrote; a description stays a text, and what stood for a key stands for one."""
    if isinstance(value, list):
        return [decode(item, in_key=in_key) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and (tag := next(iter(value))).startswith("$"):
        return _decode_tagged(tag, value[tag], in_key=in_key)
    made = {key: decode(item, in_key=in_key) for key, item in value.items()}
    return Described(**made) if in_key and made.keys() == {"type", "text"} else made


def as_read(value: Any) -> Any:
    """Give the value as a recording of it gives it back."""
    return decode(encode(value))


def _decode_tagged(tag: str, content: Any, *, in_key: bool) -> Any:
    try:
        if tag in _FROM_TEXT:
            return _FROM_TEXT[tag](content)
        if tag in _FROM_LIST:
            return _FROM_LIST[tag]([decode(item, in_key=in_key or tag != "$tuple") for item in content])
        if tag == "$dict":
            keys = spread([decode(key, in_key=True) for key, _ in content])
            return dict(zip(keys, [decode(item) for _, item in content], strict=True))
        if tag == "$written":
            name, text = content
            return read_written(name, text)
        if tag == "$described":
            return str(content)
    except _WRONG as error:
        raise JournalError(f"it holds a {tag} that cannot be read: {error}") from error
    raise JournalError(f"it holds a value tagged {tag!r}, which this codeact does not know")


def _unpacked(content: bytes) -> Any:
    refuse_costly(memoryview(content), nodes=UNBOUNDED.nodes)
    return unpack(msgspec.msgpack.decode(content))
