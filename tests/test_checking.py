"""Arguments and answers are held against annotations at a cost that does not grow with what is wrong with them."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Network
from typing import Any, NoReturn

import pydantic
import pytest

from codeact.agent.answers import Accept
from codeact.errors import ProtocolError
from codeact.session.hosting import read_arguments
from codeact.toolbox import BadCall, make_tool
from codeact.toolbox import checking as checked
from codeact.wire.given import pack_arguments, unpack_arguments
from codeact.wire.messages import Call
from codeact.wire.parts import Uncrossable
from codeact.wire.values import Allowance, pack

numpy = pytest.importorskip("numpy", reason="arrays are an extra")

LONG = range(10**10)


class Item(pydantic.BaseModel):
    name: str
    count: int
    prices: dict[str, list[float]] = {}


def taking(annotation: Any) -> Callable[..., Any]:
    def take(xs: Any, *more: Any, other: Any = 0) -> Any:
        return xs

    take.__annotations__["xs"] = annotation
    return take


def called(annotation: Any, *arguments: Any, **named: Any) -> Any:
    """What a tool's first argument arrives as."""
    made = make_tool(taking(annotation), name="take")
    trees, by_name = [pack(argument) for argument in arguments], {name: pack(value) for name, value in named.items()}
    given, keywords, _, unlisted, _ = read_arguments(Call(1, "take", trees, by_name, False), made)
    args, kwargs = made.bind(given, keywords, unlisted)
    return args[0] if args else kwargs["xs"]


