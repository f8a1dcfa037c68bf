"""What annotations that hold themselves take: nothing nested holds up the host, and all else is taken as ever."""

from __future__ import annotations

import datetime
import time
from typing import Any

import pydantic
import pytest
from pydantic import BaseModel

from codeact import Session
from codeact.toolbox.checking import checker


class Left(BaseModel):
    parts: list[Left | Right] = []


class Right(BaseModel):
    parts: list[Left | Right] = []


class Value(BaseModel):
    held: int | str | float | bool | list[Value] | dict[str, Value] | datetime.date | set[int] | None
    other: Value | None = None


def nested(inside: Any, levels: int) -> Any:
    for _ in range(levels):
        inside = {"parts": [inside]}
    return inside


@pytest.mark.parametrize("inside", [{"parts": "none"}, {"parts": []}], ids=["that does not fit", "that fits"])
def test_a_nested_value_is_not_taken_in_every_way_there_is(inside: Any) -> None:
    check = checker(pydantic.TypeAdapter(Left).core_schema)
    before, reasons = time.process_time(), 0
    try:
        check.validate_python(nested(inside, 60))
    except pydantic.ValidationError as error:
        reasons = error.error_count()
    assert reasons < 200
    assert time.process_time() - before < 8


@pytest.mark.parametrize(
    "given",
    [
        {"held": each}
        for each in (5, "5", 5.0, True, None, "2020-01-01", [{"held": "1"}], {"a": {"held": 1}}, [1, 2], b"x", object)
    ]
    + [{"held": 1, "other": {"held": "x", "other": {"held": [3]}}}, {"other": None}, 7],
    ids=str,
)
def test_any_other_value_is_taken_as_pydantic_takes_it(given: Any) -> None:
    adapter = pydantic.TypeAdapter(Value)
    try:
        expected: Any = adapter.validate_python(given)
    except pydantic.ValidationError:
        expected = None
    try:
        found = checker(adapter.core_schema).validate_python(given)
    except pydantic.ValidationError:
        found = None
    assert repr(found) == repr(expected)


def test_a_long_list_of_what_may_be_of_several_types_is_taken() -> None:
    given = {"held": [{"held": number} for number in range(250_000)]}
    assert len(checker(pydantic.TypeAdapter(Value).core_schema).validate_python(given).held) == 250_000


def test_a_snippet_hears_that_its_argument_is_nested_too_deeply() -> None:
    def count(tree: Left | Right) -> int:
        """Count what is in a tree."""
        return len(tree.parts)

    with Session(tools=[count]) as session:
        seen = session.run("t = {'parts': 1}\nfor _ in range(40): t = {'parts': [t]}\ncount(t)")
    assert seen.failure is not None
    assert "count()" in seen.failure.message
