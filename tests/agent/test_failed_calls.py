"""A call that failed is told to the snippet, and again by the recording, in the same words."""

from dataclasses import dataclass
from pathlib import Path
from socket import gaierror

import pytest

from codeact.agent import replay
from codeact.journal import read
from codeact.testing import replays
from codeact.toolbox import NotApproved
from tests.agent.parts import code


class Speechless(Exception):
    def __str__(self):
        raise SystemExit(3)


class Late(TimeoutError):
    pass


class SoldOut(Exception):
    pass


class NotWanted(NotApproved):
    pass


class SystemsOwn(OSError):
    pass


DECODING = "'utf-8' codec can't decode byte 0xff in position 0: bad"
FAILING = code(
    "try:\n    price('pear')\nexcept BaseException as error:\n    final_answer([type(error).__name__, str(error)])"
)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyError("pear"), ["KeyError", "'pear'"]),
        (KeyError(1), ["KeyError", "1"]),
        (KeyError("1"), ["KeyError", "'1'"]),
        (KeyError("{[]: 1}"), ["KeyError", "'{[]: 1}'"]),
        (KeyError(("a", None)), ["KeyError", "('a', None)"]),
        (KeyError("'a'"), ["KeyError", "\"'a'\""]),
        (TimeoutError(), ["TimeoutError", "TimeoutError"]),
        (Late("no answer"), ["TimeoutError", "no answer"]),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), ["ValueError", DECODING]),
        (
            ExceptionGroup("both", [KeyError("pear")]),
            ["ToolFailed", "ExceptionGroup: both (1 sub-exception): KeyError: pear"],
        ),
        (SoldOut("pear"), ["ToolFailed", "SoldOut: pear"]),
        (Speechless(), ["ToolFailed", "Speechless"]),
        (SystemExit(3), ["ToolFailed", "the tool price tried to end the program (SystemExit)"]),
        (NotWanted("no"), ["NotApproved", "no"]),
        (ValueError("x" * 100_000), None),
    ],
)
def test_a_recording_tells_of_an_error_as_the_tool_did(make, error, told):
    def price(fruit: str) -> int:
        """Fails."""
        raise error

    run = make([FAILING], tools=[price]).run("go")
    assert told is None or run.answer == told
    assert [call["error_type"] for call in read(run.journal).of("call")] != [""]
    assert replays(run.journal)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (FileNotFoundError(2, "No such file", "a: b"), ["FileNotFoundError", 2, "a: b", None]),
        (OSError(18, "Invalid cross-device link", "a", None, "b"), ["OSError", 18, "a", "b"]),
        (OSError(22, "Invalid: argument", b"\xff"), ["OSError", 22, None, None]),
        (PermissionError(13, "Permission denied", Path("a")), ["PermissionError", 13, None, None]),
        (BlockingIOError(11, "again"), ["BlockingIOError", 11, None, None]),
        (SystemsOwn(2, "its class is none of Python's"), ["OSError", None, None, None]),
        (gaierror(-2, "Name or service not known"), ["OSError", -2, None, None]),
        (OSError("[Errno two] no"), ["OSError", None, None, None]),
    ],
    ids=str,
)
def test_an_error_of_the_system_keeps_its_number_and_its_files(make, error, told):
    def fetch() -> int:
        """Fails."""
        raise error

    asks = (
        "try:\n    fetch()\nexcept OSError as e:\n"
        "    final_answer([type(e).__name__, e.errno, e.filename, e.filename2, str(e)])"
    )
    run = make([code(asks)], tools=[fetch]).run("go")
    assert run.answer == [*told, str(error)]
    assert replays(run.journal)


@dataclass
class Order:
    item: str
    amount: int


MISFITS = {
    "one is caught": "try: buy({'item': 'pear', 'amount': 'x'})\nexcept ValueError as error: print(error)",
    "one ends the step": "given = {'item': 'pear'}\nbuy(given)",
    "the others fit": (
        "for amount in ('x', 2, 'y', 3):\n"
        "    try: print(buy({'item': 'pear', 'amount': amount}))\n"
        "    except ValueError as error: print(error)"
    ),
    "too many and of the wrong type": "try: buy(*['x', 1, 2])\nexcept (TypeError, ValueError) as error: print(error)",
    "side by side": "print(buy.map([{'item': 'pear', 'amount': 1}, {'item': 1}]))",
}


@pytest.mark.parametrize("snippet", MISFITS.values(), ids=MISFITS)
def test_a_run_is_replayed_whose_calls_did_not_fit_their_tool(make, snippet):
    def buy(order: Order) -> int:
        """Buys."""
        return order.amount

    run = make([code(snippet), code("final_answer('done')")], tools=[buy]).run("go")
    assert list(read(run.journal).of("misfit")) != []
    again = replay(run.journal)
    assert again.steps[0].observation.stdout == run.steps[0].observation.stdout
    assert again.steps[0].observation.failure == run.steps[0].observation.failure
    assert again.cost.tool_calls == run.cost.tool_calls


def test_a_call_by_name_that_is_refused_is_told_from_one_by_position_on_a_replay(make):
    def double(number: int, /) -> int:
        """Doubles."""
        return 2 * number

    snippet = "named = {'number': 1}\nprint(double(1))\ntry: double(**named)\nexcept TypeError as error: print(error)"
    run = make([code(snippet), code("final_answer('done')")], tools=[double]).run("go")
    assert run.steps[0].observation.ok
    assert replays(run.journal)
