"""What is a key here is one there, and as many arrive as were sent; else none of them is lost unsaid."""

from __future__ import annotations

import copy
import dataclasses
import enum
import itertools
import sys
from typing import Any

import pandas as pd
import pydantic
import pytest

from codeact import Session
from codeact.errors import ProtocolError
from codeact.records import Described
from codeact.wire.parts import Uncrossable
from codeact.wire.values import pack, unpack


@dataclasses.dataclass(frozen=True)
class Place:
    row: int
    column: int


@dataclasses.dataclass(unsafe_hash=True)
class Mark:
    text: str


class Frozen(pydantic.BaseModel, frozen=True):
    number: int


class List(list[int]):
    __hash__ = object.__hash__  # type: ignore[assignment]  # as some programs do


class Rank(enum.Enum):
    FIRST = 1


class Same:
    def __repr__(self) -> str:
        return "Same"


FROZEN = [Place(1, 2), Frozen(number=3), (Place(1, 2), "x"), frozenset([Place(1, 2)])]


@pytest.mark.parametrize("key", FROZEN, ids=repr)
@pytest.mark.parametrize("as_dicts", [False, True], ids=["as they are", "as arguments"])
def test_what_is_frozen_arrives_as_a_key(key: object, as_dicts: bool) -> None:
    arrived = unpack(pack({key: 1}), as_dicts=as_dicts)
    assert list(arrived.values()) == [1]
    assert unpack(pack({key}), as_dicts=as_dicts) == set(arrived)
    assert arrived[next(iter(unpack(pack(arrived))))] == 1


def test_what_arrives_of_a_frozen_dataclass_is_frozen_and_equal_by_its_fields() -> None:
    arrived, other = unpack(pack(Place(1, 2))), unpack(pack(Place(1, 3)))
    assert hash(arrived) == hash(copy.deepcopy(arrived))
    assert arrived == dataclasses.replace(other, column=2)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'row'"):
        arrived.row = 3
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'row'"):
        del arrived.row


def test_a_field_of_what_arrives_may_be_called_self() -> None:
    made = dataclasses.make_dataclass("Made", [("self", int), ("other", int)], frozen=True, init=False)()
    vars(made).update(self=1, other=2)
    arrived = unpack(pack(made))
    assert dataclasses.replace(arrived, other=3).other == 3


UNFIT: dict[str, Any] = {
    "one that arrives without a hash": {Mark("a"): 1},
    "a list with a hash of its own": {List([1]): 1},
    "two that arrive equal": {Rank.FIRST: 1, 1: 2},
    "two that look alike": {Same(): 1, Same(): 2},
    "items of a set that look alike": {Same(), Same()},
    "the name of a series": pd.Series([1], name=Mark("a")),
    "the name of an index": pd.Index([1], name=Mark("a")),
}


@pytest.mark.parametrize("value", UNFIT.values(), ids=UNFIT)
def test_keys_that_would_not_arrive_as_such_are_told_of_as_text(value: object) -> None:
    arrived = unpack([pack([value, "beside"], lossy=True)])[0]
    assert isinstance(arrived[0], Described)
    assert arrived[1] == "beside"


@pytest.mark.parametrize("value", list(UNFIT.values())[:3], ids=list(UNFIT)[:3])
def test_keys_that_would_not_arrive_as_such_are_refused_as_arguments(value: object) -> None:
    with pytest.raises(Uncrossable, match="key"):
        pack(value)


def test_a_frozen_class_counts_beside_one_of_its_name_that_is_not() -> None:
    fields = ["at"]
    made = [dataclasses.make_dataclass(f"Kind{n}", fields, frozen=f)(1) for n in range(30) for f in (True, False)]
    with pytest.raises(Uncrossable, match="more than 50 kinds"):
        pack(made)
    assert unpack(pack(made[:50])) is not None


def test_a_forged_key_without_a_hash_is_no_value() -> None:
    with pytest.raises(ProtocolError):
        unpack({0: "dict", 1: [[1], 2]})


def test_a_value_whose_keys_do_not_cross_costs_no_session() -> None:
    source = (
        "from dataclasses import dataclass\n@dataclass(unsafe_hash=True)\nclass Mark:\n    text: str\n"
        "@dataclass(frozen=True)\nclass Place:\n    row: int\n"
    )

    def shape() -> Any:
        """Give what is where."""
        return {Place(1, 2): "here"}

    def count(places: Any) -> int:
        """Count places."""
        return len(places)

    with Session([shape, count]) as session:
        session.run(source)
        assert session.run("{Mark('a'): 1}").value.text == "{Mark(text='a'): 1}"
        assert session.run("count({Place(1): 1, Place(2): 2})").value == 2
        assert "a key" in session.run("count({Mark('a'): 1})").failure.message
        assert session.run("[at.column for at in shape()]").value == [2]
        assert session.run("Place(3).row").value == 3


def work_of(levels: int) -> int:
    """How many calls it takes to pack a set of a thousand tuples that lies in so many others."""
    value: Any = frozenset((number, ("x",)) for number in range(1_000))
    for _ in range(levels):
        value = frozenset([(value,)])
    calls = itertools.count()
    sys.setprofile(lambda *_: next(calls))
    try:
        pack(value)
    finally:
        sys.setprofile(None)
    return next(calls)


def test_what_lies_in_many_keys_is_looked_at_as_often_as_what_lies_in_one() -> None:
    assert work_of(40) < 2 * work_of(1)
