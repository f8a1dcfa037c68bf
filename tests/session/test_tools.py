"""Tools run on the host; whatever they do, the snippet sees a value or an exception, and the host goes on."""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from codeact import Limits, Session
from codeact.records import ToolCall


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


class Own(ValueError):
    pass


RAISES: dict[str, BaseException] = {
    "KeyError": KeyError("gone"),
    "a number": KeyError(7),
    "FileNotFoundError": FileNotFoundError("orders.csv is not there"),
    "StopIteration": StopIteration(1),
    "Own": Own("own words"),
    "SystemExit": SystemExit(3),
    "KeyboardInterrupt": KeyboardInterrupt(),
    "Unspeakable": Unspeakable(),
    "UnicodeDecodeError": UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
    "long": ValueError("x" * 100_000),
}


def add(a: int, b: int = 1) -> int:
    """Adds."""
    return a + b


def fail(kind: str) -> int:
    """Raises."""
    secret = "host-secret"  # noqa: F841  # a local that must not be seen
    raise RAISES[kind]


def give(what: str) -> Any:
    """Returns."""
    return {"object": object(), "lambda": lambda: 1, "huge": "x" * (70 << 20), "config": CONFIG}[what]


async def later(n: int) -> int:
    """Waits a turn."""
    await asyncio.sleep(0)
    return n * 2


@dataclasses.dataclass
class Order:
    number: int
    paid: bool = False


def order(number: int) -> Order:
    """Finds."""
    return Order(number)


def pay(order: Order) -> bool:
    """Pays."""
    return order.paid


def count(until: int) -> Iterator[int]:
    """Counts."""
    yield from range(until)


async def count_later(until: int) -> AsyncIterator[int]:
    """Counts, with time between."""
    for number in range(until):
        await asyncio.sleep(0)
        yield number


CONFIG: dict[str, Any] = {"admin": False, "limits": [1]}


@pytest.fixture(params=["caged", "inline"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    tools = [add, fail, give, later, order, pay, count, count_later]
    with Session(tools=tools, isolation=request.param, limits=Limits(wall_seconds=20)) as opened:
        yield opened


def caught(session: Session, call: str, kinds: str = "Exception") -> Any:
    """What an `except` in the snippet gets to see of a call's error."""
    seen = session.run(
        f"try:\n    {call}\nexcept {kinds} as error:\n    caught = type(error).__name__, str(error)\ncaught"
    )
    assert seen.failure is None, seen.failure
    return seen.value


def test_a_tool_is_called_on_the_host_and_its_call_is_reported(session: Session) -> None:
    seen = session.run("add(1, b=2)")
    assert seen.value == 3
    assert [dataclasses.replace(call, seconds=0) for call in seen.calls] == [ToolCall("add", {"a": 1, "b": 2}, 3)]
    assert seen.cost.tool_calls == 1


def test_a_tool_says_what_it_takes(session: Session) -> None:
    seen = session.run(
        "import inspect\n[str(inspect.signature(add)), inspect.signature(add).parameters['a'].annotation is int]"
    )
    assert seen.value == ["(a: int, b: int = 1) -> int", True]
    assert session.run("inspect.isfunction(add), callable(add)").value == (False, True)


def test_a_built_in_error_is_caught_by_its_own_name(session: Session) -> None:
    assert caught(session, "fail('KeyError')", "KeyError") == ("KeyError", "'gone'")
    assert session.run("try: fail('a number')\nexcept KeyError as error: got = error.args\ngot").value == (7,)
    assert caught(session, "fail('FileNotFoundError')", "OSError") == ("FileNotFoundError", "orders.csv is not there")


def test_an_error_of_a_class_of_its_own_is_caught_as_the_built_in_one_it_is(session: Session) -> None:
    assert caught(session, "fail('Own')", "ValueError") == ("ValueError", "own words")
    assert caught(session, "fail('UnicodeDecodeError')", "ValueError")[0] == "ValueError"
    assert session.run("try: fail('Own')\nexcept ValueError: pass").calls[0].error == "Own: own words"


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("Own", "own words"),
        ("SystemExit", "tried to end the program"),
        ("KeyboardInterrupt", "tried to end the program"),
        ("StopIteration", "raised StopIteration"),
        ("Unspeakable", "Unspeakable"),
        ("UnicodeDecodeError", "codec can't decode"),
        ("long", "100,000 characters"),
    ],
)
def test_any_other_error_arrives_with_its_message(session: Session, kind: str, says: str) -> None:
    _, message = caught(session, f"fail('{kind}')")
    assert says in message
    assert len(message) < 3000


def test_an_error_that_is_not_caught_shows_nothing_of_the_host(session: Session) -> None:
    failure = session.run("fail('Own')").failure
    assert failure is not None
    assert failure.kind == "tool"
    shown = repr(failure)
    assert "own words" in shown
    assert "host-secret" not in shown
    assert __file__ not in shown


def test_a_map_with_an_argument_by_name_is_told_what_does_it(session: Session) -> None:
    way = "calls = [add.submit(item, b=…) for item in items]; [call.result() for call in calls]"
    assert caught(session, "add.map([1, 2], b=3)") == ("TypeError", f"add.map() takes no argument by name: {way}")