@pytest.mark.parametrize(
    "annotation",
    [
        list, list[int], set[int], frozenset[int], tuple[int, ...], Sequence[int], Iterable[int],
        list[int] | str, range | list[int], list[list[int]], dict[str, list[int]], Item,
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize(
    "inside", [LONG, [LONG], {"a": LONG}, [range(3_000_000)] * 2], ids=["itself", "list", "dict", "many"]
)
def test_a_range_is_not_written_out_for_a_tool(annotation: Any, inside: Any) -> None:
    with pytest.raises(BadCall, match=r"the argument 'xs' comes to [0-9,]+ items, and 4,000,000 are") as caught:
        called(annotation, inside)
    assert caught.value.type is TypeError
    with pytest.raises(BadCall, match="the argument 'xs' comes to"):
        called(annotation, xs=inside)


@pytest.mark.parametrize("annotation", [range, Any, object, range | None, int | range, Sequence], ids=str)
def test_a_tool_that_takes_a_range_as_it_is_gets_it(annotation: Any) -> None:
    assert called(annotation, LONG) == LONG
    assert called(annotation, xs=LONG) == LONG
    assert called(annotation, LONG, LONG, other=LONG) == LONG


def test_short_ranges_and_arrays_become_lists() -> None:
    assert called(list[int], range(3)) == [0, 1, 2]
    assert called(list[float], numpy.arange(3.0)) == [0.0, 1.0, 2.0]
    assert len(called(list[int], range(2_000_000))) == 2_000_000


@pytest.mark.parametrize(
    "annotation",
    [
        list,
        list[IPv4Address],
        list[list],
        set,
        frozenset[Any],
        tuple,
        tuple[Any, Any],
        deque,
        Iterable,
        list[Any] | str,
    ],
    ids=str,
)
@pytest.mark.parametrize("network", [IPv4Network("10.0.0.0/12"), IPv6Network("2001:db8::/108")], ids=str)
def test_a_network_is_not_written_out_for_a_tool_nor_for_an_answer(annotation: Any, network: Any) -> None:
    given = [network] if annotation == list[list] else network
    with pytest.raises(BadCall, match=r"the argument 'xs'.* list\(network\), not ") as caught:
        called(annotation, given)
    assert caught.value.type is TypeError
    assert "list(network)" in Accept(annotation)(given)[1]


@pytest.mark.parametrize("annotation", [IPv4Network, IPv4Network | None, list | IPv4Network, Any, object], ids=str)
def test_a_tool_that_takes_a_network_gets_it(annotation: Any) -> None:
    network = IPv4Network("10.0.0.0/8")
    assert called(annotation, network) == network
    assert called(list[annotation], [network]) == [network]


def test_an_array_of_many_small_numbers_is_not_written_out_for_a_tool() -> None:
    with pytest.raises(BadCall, match="comes to 5,000,000 items"):
        called(list[Any], numpy.zeros(5_000_000, dtype="i1"))


@pytest.mark.parametrize(
    "answer",
    [LONG, [LONG], {"a": LONG}, numpy.array([None, LONG], dtype=object)],
    ids=["itself", "list", "dict", "array"],
)
def test_a_range_is_not_written_out_for_an_answer(answer: Any) -> None:
    assert "items, and 4,000,000 are the most" in Accept(list[int])(answer)[1]
    assert repr(Accept(Any)(answer)) == repr((answer, ""))


@pytest.mark.parametrize(
    ("annotation", "argument"),
    [
        (list[Item], [{}] * 10_000),
        (list[int | float | bytes | dict[str, int] | list[int]], [None] * 10_000),
        (tuple[int, ...], ["x"] * 10_000),
        (dict[str, int], dict.fromkeys(map(str, range(10_000)), "x")),
        (Item, {"name": "", "count": 1, "prices": {"a": ["x"] * 10_000}}),
        (dict[str, Item], {"schema": {"name": "", "count": 1, "prices": {"type": ["x"] * 10_000}}}),
    ],
    ids=["models", "unions", "tuple", "dict", "field", "names"],
)
def test_a_container_is_checked_up_to_the_first_item_that_does_not_fit(annotation: Any, argument: Any) -> None:
    made = make_tool(taking(annotation), name="take")
    with pytest.raises(BadCall) as caught:
        made.bind([argument], {})
    error = caught.value.__cause__
    assert isinstance(error, pydantic.ValidationError)
    assert error.error_count() <= 5
    with pytest.raises(pydantic.ValidationError) as raised:
        checked.checker(pydantic.TypeAdapter(annotation).core_schema).validate_python(argument)
    assert raised.value.error_count() <= 5


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    path: tuple[Point, ...] = ()


class Named(pydantic.BaseModel, frozen=True):
    at: Point


def test_what_is_frozen_is_made_of_the_keys_and_items_it_arrives_as() -> None:
    points = {Point(1), Point(2, (Point(3),))}
    assert called(set[Point], points) == points
    assert called(dict[Point, int], dict.fromkeys(points, 1)) == dict.fromkeys(points, 1)
    assert called(frozenset[tuple[Named, int]], {(Named(at=Point(1)), 2)}) == {(Named(at=Point(1)), 2)}
    assert called(list[dict[Point | str, Point]], [{Point(1): Point(2), "a": Point(3)}])[0][Point(1)] == Point(2)
    with pytest.raises(BadCall, match="valid integer"):
        called(set[Point], {Point("q")})  # type: ignore[arg-type]  # it is wrong on purpose


def test_defaults_that_look_like_schemas_stay_what_they_are() -> None:
    def take(xs: Any = {"type": "list"}) -> Any:  # noqa: B006  # it is not changed
        return xs

    class Kind(pydantic.BaseModel):
        schema_: dict[str, str] = pydantic.Field({"type": "dict"}, alias="fields")

    made = make_tool(taking(Kind), name="take")
    assert make_tool(take, name="take").bind([], {}) == ((), {"xs": {"type": "list"}})
    assert made.bind([{}], {})[0][0].schema_ == {"type": "dict"}


def test_what_a_call_is_given_counts_together() -> None:
    halves = [[0.5] * 1_900_000] * 2
    trees, _, _ = pack_arguments((halves[0],), {"xs": halves[1]}, Allowance())
    assert len(trees) == 1
    with pytest.raises(Uncrossable, match="more than 4,000,000 items"):
        pack_arguments((halves[0],), {"xs": halves[1], "other": [0.5] * 300_000}, Allowance())
    with pytest.raises(ProtocolError, match="more than 4,000,000 items"):
        unpack_arguments([pack(halves[0]), pack(halves[1]), pack([0.5] * 300_000)], {})


@dataclasses.dataclass(frozen=True)
class Label:
    text: str


@pytest.mark.parametrize(
    ("annotation", "given", "names"),
    [
        (int | list[int], 1.5, ["int", "list[int]"]),
        (int | dict[str, list[int] | set[int]], "z", ["int", "dict[str, list[int] | set[int]]"]),
        (set[int] | frozenset[str], "z", ["set[int]", "frozenset[str]"]),
        (Label | list[Label], 3, ["Label", "list[Label]"]),
    ],
    ids=str,
)
def test_what_fits_no_type_of_a_union_is_told_the_types_as_they_are_written(annotation, given, names):
    def take(value):
        """Takes one."""

    take.__annotations__ = {"value": annotation, "return": None}
    with pytest.raises(BadCall) as refused:
        make_tool(take).bind([given], {})
    assert all(f"the argument 'value'[{name!r}]: " in str(refused.value) for name in names)
    assert "function-" not in str(refused.value)


def joined(first: str, /, *more: str, **counts: int) -> str:
    """Joins."""
    return f"{first}{more}{counts}"


def test_what_stars_take_is_checked_item_by_item_and_named_by_its_place() -> None:
    made = make_tool(joined)
    assert made.stub.startswith("def joined(first: str, /, *more: str, **counts: int) -> str:")
    assert made.bind(["a", "b", "c"], {"pears": "3"}) == (("a", "b", "c"), {"pears": 3})
    with pytest.raises(BadCall, match=r"the argument 'more\[1\]': input should be a valid string, not 3"):
        made.bind(["a", "b", 3], {})
    with pytest.raises(BadCall, match="the argument 'pears': input should be a valid integer"):
        made.bind(["a"], {"pears": "x"})


@pytest.mark.filterwarnings("error")
def test_a_tool_that_never_returns_promises_nothing() -> None:
    def stop(why: str) -> NoReturn:
        """Stops."""
        raise ValueError(why)

    assert make_tool(stop).check_result(None) is None
