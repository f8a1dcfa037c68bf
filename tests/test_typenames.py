"""What a model reads of a tool's types: their short names, and what is inside of those it cannot know."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import os
import sys
import typing
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple, Optional

import pydantic
import pytest
import typing_extensions

from codeact.errors import ToolError
from codeact.toolbox import make_tool
from codeact.toolbox.typenames import type_text


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Line:
    article: str
    pieces: Annotated[int, pydantic.Field(ge=1, description="how  many\nof it")] = 1
    total: float = dataclasses.field(init=False, default=0)


class Order(pydantic.BaseModel):
    lines: list[Line]
    part_of: Order | None = pydantic.Field(None, alias="partOf")
    colour: Colour = pydantic.Field(Colour.RED, description="of the box")


class Place(NamedTuple):
    x: int
    y: int = 0


class Row(typing_extensions.TypedDict):
    day: datetime.date
    note: typing_extensions.NotRequired[str]


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (Optional[Order], "Order | None"),  # noqa: UP045  # as it is written as well
        (dict[str, list[Order]], "dict[str, list[Order]]"),
        (typing.List[int], "list[int]"),  # noqa: UP006  # as it is written as well
        (Annotated[int, pydantic.Field(gt=0)], "int"),
        (tuple[datetime.date, ...], "tuple[date, ...]"),
        (Literal["a", 1, Colour.RED], "Literal['a', 1, 'red']"),
        (Callable[[int], None], "Callable[[int], None]"),
        (None, "None"),
        (Any, "Any"),
    ],
    ids=str,
)
def test_a_type_has_the_name_one_would_write(annotation: Any, text: str) -> None:
    assert type_text(annotation) == text


def test_a_model_reads_what_is_inside_the_types_of_a_tool() -> None:
    def ship(
        order: Order, to: Place, day: Row, rush: Annotated[int, "in days", pydantic.Field(lt=9)] = 1
    ) -> list[Line]:
        """Ships an order."""
        return []

    assert make_tool(ship).stub == (
        "def ship(order: Order, to: Place, day: Row, rush: int = 1) -> list[Line]:\n"
        '    """Ships an order.\n\n'
        "    Parameters:\n"
        "        rush: in days, less than 9\n\n"
        "    Types (pass a record as a dict of its fields; one that is returned has them as attributes):\n"
        "        Order: record of lines: list[Line], part_of: Order | None = None, colour: Colour = 'red' (of the box)\n"
        "        Place: tuple of x: int, y: int = 0\n"
        "        Row: dict of day: date, note: str = …\n"
        "        Line: record of article: str, pieces: int = 1 (how many of it, at least 1)\n"
        "        Colour: 'red' | 'blue'\n"
        '    """'
    )


@pydantic.dataclasses.dataclass
class Parcel:
    weight: float = pydantic.Field(gt=0)
    note: str = ""


@dataclasses.dataclass
class Letter:
    weight: float = pydantic.Field(gt=0)
    note: str = pydantic.Field(default="", description="on the back")


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (Parcel, "Parcel: record of weight: float (more than 0), note: str = ''"),
        (Letter, "Letter: record of weight: float (more than 0), note: str = '' (on the back)"),
    ],
    ids=["pydantic", "standard"],
)
def test_a_field_of_a_dataclass_says_what_its_default_says_of_it(kind: type, told: str) -> None:
    def send(item):  # type: ignore[no-untyped-def]  # below
        """Sends it."""

    send.__annotations__ = {"item": kind, "return": None}
    assert make_tool(send).stub.splitlines()[-2].strip() == told


@pytest.mark.parametrize(
    ("default", "told"),
    [
        (10, "10"),
        ("en", "'en'"),
        (None, "None"),
        (True, "True"),
        (0.5, "0.5"),
        (Colour.BLUE, "'blue'"),
        (pydantic.Field(3, ge=1), "3"),
        ("a text that is not short", "…"),
        (10**5000, "…"),
        ([], "…"),
        (object(), "…"),
    ],
    ids=lambda value: f"{type(value).__name__}",
)
def test_a_default_that_is_short_and_plain_is_shown(default: Any, told: str) -> None:
    def find(what=default):  # type: ignore[no-untyped-def]  # by a mapping
        """Finds it."""

    assert make_tool(find, name="find").stub.startswith(f"def find(what = {told}):")


def test_a_parameter_whose_field_has_no_default_is_needed() -> None:
    def find(what: str = pydantic.Field(description="a word"), most: int = pydantic.Field(5, ge=1)) -> str:
        """Finds it."""
        return what

    assert make_tool(find).stub.startswith("def find(what: str, most: int = 5) -> str:")
    assert [parameter.required for parameter in make_tool(find).spec.parameters] == [True, False]


def test_a_model_is_not_told_a_key_that_is_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_LOGIN", "hunter2-hunter2")
    monkeypatch.setenv("NOTHING", "")

    def order(
        item: str,
        login: str = os.environ["SHOP_LOGIN"],
        api_key: str = "k-123",
        token: str | None = None,
        note: str = "",
    ) -> str:
        """Orders it."""
        return item

    assert make_tool(order).stub.startswith(
        "def order(item: str, login: str = …, api_key: str = …, token: str | None = None, note: str = '')"
    )


def test_a_tool_of_plain_types_says_no_more_than_its_words() -> None:
    def rate(base: str, quote: str = "USD") -> float:
        """Today's rate."""
        return 1.0

    assert make_tool(rate).spec.doc == "Today's rate."


@pytest.mark.skipif(sys.version_info < (3, 14), reason="until Python 3.13 the function cannot be defined")
@pytest.mark.parametrize(("annotation", "says"), [("Missing", "NameError"), ("1 / 0", "ZeroDivisionError")])
def test_a_tool_whose_types_fail_when_they_are_worked_out_is_named(annotation: str, says: str) -> None:
    names: dict[str, Any] = {}
    source = f"def find(what: {annotation}) -> int:\n    'Finds.'"
    exec(compile(source, "<tools>", "exec", dont_inherit=True), names)
    with pytest.raises(ToolError, match=rf"the types of the tool 'find' .* cannot be read: {says}"):
        make_tool(names["find"])


class Level(enum.IntEnum):
    LOW = 1
    VERY_HIGH = 9


def test_a_member_of_an_enum_is_told_by_its_value_and_by_its_name_where_that_says_more() -> None:
    def rated(level: Level, colour: Colour) -> int:
        """Rates."""
        return level

    assert "Level: 1 (LOW) | 9 (VERY_HIGH)\n" in make_tool(rated).stub
    assert "Colour: 'red' | 'blue'\n" in make_tool(rated).stub
