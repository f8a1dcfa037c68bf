"""What a worker may send that no honest one does breaks the protocol, and nothing else."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeact.errors import ProtocolError
from codeact.wire import plain
from codeact.wire.values import pack, unpack

FORGED: list[Any] = [
    {0: "no such tag"}, {0: ["list"]}, {0: "int", 1: "12"}, {0: "int", 1: b"\x01" * 4000}, {0: "tuple"},
    {0: "tuple", 1: 5}, {0: "set", 1: [[]]}, {0: "dict", 1: [1]}, {0: "dict", 1: [[], 1]}, {1: 2}, {None: 1},
    {0: "decimal", 1: "1e999999"}, {0: "decimal", 1: "x"}, {0: "decimal", 1: "9" * 5000}, {0: "fraction", 1: 1, 2: 0},
    {0: "fraction", 1: "1", 2: 2}, {0: "date", 1: "yesterday"}, {0: "date", 1: 7},
    {0: "datetime", 1: "2020", 2: 1, 3: 0},
    {0: "datetime", 1: "2020-01-01", 2: "../../etc/passwd", 3: 0}, {0: "timedelta", 1: [10**12, 0, 0]},
    {0: "range", 1: [0, 1, 0]}, {0: "floats", 1: b"123"}, {0: "floats", 1: "text"}, {0: "described", 1: 5, 2: ""},
    {0: "record", 1: "X", 2: ["class"], 3: [1]}, {0: "record", 1: "X", 2: ["__class__"], 3: [1]},
    {0: "record", 1: "X; y", 2: [], 3: []}, {0: "record", 1: "X", 2: ["a", "a"], 3: [1, 2]},
    {0: "record", 1: "X", 2: ["a"], 3: []}, {0: "array", 1: "|O", 2: [1], 3: b"12345678"},
    {0: "array", 1: "<f8", 2: [2], 3: b"12345678"}, {0: "array", 1: "<f8", 2: [-1], 3: b"12345678"},
    {0: "array", 1: "<f8,<f8", 2: [1], 3: b"1234567812345678"}, {0: "array", 1: "<M8[xs]", 2: [1], 3: b"12345678"},
    {0: "rows", 1: ["a"], 2: []}, {0: "rows", 1: ["a", "a"], 2: [[1], [2]]}, {0: "rows", 1: ["a", "b"], 2: [[1], []]},
    {0: "rows", 1: [1], 2: [[1]]}, {0: "rows", 1: ["a"], 2: ["text"]}, {0: "rows", 1: [], 2: []},
    {0: "frame", 1: 1, 2: 2, 3: []}, {0: "series", 1: None, 2: ["str", ["a"]], 3: None},
    {0: "index", 1: ["eval", []], 2: 0},
    {0: "timestamp", 1: {0: "array", 1: "<M8[ns]", 2: [], 3: bytes(8)}, 2: "dateutil/Europe/London"},
    {0: "index", 1: ["tz:tzlocal()", {0: "array", 1: "<M8[ns]", 2: [1], 3: bytes(8)}], 2: None},
    {0: "period", 1: 5, 2: "0D"}, {0: "period", 1: "x", 2: "D"}, {0: "period", 1: 5, 2: "XX"}, {0: "period", 1: 5, 2: 5},
    {0: "interval", 1: 2, 2: 1, 3: "left"}, {0: "interval", 1: "a", 2: "b", 3: "left"}, {0: "interval", 1: 1, 2: 2, 3: "x"},
    {0: "index", 1: ["period", {0: "array", 1: "<i8", 2: [1], 3: bytes(8)}, "-1D"], 2: None},
    {0: "index", 1: ["period", {0: "array", 1: "<i4", 2: [2], 3: bytes(8)}, "D"], 2: None},
    {0: "index", 1: ["period", [1], "D"], 2: None}, {0: "index", 1: ["period"], 2: None},
    {0: "index", 1: ["interval", [1], [0], "left"], 2: None}, {0: "index", 1: ["interval", ["a"], ["b"], "left"], 2: None},
    {0: "timestamp", 1: [1], 2: None}, {0: "timestamp", 1: {0: "array", 1: "<M8[ns]", 2: [], 3: b"12345678"}, 2: "a b"},
]  # fmt: skip


@pytest.mark.parametrize("tree", FORGED, ids=lambda tree: str(tree)[:40])
def test_a_forged_tree_breaks_the_protocol_and_nothing_else(tree: Any) -> None:
    with pytest.raises(ProtocolError):
        unpack(tree)


def test_a_few_different_keys_among_those_that_collide_hide_nothing() -> None:
    colliding = [pack(number * (2**61 - 1)) for number in range(1, 20_000)]
    hidden = [*colliding, *range(10_000)]
    for tree in (
        {0: "set", 1: hidden},
        {0: "frozenset", 1: hidden},
        {0: "dict", 1: [part for key in hidden for part in (key, 1)]},
        [{0: "set", 1: colliding[:500]}] * 1000,
    ):
        with pytest.raises(ProtocolError, match="collide"):
            unpack(tree)


def test_keys_chosen_to_collide_are_refused_before_a_set_is_built_of_them() -> None:
    colliding = [number * (2**61 - 1) for number in range(1, 4000)]
    with pytest.raises(ProtocolError, match="collide"):
        unpack({0: "set", 1: [pack(number) for number in colliding]})


LAST = [pack(number * (2**61 - 1)) for number in range(1, 65)]
RECORD = {0: "record", 1: "Made", 2: ["a"], 3: [1], 4: True}


@pytest.mark.parametrize("part", [RECORD, {0: "fraction", 1: 1, 2: 3}, 1.5], ids=str)
def test_few_long_keys_that_differ_in_their_last_part_alone_are_not_all_compared(part: Any) -> None:
    keys = [{0: "tuple", 1: [*[part] * 2_500, last]} for last in LAST]
    for tree in ({0: "set", 1: keys}, {0: "dict", 1: [part for key in keys for part in (key, 1)]}):
        with pytest.raises(ProtocolError, match="comes to more than"):
            unpack(tree)


def labelled(labels: list[Any]) -> Any:
    codes = {0: "array", 1: "|i1", 2: [2], 3: bytes((0, 255))}
    return {0: "index", 1: ["category", codes, ["object", labels], False], 2: None}


LONG = [(2**61 - 1) * (2**14_000 + number) for number in range(64)]
MIXED = [pack(Decimal(number)) if place % 2 else pack(number) for place, number in enumerate(LONG)]


@pytest.mark.parametrize(
    "tree",
    [
        [{0: "set", 1: MIXED}] * 2,
        [{0: "dict", 1: [part for key in MIXED for part in (key, 1)]}] * 2,
        [labelled(MIXED)] * 2,
    ],
    ids=["sets", "dicts", "labels"],
)
def test_long_numbers_that_are_made_decimals_of_each_time_are_not_all_compared(tree: Any) -> None:
    with pytest.raises(ProtocolError, match=r"comes to more than|collide"):
        unpack(tree)


def test_labels_of_a_table_that_share_a_hash_are_few() -> None:
    assert len(unpack(labelled(LAST[:20]))) == 2
    with pytest.raises(ProtocolError, match="collide"):
        unpack(labelled(LAST * 2))


def test_honest_keys_that_share_a_hash_cross() -> None:
    grid = {(row, column): row for row in range(-50, 50) for column in range(-50, 50)}
    assert hash((1, -1)) == hash((1, -2))
    assert unpack(pack(grid)) == grid
    assert unpack(pack([grid.keys(), set(grid), {frozenset(grid)}])) == [list(grid), set(grid), {frozenset(grid)}]


def test_classes_for_records_are_not_made_without_end() -> None:
    trees = [{0: "record", 1: f"Made{number}", 2: ["a"], 3: [1]} for number in range(100)]
    with pytest.raises(ProtocolError, match="kinds of records"):
        unpack(trees)


def test_classes_for_records_are_not_kept_without_end() -> None:
    made = [plain.record_class(f"Kept{number}", ("a",)) for number in range(plain._CLASSES_KEPT + 1)]
    assert len(plain._classes) == plain._CLASSES_KEPT
    assert plain.record_class("Kept1", ("a",)) is made[1]
    assert plain.record_class("Kept0", ("a",)) is not made[0]


TAGS = [
    "dict", "tuple", "set", "int", "decimal", "datetime", "record", "array", "objects", "index", "levels", "steps",
    "series", "frame", "timestamp", "floats", "range", "rows",
]  # fmt: skip
trees = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 64) - 1) | st.floats() | st.text() | st.binary(),
    lambda parts: st.lists(parts, max_size=5)
    | st.dictionaries(st.text(max_size=3) | st.integers(0, 3), parts, max_size=4)
    | st.builds(
        lambda tag, first, second, third: {0: tag, 1: first, 2: second, 3: third},
        st.sampled_from(TAGS),
        parts, parts, parts,
    ),
    max_leaves=20,
)  # fmt: skip


@given(trees)
@settings(deadline=None)
def test_any_tree_is_a_value_or_breaks_the_protocol(tree: Any) -> None:
    try:
        value = unpack(tree)
    except ProtocolError:
        return
    repr(value)
