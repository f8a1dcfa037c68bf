"""pyarrow reads and writes files by itself, and hands out the memory its arrays believe."""

from __future__ import annotations

import pytest

from codeact.snippet.facade import Facades
from tests.snippet.running import Step

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.filterwarnings("ignore")

BEGIN = """
import os, io, pyarrow as pa, pyarrow.compute as pc, pyarrow.csv as csv, pyarrow.feather as feather
import pyarrow.json as js, pyarrow.orc as orc, pyarrow.parquet as pq
t = pa.table({'a': [1, 2, None], 'b': ['x', 'y', 'z']})
pq.write_table(t, 't.parquet')
"""


def run(source: str, imports: tuple[str, ...] = ("pyarrow", "pandas", "numpy")):
    return Step(check_first=False, imports=imports).run(BEGIN + source)


FILES = {
    "read": "pq.read_table('/etc/hostname')",
    "read, one of several": "pq.read_table(['t.parquet', '/etc/hostname'])",
    "read by keyword": "csv.read_csv(input_file='/etc/hostname')",
    "an address": "pq.read_table('file:///etc/hostname')",
    "read in pieces": "csv.open_csv('../t.csv')",
    "lines": "js.read_json('/etc/hostname')",
    "a schema": "pq.read_schema('/etc/hostname')",
    "a file": "pq.ParquetFile('/etc/hostname')",
    "what reads a file": "pq.ParquetFile('t.parquet').reader.open('/etc/hostname')",
    "what reads a file, of its class": "r = pq.ParquetFile('t.parquet').reader\ntype(r).open(type(r)(), '/etc/hostname')",
    "written": "pq.write_table(t, '/etc/codeact')",
    "written by keyword": "feather.write_feather(t, dest='/etc/codeact')",
    "written as text": "csv.write_csv(t, '/etc/codeact')",
    "written as orc": "orc.write_table(t, '/etc/codeact')",
    "a descriptor": "pq.write_table(t, 1)",
}


@pytest.mark.parametrize("source", FILES.values(), ids=FILES)
def test_files_of_tables_are_those_of_the_working_folder(source):
    assert run(source).failure.type == "PermissionError"


REFUSED = {
    "a file system": "pq.read_table('t.parquet', filesystem='file:///')",
    "a file system by its place": "feather.read_feather('t.parquet', filesystem='file:///')",
    "the class of a file": "type(pq.ParquetFile('t.parquet'))('/etc/hostname')",
    "memory of others": "pa.py_buffer(b'x')",
    "memory by its address": "pa.foreign_buffer(1, 8)",
    "memory that is written to": "pa.FixedSizeBufferWriter(b'x')",
    "a mapped file": "pa.memory_map('t.parquet')",
    "a file of its own": "pa.OSFile('t.parquet')",
    "a function for everyone": "pc.register_scalar_function(len, 'f', {}, {}, pa.int64())",
    "an object for a registry": "pc.call_tabular_function('f', func_registry=1)",
    "settings for everyone": "pa.set_cpu_count(1)",
    "options made of bytes": "type(pc.TakeOptions()).deserialize(b'x')",
    "parts nobody reviewed": "import pyarrow.fs",
    "parts nobody reviewed, of the whole": "from pyarrow import dataset",
    "an empty array": "pa.Array.__new__(pa.Array)",
    "an empty array of its own": "class A(pa.Array):\n    def __init__(self): pass\nA()",
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_what_reaches_beyond_tables_is_refused(source):
    assert run(source).failure.type in ("RuntimeError", "ImportError", "TypeError", "AttributeError")


INVALID = {
    "lists": "pa.ListArray.from_arrays(pa.array([0, 10**6], pa.int32()), pa.array([1]))",
    "memory": "pa.Array.from_buffers(pa.int64(), 10**6, [None, pa.array([1]).buffers()[1]])",
    "a dictionary": "pa.DictionaryArray.from_arrays(pa.array([0, 99]), pa.array(['a']), safe=False)",
    "what is taken": "pc.take(pa.array([1]), pa.array([10**6]), boundscheck=False)",
}


@pytest.mark.parametrize("source", INVALID.values(), ids=INVALID)
def test_an_array_is_made_of_parts_that_fit(source):
    assert run(source).failure.type in ("ArrowInvalid", "ArrowIndexError")


def test_nobody_changes_what_an_array_was_found_valid_by():
    source = (
        "import numpy as np\nplaces = np.array([0, 0])\nheld = pa.array(places)\n"
        "of = pa.DictionaryArray.from_arrays(held, pa.array(['a']))\nplaces[0] = 10**6\n"
        "views = [memoryview(part) for part in (held.buffers()[1], pa.array([b'abc'])[0].as_buffer())]\n"
        "of.to_pylist(), [view.readonly for view in views]"
    )
    assert run(source).value == (["a", "a"], [True, True])


def test_tables_are_read_written_and_computed_with():
    source = """
import pandas as pd
csv.write_csv(t, 't.csv'), feather.write_feather(t, 't.feather'), orc.write_table(t, 't.orc')
os.mkdir('d'), pq.write_table(t, 'd/1.parquet'), pq.write_table(t, 'd/2.parquet')
held = io.BytesIO()
pq.write_table(t, held)
held.seek(0)
rows = [pq.read_table('t.parquet', memory_map=True), pq.read_table('d'), pq.read_table(['d/1.parquet', 'd/2.parquet']), pq.read_table(held)]
rows += [csv.read_csv('t.csv'), feather.read_table('t.feather'), orc.read_table('t.orc'), csv.open_csv('t.csv').read_next_batch()]
file = pq.ParquetFile('t.parquet')
[
    [part.num_rows for part in rows],
    [batch.num_rows for batch in file.iter_batches()],
    pc.sum(t['a']).as_py(),
    t.filter(pc.field('a') > 1).to_pylist(),
    t.group_by('b').aggregate([('a', 'sum')]).num_rows,
    pa.Table.from_pandas(t.to_pandas()).column_names,
    pa.ListArray.from_arrays([0, 2, 3], [1, 2, 3]).to_pylist(),
    feather.read_feather('t.feather').shape,
    isinstance(t['a'].chunk(0), pa.Int64Array) and pa.types.is_integer(t['a'].type),
    pd.Series(['a'], dtype='string[pyarrow]').str.upper().tolist(),
]
"""
    told = [3, 6, 6, 3, 3, 3, 3, 3], [3], 3, [{"a": 2, "b": "y"}], 3, ["a", "b"], [[1, 2], [3]], (3, 2), True, ["A"]
    assert run(source).value == [*told]


def test_a_file_that_is_not_there_is_told_by_its_name():
    failure = run("pq.read_table('missing.parquet')").failure
    assert (failure.type, failure.message) == ("FileNotFoundError", "missing.parquet")


def test_what_pyarrow_has_from_python_stays_a_base_of_classes():
    assert run("class Own(dict): pass\nOwn(a=1)['a']").value == 1


def test_what_looks_first_is_put_in_place_once():
    def of_parts():
        Facades(("pyarrow",)).import_module("pyarrow.compute")
        return [
            vars(cls)[name] for cls, name in ((pa.ListArray, "from_arrays"), (pa.Array, "view"), (pa.Array, "buffers"))
        ]

    pa = pytest.importorskip("pyarrow")
    assert list(map(id, of_parts())) == list(map(id, of_parts()))
