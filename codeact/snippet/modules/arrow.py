"""pyarrow: tables, what computes with them, and their files, which are looked for in the working folder."""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet import library_files, ownership, patches, special, types_
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules import array_memory, arrow_calls, compiled
from codeact.snippet.modules.data_files import filed
from codeact.snippet.modules.row import Module, Room
from codeact.snippet.refused_modules import REFUSED
from codeact.snippet.running import in_a_snippet
from codeact.snippet.words import words

_FOLDER = "files are looked for in the working folder"
_MEMORY = "it hands out memory without bounds; use pa.array, or io.BytesIO for what is read and written"
_FILES = "it opens files anywhere; use pyarrow.parquet, pyarrow.csv, pyarrow.feather or open"
_FOR_ALL = "it would change what the library does for everyone"
_IN_PARTS = "use write_table; pa.concat_tables puts tables together"

_KINDS = """Null Boolean Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 HalfFloat Float Double Date32 Date64 Time32
Time64 Timestamp Duration MonthDayNanoInterval Binary LargeBinary BinaryView String LargeString StringView
FixedSizeBinary Decimal32 Decimal64 Decimal128 Decimal256 List LargeList ListView LargeListView FixedSizeList Map Struct
Union Dictionary RunEndEncoded Uuid Bool8 Json"""
_CLASSES = " ".join(f"{kind}{what}" for kind, what in itertools.product(_KINDS.split(), ("Array", "Scalar", "Type")))
_NAMES = f"""
NA NULL Array ChunkedArray DataType Field FloatingPointArray IntegerArray KeyValueMetadata MonthDayNano NumericArray
RecordBatch RecordBatchReader Scalar Schema Table TableGroupBy DenseUnionType SparseUnionType {_CLASSES}
ArrowCancelled ArrowCapacityError ArrowException ArrowIOError ArrowIndexError ArrowInvalid ArrowKeyError
ArrowMemoryError ArrowNotImplementedError ArrowSerializationError ArrowTypeError
arange array binary binary_view bool8 bool_ chunked_array concat_arrays concat_batches concat_tables cpu_count date32
date64 decimal128 decimal256 decimal32 decimal64 dense_union dictionary duration field float16 float32 float64
from_numpy_dtype infer_type int16 int32 int64 int8 json_ large_binary large_list large_list_view large_string large_utf8
list_ list_view map_ month_day_nano_interval null nulls record_batch repeat run_end_encoded scalar schema sparse_union
string string_view struct table time32 time64 timestamp total_allocated_bytes type_for_alias uint16 uint32 uint64 uint8
unify_schemas union utf8 uuid
"""
_ASKED = """
binary binary_view boolean boolean_value date date32 date64 decimal decimal128 decimal256 decimal32 decimal64
dictionary duration fixed_size_binary fixed_size_list float16 float32 float64 float_value floating int16 int32 int64
int8 integer integer_value interval large_binary large_list large_list_view large_string large_unicode list list_view
map nested null primitive run_end_encoded signed_integer string string_view struct temporal time time32 time64
timestamp uint16 uint32 uint64 uint8 unicode union unsigned_integer
"""

#: Part → function of it that takes a file → at which place.
_FILED: dict[str, dict[str, int]] = {
    "parquet": {
        **dict.fromkeys(words("read_table read_pandas read_schema read_metadata ParquetFile"), 0),
        "write_table": 1,
    },
    "csv": {"read_csv": 0, "open_csv": 0, "write_csv": 1},
    "feather": {"read_table": 0, "read_feather": 0, "write_feather": 1},
    "json": {"read_json": 0},
    "orc": {"read_table": 0, "write_table": 1},
}
_OTHERS = {
    "parquet": "ColumnChunkMetaData ColumnSchema FileMetaData ParquetSchema RowGroupMetaData SortingColumn Statistics "
    "filters_to_expression",
    "csv": "ConvertOptions CSVStreamingReader ISO8601 InvalidRow ParseOptions ReadOptions WriteOptions",
    "feather": "FeatherError",
    "json": "ParseOptions ReadOptions",
}

