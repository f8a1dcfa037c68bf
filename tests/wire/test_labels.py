"""Categories, and indexes of several levels: labels cross once each, with their types, and are looked up by nobody."""

from __future__ import annotations

import enum
from typing import Any

import msgspec
import pytest

from codeact.errors import ProtocolError
from codeact.wire.parts import TooMuch, Uncrossable
from codeact.wire.values import pack, unpack

numpy = pytest.importorskip("numpy", reason="arrays are an extra")
pandas: Any = pytest.importorskip("pandas", reason="tables are an extra")


def crossed(value: object) -> Any:
    return unpack(msgspec.msgpack.decode(msgspec.msgpack.encode(pack(value))))


SIZES = pandas.CategoricalDtype(["small", "large", "huge"], ordered=True)


@pytest.mark.parametrize(
    "frame",
    [
        pandas.DataFrame({"size": pandas.Series(["large", None, "small"], dtype=SIZES)}),
        pandas.DataFrame({"size": pandas.Series([], dtype=SIZES)}),
        pandas.DataFrame({"sold": [1, 2]}, index=pandas.CategoricalIndex(["large", "small"], dtype=SIZES, name="size")),
        pandas.DataFrame({"day": pandas.to_datetime(["2025-01-01", "2024-01-01"])}, dtype="category"),
        pandas.DataFrame({"yes": pandas.Categorical([True], categories=[True, False])}),
    ],
)
def test_categories_arrive_in_their_order_with_those_that_are_not_used(frame: Any) -> None:
    pandas.testing.assert_frame_equal(crossed(frame), frame)


def test_categories_that_would_cross_as_the_same_are_refused() -> None:
    odd = pandas.Series([enum.Enum("Level", {"LOW": 1}).LOW, 1, None], dtype="category")
    with pytest.raises(Uncrossable, match="2 keys would arrive as 1"):
        pack(odd)


ZEROS, LABELS = {0: "array", 1: "|i1", 2: [2], 3: bytes(2)}, ["str", ["a", "b"]]
TOO_FAR = {**ZEROS, 3: b"\0\2"}
FORGED: dict[str, Any] = {
    "nothing said": [ZEROS],
    "no labels": [ZEROS, ["a", "b"], True],
    "no order": [ZEROS, LABELS, 1],
    "too much said": [ZEROS, LABELS, True, 1],
    "labels of labels": [ZEROS, ["category", ZEROS, LABELS, False], False],
    "a label without a hash": [ZEROS, ["object", [[1], 2]], False],
    "no codes": [["a", "b"], LABELS, False],
    "codes that are no numbers": [{**ZEROS, 1: "|b1"}, LABELS, False],
    "codes of two dimensions": [{**ZEROS, 2: [1, 2]}, LABELS, False],
    "a code of no label": [TOO_FAR, LABELS, False],
    "a code below none": [{**ZEROS, 3: b"\0\xfe"}, LABELS, False],
}


@pytest.mark.parametrize("said", FORGED.values(), ids=FORGED)
def test_categories_no_honest_side_sends_are_refused(said: list[Any]) -> None:
    for tree in (
        {0: "series", 1: {0: "steps", 1: [0, 2, 1], 2: None}, 2: ["category", *said], 3: None},
        {0: "levels", 1: [["category", *said]], 2: [ZEROS], 3: ["a"]},
    ):
        with pytest.raises(ProtocolError):
            unpack(tree)


@pytest.mark.parametrize(
    "parts",
    [
        [[], [], []],
        [[LABELS], [], ["a"]],
        [[LABELS], [TOO_FAR], ["a"]],
        [[LABELS], [ZEROS], []],
        [LABELS, ZEROS, "a"],
        [[LABELS] * 2, [ZEROS, {**ZEROS, 2: [1], 3: bytes(1)}], ["a", "b"]],
    ],
)
def test_levels_no_honest_side_sends_are_refused(parts: list[Any]) -> None:
    with pytest.raises(ProtocolError):
        unpack({0: "levels", **dict(enumerate(parts, 1))})


DAYS = pandas.to_datetime(["2025-01-01", "2024-01-01"])
LEVELS = {
    "categories": pandas.Categorical(["large", "small"], dtype=SIZES),
    "short numbers": numpy.array([2, 1], "int8"),
    "short fractions": numpy.array([1.1, 0.1], "float32"),
    "numbers with one missing": pandas.array([1, None], dtype="Int64"),
    "days": DAYS,
    "days of a zone": DAYS.tz_localize("Europe/Berlin").as_unit("s"),
    "texts as objects": pandas.Index(["b", "a"], dtype=object),
    "spans": DAYS - DAYS[0],
}


@pytest.mark.parametrize("name", LEVELS)
def test_levels_and_categories_arrive_with_their_types(name: str) -> None:
    levels = pandas.MultiIndex.from_arrays([LEVELS[name], [1.5, None]], names=[name, ("a", 1)])
    table = pandas.DataFrame({"n": [1, 2]}, index=levels)
    pandas.testing.assert_frame_equal(crossed(table), table)
    assert [level.dtype for level in crossed(levels).levels] == [level.dtype for level in levels.levels]
    column = pandas.Series(LEVELS[name]).astype("category")
    pandas.testing.assert_series_equal(crossed(column), column)


def test_labels_are_not_looked_up_where_they_arrive() -> None:
    """By numbers that share a hash of pandas' own, a few hundred thousand of them would take minutes."""
    labels = numpy.array([5, 3, 9])
    column, levels = pandas.Series(pandas.Categorical(labels)), pandas.MultiIndex.from_arrays([labels, labels])
    for arrived in (crossed(column).cat.categories, *crossed(levels).levels):
        assert list(arrived) == [3, 5, 9]
        assert "_engine" not in arrived._cache


def test_labels_chosen_to_collide_are_refused_before_a_table_is_built_of_them() -> None:
    labels = ["object", [pack(number * (2**61 - 1)) for number in range(1, 20_000)]]
    for tree in (
        {0: "levels", 1: [labels], 2: [ZEROS], 3: ["a"]},
        {0: "series", 1: {0: "steps", 1: [0, 2, 1], 2: None}, 2: ["category", ZEROS, labels, False], 3: None},
    ):
        with pytest.raises(ProtocolError, match="collide"):
            unpack(tree)


def test_labels_that_collide_are_not_sent_and_equal_ones_are() -> None:
    labels = [number * (2**61 - 1) for number in range(1, 200)]
    equal = pandas.Series(pandas.Categorical(["a", "b"] * 500))

    assert unpack(pack(equal)).equals(equal)
    for value in (
        pandas.Series(pandas.Categorical(labels)),
        pandas.MultiIndex.from_arrays([labels, labels]),
    ):
        with pytest.raises(TooMuch, match="share a hash"):
            pack(value)


ODD = pandas.Index(["a", "\udcff.txt"], dtype=object)  # such as names of files that are no UTF-8


@pytest.mark.parametrize(
    "table",
    [
        pandas.MultiIndex.from_product([ODD, [1, 2]], names=["file", "line"]),
        pandas.DataFrame({"size": [1, 2]}, index=pandas.MultiIndex.from_arrays([ODD, [1, 2]])),
        pandas.Series(pandas.Categorical.from_codes([0, 1, -1], dtype=pandas.CategoricalDtype(ODD))),
        pandas.Series([1, 2], index=ODD),
    ],
    ids=["levels", "rows", "categories", "labels"],
)
def test_labels_with_lone_surrogates_arrive_equal(table: Any) -> None:
    arrived = crossed(table)
    assert type(arrived) is type(table)
    assert ascii(arrived) == ascii(table)
