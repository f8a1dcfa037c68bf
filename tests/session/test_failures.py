"""What a failure tells, and that bad input is a failure and never a dead worker."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from codeact import Limits, Session
from codeact.session.observing import wall_limit


def send(to: str) -> str:
    """Send a letter."""
    if to == "Ben":
        raise LookupError("no such person")
    return "sent"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(tools=[send]) as opened:
        yield opened


def test_a_failure_lists_the_tool_calls_that_had_happened(session: Session) -> None:
    failure = session.run("send('Ann')\nsend('Ben')").failure
    assert failure is not None
    assert failure.excerpt.splitlines()[-3:] == [
        "tool calls that had happened already (do not repeat those that change something):",
        "  send(to='Ann') returned",
        "  send(to='Ben') failed",
    ]


def test_what_stars_took_is_told_as_one_would_write_it() -> None:
    def post(to: str, *more: str, copies: int = 0) -> str:
        """Posts."""
        return to

    with Session(tools=[post]) as session:
        failure = session.run("post('Ann', 'Ben', 'Cy', copies=2)\n1 / 0").failure
    assert failure is not None
    assert failure.excerpt.splitlines()[-1] == "  post(to='Ann', *['Ben', 'Cy'], copies=2) returned"


def test_a_call_that_was_under_way_as_its_step_ended_is_not_told_as_failed() -> None:
    over = threading.Event()

    def wait() -> None:
        """Waits."""
        session.interrupt()
        over.wait(20)

    with Session(tools=[wait]) as session:
        failure = session.run("wait()").failure
        over.set()
    assert failure is not None
    assert failure.excerpt.splitlines()[-1] == "  wait() had not returned by then: what it does may still happen"


def test_many_tool_calls_do_not_make_a_failure_longer_than_its_bound(session: Session) -> None:
    seen = session.run("for n in range(100): send('Ann' * 100)\n" + "1 / 0" + " " * 500)
    assert seen.failure is not None
    parts = (seen.failure.type, seen.failure.message, seen.failure.excerpt, seen.failure.hint)
    assert sum(map(len, parts)) <= 2_000
    assert seen.failure.excerpt.rstrip().endswith(" more")
    assert "send(to='AnnAnn" in str(seen)


@dataclass(frozen=True)
class Fruit:
    name: str
    weight: int


def fruit() -> Fruit:
    """A fruit."""
    return Fruit("pear", 3)


def test_the_fields_of_what_a_tool_returned_are_had_as_a_dict_and_named_where_another_is_asked_for() -> None:
    with Session(tools=[fruit]) as session:
        told = "import json\none = fruit()\n(vars(one), one.__dict__, json.dumps(one, default=vars))"
        fields = {"name": "pear", "weight": 3}
        assert session.run(told).value == (fields, fields, '{"name": "pear", "weight": 3}')
        assert session.run("vars(one)['weight'] = 4\none.weight").value == 4
        assert session.run("vars(one)['__class__'] = int").failure is not None
        failure = session.run("one.model_dump()").failure
    assert failure is not None
    assert failure.hint == "It has name, weight; vars(…) of it gives a dict."


LONG = "x = '" + "a" * 900_000 + "'"

#: What CPython takes as well, and the value it gives.
TAKEN = {
    "CRLF": ("x = 1\r\nx + 1\r\n", 2),
    "old line ends": ("x = 1\rx + 1", 2),
    "BOM": ("\ufeffx = 1\nx", 1),
    "form feed": ("\fx = 5\n\f\nx", 5),
    "an invalid escape": ("len('\\d')", 2),
    "a line of a megabyte": (LONG + "\nlen(x)", 900_000),
    "tabs": ("if True:\n\tx = 3\nx", 3),
    "a lone surrogate, escaped": ("len('\\ud800')", 1),
    "no line end": ("7", 7),
    "nothing": ("", None),
    "a comment": ("# nothing", None),
    "a coding line": ("# -*- coding: latin-1 -*-\nlen('é')", 1),
    "200 brackets": ("[" * 100 + "]" * 100 + "\n1", 1),
}

#: What CPython refuses as well: (source, type).
REFUSED = {
    "a null byte": ("x = 1\0", "SyntaxError"),
    "a null byte in a text": ("x = 'a\0b'", "SyntaxError"),
    "a lone surrogate": ("x = '\ud800'", "UnicodeEncodeError"),
    "10,000 brackets": ("(" * 10_000 + ")" * 10_000, "SyntaxError"),
    "10,000 open brackets": ("[" * 10_000, "SyntaxError"),
    "10,000 unary operators": ("-" * 10_000 + "1", "SyntaxError"),
    "10,000 attributes": ("x" + ".a" * 10_000, "SyntaxError"),
    "10,000 calls": ("f" + "()" * 10_000, "SyntaxError"),
    "100,000 terms": ("+".join(["1"] * 100_000), "SyntaxError"),
    "10,000 elifs": ("if 0: pass\n" + "elif 0: pass\n" * 10_000, "SyntaxError"),
    "200 levels of blocks": ("".join(" " * n + "if 1:\n" for n in range(200)) + " " * 200 + "pass", "IndentationError"),
    "mixed indentation": ("if 1:\n\tx = 1\n        y = 2", "TabError"),
    "an unfinished text": ("x = 'a", "SyntaxError"),
    "a text of many lines": ("x = '''" + "\n" * 1000, "SyntaxError"),
    "nested f-strings": ("f'{" * 500, "SyntaxError"),
    "an integer of many digits": ("9" * 5_000, "SyntaxError"),
    "more than a step takes": ("x = 1\n" * 1_000_000, "SyntaxError"),
    "more than is sent at all": ("#" * 10_000_001, "SyntaxError"),
    "an unknown character": ("x = 1 ¿ 2", "SyntaxError"),
    "an invisible space": ("x\u00a0= 1", "SyntaxError"),
}


@pytest.mark.parametrize(("source", "value"), TAKEN.values(), ids=TAKEN)
def test_odd_input_means_what_it_means_to_python(session: Session, source: str, value: object) -> None:
    seen = session.run(source)
    assert seen.failure is None
    assert seen.value == value


@pytest.mark.parametrize(("source", "kind"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_a_failure_and_the_session_goes_on(session: Session, source: str, kind: str) -> None:
    failure = session.run(source).failure
    assert failure is not None
    assert (failure.kind, failure.type) == ("syntax", kind)
    assert len(failure.message) + len(failure.excerpt) < 2_000
    assert session.run("1 + 1").value == 2


def test_a_cached_recursion_of_values_does_not_end_the_worker(session: Session) -> None:
    seen = session.run("a = []\nfor n in range(100_000): a = [a]\na")
    assert seen.failure is None
    assert session.run("1 + 1").value == 2


@pytest.mark.parametrize(
    "source",
    [
        "from dataclasses import make_dataclass\nmake_dataclass('__hidden', ['x'])(1)",
        "from dataclasses import make_dataclass\nmake_dataclass('two words', ['x'])(1)",
        "from dataclasses import make_dataclass\nmake_dataclass('A' * 5000, ['x'])(1)",
        "from dataclasses import make_dataclass\nmake_dataclass('A', [f'f{n}' for n in range(300)])(*range(300))",
        "from dataclasses import make_dataclass\n[make_dataclass(f'A{n}', ['x'])(n) for n in range(60)]",
        "{n * (2**61 - 1): n for n in range(2000)}",
        "[{n * (2**61 - 1) for n in range(2000)}]",
        "x = []\nfor _ in range(100_000): x = [x]\nx",
        "x = {}\nx['x'] = x\nx",
        "10**1_000_000",
        "{float('nan'): '\\ud800', '\\udfff': float('nan')}",
        "x = ['lol']\nfor _ in range(40): x = [x] * 10\nx",
    ],
)
def test_no_value_of_a_snippet_ends_its_session(source: str) -> None:
    with Session() as session:
        session.run("kept = 7")
        seen = session.run(source)

        assert seen.ok, seen.failure
        assert repr(seen.value)
        assert session.run("kept").value == 7


def test_an_error_that_a_snippet_made_of_a_line_far_away_costs_nothing() -> None:
    with Session() as session:
        session.run("kept = 1")
        for at in ("-5, 10**30", "1, 10**30", "10**5000, 1", "1, 10**9"):
            failure = session.run(f"raise SyntaxError('no', ('f', {at}, 'text', None, None))").failure
            assert (failure.kind, failure.type) == ("raised", "SyntaxError")
            assert len(failure.excerpt) < 2_000
        assert session.run("kept").value == 1


CRASHING = {
    "an array that is emptied by what is stored in it": (
        "import array\nheld = array.array('i', range(1000))\nclass Emptying:\n    def __index__(self):\n"
        "        held[:] = array.array('i')\n        return 5\nheld[500] = Emptying()"
    ),
    "an ordered dict that is emptied while it is copied": (
        "import collections\nclass Emptying(collections.OrderedDict):\n    def __setitem__(self, key, value):\n"
        "        held.clear()\nheld = Emptying()\nfor n in range(9):\n"
        "    collections.OrderedDict.__setitem__(held, n, n)\nheld.copy()"
    ),
    "iterators nested deeper than the stack": (
        "held = iter([])\nfor _ in range(200_000):\n    held = map(None, held)\nnext(held, None)"
    ),
}


@pytest.mark.parametrize("source", CRASHING.values(), ids=CRASHING)
def test_a_step_that_crashes_cpython_itself_costs_no_variable(source: str) -> None:
    with Session() as session:
        session.run("kept = [1, 2]")
        session.run(source)  # what comes of it differs from one version of CPython to the next
        assert session.run("kept").value == [1, 2]


@pytest.mark.parametrize("source", ["open('in.csv', 'w')", "open('in.csv', 'a')", "os.remove('in.csv')"])
def test_whoever_changes_a_file_that_was_handed_in_is_told_to_write_another(source: str) -> None:
    with Session(files={"in.csv": b"a"}) as session:
        failure = session.run(f"import os\n{source}").failure
    assert failure is not None
    assert failure.hint == "The file is read-only, as those are that were handed in: write to another name."


def test_whoever_runs_a_loop_within_the_one_of_the_step_is_told_to_await() -> None:
    with Session() as session:
        source = "import asyncio\nasync def one(n): return n\nasyncio.run(one(1))\nawait one(2)"
        failure = session.run(source).failure
        assert session.run("asyncio.run(one(1))").value == 1
    assert failure is not None
    assert failure.hint == "A loop runs here already: write `await one(1)`."


def test_a_limit_of_one_is_told_in_words_that_fit_one() -> None:
    assert "longer than 1 s, " in wall_limit(Limits(wall_seconds=1)).message
    with Session(tools=[send], limits=Limits(tool_calls=1)) as session:
        failure = session.run("send('Ann')\nsend('Eve')").failure
    assert failure is not None
    assert failure.message.startswith("the tool calls of one step are used up: 1 at most; ")


#: Limit → how little of it there is, and what takes more.
PAST_IT = {
    "operations": (100, "for turn in range(101): kept = turn"),
    "wall_seconds": (0.3, "import time\nkept = 1\ntime.sleep(20)"),
    "tool_calls": (1, "kept = send('Ann')\nsend('Eve')"),
    "memory_bytes": (96 << 20, "kept = bytearray(400 << 20)"),
    "folder_bytes": (1 << 20, "with open('full', 'wb') as file: file.write(bytes((1 << 20) + 1))"),
}


@pytest.mark.parametrize("limit", PAST_IT)
def test_past_a_limit_the_step_says_which_and_how_to_have_more_and_the_next_goes_on(limit: str) -> None:
    most, source = PAST_IT[limit]
    with Session(tools=[send], limits=Limits(**{limit: most})) as session:
        session.run("kept = 0")
        failure = session.run(source).failure
        assert failure is not None
        assert f"he user can allow more with Limits({limit}=…)" in f"{failure.message} {failure.hint}"
        assert session.run("kept").value == 0
