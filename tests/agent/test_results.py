"""What a tool returned is noted as the snippet got it."""

import functools
import itertools
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from codeact import tool
from codeact.testing import replays
from tests.agent.parts import code


def count() -> Iterator[int]:
    """Counts."""
    yield from range(3)


async def count_later() -> AsyncIterator[int]:
    """Counts, with time between."""
    for number in range(3):
        yield number


async def total() -> list[int]:
    """All at once."""
    return [0, 1, 2]


@functools.wraps(total)
def wrapped(*args: Any) -> Any:
    return total(*args)


@pytest.mark.parametrize("function", [count, count_later, wrapped], ids=["generator", "async generator", "coroutine"])
def test_what_comes_bit_by_bit_is_recorded_whole(make, function):
    def counted() -> Any:
        """Counts."""
        return function()

    run = make([code("final_answer(counted())")], tools=[counted]).run("go")
    assert run.answer == [0, 1, 2]
    assert replays(run.journal)


def test_a_generator_without_end_is_an_error_and_no_list_cut_off(make):
    def endless() -> Iterator[int]:
        """Counts."""
        yield from itertools.count()

    async def endless_later() -> AsyncIterator[int]:
        """Counts."""
        for number in itertools.count():
            yield number

    source = "try:\n    {0}()\nexcept TypeError as error:\n    final_answer(str(error))"
    for function in (endless, endless_later):
        run = make([code(source.format(function.__name__))], tools=[function]).run("go")
        assert run.answer == f"{function.__name__}() returned a generator of more than 1,000,000 items"
        assert replays(run.journal)


def test_a_generator_that_is_kept_gives_all_again(make):
    @tool(effect="read", cache=True)
    def kept() -> Iterator[int]:
        """Counts."""
        yield from range(3)

    run = make([code("final_answer([kept(), kept()])")], tools=[kept]).run("go")
    assert run.answer == [[0, 1, 2], [0, 1, 2]]


@pytest.mark.parametrize("result", ["much", object()], ids=["of another type", "that cannot cross"])
def test_a_result_that_is_none_is_told_again_by_the_recording_and_can_be_taken_back(make, result):
    undone = []

    @tool(effect="write", undo=lambda call: undone.append(call.arguments))
    def pay(amount: int) -> int:
        """Pays."""
        return result

    source = "try:\n    pay(3)\nexcept TypeError as error:\n    final_answer(str(error))"
    agent = make([code(source)], tools=[pay])
    run = agent.run("go")
    assert "pay() promises int and returned " in run.answer
    assert replays(run.journal)
    agent.undo(run.journal)
    assert undone == [{"amount": 3}]
