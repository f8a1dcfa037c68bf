"""A call that failed is told to the snippet, and again by the recording, in the same words."""

import pytest

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
        (ExceptionGroup("both", [KeyError("pear")]), ["ToolFailed", "ExceptionGroup: both (1 sub-exception)"]),
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