#: What makes an array of parts, which a later look at its values believes.
_OF_PARTS = ("from_arrays", "from_buffers", "from_dense", "from_sparse", "view")


def tables(room: Room) -> dict[str, Any]:
    """Nothing of pyarrow is replaced; arrays that are made of parts are valid, and none gives up its memory."""
    array_memory.guard_below()
    lib = importlib.import_module("pyarrow.lib")
    for cls in filter(ownership.is_class, list(vars(lib).values())):
        if ownership.module_of(cls) != lib.__name__:
            continue
        for name in _OF_PARTS:
            _put(cls, name, _valid)
        _put(cls, "buffers", _copied)
        _put(cls, "as_buffer", _copied)
        if compiled.is_of_c(cls):
            special.final.add(cls)  # what is made past its own functions is empty, and nobody looks
    return {}


def computing(room: Room) -> dict[str, Any]:
    """Nothing of pyarrow.compute is replaced; what it takes by an index is there, and all it takes is of its kind."""
    tables(room)
    compute = importlib.import_module("pyarrow._compute")
    _put(compute.TakeOptions, "__init__", _bounded)
    _put(compute.FunctionOptions, "deserialize", _refused)
    _put(compute.Function, "call", arrow_calls.of_functions)
    _put(compute.Expression, "_call", arrow_calls.of_expressions)
    _put(compute.IndexOptions, "__init__", arrow_calls.of_index)
    _put(compute.RoundOptions, "__init__", arrow_calls.of_rounding)
    _put(compute.RoundTemporalOptions, "__init__", arrow_calls.of_times)
    _put(importlib.import_module("pyarrow.lib").TableGroupBy, "aggregate", arrow_calls.of_groups)
    return {}


def _filing(part: str) -> Callable[[Room], dict[str, Any]]:
    def build(room: Room) -> dict[str, Any]:
        tables(room)
        real = importlib.import_module(f"pyarrow.{part}")
        if part == "parquet":
            types_.shield(real.ParquetFile)
            _put(sys.modules["pyarrow._parquet"].ParquetReader, "open", _inside)
        return {name: _filed(getattr(real, name), at) for name, at in _FILED[part].items() if hasattr(real, name)}

    return build


def _filed(real: Any, at: int) -> Callable[..., Any]:
    call, signature = filed(real, at), inspect.signature(real)

    @functools.wraps(call)
    def asked(*arguments: Any, **keywords: Any) -> Any:
        bound = signature.bind(*arguments, **keywords)
        for settings in (bound.arguments, bound.arguments.get("kwargs", {})):
            if settings.get("filesystem") is not None:
                raise CallRefused(f"{real.__name__}(filesystem=…) is refused in a snippet: {_FOLDER}")
            if "memory_map" in settings:
                settings["memory_map"] = False  # a mapped file that is cut short ends the process
        return call(*bound.args, **bound.kwargs)

    return asked


# ------------------------------------------------------------------------------------------------ methods


def _put(cls: Any, name: str, guard: Callable[[Any], Callable[..., Any]]) -> None:
    """Have a method of a class written in C look first, where it has one of this name."""
    found: Any = ownership.class_dict(cls).get(name)
    static = type(found) is staticmethod
    real = found.__func__ if static else found
    if real is None or (made := patches.guarded(real, guard)) is real:
        return
    if static:
        kept: Any = staticmethod(made)
    elif compiled.is_of_c(cls):
        kept = compiled.Asking(cls, made)
    else:
        kept = made
    patches.put_on(cls, name, kept)


