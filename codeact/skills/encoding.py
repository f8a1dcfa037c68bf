"""Plain values as JSON and back, and whether two values are the same.

    (1, b"ab")  →  {"$": "tuple", "v": [1, {"$": "bytes", "v": "YWI="}]}

What has no faithful JSON form (a picture, a figure, a foreign object) is written as its kind: it can be compared by
kind and presence, and never stands in for an argument.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from codeact.errors import SkillError
from codeact.records import Described, Image
from codeact.wire.collisions import spread
from codeact.wire.digits import is_long, read_fraction, written_fraction
from codeact.wire.texts import read_written, written
from codeact.wire.values import VALUE_BYTES

TAG = "$"
DEPTH = 60


@dataclasses.dataclass(frozen=True, slots=True)
class Kind:
    """Stands for a value that is only known by its kind, such as a picture."""

    type: str


def encode(value: Any, depth: int = 0) -> Any:  # noqa: PLR0911  # one row for each kind
    """The JSON form of a value; SkillError where it is nested too deeply, as a value that holds itself is."""
    if depth > DEPTH:
        raise SkillError(f"a value is nested more than {DEPTH} levels deep (or holds itself) and cannot be recorded")
    if value is None or type(value) in (bool, str):
        return value
    if type(value) is int:
        return {TAG: "int", "v": hex(value)} if is_long(value) else value
    if type(value) is float:
        return value if math.isfinite(value) else {TAG: "float", "v": str(value)}
    if type(value) is list:
        return [encode(item, depth + 1) for item in value]
    if type(value) is dict:
        return _encode_dict(value, depth)
    if type(value) in (tuple, set, frozenset):
        items = [encode(item, depth + 1) for item in value]
        if type(value) is not tuple:
            items.sort(key=lambda item: json.dumps(item, sort_keys=True))
        return {TAG: type(value).__name__, "v": items}
    if type(value) in _WRITERS:
        return {TAG: type(value).__name__, "v": _WRITERS[type(value)](value)}
    return _encode_other(value, depth)


def _encode_dict(value: Mapping[Any, Any], depth: int) -> Any:
    if all(type(key) is str for key in value) and TAG not in value:
        return {key: encode(item, depth + 1) for key, item in value.items()}
    return {TAG: "dict", "v": [[encode(key, depth + 1), encode(item, depth + 1)] for key, item in value.items()]}


def _encode_other(value: Any, depth: int) -> Any:  # noqa: PLR0911  # one row for each kind
    kind = f"{type(value).__module__.partition('.')[0]}.{type(value).__name__}"
    if kind == "numpy.ndarray" and value.dtype.kind in "biufUSmM":
        plain = value.astype("int64") if value.dtype.kind in "mM" else value  # times are numbers of their unit
        shape, items = value.shape, plain.ravel().tolist()
        dtype = str(value.dtype)
        return {TAG: "array", "v": {"dtype": dtype, "shape": list(shape), "items": encode(items, depth + 1)}}
    if kind.startswith("numpy.") and getattr(value, "ndim", None) == 0:
        return {TAG: "scalar", "v": {"dtype": str(value.dtype), "item": encode(value.item(), depth + 1)}}
    if kind == "pandas.DataFrame":
        return {TAG: "frame", "v": _encode_frame(value, depth)}
    if kind == "pandas.Series":
        named = {"name": encode(value.name, depth + 1)}
        return {TAG: "series", "v": {**named, **_encode_frame(value.to_frame("v"), depth)}}
    if kind in _MISSING:
        return {TAG: "missing", "v": _MISSING[kind]}
    if kind == "pandas.Timestamp":
        return {TAG: "timestamp", "v": value.isoformat()}
    if (text := written(value)) is not None:
        return {TAG: "written", "v": list(text)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type | Kind | Described):
        names = [field.name for field in dataclasses.fields(value)]
        content = [[name, encode(getattr(value, name), depth + 1)] for name in names]
        return {TAG: "record", "v": {"type": type(value).__name__, "fields": content}}
    return {TAG: "kind", "v": kind_of(value)}


def _encode_frame(frame: Any, depth: int) -> dict[str, Any]:
    columns = [
        [encode(name, depth + 1), str(frame.iloc[:, at].dtype), encode(frame.iloc[:, at].tolist(), depth + 1)]
        for at, name in enumerate(frame.columns)
    ]
    return {"index": encode(frame.index.tolist(), depth + 1), "columns": columns}


def kind_of(value: object) -> str:
    """The name of a value's kind: what a description stands for where the value itself did not cross the wall."""
    if isinstance(value, Kind | Described):
        return value.type
    if isinstance(value, Image):
        return f"image {value.media_type}"
    return type(value).__name__


