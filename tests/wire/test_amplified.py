"""A few bytes come to a bounded amount on the other side, and what honest values come to is counted alike on both."""

from __future__ import annotations

import datetime
import sys
from array import array
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from codeact.errors import ProtocolError
from codeact.records import Described
from codeact.wire.parts import Uncrossable
from codeact.wire.scan import refuse_costly
from codeact.wire.values import pack, unpack

pytestmark = pytest.mark.slow

numpy = pytest.importorskip("numpy", reason="arrays are an extra")
pandas: Any = pytest.importorskip("pandas", reason="tables are an extra")

MANY = {0: "range", 1: [0, 10**12, 1]}
STEPS = {0: "steps", 1: [0, 1_000_000, 1], 2: None}
ONE = {0: "steps", 1: [0, 1, 1], 2: None}
FIRST = {0: "array", 1: "|i1", 2: [1], 3: bytes(1)}


def numbers(count: int) -> dict[int, Any]:
    return {0: "ints", 1: bytes(8 * count)}


def fraction(bits: int) -> dict[int, Any]:
    above = (1 << bits) - 1
    return {0: "fraction", 1: pack(above), 2: pack(above // 7 * 5 + 2)}


def rows(tree: Any, times: int) -> Any:
    for _ in range(times):
        tree = {0: "rows", 1: ["a"], 2: [tree]}
    return tree


@pytest.mark.parametrize(
    "tree",
    [
        [numbers(1_000_000)] * 5,
        rows(numbers(900_000), 2),
        {0: "rows", 1: ["k" * 60_000], 2: [[1] * 3_000]},
        [rows(numbers(500_000), 1)] * 3,
        [STEPS] * 5,
        [[]] * 1_000_000,
        {0: "set", 1: list(range(1_500_000))},
        [{0: "frame", 1: ONE, 2: ONE, 3: [["category", FIRST, ["str", ["a"]], False]]}] * 4_000,
        [{0: "index", 1: ["str", ["a"]], 2: None}] * 8_000,
        [fraction(14_000)] * 8_000,
    ],
    ids=[
        "blocks",
        "rows in rows",
        "rows of long names",
        "many rows",
        "steps",
        "lists",
        "set",
        "frames",
        "columns",
        "long fractions",
    ],
)
def test_what_a_value_comes_to_is_counted_over_all_its_parts(tree: Any) -> None:
    with pytest.raises(ProtocolError, match="comes to more than 4,000,000 items"):
        unpack([tree])


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "boolean", "string", "str"])
@pytest.mark.parametrize("item", [MANY, STEPS, [1, 2], {0: "tuple", 1: [1]}, {"a": 1}], ids=str)
def test_a_column_of_a_type_holds_no_containers(dtype: str, item: Any) -> None:
    for tree in ({0: "index", 1: [dtype, [item]], 2: None}, {0: "series", 1: ONE, 2: [dtype, [item]], 3: None}):
        with pytest.raises(ProtocolError, match="holds what its type does not"):
            unpack(tree)


def test_a_column_of_objects_keeps_a_range_as_it_is() -> None:
    for tree in ({0: "index", 1: ["object", [MANY]], 2: None}, {0: "series", 1: ONE, 2: ["object", [MANY]], 3: None}):
        assert unpack(tree)[0] == range(10**12)


@pytest.mark.parametrize("code", ["<U1", "|S1"])
def test_a_column_is_no_array_of_texts(code: str) -> None:
    content = numpy.zeros(3, dtype=code).tobytes()
    with pytest.raises(ProtocolError, match="no row of values"):
        unpack({0: "index", 1: [code, {0: "array", 1: code, 2: [3], 3: content}], 2: None})


