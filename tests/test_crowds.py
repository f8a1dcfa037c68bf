"""What an annotation makes a set or a dict of: no items chosen to share a hash hold up the host."""

from __future__ import annotations

import collections
import time
import uuid
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

import pydantic
import pytest
from pydantic import BaseModel, ConfigDict, Field

from codeact import Session
from codeact.agent.answers import Accept
from codeact.toolbox.checking import checker

_PRIME = (1 << 61) - 1  # by which CPython takes a number for its hash
_MANY = 40_000
_NUMBERS = [_PRIME * number for number in range(1, _MANY)]
_KEYS = dict.fromkeys(map(str, _NUMBERS), 1)


class Point(BaseModel):
    model_config = ConfigDict(frozen=True)
    x: int


class Tree(BaseModel):
    below: list[Tree] = []
    numbers: set[int] = set()


CROWDS: dict[str, tuple[Any, Any]] = {
    "numbers": (set[int], _NUMBERS),
    "numbers of a range": (frozenset[int], range(_PRIME, _PRIME * _MANY, _PRIME)),
    "keys that were texts": (dict[int, int], _KEYS),
    "keys of any mapping": (Mapping[int, int], _KEYS),
    "counted": (collections.Counter[int], _KEYS),
    "in order": (collections.OrderedDict[int, int], _KEYS),
    "identifiers": (set[uuid.UUID], [str(uuid.UUID(int=number)) for number in _NUMBERS]),
    "pairs": (set[tuple[int, int]], [[number, 1] for number in _NUMBERS]),
    "models": (set[Point], [{"x": number} for number in _NUMBERS]),
    "deep inside": (list[dict[str, set[int] | None]], [{"a": _NUMBERS}]),
    "in a model that holds itself": (Tree, {"below": [{"numbers": _NUMBERS}]}),
    "of whatever kind": (set, _NUMBERS),
    "of several kinds": (
        set,
        [kind(_PRIME * 2**13_900 * at + at % 9 + 1) for at in range(99) for kind in (int, Decimal)],
    ),
}


@pytest.mark.parametrize(("annotation", "given"), CROWDS.values(), ids=CROWDS)
def test_items_chosen_to_collide_are_refused_before_they_are_compared(annotation: Any, given: Any) -> None:
    check = checker(pydantic.TypeAdapter(annotation).core_schema)
    before = time.process_time()
    with pytest.raises(pydantic.ValidationError, match="share a hash"):
        check.validate_python(given)
    assert time.process_time() - before < 3


FINE: dict[str, tuple[Any, Any, Any]] = {
    "equal ones that are long": (set[int], [2**14_000 + number % 2 for number in range(1_000)], {2**14_000, 2**14_000 + 1}),
    "equal ones": (set[int], [7] * 1_000, {7}),
    "those that share one with another": (set[tuple[int, int]], [(x, y) for x in range(-9, 9) for y in range(-9, 9)], 324),
    "keys": (dict[int, int], {str(number): number for number in range(500)}, 500),
    "texts": (dict[str, int], _KEYS, _KEYS),
    "how many there are": (Annotated[set[int], Field(max_length=3)], [1, 2] * 100, {1, 2}),
    "a range": (set[int], range(200), 200),
    "models": (Tree, {"below": [{"numbers": [1, 2]}]}, Tree(below=[Tree(numbers={1, 2})])),
}  # fmt: skip


@pytest.mark.parametrize(("annotation", "given", "expected"), FINE.values(), ids=FINE)
def test_other_sets_and_dicts_are_made_as_ever(annotation: Any, given: Any, expected: Any) -> None:
    made = checker(pydantic.TypeAdapter(annotation).core_schema).validate_python(given)
    assert (len(made) if isinstance(expected, int) else made) == expected


def test_what_fits_no_set_is_said_as_ever() -> None:
    with pytest.raises(pydantic.ValidationError, match="should be a valid set"):
        checker(pydantic.TypeAdapter(set[int]).core_schema).validate_python("x" * 100)


def test_a_snippet_hears_that_the_keys_of_its_argument_collide() -> None:
    def count(votes: dict[int, int]) -> int:
        """Count the votes."""
        return len(votes)

    with Session(tools=[count]) as session:
        seen = session.run("count({str(((1 << 61) - 1) * number): 1 for number in range(1, 40_000)})")
    assert seen.failure is not None
    assert "share a hash" in seen.failure.message


def test_an_answer_with_such_items_is_refused() -> None:
    assert "share a hash" in Accept(set[int])(_NUMBERS)[1]