def _valid(real: Callable[..., Any]) -> Callable[..., Any]:
    def make(*arguments: Any, **keywords: Any) -> Any:
        if not in_a_snippet():
            return real(*arguments, **keywords)
        made = real(*map(_own, arguments), **{name: _own(value) for name, value in keywords.items()})
        made.validate(full=True)
        return made

    return make


def _own(value: Any, depth: int = 2) -> Any:
    """The numbers an array is put together by, as nobody else can change them."""
    pa, np = sys.modules["pyarrow"], sys.modules.get("numpy")
    if type(value) in (list, tuple) and depth:
        return [_own(part, depth - 1) for part in value]
    if np is not None and isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, pa.Buffer):
        return pa.py_buffer(value.to_pybytes())
    if isinstance(value, pa.Array) and pa.types.is_integer(value.type):
        return pa.concat_arrays([value, value.slice(0, 0)])
    return value


def _copied(real: Callable[..., Any]) -> Callable[..., Any]:
    def buffers(array: Any) -> Any:
        """A copy of the memory of an array: who could write to it could have it read what is not there."""
        return _own(real(array)) if in_a_snippet() else real(array)

    return buffers


def _bounded(real: Callable[..., Any]) -> Callable[..., Any]:
    def __init__(self: Any, *, boundscheck: Any = True) -> None:
        real(self, boundscheck=boundscheck or in_a_snippet())

    return __init__


def _refused(real: Callable[..., Any]) -> Callable[..., Any]:
    def deserialize(*arguments: Any) -> Any:
        if in_a_snippet():
            raise CallRefused("deserialize is refused in a snippet: options are made by their class")
        return real(*arguments)

    return deserialize


def _inside(real: Callable[..., Any]) -> Callable[..., Any]:
    def open(reader: Any, source: Any, *arguments: Any, **keywords: Any) -> Any:
        return real(reader, library_files.inside(source) if in_a_snippet() else source, *arguments, **keywords)

    return open


ROWS = (
    Module(
        "pyarrow",
        "tables, by columns",
        names=_NAMES,
        needs="pyarrow",
        withheld={
            **dict.fromkeys(words("py_buffer foreign_buffer allocate_buffer Buffer BufferReader"), _MEMORY),
            **dict.fromkeys(words("BufferOutputStream FixedSizeBufferWriter PythonFile NativeFile"), _MEMORY),
            **dict.fromkeys(words("memory_map create_memory_map MemoryMappedFile OSFile"), _FILES),
            **dict.fromkeys(words("input_stream output_stream"), _FILES),
            **dict.fromkeys(words("set_cpu_count set_io_thread_count set_memory_pool"), _FOR_ALL),
            **{part: REFUSED[f"pyarrow.{part}"] for part in words("cffi dataset flight fs ipc")},
            **dict.fromkeys(words("register_extension_type unregister_extension_type ExtensionType"), _FOR_ALL),
        },
        build=tables,
        parts=(*_FILED, "compute", "types"),
    ),
    Module(
        "pyarrow.compute",
        "what computes with columns",
        whole=True,
        needs="pyarrow",
        withheld={
            **{
                f"register_{kind}_function": f"{_FOR_ALL}; use to_pylist and a list comprehension"
                for kind in words("aggregate scalar tabular vector")
            },
            "call_tabular_function": "it believes any object to be a registry; a snippet registers no function",
        },
        build=computing,
    ),
    Module(
        "pyarrow.types",
        "questions about types",
        names=" ".join(f"is_{kind}" for kind in _ASKED.split()),
        needs="pyarrow",
    ),
    *(
        Module(
            f"pyarrow.{part}",
            "files of tables",
            names=_OTHERS.get(part, ""),
            needs="pyarrow",
            withheld=dict.fromkeys(words("ParquetWriter ParquetDataset write_to_dataset"), _IN_PARTS)
            if part == "parquet"
            else {},
            replaced=dict.fromkeys(filed_names, _FOLDER),
            build=_filing(part),
        )
        for part, filed_names in _FILED.items()
    ),
)