def test_arguments_are_checked_before_the_tool_is_entered(session: Session) -> None:
    session.assign({"text": "x"})
    kind, message = caught(session, "add(text)")
    assert kind in ("TypeError", "ValueError")
    assert "add(a: int, b: int = 1) -> int" in message


def test_an_object_of_the_snippet_cannot_be_an_argument(session: Session) -> None:
    kind, message = caught(session, "pay(order=open)")
    assert kind == "TypeError"
    assert "cannot be sent" in message


@pytest.mark.parametrize(
    ("what", "says"), [("object", "cannot cross"), ("lambda", "cannot cross"), ("huge", "too large")]
)
def test_a_result_that_cannot_be_sent_is_an_error_with_the_reason(session: Session, what: str, says: str) -> None:
    kind, message = caught(session, f"give('{what}')")
    assert kind == "TypeError"
    assert says in message


def test_a_result_is_a_copy(session: Session) -> None:
    session.run("config = give('config')\nconfig['admin'] = True\nconfig['limits'].append(2)")
    assert CONFIG == {"admin": False, "limits": [1]}


def test_a_dataclass_goes_out_and_comes_back(session: Session) -> None:
    assert session.run("found = order(7)\nfound.paid = True\n(found.number, pay(found))").value == (7, True)


def test_a_generator_arrives_as_a_list(session: Session) -> None:
    assert session.run("count(3)").value == [0, 1, 2]
    assert session.run("count_later(3)").value == [0, 1, 2]
    assert session.run("await count_later.aio(2)").value == [0, 1]


def test_calls_side_by_side_keep_their_order(session: Session) -> None:
    assert session.run("add.map(range(100))").value == list(range(1, 101))
    assert session.run("[p.result() for p in [add.submit(i, b=10) for i in range(5)]]").value == [10, 11, 12, 13, 14]


def test_calls_side_by_side_do_run_side_by_side() -> None:
    both = threading.Barrier(2, timeout=20)

    def meet(n: int) -> int:
        """Waits for the other."""
        both.wait()
        return n

    with Session(tools=[meet]) as session:
        assert session.run("meet.map([1, 2])").value == [1, 2]


def test_the_first_error_of_a_map_is_raised(session: Session) -> None:
    assert caught(session, "fail.map(['KeyError', 'Own'])")[0] == "KeyError"


def test_an_async_tool_is_called_like_any_other(session: Session) -> None:
    assert session.run("later(4)").value == 8


def test_coroutines_call_tools_side_by_side(session: Session) -> None:
    seen = session.run("import asyncio\nawait asyncio.gather(*[later.aio(n) for n in range(5)])")
    assert seen.failure is None
    assert seen.value == [0, 2, 4, 6, 8]


def test_a_call_that_nobody_waits_for_is_still_made_and_reported(session: Session) -> None:
    seen = session.run("add.submit(1)\nNone")
    assert [call.result for call in seen.calls] == [2]


def test_a_tool_cannot_be_rebound_or_changed(session: Session) -> None:
    for attack in ("add = 1", "def add(): pass", "import math as add", "add.map = 1", "del add", "add.extra = 1"):
        session.run(attack)
        assert session.run("add(1)").value == 2


def test_a_tool_shows_its_name_and_words(session: Session) -> None:
    assert session.run("(add.__name__, add.__doc__)").value == ("add", "Adds.")


def test_calls_under_way_are_waited_for_as_futures_are(session: Session) -> None:
    calls = "from concurrent import futures\ncalls = [add.submit(n, 1) for n in range(3)]\n"
    assert session.run(calls + "[call.result() for call in futures.as_completed(calls)]").value == [1, 2, 3]
    assert session.run(calls + "found = futures.wait(calls)\nlen(found.done), len(found.not_done)").value == (3, 0)
    assert (
        session.run("[call.result() for call in futures.wait([fail.submit('FileNotFoundError')]).done]").failure.type
        == "FileNotFoundError"
    )


def test_a_tool_and_a_call_under_way_are_shown_by_name(session: Session) -> None:
    assert session.run("pending = add.submit(1)\n[add, pending]").text == "[<tool add>, <call under way>]"
    assert session.variables()["pending"].text == "<call under way>"


def test_nothing_of_ours_hangs_on_a_tool(session: Session) -> None:
    for name in ("_calls", "_doc", "__globals__", "__self__", "__code__", "__dict__", "__reduce__", "__wrapped__"):
        assert not session.run(f"add.{name}").ok
        assert not session.run(f"add.map.{name}").ok


def test_a_tool_sees_the_context_of_the_caller() -> None:
    who: contextvars.ContextVar[str] = contextvars.ContextVar("who")
    who.set("caller")

    def ask() -> str:
        """Asks."""
        return who.get()

    with Session(tools=[ask]) as own:
        assert own.run("[ask(), *[p.result() for p in [ask.submit()]]]").value == ["caller", "caller"]


def test_a_tool_cannot_use_the_session_that_waits_for_it() -> None:
    def nested() -> Any:
        """Runs a step inside a step."""
        return own.run("1").value

    def beside() -> Any:
        """Runs a step in another session."""
        with Session() as other:
            return other.run("1").value

    with Session(tools=[nested, beside]) as own:
        assert "session of its own" in caught(own, "nested()")[1]
        assert own.run("beside()").value == 1