HONEST: dict[str, Any] = {
    "datetimes": [datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)] * 300_000,
    "too many datetimes": [datetime.datetime(2020, 1, 1)] * 600_000,
    "numbers": [list(range(1_900_000)), array("d", bytes(8 * 1_900_000)).tolist()],
    "too many numbers": [list(range(1_900_000))] * 3,
    "rows": [{"a": 1, "b": 2.0, "c": 3}] * 490_000,
    "too many rows": [{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}] * 500_000,
    "lists": [[]] * 490_000,
    "long ints": [1 << 70] * 330_000,
    "set": set(range(980_000)),
    "keys": dict.fromkeys(range(400_000)),
    "moments": [pandas.Timestamp("2020-01-01")] * 80_000,
    "texts": pandas.DataFrame({name: ["x"] * 100_000 for name in "abcdefgh"}),
    "wide": pandas.DataFrame(numpy.zeros((2, 20_000))),
    "levels": pandas.MultiIndex.from_product([range(400), range(400)]),
    "unknown": [object()] * 600_000,
    "frames": [pandas.DataFrame({"a": [1], "b": ["x"], "c": pandas.Categorical(["y"])})] * 1_500,
}


@pytest.mark.parametrize("name", HONEST)
def test_what_can_be_packed_can_be_unpacked(name: str) -> None:
    frame = msgspec.msgpack.encode(pack(HONEST[name], lossy=True))
    refuse_costly(memoryview(frame))
    value = unpack(msgspec.msgpack.decode(frame), surrogates=False)
    assert isinstance(value, Described) == (
        name in ("too many datetimes", "too many numbers", "too many rows", "unknown")
    )


def test_times_in_many_zones_that_take_turns_are_counted_as_they_are_read() -> None:
    two = [pandas.Timestamp("2020-01-01", tz=zone) for zone in ("Europe/Berlin", "Asia/Tokyo")] * 20_000
    assert unpack(pack(two)) == two
    many = [pandas.Timestamp("2020-01-01", tz=f"Etc/GMT+{hours}") for hours in range(1, 13)] * 500
    with pytest.raises(Uncrossable, match="comes to more than"):
        pack(many)
    with pytest.raises(ProtocolError, match="comes to more than"):
        unpack([pack(moment) for moment in many])


def test_labels_that_are_tuples_are_kept() -> None:
    index = pandas.Index([("a", 1), ("b", 2)], tupleize_cols=False)
    assert list(unpack(pack(index))) == [("a", 1), ("b", 2)]
    levels = pandas.MultiIndex.from_arrays([index, [3, 4]])
    assert list(unpack(pack(levels))) == [(("a", 1), 3), (("b", 2), 4)]
    assert list(unpack(pack(pandas.Series([(1, 2)], dtype="category"))).cat.categories) == [(1, 2)]


def test_the_length_of_a_range_has_no_bound() -> None:
    assert unpack(pack(range(10**30))) == range(10**30)
    assert sys.maxsize < 10**30


def test_as_many_fractions_are_packed_as_can_be_unpacked() -> None:
    long, short = Fraction((1 << 14_000) - 1, 3**8_000), Fraction(2, 3)
    with pytest.raises(Uncrossable, match="comes to more than"):
        pack([long] * 8_000)
    assert unpack(pack([long] * 100)) == [long] * 100
    assert unpack(pack([short] * 100_000)) == [short] * 100_000


LONG = {0: "int", 1: b"\x7f" * 1785}


@pytest.mark.parametrize("held", ["str", "string", "boolean", "Int64", "UInt8", "Float64"])
def test_no_column_is_made_of_what_its_type_does_not_hold(held: str) -> None:
    for part in (LONG, {0: "decimal", 1: "1"}, "1" if held[0] in "bIUF" else 1):
        with pytest.raises(ProtocolError, match="holds what its type does not"):
            unpack({0: "index", 1: [held, [part, None]], 2: None})


def test_rows_are_counted_with_the_names_whoever_writes_them_out_writes_again() -> None:
    with pytest.raises(Uncrossable, match="comes to more than 4,000,000 items"):
        pack([{"k" * 60_000: 1}] * 3_000)
    assert unpack(pack([{"k" * 200: 1}] * 3_000)) == [{"k" * 200: 1}] * 3_000
