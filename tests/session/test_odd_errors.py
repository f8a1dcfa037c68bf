"""An error of a tool may fight whoever reads it: it ends neither the session nor the host's program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from codeact import Limits, Session


class Exits(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


class Interrupts(Exception):
    @property
    def args(self) -> Any:  # type: ignore[override]  # it is odd on purpose
        raise KeyboardInterrupt


class Pretends(Exception):
    @property
    def __class__(self) -> Any:  # type: ignore[override]  # as above
        raise KeyboardInterrupt


class Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]  # as above
        raise SystemExit(4)


class OfNoName(Exception, metaclass=Nameless):
    pass


class Text(str):
    def __len__(self) -> int:
        raise SystemExit(5)


class Wordy(Exception):
    def __str__(self) -> str:
        return Text("own words")


def raising(error: Exception | type[Exception]) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


@pytest.mark.parametrize("isolation", ["caged", "inline"])
@pytest.mark.parametrize(
    ("error", "says"),
    [
        (Exits, "Exits"),
        (Interrupts, "Interrupts"),
        (Pretends, "Pretends"),
        (OfNoName, "OfNoName"),
        (Wordy, "Wordy: own words"),
    ],
    ids=["text", "arguments", "class", "name", "words"],
)
def test_an_error_that_fights_its_reader_is_a_failure_of_its_tool(
    isolation: Any, error: type[Exception], says: str
) -> None:
    with Session({"fail": raising(error)}, isolation=isolation, limits=Limits(wall_seconds=10)) as session:
        seen = session.run("fail()")
        assert seen.failure is not None
        assert seen.failure.kind == "tool"
        assert seen.failure.message == says
        assert session.run("1").value == 1


async def fetches() -> None:
    """Fail as a task of a group does."""

    async def fetch(name: str) -> None:
        raise ConnectionError(f"no route to {name}")

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(fetch("a.example"))
        tasks.create_task(fetch("b.example"))


@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_what_failed_in_a_group_of_tasks_is_told_with_its_message(isolation: Any) -> None:
    with Session([fetches], isolation=isolation) as session:
        seen = session.run("fetches()")
    assert seen.failure is not None
    inside = "ConnectionError: no route to a.example; ConnectionError: no route to b.example"
    assert seen.failure.message == f"ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions): {inside}"


def test_a_group_of_groups_of_many_is_told_in_short() -> None:
    group = ExceptionGroup("all", [ExceptionGroup(f"part {n}", [ValueError("x" * 500)] * 9) for n in range(9)])
    with Session({"fail": raising(group)}) as session:
        seen = session.run("fail()")
    assert seen.failure is not None
    assert seen.failure.message.startswith("ExceptionGroup: all (9 sub-exceptions): ExceptionGroup: part 0 (9 sub-exc")
    assert len(seen.failure.message) <= 2_000