_LENGTH = re.compile(r"[<>=|]?[USVac](\d{1,18})")
_MISSING = {"pandas.NaTType": "NaT", "pandas.NAType": "NA"}  # a class → its only value, by its name in pandas
_WRITERS: dict[type, Callable[[Any], Any]] = {
    bytes: lambda value: base64.b64encode(value).decode("ascii"),
    bytearray: lambda value: base64.b64encode(value).decode("ascii"),
    complex: lambda value: [repr(value.real), repr(value.imag)],
    Decimal: str,
    Fraction: written_fraction,
    datetime: datetime.isoformat,
    date: date.isoformat,
    time: time.isoformat,
    timedelta: lambda value: [value.days, value.seconds, value.microseconds],
    range: lambda value: [value.start, value.stop, value.step],
}


def decode(content: Any) -> Any:
    """The value behind a JSON form; SkillError where it carries a tag nobody writes."""
    if isinstance(content, list):
        return [decode(item) for item in content]
    if not isinstance(content, dict):
        return content
    if TAG not in content:
        return {key: decode(item) for key, item in content.items()}
    reader = _READERS.get(content[TAG])
    if reader is None:
        raise SkillError(f"a recorded value has the unknown kind {content[TAG]!r}; it was written by a newer codeact")
    return reader(content["v"])


def _decode_array(content: Any) -> Any:
    items = decode(content["items"])
    return _numpy().array(items, dtype=_dtype(content["dtype"], len(items))).reshape(content["shape"])


def _dtype(name: str, items: int) -> str:
    """The name of a dtype, which may say how long a text is: so much is set aside for each of the items."""
    length = _LENGTH.fullmatch(name)
    if length is not None and int(length[1]) * items > VALUE_BYTES:
        raise ValueError(f"{items} items of {name} are more than a value may hold")
    return name


def _decode_frame(content: Any) -> Any:
    pandas = _pandas()
    index = pandas.Index(decode(content["index"]))
    columns = [(_dtype(dtype, len(index)), decode(items)) for _, dtype, items in content["columns"]]
    series = [pandas.Series(items, index=index, dtype=dtype) for dtype, items in columns]
    frame = pandas.concat(series, axis=1) if series else pandas.DataFrame(index=index)
    frame.columns = [decode(name) for name, _, _ in content["columns"]]
    return frame


def _decode_record(content: Any) -> Any:
    names = [name for name, _ in content["fields"]]
    kind = dataclasses.make_dataclass(content["type"], names)
    return kind(*(decode(value) for _, value in content["fields"]))


def _numpy() -> Any:
    import numpy

    return numpy


def _pandas() -> Any:
    import pandas  # type: ignore[import-untyped]  # it ships no types

    return pandas


_READERS: dict[str, Callable[[Any], Any]] = {
    "int": lambda v: int(v, 16),
    "float": float,
    "bytes": base64.b64decode,
    "bytearray": lambda v: bytearray(base64.b64decode(v)),
    "complex": lambda v: complex(float(v[0]), float(v[1])),
    "Decimal": Decimal,
    "Fraction": read_fraction,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda v: timedelta(*v),
    "range": lambda v: range(*v),
    "written": lambda v: read_written(*v),
    "kind": Kind,
    "tuple": lambda v: tuple(map(decode, v)),
    "set": lambda v: set(spread([*map(decode, v)])),
    "frozenset": lambda v: frozenset(spread([*map(decode, v)])),
    "dict": lambda v: dict(zip(spread([decode(key) for key, _ in v]), [decode(item) for _, item in v], strict=True)),
    "array": _decode_array,
    "scalar": lambda v: _numpy().dtype(v["dtype"]).type(decode(v["item"])),
    "frame": _decode_frame,
    "series": lambda v: _decode_frame(v).iloc[:, 0].rename(decode(v["name"])),
    "timestamp": lambda v: _pandas().Timestamp(v),
    "missing": lambda v: _pandas().NaT if v == _MISSING["pandas.NaTType"] else _pandas().NA,
    "record": _decode_record,
}


def same(left: Any, right: Any) -> bool:
    """True where two values are equal in type and content; floats exactly, NaN to NaN, pictures by their kind."""
    return json.dumps(encode(_settled(left))) == json.dumps(encode(_settled(right)))


def _settled(value: Any) -> Any:
    """A dict with its keys sorted where they can be, so that the order of insertion does not count."""
    if type(value) is dict:
        items: Iterable[Any] = value.items()
        if all(type(key) is str for key in value):
            items = sorted(items)
        return {key: _settled(item) for key, item in items}
    if type(value) in (list, tuple):
        return type(value)(map(_settled, value))
    return value
