"""What pyarrow computes with takes what fits: its compiled code reads other kinds as memory of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeact import Policy, Session

pytest.importorskip("pyarrow")

BEGIN = """
import pyarrow as pa, pyarrow.compute as pc
t = pa.table({'a': [1, 2, None], 'b': ['x', 'y', 'z'], 'i': [0, 1, 0]})
texts, numbers, pad = pa.array(['a']), pa.array([1]), pc.PadOptions(5)
"""


@pytest.fixture(scope="module")
def arrow() -> Iterator[Session]:
    """A session with a cage: what is not mended ends its process."""
    with Session(policy=Policy(("pyarrow", "numpy"), check_first=False)) as session:
        session.run(BEGIN)
        yield session


MISFITS = {
    "options of another function": "pc.call_function('split_pattern', [texts], pad)",
    "options for one that takes none": "pc.call_function('add', [numbers, numbers], pad)",
    "options of another, by the function": "pc.get_function('utf8_center').call([texts], pc.StrftimeOptions())",
    "options of another, for groups": "t.group_by('b').aggregate([('a', 'tdigest', pad)])",
    "options of another, for a table": "t.group_by([]).aggregate([('a', 'index', pad)])",
    "options of another, by a name of its own": "class N(str):\n    def startswith(self, *_): return True\n"
    "t.group_by('b').aggregate([('a', N('tdigest'), pad)])",
    "a number for places": "pc.array_take(numbers, 0)",
    "a number to be sorted": "pc.array_sort_indices({})",
    "a number for a condition": "pc.array_filter(numbers, True)",
    "a number to be filtered": "pc.call_function('filter', [pa.scalar(1), pa.array([True])])",
    "a number to be replaced in": "pc.replace_with_mask(pa.scalar(1), pa.array([True]), numbers)",
    "alternatives of two types": "pc.choose(pa.array([1]), texts, pa.array([2**40]))",
    "alternatives of two types, by places": "pc.choose(pa.array([0]), pa.scalar(5), pa.scalar('a'))",
    "places that are truths": "pc.choose(pa.array([True]), texts, texts)",
    "alternatives of an expression": "t.filter(pc.choose(pc.field('i'), pc.field('b'), pc.field('a')) == 'x')",
    "a condition of texts": "d = texts.dictionary_encode()\npc.if_else(texts, d, d)",
    "places in one list": "pc.list_element(pa.scalar([1, 2]), numbers)",
    "a table of what is known": "pc.call_function('is_in_meta_binary', [numbers, t])",
    "maps for lists": "pc.list_parent_indices(pa.array([[('k', 1)]], pa.map_(pa.string(), pa.int64())))",
    "an object that says it is an array": "class A:\n    __class__ = pa.Array\n    type = pa.int64()\n"
    "pc.array_take(numbers, A())",
}


@pytest.mark.parametrize("source", MISFITS.values(), ids=MISFITS)
def test_a_function_of_columns_takes_what_is_of_its_kind(arrow, source):
    assert arrow.run(source).failure.type in ("TypeError", "ArrowInvalid")


BEYOND = {
    "more digits than there are": "pc.round(numbers, ndigits=2**31 - 1)",
    "no time at all": "pc.floor_temporal(pa.array([5], pa.timestamp('s')), multiple=0)",
}


@pytest.mark.parametrize("source", BEYOND.values(), ids=BEYOND)
def test_a_function_of_columns_takes_numbers_it_can_compute_with(arrow, source):
    assert arrow.run(source).failure.type == "ValueError"


def test_what_is_looked_for_is_a_value_of_arrows(arrow):
    assert arrow.run("len(pc.IndexOptions(5).serialize()) > 0, pc.index(pa.array([4, 5]), 5).as_py()").value == (
        True,
        1,
    )


def test_a_condition_of_an_expression_is_a_truth(arrow):
    column = "d = pc.field('b').cast(pa.dictionary(pa.int8(), pa.string()))\n"
    assert arrow.run(f"{column}t.filter(pc.is_valid(pc.if_else(pc.field('b'), d, d)))").failure.type == "ArrowInvalid"
    assert arrow.run("t.filter(pc.if_else(pc.field('a') > 1, pc.field('i'), 5) == 1).num_rows").value == 1


def test_columns_are_computed_with_as_ever(arrow):
    source = """
groups = t.group_by('b').aggregate([('a', 'stddev', pc.VarianceOptions(ddof=1)), ('a', 'sum'), ([], 'count_all')])
[
    groups.column_names,
    t.group_by([]).aggregate([('a', 'sum', pc.ScalarAggregateOptions(min_count=1))]).to_pylist(),
    pc.choose(pa.array([0, None, 1]), pa.array([1, 2, 3]), [4, 5, 6]).to_pylist(),
    pc.if_else([True, False], pa.array([1, 2]), 0).to_pylist(),
    pc.if_else(None, 1, 2).as_py(),
    pc.replace_with_mask(pa.array([1, 2]), True, pa.scalar(5)).to_pylist(),
    pc.list_element([[1, 2]], 1).to_pylist(),
    pc.list_parent_indices(pa.array([[1], [2, 3]])).to_pylist(),
    pc.round(1.234, ndigits=1).as_py(),
    pc.array_take([1, 2], [1]).to_pylist(),
    pc.filter([1, 2], [True, False]).to_pylist(),
    t.filter([True, False, True]).num_rows,
    pc.call_function('utf8_center', [texts], pad)[0].as_py(),
]
"""
    told = [["b", "a_stddev", "a_sum", "count_all"], [{"a_sum": 3}], [1, None, 6], [1, 0], None, [5, 5], [2], [0, 1, 1]]
    assert arrow.run(source).value == [*told, 1.2, [2], [1], 2, "  a  "]
