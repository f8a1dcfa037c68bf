"""Values cross the wall as copies of exact types, or not at all."""

from __future__ import annotations

import array
import collections
import dataclasses
import datetime as dt
import enum
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

import msgspec
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeact.errors import ProtocolError
from codeact.records import Described
from codeact.wire.parts import TooMuch, Uncrossable
from codeact.wire.values import Allowance, pack, unpack


def crossed(value: object, *, lossy: bool = False, as_dicts: bool = False) -> Any:
    """The value as the other side gets it, through real bytes."""
    tree = msgspec.msgpack.decode(msgspec.msgpack.encode(pack(value, lossy=lossy)))
    return unpack(tree, as_dicts=as_dicts)


PLAIN = [
    None, True, 0, -(1 << 63), (1 << 64) - 1, 1 << 64, -(1 << 200), 1.5, math.inf, "é\0", b"\xff", [], {}, (), set(),
    [{"a": n, "b": str(n), "c": n / 3, "d": {"e": (n,)}} for n in range(50)], [{"a": 1}] * 40 + [{"b": 1}], [{}] * 40,
    [{1: 2}] * 40, [{"é": "é", "x": None}] * 40, [1, [2, (3,)]], {"a": {"b": [None]}}, {1: "one", (2, 3): {4}, None: 5}, {"": 0}, {0: "tag"}, frozenset({1, (2,)}),
    list(range(1000)), [0.5] * 1000, [1 << 70] * 40, 1 + 2j, range(1, 10, 3), bytearray(b"x"),
    Decimal("1.20"), Decimal("-Infinity"), Fraction(1, 3), Fraction(1 << 80, 3),
    dt.date(2024, 2, 29), dt.time(1, 2, 3, 4), dt.timedelta(-1, 2, 3), dt.datetime(2024, 1, 1, 12, 30),
    dt.datetime(2024, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=30))),
    dt.datetime(2024, 10, 27, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1), dt.time(1, fold=1, tzinfo=dt.UTC),
]  # fmt: skip


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: repr(value)[:30])
def test_a_plain_value_arrives_equal_and_of_the_same_type(value: object) -> None:
    arrived = crossed(value)
    assert arrived == value
    assert type(arrived) is type(value)


leaves = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(codec="utf-8"))
    | st.binary() | st.decimals(allow_nan=False, places=3) | st.dates() | st.datetimes() | st.timedeltas()
)  # fmt: skip
keys = st.text(st.characters(codec="utf-8")) | st.integers() | st.booleans() | st.tuples(st.integers(), st.binary())
nested = st.recursive(
    leaves,
    lambda parts: st.lists(parts) | st.dictionaries(keys, parts) | st.tuples(parts, parts) | st.sets(keys),
    max_leaves=30,
)


@given(nested)
@settings(deadline=None)
def test_whatever_is_made_of_plain_parts_arrives_equal(value: object) -> None:
    arrived = crossed(value)
    assert arrived == value
    assert type(arrived) is type(value)


SURROGATES = [
    "\ud800", "a\udfff" * 1000, ["\ud800"], {chr(0xD800): 1, chr(0xD801): 2}, [{"\ud800": n} for n in range(50)], [("é", "\udc80")] * 40,
    {"x": {"\udcff"}}, {1: "\ud800"},
]  # fmt: skip


@pytest.mark.parametrize("value", SURROGATES, ids=lambda value: ascii(value)[:30])
def test_a_text_with_lone_surrogates_arrives_equal(value: object) -> None:
    assert crossed(value) == value


@pytest.mark.parametrize("value", SURROGATES, ids=lambda value: ascii(value)[:30])
def test_whoever_is_handed_a_value_never_gets_a_text_that_cannot_be_encoded(value: object) -> None:
    repr(unpack(pack(value, lossy=True), surrogates=False)).encode()
    with pytest.raises(ProtocolError, match="a text that UTF-8 cannot say"):
        unpack(pack(value), surrogates=False)


def test_a_copy_shares_nothing_with_the_original() -> None:
    original = {"rows": [[1], [2]]}
    crossed(original)["rows"][0].append(9)
    assert original == {"rows": [[1], [2]]}


class Liar(str):
    def __str__(self) -> str:
        raise AssertionError("its own code ran")

    __repr__ = __format__ = __len__ = __iter__ = __str__  # type: ignore[assignment]  # it lies on purpose


def lying(base: type) -> Any:
    """A class of this one whose instances raise when they are asked for anything."""
    asked = ("__getattribute__", "__str__", "__repr__", "__eq__", "__format__")
    return type("Lying", (base,), dict.fromkeys(asked, lambda self, *arguments: str(Liar())))


Moment, Day, Hour, Span = map(lying, (dt.datetime, dt.date, dt.time, dt.timedelta))
Price, Part, Wave = map(lying, (Decimal, Fraction, complex))


