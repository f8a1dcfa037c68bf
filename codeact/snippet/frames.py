"""Arrays and tables of numpy and pandas, shown by shape and head; neither library is imported for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet.classes import class_name, trusted
from codeact.snippet.ownership import mro_of

ITEMS = 60
TABLE_ROWS, TABLE_COLUMNS = 20, 12


_NAMES = {
    ("numpy", "ndarray"): "ndarray",
    ("pandas", "DataFrame"): "DataFrame",
    ("pandas", "Series"): "Series",
    ("pandas", "Index"): "Index",
    ("pandas", "RangeIndex"): "Index",
    ("pandas", "DatetimeIndex"): "Index",
    ("pandas", "Timedelta"): "scalar",
    ("pandas", "Period"): "scalar",
}


#: Numbers whose digits, as Python's own, would be those of a longer number: 1.1 would be 1.100000023841858.
_SHORT = frozenset({"float16", "float32", "complex64"})


def _kind(value: object) -> str:
    """What `value` is, by identity with the library's own class; nothing where it is none of them."""
    cls = type(value)
    for (library, name), kind in _NAMES.items():
        module = sys.modules.get(library)
        if module is not None and vars(module).get(name) is cls:
            return kind
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if pandas is not None and vars(pandas).get("Timestamp") is cls:
        moment: Any = value
        return "scalar" if moment.tzinfo is None or trusted(moment.tzinfo) else ""
    if numpy is not None and any(base is vars(numpy).get("number") for base in mro_of(cls)):
        return "number" if vars(numpy).get(class_name(cls)) is cls else ""
    return ""


def is_array_like(value: object) -> bool:
    """True for what `summary` can show."""
    return bool(_kind(value))


def summary(value: Any, show: Callable[[object], str], room: int) -> str:
    """One line: what it is, how large, what its beginning holds; `show` writes the single elements."""
    kind = _kind(value)
    if kind == "scalar":
        return repr(value)
    if kind == "number":
        return str(value) if str(value.dtype) in _SHORT else repr(value.item())
    if kind == "ndarray":
        head = _head(_listed(value.flat[:ITEMS]), show, value.size, room)
        return f"array of shape {value.shape}, {value.dtype}: {head}"
    if kind == "DataFrame":
        types = value.dtypes.iloc[:ITEMS]
        names = [f"{show(name)} {dtype}" for name, dtype in zip(value.columns[:ITEMS], types, strict=True)]
        columns = _joined(names, value.shape[1], room)
        return f"DataFrame of {value.shape[0]:,} rows and {value.shape[1]:,} columns: {columns}"
    first = value.iloc[:ITEMS] if kind == "Series" else value[:ITEMS]
    return f"{kind} of {value.size:,} {value.dtype}: {_head(_listed(first), show, value.size, room)}"


def _listed(items: Any) -> list[object]:
    """The items as Python's own, but for numbers that have fewer digits than these would show."""
    return list(items.__array__()) if str(items.dtype) in _SHORT else items.tolist()


def as_table(value: Any) -> str | None:
    """A pandas table or series as aligned text with its shape; None for anything else."""
    kind = _kind(value)
    if kind == "DataFrame":
        return str(value.to_string(max_rows=TABLE_ROWS, max_cols=TABLE_COLUMNS, show_dimensions=True, max_colwidth=60))
    if kind == "Series":
        return str(value.to_string(max_rows=TABLE_ROWS, name=True, dtype=True, length=True))
    if kind == "ndarray" and value.dtype.kind in "biufcmM" and value.ndim > 0:
        numpy = sys.modules["numpy"]
        body = numpy.array2string(value, threshold=200, edgeitems=3, max_line_width=100, separator=", ")
        return f"array of shape {value.shape}, {value.dtype}:\n{body}"
    return None


def _head(items: list[object], show: Callable[[object], str], size: int, room: int) -> str:
    return "[" + _joined([show(item) for item in items], size, room) + "]"


def _joined(pieces: list[str], size: int, room: int) -> str:
    shown: list[str] = []
    used = 0
    for piece in pieces:
        if shown and used + len(piece) > room - 30:
            break
        shown.append(piece)
        used += len(piece) + 2
    more = size - len(shown)
    return ", ".join(shown) + (f", … {more:,} more" if more > 0 else "")


def is_tabular(value: Any) -> bool:
    """True for what is read by rows or labels: a table, a series, an array of several dimensions."""
    kind = _kind(value)
    return kind in ("DataFrame", "Series") or (kind == "ndarray" and value.ndim > 1 and as_table(value) is not None)


def is_table(value: object) -> bool:
    """True for a pandas DataFrame."""
    return _kind(value) == "DataFrame"
