"""What is said of a tool, by the decorator or by attributes: what it does to the world, and how it is called."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from codeact.errors import ToolError
from codeact.toolbox import BadCall, Toolbox, make_tool, tool


def rate(base: str) -> float:
    """Today's rate: units of USD for one `base`."""
    return 1.5


def test_the_effect_comes_from_the_decorator_or_the_attribute() -> None:
    @tool(effect="read")
    def marked() -> int:
        """Reads."""
        return 1

    def bare() -> int:
        """Writes."""
        return 1

    bare.effect = "irreversible"  # type: ignore[attr-defined]  # that is the test
    specs = Toolbox([marked, bare, tool(rate)]).specs
    assert [spec.effect for spec in specs] == ["read", "irreversible", "write"]


def test_the_decorator_leaves_the_function_what_it_was() -> None:
    assert tool(rate) is rate


def test_an_unknown_effect_is_refused() -> None:
    with pytest.raises(ToolError, match="read, idempotent, write, irreversible"):
        tool(effect="harmless")  # type: ignore[call-overload]  # that is the test


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"undo": "cancel"}, r"undo='cancel'\): a function"),
        ({"undo": True}, r"undo=True\): a function"),
        ({"approve": "always"}, r"approve='always'\): True, False or a function"),
        ({"approve": 5}, r"approve=5\): True, False or a function"),
        ({"effect": "read", "cache": "yes"}, r"cache='yes'\): True or False is needed"),
        ({"parallel": "no"}, r"parallel='no'\): True, False or None is needed"),
    ],
)
def test_what_is_said_of_a_tool_is_looked_at_when_it_is_said(said: dict[str, Any], told: str) -> None:
    with pytest.raises(ToolError, match=told):
        tool(**said)


def test_the_decorator_with_a_name_in_the_place_of_the_function_is_refused() -> None:
    with pytest.raises(ToolError, match="'get_rate' is no function"):
        tool("get_rate")  # type: ignore[type-var]  # as in other libraries


def test_an_attribute_of_somebody_elses_says_nothing_of_a_tool() -> None:
    def rate_of(base: str) -> float:
        """A rate."""
        return 1.0

    rate_of.cache, rate_of.parallel = {"EUR": 1.0}, "auto"  # type: ignore[attr-defined]  # as libraries do
    found = Toolbox([rate_of]).tools["rate_of"]
    assert (found.cache, found.parallel) == (False, None)


class Shop:
    @tool(effect="read")
    @staticmethod
    def opens() -> int:
        """When it opens."""
        return 9

    @tool(effect="read")
    @classmethod
    def shops(cls) -> int:
        """How many there are."""
        return 1

    def stock(self) -> int:
        """How much there is."""
        return 3


def test_what_is_said_of_a_method_holds_however_it_is_written() -> None:
    shop = Shop()
    made = [shop.opens, shop.shops, tool(effect="read")(shop.stock)]
    assert [spec.effect for spec in Toolbox(made).specs] == ["read", "read", "read"]


@pytest.mark.parametrize("function", [abs, str.upper, int], ids=str)
def test_what_takes_no_mark_is_refused_and_told_what_does(function: Any) -> None:
    with pytest.raises(ToolError, match="cannot be marked; write a function that calls it"):
        tool(effect="read")(function)


class Remote:
    """A tool of another program, which says what it takes in words of its own."""

    async def __call__(self, **arguments: Any) -> Any:
        return arguments


@pytest.mark.parametrize("made_as", ["a function", "an object"])
def test_what_is_made_while_a_program_runs_says_its_types_by_a_signature(made_as: str) -> None:
    async def call(**arguments: Any) -> Any:
        return arguments

    function: Any = call if made_as == "a function" else Remote()
    item = inspect.Parameter("item", inspect.Parameter.KEYWORD_ONLY, annotation=str)
    pieces = inspect.Parameter("pieces", inspect.Parameter.KEYWORD_ONLY, annotation="int", default=1)
    function.__signature__ = inspect.Signature([item, pieces], return_annotation=dict[str, Any])
    function.__name__, function.__doc__ = "order", "Orders it."
    found = Toolbox([function]).tools["order"]
    assert found.stub.startswith("def order(*, item: str, pieces: int = 1) -> dict[str, Any]:")
    assert (found.is_async, found.bind([], {"item": "pear", "pieces": "3"})) == (
        True,
        ((), {"item": "pear", "pieces": 3}),
    )
    with pytest.raises(BadCall, match="promises dict"):
        found.check_result("much")
    with pytest.raises(BadCall, match="'item' is missing"):
        found.bind([], {})


class Silent:
    def __call__(self, item: str) -> str:
        return item


def test_what_python_says_of_each_object_that_is_called_is_no_docstring() -> None:
    assert make_tool(Silent(), name="order").stub == 'def order(item: str) -> str:\n    """No description."""'
    silent: Any = Silent()
    silent.__name__ = "order"
    with pytest.raises(ToolError, match="the tool 'order' has no docstring"):
        make_tool(silent)
