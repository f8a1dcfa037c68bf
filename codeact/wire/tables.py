"""Frames and series cross as the bytes of their columns; pandas is loaded only where one came up.

A column is a block of numbers, of times, or a list of values. Nothing of numpy's or pandas' own file formats is read:
they unpickle.
"""

from __future__ import annotations

import math
import re
import sys
from typing import TYPE_CHECKING, Any

from codeact.errors import ProtocolError
from codeact.wire import arrays, spans
from codeact.wire.arrays import pack_array, row_of
from codeact.wire.categories import fits, pack_codes, pack_labels, unpack_codes, unpack_labels
from codeact.wire.parts import Packing, Unpacking, exactly
from codeact.wire.spans import library, pack_interval, pack_period, pack_spans, unpack_spans
from codeact.wire.zones import converting, is_known, name_of

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

_STEPS = 1_000_000
_OFFSET = re.compile(r"UTC([+-]\d\d:\d\d)?")
_KINDS = frozenset("biufcmM")  # of numpy's; of texts pandas makes objects
# Parts, by the time it takes to make one.
_BLOCK, _LISTED, _STEPPED, _SERIES, _FRAME, _MOMENT = 60, 600, 20, 50, 200, 5
_LEVELS, _LEVEL, _CODED = 400, 200, 300
_module = type.__dict__["__module__"].__get__  # asks no metaclass


def packing_of(kind: type) -> Packing | None:
    """Give how a value of numpy or pandas is packed; None for any other class."""
    module = _module(kind)
    if type(module) is not str:
        return None
    home = module.partition(".")[0]
    if home not in ("numpy", "pandas") or home not in sys.modules:
        return None
    library = sys.modules[home]
    return arrays.packing_of(library, kind) if home == "numpy" else _of_pandas(library, kind)


def _of_pandas(library: Any, kind: type) -> Packing | None:
    for name, packing in _PANDAS.items():
        if kind is getattr(library, name, None):
            return packing
    if issubclass(kind, library.Index):
        return _pack_index
    return _pack_nothing if kind is type(library.NA) or kind is type(library.NaT) else None


def _pack_column(packer: Packer, column: Any, depth: int, *, labels: bool = False) -> Any:
    """A column or index of pandas: its dtype's name and its values; labels of rows are there once each."""
    import numpy

    dtype = column.dtype
    if isinstance(dtype, numpy.dtype) and dtype.kind in _KINDS:
        packer.come_to(_BLOCK)
        return [dtype.str, pack_array(packer, column.to_numpy(), depth)]
    if (packed := pack_spans(packer, column, depth)) is not None:
        packer.come_to(_LISTED)
        return packed
    name = str(dtype.name) if hasattr(dtype, "name") else str(dtype)
    packer.come_to(_CODED if name == "category" else _LISTED)
    if getattr(dtype, "tz", None) is not None:
        moments = column.dt.tz_convert("UTC").dt if hasattr(column, "dt") else column.tz_convert("UTC")
        naive = moments.tz_localize(None)
        return [f"tz:{name_of(dtype.tz)}", pack_array(packer, naive.to_numpy(), depth)]
    if name == "category":
        codes = pack_codes(packer, column.array.codes, depth)
        return [name, codes, _pack_column(packer, dtype.categories, depth, labels=True), bool(dtype.ordered)]
    packer.come_to(_per_item(name) * len(column))
    items = [None if _missing(item) else item for item in column.tolist()]
    trees = pack_labels(packer, items, depth) if labels else packer.pack_items(items, depth)
    return [name, trees] if fits(name, trees) else ["object", trees]


def _per_item(name: str) -> int:
    return 0 if name == "object" else 3


def _missing(item: Any) -> bool:
    pandas = sys.modules["pandas"]
    return item is pandas.NA or item is pandas.NaT or (type(item) is float and math.isnan(item))


def _pack_index(packer: Packer, value: Any, depth: int) -> Any:
    pandas = sys.modules["pandas"]
    packer.enter(len(value), depth)
    if isinstance(value, pandas.MultiIndex):
        return _pack_levels(packer, value.remove_unused_levels(), depth)
    if isinstance(value, pandas.RangeIndex):
        packer.come_to(_STEPPED + len(value))
        return {0: "steps", 1: [value.start, value.stop, value.step], 2: _pack_name(packer, value.name, depth)}
    return {0: "index", 1: _pack_column(packer, value, depth + 1), 2: _pack_name(packer, value.name, depth)}


