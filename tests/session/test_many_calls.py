"""A step's calls are bounded in number and size, and heard of as they happen."""

from __future__ import annotations

import dataclasses

import pytest

from codeact import Limits, Session
from codeact.records import ToolCall
from codeact.session import Listener
from codeact.testing import raw_session


def add(a: int, b: int = 1) -> int:
    """Adds."""
    return a + b


def test_more_calls_than_allowed_end_the_step() -> None:
    with Session(tools=[add], limits=Limits(tool_calls=3)) as session:
        seen = session.run("try:\n    for i in range(9):\n        add(i)\nexcept BaseException:\n    pass")
        assert seen.failure is not None
        assert seen.failure.kind == "limit"
        assert seen.cost.tool_calls == 3
        assert session.run("add(1)").value == 2


def test_a_listener_hears_of_a_call_before_the_snippet_sees_its_result() -> None:
    heard: list[str] = []

    def note() -> int:
        """Says how much was heard."""
        return len(heard)

    listener = Listener(
        call_started=lambda name, arguments: heard.append(f"{name} starts"),
        call_ended=lambda call: heard.append(f"{call.tool} gave {call.result}"),
    )
    with Session(tools=[note], listener=listener) as session:
        session.run("note()\nnote()")
    assert heard == ["note starts", "note gave 1", "note starts", "note gave 3"]


@pytest.mark.parametrize("call", ["add(1)", "add.map([1, 2])"])
def test_a_listener_that_fails_is_the_callers_affair_and_the_session_is_kept(call: str) -> None:
    def fails(call: ToolCall) -> None:
        raise OSError("disk full")

    with Session(tools=[add], listener=Listener(call_ended=fails)) as own:
        own.run("kept = 1")
        with pytest.raises(OSError, match="disk full"):
            own.run(call)
        assert own.run("kept").value == 1


@pytest.mark.parametrize(
    "code",
    [
        "calls = [echo.submit('x') for _ in range(900)]\nsum(len(call.result()) for call in calls)",
        "calls = [echo.submit('x' * 100_000) for _ in range(90)]\nsum(len(call.result()) // 10_000 for call in calls)",
        "sum(len(text) // 10_000 for text in echo.map(['x' * 100_000] * 90))",
        "import asyncio\nsum(map(len, await asyncio.gather(*[echo.aio('x') for _ in range(900)])))",
        "calls = [echo.submit('x' * 300_000) for _ in range(30)]\nfor _ in range(900): print('y' * 1_000)\n"
        "sum(len(call.result()) // 10_000 for call in calls)",
    ],
    ids=["many", "long", "mapped", "awaited", "printing meanwhile"],
)
@pytest.mark.parametrize("isolation", ["caged", "inline"])
@pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")
def test_calls_and_answers_that_fill_the_socket_both_ways_do_not_wait_for_each_other(isolation: str, code: str) -> None:
    def echo(text: str) -> str:
        """Gives it back."""
        return text

    with Session(tools=[echo], limits=Limits(wall_seconds=20), isolation=isolation) as session:  # type: ignore[arg-type]  # the literals above
        seen = session.run(code)
        assert seen.value == 900, seen.failure


def test_the_arguments_of_a_steps_calls_are_bounded_in_all() -> None:
    kept: list[int] = []

    def record(text: str) -> None:
        """Counts."""
        kept.append(len(text))

    limits = Limits(value_bytes=1 << 20, memory_bytes=128 << 20)
    with Session(tools=[record], limits=limits) as session:
        seen = session.run("for _ in range(900): record('x' * 500_000)")
        assert seen.failure is not None
        assert seen.failure.kind == "limit"
        assert sum(kept) < 4 << 20
        assert session.run("record('x'); 1").value == 1
    with raw_session(
        tools=[record], limits=dataclasses.replace(limits, wall_seconds=3)
    ) as session:  # code that knows no bounds
        said = "import msgspec, os\nn = 1 << 32\nwhile True:\n    n += 1\n    text = 'x' * 60_000\n"
        seen = session.run(
            said + "    os.write(3, b'\\x03' + msgspec.msgpack.encode(['call', n, 'record', [text], {}, True]))"
        )
        assert seen.failure is not None
        assert sum(kept) < 128 << 20


def test_what_few_bytes_stand_for_is_counted_over_all_calls_of_a_step() -> None:
    kept: list[int] = []

    def record(rows: list[dict[str, int]]) -> None:
        """Counts."""
        kept.append(len(rows))

    with Session(tools=[record]) as session:
        seen = session.run("rows = [{'a': 1}] * 300_000\nfor _ in range(20): record(rows)")
        assert seen.failure is not None
        assert "are given more than 8,000,000 items in all" in seen.failure.message
        assert sum(kept) < 3_000_000
        assert session.run("record([{'a': 1}]); 1").value == 1


def test_what_the_tools_of_a_step_return_is_bounded_in_all() -> None:
    def large(number: int) -> str:
        """Gives a lot."""
        return f"{number}" * 500_000

    with Session(tools=[large], limits=Limits(value_bytes=1 << 20)) as session:
        seen = session.run("for number in range(9): large(number)")
        assert seen.failure is not None
        assert "carry more than 2,097,152 bytes in all" in seen.failure.message
        assert seen.cost.tool_calls < 9
        assert session.run("len(large(1))").value == 500_000
