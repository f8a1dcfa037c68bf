"""A plain function becomes a tool, or the reason why not names what to write."""

from __future__ import annotations

import functools
import sys
import typing
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, Protocol

import pydantic
import pytest

from codeact.agent.answers import Accept
from codeact.errors import ToolError, UsageError
from codeact.toolbox import BadCall, Toolbox, make_tool, stub


def rate(base: str, quote: str = "USD", *, days: int = 1) -> float:
    """Today's rate: units of `quote` for one `base`.

    Averaged over `days`.
    """
    return 1.5


def test_the_stub_shows_types_and_docstring() -> None:
    assert make_tool(rate).stub == (
        "def rate(base: str, quote: str = 'USD', *, days: int = 1) -> float:\n"
        '    """Today\'s rate: units of `quote` for one `base`.\n\n    Averaged over `days`.\n    """'
    )


def test_a_docstring_cannot_break_out_of_the_stub() -> None:
    def sly() -> None:
        pass

    sly.__doc__ = 'Ends """ here\\'
    compile(make_tool(sly).stub, "stub", "exec")


def test_the_schema_lists_the_parameters() -> None:
    schema = make_tool(rate).schema
    assert schema["required"] == ["base"]
    assert schema["properties"]["days"]["type"] == "integer"


def no_annotation(amount) -> int:  # type: ignore[no-untyped-def]  # that is the test
    """Doubles."""
    return int(amount * 2)


def no_result(amount: int):  # type: ignore[no-untyped-def]  # that is the test
    """Doubles."""


def no_docstring(amount: int) -> int:
    return amount


def many(*amounts) -> int:  # type: ignore[no-untyped-def]  # that is the test
    """Adds."""
    return sum(amounts)


def open_ended(**options) -> int:  # type: ignore[no-untyped-def]  # that is the test
    """Adds."""
    return sum(options.values())


def unknown_type(amount: Nowhere) -> int:  # type: ignore[name-defined]  # noqa: F821  # that is the test
    """Doubles."""
    return 1


def speechless_type(amount: next(iter(()))) -> int:  # type: ignore[valid-type]  # that is the test
    """Doubles."""
    return 1


class Shape(Protocol): ...


def shaped(shape: Shape) -> int:
    """Measures."""
    return 1


def sum(values: list[int]) -> int:
    """Adds."""
    return 0


class Till:
    def add(self, amount: int) -> int:
        """Adds."""
        return amount


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (Till.add, r"is a method without its object .*: hand over that of one, such as `till.add`"),
        (no_annotation, "'amount'"),
        (no_result, "-> str"),
        (no_docstring, "no docstring"),
        (
            many,
            r"the type of its parameter '\*amounts' .* such as `\*amounts: str`; a decorator keeps .* functools.wraps",
        ),
        (open_ended, r"\*\*options: str"),
        (unknown_type, "Nowhere"),
        (speechless_type, "the types of .* cannot be read: StopIteration: without a word"),
        (shaped, "the types of .* cannot be read: SchemaError: .* 'cls' must be valid"),
        (sum, "builtin"),
        (lambda: 1, "<lambda>"),
        (functools.partial(rate, "EUR"), r"or hand tools over by their names, such as \{'rate': …\}"),
        ("rate", "no function"),
    ],
)
def test_a_function_that_cannot_be_a_tool_is_named_with_what_it_lacks(function: Any, says: str) -> None:
    with pytest.raises(ToolError, match=says):
        Toolbox([function])


def test_two_tools_with_one_name_are_both_named() -> None:
    with pytest.raises(ToolError, match=r"two tools are named 'rate'.*test_toolbox.*test_toolbox"):
        Toolbox([rate, rate])


@pytest.mark.parametrize("name", ["open", "lambda", "not a name", "", "__private", "ﬁnd"])
def test_a_name_snippets_could_not_use_is_refused(name: str) -> None:
    with pytest.raises(ToolError):
        Toolbox({name: rate})


def test_a_text_in_place_of_a_list_of_tools_is_refused() -> None:
    with pytest.raises(ToolError, match="a list of functions"):
        Toolbox("rate")  # type: ignore[arg-type]  # that is the test


def test_a_function_in_a_mapping_needs_no_annotations() -> None:
    made = Toolbox({"double": lambda amount: amount * 2}).tools["double"]
    assert made.bind(["ab"], {}) == (("ab",), {})


@pytest.mark.parametrize(
    ("arguments", "named", "kind", "says"),
    [
        ([], {}, TypeError, "'base' is missing"),
        (["EUR", "USD", 3], {}, TypeError, "at most 2 positional"),
        (["EUR"], {"base": "USD"}, TypeError, "'base' is given twice"),
        (["EUR"], {"day": 3}, TypeError, "no parameter 'day'"),
        ([5], {}, TypeError, "'base': input should be a valid string, not 5"),
        (["EUR"], {"days": "x"}, ValueError, "'days'"),
    ],
)
def test_a_call_that_does_not_fit_says_where_and_shows_the_signature(
    arguments: list[Any], named: dict[str, Any], kind: type[Exception], says: str
) -> None:
    with pytest.raises(BadCall, match=says) as caught:
        make_tool(rate).bind(arguments, named)
    assert caught.value.type is kind
    assert "rate(base: str, quote: str = 'USD', *, days: int = 1) -> float" in str(caught.value)