def _pack_levels(packer: Packer, value: Any, depth: int) -> Any:
    packer.come_to(_LEVELS + _LEVEL * value.nlevels)
    levels = [_pack_column(packer, level, depth + 1, labels=True) for level in value.levels]
    codes = [pack_codes(packer, part, depth + 1) for part in value.codes]
    return {0: "levels", 1: levels, 2: codes, 3: [_pack_name(packer, name, depth) for name in value.names]}


def _pack_name(packer: Packer, name: Any, depth: int) -> Any:
    return packer.pack_keys([name], depth)[0]  # pandas takes nothing else than what has a hash


def _pack_series(packer: Packer, value: Any, depth: int) -> Any:
    packer.come_to(_SERIES)
    packer.enter(len(value), depth)
    return {
        0: "series",
        1: _pack_index(packer, value.index, depth + 1),
        2: _pack_column(packer, value, depth + 1),
        3: _pack_name(packer, value.name, depth),
    }


def _pack_frame(packer: Packer, value: Any, depth: int) -> Any:
    packer.enter(len(value.columns), depth)
    packer.come_to(_FRAME)
    columns = [_pack_column(packer, value.iloc[:, place], depth + 1) for place in range(len(value.columns))]
    return {
        0: "frame",
        1: _pack_index(packer, value.index, depth + 1),
        2: _pack_index(packer, value.columns, depth + 1),
        3: columns,
    }


def _pack_timestamp(packer: Packer, value: Any, depth: int) -> Any:
    zone = None if value.tz is None else name_of(value.tz)
    packer.come_to(_MOMENT if zone is None else converting(zone, packer.zones))
    naive = value if value.tz is None else value.tz_convert("UTC").tz_localize(None)
    return {0: "timestamp", 1: pack_array(packer, sys.modules["numpy"].asarray(naive.to_datetime64()), depth), 2: zone}


def _pack_difference(packer: Packer, value: Any, depth: int) -> Any:
    packer.come_to(_MOMENT)
    return {0: "difference", 1: pack_array(packer, sys.modules["numpy"].asarray(value.to_timedelta64()), depth)}


def _pack_nothing(packer: Packer, value: Any, depth: int) -> Any:
    return None


_PANDAS: dict[str, Packing] = {
    "DataFrame": _pack_frame,
    "Series": _pack_series,
    "Timestamp": _pack_timestamp,
    "Timedelta": _pack_difference,
    "Period": pack_period,
    "Interval": pack_interval,
}


# --- unpacking ---------------------------------------------------------------------------------------------------


def _column(unpacker: Unpacker, part: Any, depth: int, *, labels: bool = False) -> tuple[Any, Any]:
    """The values of a column and the pandas dtype they are to have, None for numpy's own and where they have it."""
    name, tree, *categories = part
    if name in {spans.PERIODS, spans.INTERVALS}:
        unpacker.come_to(_LISTED)
        return unpack_spans(unpacker, part, depth), None
    zoned = type(name) is str and name.startswith("tz:")
    unpacker.come_to(_LISTED if zoned or type(tree) is list else _CODED if categories else _BLOCK)
    if type(tree) is list:
        unpacker.come_to(_per_item(name) * len(tree))
        if not fits(name, tree):
            raise ProtocolError("a column has an unknown type, or holds what its type does not")
        items = unpack_labels(unpacker, tree, depth) if labels else unpacker.unpack_items(tree, depth)
        return row_of(items) if name == "object" else items, name
    if name == "category":
        return _categories(unpacker, tree, categories, depth), None
    values = unpacker.unpack(tree, depth + 1)
    if type(values).__module__ != "numpy" or values.ndim != 1 or values.dtype.kind not in _KINDS:
        raise ProtocolError("a column is no row of values")
    if zoned:
        return library().DatetimeIndex(values).tz_localize("UTC").tz_convert(_zone(name[3:])), None
    return values, None