class Colour(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "base"),
    [
        (Liar("x"), "x"),
        (collections.OrderedDict(a=1), {"a": 1}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (collections.namedtuple("Point", "x y")(1, 2), (1, 2)),
        (collections.deque([1, 2]), [1, 2]),
        ({"a": 1}.keys(), ["a"]),
        (Colour.RED, "red"),
        (enum.IntEnum("Level", "LOW")["LOW"], 1),
        (Moment(2024, 1, 2, 3, 4, 5, 6, dt.UTC, fold=1), dt.datetime(2024, 1, 2, 3, 4, 5, 6, dt.UTC, fold=1)),
        (Day(2024, 1, 2), dt.date(2024, 1, 2)),
        (Hour(1, 2, tzinfo=dt.UTC), dt.time(1, 2, tzinfo=dt.UTC)),
        (Span(1, 2, 3), dt.timedelta(1, 2, 3)),
        (Price("1.20"), Decimal("1.20")),
        (Part(1, 3), Fraction(1, 3)),
        (Wave(1, 2), 1 + 2j),
        (array.array("i", [1, 2]), [1, 2]),
        (memoryview(b"abc")[1:], b"bc"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_subclass_arrives_as_its_base_without_its_own_code_running(value: object, base: object) -> None:
    arrived = crossed(value)
    assert arrived == base
    assert type(arrived) is type(base)


@dataclasses.dataclass
class Order:
    number: int
    lines: list[str]


class Customer(pydantic.BaseModel):
    name: str
    order: Order


def test_a_dataclass_arrives_as_a_plain_dataclass_of_the_same_name() -> None:
    arrived = crossed(Order(1, ["a"]))
    assert type(arrived) is not Order
    assert repr(arrived) == "Order(number=1, lines=['a'])"
    assert dataclasses.asdict(arrived) == {"number": 1, "lines": ["a"]}


def test_a_model_arrives_with_its_fields_as_attributes() -> None:
    arrived = crossed(Customer(name="Ada", order=Order(1, [])))
    assert arrived.name == "Ada"
    assert arrived.order.number == 1


def test_a_dataclass_arrives_as_a_dict_where_dicts_are_asked_for() -> None:
    assert crossed([Order(1, [])], as_dicts=True) == [{"number": 1, "lines": []}]


def holding_itself() -> object:
    ring: list[Any] = []
    ring.append(ring)
    return ring


def doubled_without_end() -> object:
    part: list[Any] = []
    for _ in range(40):
        part = [part, part]
    return part


def nested_deeply() -> object:
    part: Any = 0
    for _ in range(50_000):
        part = [part]
    return part


HOPELESS = [
    lambda: None, object(), (number for number in range(3)), iter([]), [open], 10**5000, Decimal("1e99999"),
    holding_itself(), doubled_without_end(), nested_deeply(), type, "x" * (65 << 20),
]  # fmt: skip


@pytest.mark.parametrize("value", HOPELESS, ids=lambda value: type(value).__name__)
def test_what_cannot_cross_says_so(value: object) -> None:
    with pytest.raises(Uncrossable):
        pack(value)


@pytest.mark.parametrize("value", HOPELESS, ids=lambda value: type(value).__name__)
def test_what_cannot_cross_is_described_in_few_words_where_loss_is_accepted(value: object) -> None:
    arrived = crossed(value, lossy=True)
    shown = arrived[0] if type(arrived) is list and len(arrived) == 1 else arrived
    assert type(shown) is Described
    assert len(shown.text) < 1500


def test_a_generator_is_not_run_by_being_looked_at() -> None:
    started = []
    crossed((started.append(number) for number in range(3)), lossy=True)
    assert started == []


def test_a_value_of_too_many_bytes_is_refused_before_it_is_copied() -> None:
    with pytest.raises(TooMuch, match="too large to cross: 1,000 bytes are the most"):
        pack(["x" * 600, "y" * 600], Allowance(value_bytes=1000))


def test_a_number_that_crosses_can_be_written_out() -> None:
    for number in (2**14_284 - 1, 1 - 2**14_284, range(-(2**14_284) + 1, 7, 2)):
        arrived = unpack(pack(number))
        assert repr(arrived) == repr(number)
    with pytest.raises(TooMuch):
        pack(2**14_284)
    for content in (b"\x7f" * 1786, b"\x80" * 1786, b"\x01" + bytes(9_999)):
        with pytest.raises(ProtocolError, match="too many digits"):
            unpack({0: "range", 1: [0, {0: "int", 1: content}, 1]})


def test_no_argument_holds_a_description_however_deep() -> None:
    for tree in ({0: "described", 1: "t", 2: "u"}, [{0: "frozenset", 1: [{0: "described", 1: "t", 2: "u"}]}]):
        unpack(tree)
        with pytest.raises(ProtocolError, match="argument of a tool call"):
            unpack(tree, as_dicts=True)


def test_keys_that_share_a_hash_here_and_there_cross() -> None:
    value = {number * (2**61 - 1) + number % 50 for number in range(2000)}

    assert unpack(pack(value)) == value


class Mine(set[object]):
    """A set of a class of its own."""


@pytest.mark.parametrize("kind", [set, frozenset, Mine])
@pytest.mark.parametrize("more", [[], [(1, 2), None, frozenset([8, 0])]], ids=["alike", "of many types"])
def test_equal_sets_cross_in_one_order(kind: type, more: list[object]) -> None:
    one, other = kind([0, 8, 16, *more]), kind([*more, 16, 8, 0])
    assert list(one) != list(other)
    assert crossed(one) == set(other)
    assert pack(one) == pack(other)


def test_sets_with_what_has_no_order_cross_in_one_order() -> None:
    many = [{1.0, 2.0, 3.0, nan} for nan in [float("nan") for _ in range(200)]]  # NaN stands by its address
    assert len(set(map(str, many))) > 1
    assert len({str(pack(one)) for one in many}) == 1


@dataclasses.dataclass
class Parcel:
    weight: int
    state: str = dataclasses.field(init=False, default="packed")
    kinds: ClassVar[int] = 3


class Open(pydantic.BaseModel, extra="allow"):
    number: int


def test_a_record_arrives_with_all_that_its_attributes_say() -> None:
    parcel, more = unpack(pack(Parcel(2))), unpack(pack(Open.model_validate({"number": 1, "colour": "red", "a b": 2})))
    assert vars(parcel) == {"weight": 2, "state": "packed"}
    assert vars(more) == {"number": 1, "colour": "red"}
    assert unpack(pack(Open.model_validate({"number": 1, "to": Parcel(1)})), as_dicts=True)["to"]["weight"] == 1
