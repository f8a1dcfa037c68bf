"""Any value has a bounded text, and making it runs none of the snippet's code."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import enum
import fractions
import ipaddress
import operator
import re
import subprocess
import sys
import types
from typing import Any

import pydantic
import pytest

from codeact.snippet.describe import describe, readable
from codeact.snippet.endings import LimitReached


class Ran(BaseException):
    """A hostile class was asked something."""


class Shouting(type):
    """A metaclass whose classes answer no question without being noticed."""

    def _shout(cls, *_: Any) -> Any:
        raise Ran

    __getattribute__ = __eq__ = __instancecheck__ = __subclasscheck__ = __repr__ = __call__ = _shout
    __hash__ = type.__hash__


def shout(*_: Any, **__: Any) -> Any:
    raise Ran


_WORDS = "repr str len iter getattribute getattr format bool eq hash getitem int index float contains dir next fspath"
HOOKS = [f"__{word}__" for word in _WORDS.split()]


def hostile(base: type, *arguments: Any) -> Any:
    made = Shouting("Hostile", (base,), {"__class__": property(shout)})
    value = base.__new__(made, *arguments)
    if base in (list, dict, set):
        base.__init__(value, *arguments)
    for hook in HOOKS:
        type.__setattr__(made, hook, shout)
    return value


BASES = [(object,), (int, 7), (str, "text"), (bytes, b"ab"), (float, 1.5), (list, [1, 2]), (dict, {"a": 1}), (set, {1})]


@pytest.mark.parametrize("row", BASES, ids=lambda row: row[0].__name__)
def test_describing_a_hostile_subclass_of_a_builtin_runs_none_of_its_code(row: tuple[Any, ...]) -> None:
    base, *arguments = row
    inside = "object" if base is object else describe(base(*arguments))
    assert inside in describe(hostile(base, *arguments))


@pytest.mark.parametrize("row", BASES, ids=lambda row: row[0].__name__)
def test_a_hostile_value_inside_a_container_runs_no_code(row: tuple[Any, ...]) -> None:
    value = hostile(row[0], *row[1:])
    assert "Hostile" in describe([(value,), {"k": value}])


def test_a_name_a_zone_prints_is_not_asked_for_its_repr() -> None:
    zone = datetime.timezone(datetime.timedelta(0), hostile(str, "zone"))
    assert describe(datetime.datetime(2024, 1, 2, tzinfo=zone)) == "<datetime object>"


def test_a_number_inside_a_fraction_or_an_address_is_not_asked_for_its_repr() -> None:
    class Loud(int):
        __str__ = __repr__ = __format__ = to_bytes = shout

    address = ipaddress.IPv4Address(0)
    address._ip = Loud(5)
    fraction = fractions.Fraction(1, 3)
    fraction._numerator = Loud(5)  # type: ignore[attr-defined]  # a slot its stub does not name
    assert "5" in describe(address)
    assert "5" in describe(fraction)


def test_the_name_of_a_function_is_shown_without_asking_it() -> None:
    def called() -> None: ...

    called.__name__ = hostile(str, "unheard")
    assert describe([called]) == "[<function unheard>]"


def test_a_pattern_whose_text_is_hostile_is_not_asked() -> None:
    class Loud(str):
        __repr__ = shout

    assert "Loud('unheard+')" in describe(re.compile(Loud("unheard+")))


def laughs(levels: int) -> list[Any]:
    value: list[Any] = ["lol"]
    for _ in range(levels):
        value = [value] * 10
    return value


@dataclasses.dataclass
class Box:
    content: Any
    label: str = "x"


class Plain:
    def __init__(self, content: Any) -> None:
        self.content = content

    def __repr__(self) -> str:
        return f"Plain({self.content!r})"


def ring() -> list[Any]:
    value: list[Any] = []
    value.append({"again": value})
    return value


def deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(50_000):
        value = [value]
    return value


HUGE = [
    *(laughs(40), Box(laughs(40)), Plain(laughs(40)), [Plain(laughs(40))] * 50, collections.deque([laughs(40)])),
    *(ring(), deep(), 10**100_000, -(10**100_000), "é" * 10**6, b"\0" * 10**6, list(range(10**6))),
    *({i: str(i) for i in range(10**5)}, set(range(10**5)), fractions.Fraction(10**9_000, 7), "\ud800" * 1000),
]


@pytest.mark.parametrize("value", HUGE, ids=range(len(HUGE)))
@pytest.mark.parametrize("limit", [20, 200, 4_000])
def test_a_text_never_exceeds_its_limit(value: Any, limit: int) -> None:
    assert len(describe(value, limit)) <= limit
    assert len(readable(value, limit)) <= limit


def test_what_is_left_out_is_counted() -> None:
    assert describe(list(range(1000)), 60) == "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … 990 more]"
    assert describe("a" * 1000, 60).endswith("'… (1,000 characters)")
    assert describe(10**5000) == "<integer of about 5,001 digits>"


class Colour(enum.Enum):
    RED = 1


Point = collections.namedtuple("Point", "x y")

SHOWN = [
    *((None, "None"), (True, "True"), ("é'", '"é\'"'), (1.5, "1.5"), ((1,), "(1,)"), (set(), "set()"), ({}, "{}")),
    *((Colour.RED, "Colour.RED"), (Point(1, 2), "Point(x=1, y=2)"), (Box([1]), "Box(content=[1], label='x')")),
    *((datetime.date(2024, 2, 29), "datetime.date(2024, 2, 29)"), (ValueError("no", 1), "ValueError('no', 1)")),
    *((Box, "<class Box>"), (shout, "<function shout>"), (sys, "<module sys>"), (range(3), "range(0, 3)")),
    (types.MappingProxyType({"a": [1]}), "mappingproxy({'a': [1]})"),
    (operator.itemgetter(1), "<itemgetter object>"),
]


@pytest.mark.parametrize(("value", "text"), SHOWN, ids=[text for _, text in SHOWN])
def test_a_plain_value_is_written_as_one_would_write_it(value: Any, text: str) -> None:
    assert describe(value) == text


def test_what_an_object_of_several_bases_holds_is_shown_once() -> None:
    class Named:
        pass

    class Aged:
        pass

    class Person(Named, Aged):
        def __init__(self) -> None:
            self.name = "ann"

    assert describe(Person()) == readable(Person()) == "Person(name='ann')"


def test_a_long_mapping_behind_a_proxy_is_cut_as_it_is_alone() -> None:
    long = dict.fromkeys(range(50_000))
    for shown in (types.MappingProxyType(long), [types.MappingProxyType(long)], Box(types.MappingProxyType(long))):
        assert ": None, … " in describe(shown, 200)
        assert len(readable(shown, 4_000)) <= 4_000


def test_readable_lets_a_value_speak_for_itself() -> None:
    assert readable([Plain(1), Box(2)]) == "[Plain(1), Box(content=2, label='x')]"


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(3), Ran()])
def test_a_repr_that_raises_is_replaced_by_a_description(error: BaseException) -> None:
    class Broken:
        def __repr__(self) -> str:
            raise error

    assert readable([Broken()]) == "[<Broken object>]"


def test_the_end_of_a_budget_inside_a_repr_is_not_swallowed() -> None:
    class Endless:
        def __repr__(self) -> str:
            raise LimitReached("operations")

    with pytest.raises(LimitReached):
        readable(Endless())


def test_neither_numpy_nor_pandas_is_imported_to_describe() -> None:
    code = (
        "import sys; from codeact.snippet.describe import describe\n"
        "describe([1]); print({'numpy', 'pandas'} & {*sys.modules})"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_an_array_is_shown_by_shape_and_head() -> None:
    numpy = pytest.importorskip("numpy")
    assert describe(numpy.zeros((1000, 3))).startswith("array of shape (1000, 3), float64: [0.0, 0.0,")
    array = numpy.empty(1, dtype=object)
    array[0] = hostile(object)
    assert describe(array) == "array of shape (1,), object: [<Hostile object>]"


def test_a_short_number_is_shown_with_the_digits_it_has() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    array = numpy.array([1.1, 0.2], dtype="float32")
    assert describe(array[0]) == readable(array[0]) == "1.1"
    assert describe([numpy.float16(0.1), numpy.complex64(1.5)]) == "[0.1, (1.5+0j)]"
    assert describe(array) == "array of shape (2,), float32: [1.1, 0.2]"
    assert describe(pandas.Series(array)) == "Series of 2 float32: [1.1, 0.2]"
    assert describe(pandas.Index(array)) == "Index of 2 float32: [1.1, 0.2]"


def test_a_table_is_shown_by_shape_and_columns() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": range(1000), "b": [1.5] * 1000})
    assert describe(frame) == "DataFrame of 1,000 rows and 2 columns: 'a' int64, 'b' float64"
    assert describe(frame["a"]).startswith("Series of 1,000 int64: [0, 1, 2,")
    assert readable(frame).endswith("[1000 rows x 2 columns]")


def test_tables_beside_other_values_are_written_out_as_they_are_alone() -> None:
    pandas, numpy = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    frame = pandas.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    written = "   a  b\n0  1  x\n1  2  y\n\n[2 rows x 2 columns]"
    assert readable(frame) == written
    assert readable((frame, frame.shape)) == f"(\n{written},\n(2, 2)\n)"
    assert readable([frame, 5, "z"]) == f"[\n{written},\n5,\n'z'\n]"
    assert readable({"first": frame, "n": 3}) == f"{{\n'first':\n{written},\n'n': 3\n}}"
    assert "\nx    1\n" in readable((2, frame["b"].value_counts()))
    assert readable((numpy.eye(2, dtype=int), 1)) == "(\narray of shape (2, 2), int64:\n[[1, 0],\n [0, 1]],\n1\n)"


def test_many_tables_stay_within_the_room_there_is() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({f"column {n}": range(100) for n in range(30)})
    assert len(readable([frame] * 10, 4_000)) <= 4_000
    assert readable([frame] * 11, 4_000).startswith("[DataFrame of 100 rows and 30 columns")


@dataclasses.dataclass
class Account:
    owner: str
    password: str = dataclasses.field(repr=False)
    state: str = dataclasses.field(init=False, default="open")


@pytest.mark.parametrize("shown", [describe, readable])
def test_a_dataclass_shows_the_fields_its_own_repr_shows(shown):
    account = Account("ann", "secret")
    account.seen = 1
    assert shown(account) == "Account(owner='ann', state='open')"
    assert shown([account]) == repr([account])


class Parcel(pydantic.BaseModel, extra="allow"):
    weight: int
    _seen: bool = pydantic.PrivateAttr(default=True)


def test_a_model_shows_its_fields_and_nothing_that_pydantic_keeps_beside_them():
    assert describe(Parcel(weight=3, note="x")) == repr(Parcel(weight=3, note="x")) == "Parcel(weight=3, note='x')"