def _categories(unpacker: Unpacker, codes: Any, said: list[Any], depth: int) -> Any:
    if [type(part) for part in said] != [list, bool] or said[0][:1] == ["category"]:
        raise ProtocolError("a column has no proper categories")
    pandas, labels = library(), _labels(unpacker, said[0], depth)
    dtype = pandas.CategoricalDtype._from_fastpath(labels, said[1])  # another way looks each of them up
    return pandas.Categorical.from_codes(unpack_codes(unpacker, codes, labels, depth), dtype=dtype)


def _labels(unpacker: Unpacker, part: Any, depth: int) -> Any:
    values, dtype = _column(unpacker, part, depth, labels=True)
    return library().Index(values, dtype=dtype)


def _zone(name: Any) -> str:
    if type(name) is not str or len(name) > 100 or not (_OFFSET.fullmatch(name) or is_known(name)):
        raise ProtocolError("a time zone has no proper name")
    return name


def _name(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    return unpacker.unpack_keys([tree], depth)[0]


def _unpack_index(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    pandas = library()
    values, dtype = _column(unpacker, tree[1], depth)
    return pandas.Index(values, dtype=dtype, name=_name(unpacker, tree[2], depth))


def _unpack_levels(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    parts, rows = exactly(tree[1], list), exactly(tree[2], list)
    unpacker.come_to(_LEVELS + _LEVEL * len(parts))
    names = [_name(unpacker, name, depth) for name in exactly(tree[3], list)]
    levels = [_labels(unpacker, part, depth) for part in parts]
    codes = [unpack_codes(unpacker, row, level, depth) for row, level in zip(rows, levels, strict=True)]
    if len(set(map(len, codes))) > 1 or len(names) != len(levels):
        raise ProtocolError("an index of several levels has levels of other lengths")
    return library().MultiIndex(levels, codes, names=names, verify_integrity=False)  # it looks each label up


def _unpack_steps(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    start, stop, step = tree[1]
    steps = range(*(int(part) for part in (start, stop, step)))
    if len(steps) > _STEPS or max(abs(start), abs(stop), abs(step)) >= 1 << 63:
        raise ProtocolError("an index has no proper steps")
    unpacker.unlisted += len(steps)
    unpacker.come_to(_STEPPED + len(steps))
    return library().RangeIndex(steps, name=_name(unpacker, tree[2], depth))


def _is_index(value: Any) -> Any:
    if not isinstance(value, library().Index):
        raise ProtocolError("a table has no proper index")
    return value


def _unpack_series(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    unpacker.come_to(_SERIES)
    index = _is_index(unpacker.unpack(tree[1], depth + 1))
    values, dtype = _column(unpacker, tree[2], depth)
    return library().Series(values, index=index, dtype=dtype, name=_name(unpacker, tree[3], depth))


def _unpack_frame(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    pandas = library()
    unpacker.come_to(_FRAME)
    index = _is_index(unpacker.unpack(tree[1], depth + 1))
    names = _is_index(unpacker.unpack(tree[2], depth + 1))
    columns = [_column(unpacker, part, depth) for part in tree[3]]
    made = pandas.DataFrame(
        {place: pandas.Series(values, index=index, dtype=dtype) for place, (values, dtype) in enumerate(columns)},
        index=index,
    )
    made.columns = names
    return made


def _unpack_timestamp(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    unpacker.come_to(_MOMENT if tree[2] is None else converting(tree[2], unpacker.zones))
    moment = library().Timestamp(unpacker.unpack(tree[1], depth + 1)[()])
    return moment if tree[2] is None else moment.tz_localize("UTC").tz_convert(_zone(tree[2]))


def _unpack_difference(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    unpacker.come_to(_MOMENT)
    return library().Timedelta(unpacker.unpack(tree[1], depth + 1)[()])


UNPACKING: dict[str, Unpacking] = {
    **arrays.UNPACKING,
    "index": _unpack_index,
    "levels": _unpack_levels,
    "steps": _unpack_steps,
    "series": _unpack_series,
    "frame": _unpack_frame,
    "timestamp": _unpack_timestamp,
    "difference": _unpack_difference,
    **spans.UNPACKING,
}