def test_what_is_wrong_with_an_argument_begins_small_unless_with_an_abbreviation() -> None:
    def settings(text: pydantic.Json[Any]) -> int:
        """Settings."""
        return 0

    with pytest.raises(BadCall, match="'text': JSON input should be"):
        make_tool(settings).bind([5], {})


class Line(pydantic.BaseModel):
    item: str
    count: Annotated[int, pydantic.Field(gt=0)]


def test_dicts_become_the_models_the_annotations_name() -> None:
    def price(lines: list[Line], currency: Literal["EUR", "USD"]) -> float:
        """Prices."""
        return 0.0

    args, _ = make_tool(price).bind([[{"item": "nail", "count": 2}]], {"currency": "EUR"})
    assert args[0] == [Line(item="nail", count=2)]
    with pytest.raises(BadCall, match=r"'lines'\[0\]\['count'\]"):
        make_tool(price).bind([[{"item": "nail", "count": 0}], "EUR"], {})


class Sum(pydantic.BaseModel):
    amount_eur: float = pydantic.Field(alias="amountEur")


@pytest.mark.parametrize("name", ["amount_eur", "amountEur"])
def test_a_field_is_given_by_its_name_or_by_its_alias(name: str) -> None:
    def book(total: Sum) -> Sum:
        """Books."""
        return total

    args, _ = make_tool(book).bind([{name: 5}], {})
    assert args[0].amount_eur == 5
    assert Accept(Sum)({name: 5}) == (args[0], "")


def test_a_parameter_with_an_alias_is_given_by_the_name_in_the_signature() -> None:
    def book(amount: Annotated[int, pydantic.Field(alias="sum")]) -> int:
        """Books."""
        return amount

    assert make_tool(book).bind([], {"amount": 5}) == ((), {"amount": 5})


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="pydantic reads it from Python 3.12 on")
def test_a_typed_dict_that_cannot_be_read_says_where_to_import_it_from() -> None:
    class Row(typing.TypedDict):
        item: str

    says = r"use `typing_extensions\.TypedDict` instead of `typing\.TypedDict`"
    with pytest.raises(ToolError, match=says):
        make_tool(returning(Row))
    with pytest.raises(UsageError, match=says):
        Accept(list[Row])


def returning(annotation: Any) -> Callable[[], Any]:
    def promised() -> Any:
        """Returns."""

    promised.__annotations__["return"] = annotation
    return promised


def test_a_result_that_breaks_the_promise_is_told() -> None:
    with pytest.raises(BadCall, match=r"promises list\[int\] and returned str: "):
        make_tool(returning(list[int])).check_result("x")


def test_a_stream_of_results_is_not_read_by_the_check() -> None:
    endless = iter(lambda: 1, 0)
    assert make_tool(returning(Iterator[int])).check_result(endless) is endless


def test_a_class_of_its_own_may_be_an_annotation() -> None:
    class Handle:
        pass

    handle = Handle()
    assert make_tool(returning(Handle)).check_result(handle) is handle


def test_an_async_function_is_known_as_one() -> None:
    async def later() -> int:
        """Comes."""
        return 1

    assert make_tool(later).is_async
    assert not make_tool(rate).is_async


class Converter:
    """Converts amounts."""

    def __call__(self, amount: int, *, by: float = 1.0) -> float:
        """Converts one amount."""
        return amount * by


def named(function: Any, name: str) -> Any:
    function.__name__ = name
    return function


@pytest.mark.parametrize(
    ("function", "stub_of_it"),
    [
        (functools.partial(rate, "EUR"), "(quote: str = 'USD', *, days: int = 1) -> float"),
        (named(functools.partial(rate, "EUR", days=2), "in_euros"), "(quote: str = 'USD', *, days: int = 2) -> float"),
        (functools.partial(Converter(), by=2.0), "(amount: int, *, by: float = 2.0) -> float"),
        (Converter(), "(amount: int, *, by: float = 1.0) -> float"),
        (named(Converter(), "convert"), "(amount: int, *, by: float = 1.0) -> float"),
        (functools.lru_cache(rate), "(base: str, quote: str = 'USD', *, days: int = 1) -> float"),
    ],
    ids=["partial", "named partial", "partial object", "object", "named object", "cached"],
)
def test_what_is_called_like_a_function_has_its_types_and_words(function: Any, stub_of_it: str) -> None:
    made = make_tool(function, name="convert")
    assert made.stub.startswith(f"def convert{stub_of_it}:")
    assert "rate: units" in made.stub or "Converts amounts." in made.stub
    with pytest.raises(BadCall, match="promises"):
        made.check_result("much")
    with pytest.raises(BadCall):
        made.bind([[]], {})
    if hasattr(function, "__name__"):
        assert list(Toolbox([function]).tools) == [function.__name__]


def test_a_stub_is_made_from_the_spec_alone() -> None:
    assert stub(make_tool(rate).spec) == make_tool(rate).stub
