"""A failure says what, where, which values and, where it is certain, what would help; and nothing of ours."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from codeact.records import Failure, Parameter, ToolSpec
from codeact.snippet import explain
from codeact.snippet.endings import LimitReached, Refused, ToolFailed
from codeact.snippet.failure_text import MOST_CHARS
from tests.snippet.running import Step

RATE = ToolSpec("rate", (Parameter("base", annotation="str"), Parameter("quote", annotation="str")), "float")


@dataclass(frozen=True)
class Program:
    source: str
    filename: str = "<snippet 1>"


def failure_of(source: str, **names: Any) -> Failure:
    program = Program(source)
    with pytest.raises(BaseException) as caught:  # noqa: PT011  # whatever the snippet raises is looked at
        exec(compile(source, program.filename, "exec"), names)
    return explain.explain(caught.value, program, tools={"rate": RATE})


def size(failure: Failure) -> int:
    return len(failure.type + failure.message + failure.excerpt + failure.hint)


def test_the_failing_part_of_the_line_is_underlined() -> None:
    failure = failure_of("a, b = 1, 0\nx = 1 + a / b * 3")
    assert (failure.kind, failure.type, failure.message) == ("raised", "ZeroDivisionError", "division by zero")
    assert (failure.line, failure.column) == (2, 8)
    assert failure.excerpt.splitlines()[:2] == ["line 2: x = 1 + a / b * 3", "                ^^^^^"]


def test_columns_are_counted_in_characters() -> None:
    failure = failure_of('x = "é€\U0001f600"; y = "é" + 1')
    assert failure.column == 'x = "é€\U0001f600"; y = "é" + 1'.index('"é" +')
    assert failure.excerpt.splitlines()[1].count("^") == len('"é" + 1')


def test_the_values_of_the_names_in_the_line_are_shown() -> None:
    failure = failure_of("items = [1, 2]\nk = 5\nitems[k]")
    assert "  items = [1, 2]\n  k = 5" in failure.excerpt


def test_values_are_shown_without_running_the_snippets_code() -> None:
    source = "class Loud:\n    def __repr__(self):\n        ran.append(1)\n        return ''\nx = Loud()\nx + 1"
    ran: list[int] = []
    assert "x = <Loud object>" in failure_of(source, ran=ran).excerpt
    assert ran == []


def test_the_value_of_before_is_not_shown_for_what_was_to_be_bound() -> None:
    assert failure_of("pairs = [(1, 2), (3, 4, 5)]\n[x for x, y in pairs]").excerpt.endswith(
        "\n  pairs = [(1, 2), (3, 4, 5)]"
    )
    assert "total = 1" in failure_of("total = 1\ntotal += 'a'").excerpt


def test_what_is_private_to_a_library_is_not_shown() -> None:
    assert "lock = <Semaphore object>" in failure_of("import threading\nlock = threading.Semaphore()\nlock + 1").excerpt


def test_the_line_of_a_text_given_to_exec_is_shown() -> None:
    shown = failure_of("compile('x = 1\\ny = = 2', '<text>', 'exec')").excerpt
    assert shown.endswith("in the text, line 2: y = = 2\n                         ^")


def test_an_exception_a_library_raised_twice_is_told_once() -> None:
    source = "def twice():\n    try: {}['k']\n    except KeyError as e: raise KeyError('k') from e\ntwice()"
    assert "caused by" in failure_of(source).excerpt
    pandas = pytest.importorskip("pandas")
    assert "caused by" not in failure_of("df['price']", df=pandas.DataFrame({"cost": [1]})).excerpt


def test_a_message_is_read_without_running_the_snippets_code() -> None:
    source = "class E(Exception):\n    def __str__(self):\n        ran.append(1)\n        return ''\nraise E('told', 7)"
    ran: list[int] = []
    assert failure_of(source, ran=ran).message == "told, 7"
    assert ran == []


def test_a_message_the_exception_wrote_itself_can_be_handed_in() -> None:
    assert explain.explain(ValueError("a"), Program(""), message="its own").message == "its own"


THROUGH = """def price(row):
    return row["price"] * 2
def total(rows):
    return sum([price(row) for row in rows])
total([{"id": 1}])"""


def test_the_calls_that_led_there_are_told_nearest_first() -> None:
    told = failure_of(THROUGH).excerpt.splitlines()
    assert told[0] == 'in price, line 2: return row["price"] * 2'
    assert told[-2:] == [
        "called from line 4, in total: return sum([price(row) for row in rows])",
        'called from line 5: total([{"id": 1}])',
    ]


def test_only_the_snippets_own_frames_are_shown() -> None:
    failure = failure_of("import json\njson.loads('{')")
    assert failure.line == 2
    assert "decoder" not in failure.excerpt
    assert "File" not in failure.excerpt


def test_a_function_of_an_earlier_step_is_shown_with_its_own_line() -> None:
    earlier = "def half(n):\n\n    return n / 0"
    names: dict[str, Any] = {}
    exec(compile(earlier, "<snippet 0>", "exec"), names)
    linecache.cache["<snippet 0>"] = (len(earlier), None, earlier.splitlines(True), "<snippet 0>")
    failure = failure_of("half(3)", **names)
    assert failure.excerpt.splitlines()[0] == "in half, line 3: return n / 0"
    assert failure.excerpt.endswith("called from line 1: half(3)")


def test_endless_recursion_is_told_in_a_few_lines() -> None:
    failure = failure_of("def f(n):\n    return f(n + 1)\nf(0)")
    assert failure.type == "RecursionError"
    assert failure.excerpt.count("called from") == 3


def test_a_chain_of_exceptions_is_told() -> None:
    failure = failure_of("try:\n    {}['a']\nexcept KeyError as e:\n    raise ValueError('no a') from e")
    assert "caused by KeyError: 'a'\n  line 2: {}['a']" in failure.excerpt
    failure = failure_of("try:\n    {}['a']\nexcept KeyError:\n    int('x')")
    assert "raised while handling KeyError: 'a'" in failure.excerpt
    failure = failure_of("try:\n    {}['a']\nexcept KeyError:\n    raise ValueError(1) from None")
    assert "KeyError" not in failure.excerpt


def test_a_ring_of_causes_ends() -> None:
    failure = failure_of("a, b = ValueError('a'), ValueError('b')\na.__cause__ = b\nb.__cause__ = a\nraise a")
    assert failure.excerpt.count("caused by") == 1


def test_the_members_of_a_group_are_numbered() -> None:
    failure = failure_of("raise ExceptionGroup('two', [ValueError(1), ExceptionGroup('in', [KeyError('k')])])")
    assert failure.message == "two (2 sub-exceptions)"
    assert "1. ValueError: 1\n2. ExceptionGroup: in (1 sub-exception)\n  1. KeyError: 'k'" in failure.excerpt


AWAITED = "`rate(…)` waits and gives its result; `rate.aio(…)` gives what can be awaited."
HINTS = [
    ("import math\nmath.squrt(2)", "Did you mean `sqrt`?"),
    ("class A:\n    def __init__(self): self.value = 1\nA().valeu", "Did you mean `value`?"),
    ("'a'.uper()", "Did you mean `upper`?"),
    ("prices = 1\nprint(price)", "Did you mean `prices`?"),
    ("json.dumps(1)", "`json` is a module: import it first."),
    ("np.zeros(3)", "Write `import numpy as np` first."),
    ("display(5)", "`display` is there in notebooks alone: print(value), or end the step with the value."),
    ("{'alpha': 1, 'item': 2}.item", "It is a dict, and has the key 'item': write `['item']`."),
    ("class A:\n    def __init__(self): self.n = 1\na = A()\na['n']", "It is an attribute: write `.n`."),
    ("(1, 2).x", "A named tuple that a tool returns is a plain one here: take its items by their places."),
    ("'red'.value", "A member of an enum that a tool returns is its plain value here."),
    ("d = {'alpha': 1}\nd['alpa']", "Did you mean 'alpha'?"),
    ("d = {1: 2}\nd['1']", "`d` has the key 1: int, not str."),
    ("d = {'x': 1, 'y': 2}\nd['name']", "The keys of `d` are 'x', 'y'."),
    ("d = {}\nd['name']", "`d` is empty."),
    ("d = [{'alpha': 1}]\nd[0]['alpa']", "Did you mean 'alpha'?"),
    ("class A: pass\na = A()\na.d = {'alpha': 1}\na.d['alpa']", "Did you mean 'alpha'?"),
    ("class A:\n    d = property(lambda s: {'alpha': 1})\na = A()\na.d['alpa']", ""),
    ("xs = [1]\nxs[3]", "`xs` has 1 item."),
    ("d = {'alpha': 1}\nd.pop('alpa')", "Did you mean 'alpha'?"),
    ("import enum\nclass C(enum.Enum): RED = 1\nC['BLUE']", "The members of `C` are 'RED'."),
    ("def f(a, *, b=1): pass\nf()", "Line 1 defines f(a, *, b=1)."),
    ("rate('EUR')", "The signature is rate(base: str, quote: str) -> float"),
    ("import asyncio\nasync def f(): return await rate('EUR', 'USD')\nasyncio.run(f())", AWAITED),
    (
        "import asyncio\nasync def f(): await asyncio.gather(*[rate(base, 'USD') for base in ('EUR', 'GBP')])\nasyncio.run(f())",
        AWAITED,
    ),
    ("from asyncio import run, wait_for\nasync def f(): await wait_for(rate('EUR', 'USD'), 3)\nrun(f())", AWAITED),
    ("from asyncio import run\nrun(rate('EUR', 'USD'))", AWAITED),
    ("import asyncio\nasync def f(): return await round(rate('EUR', 'USD'))\nasyncio.run(f())", ""),
    (
        "def f():\n    print(v)\n    v = 1\nf()",
        "`v` is local to `f`, which assigns it somewhere, and has no value yet.",
    ),
    ("1 / 0", ""),
    ("unlike_anything", ""),
]


@pytest.mark.parametrize(("source", "hint"), HINTS, ids=[source.splitlines()[-1] for source, _ in HINTS])
def test_a_hint_is_given_where_one_is_certain(source: str, hint: str) -> None:
    def rate(base: str, quote: str) -> float:
        return 1.0

    assert failure_of(source, rate=rate).hint == hint


def test_a_hint_does_not_ask_the_object() -> None:
    source = "class A:\n    def __dir__(self): ran.append(1); return []\n    def go(self): pass\nA().goo"
    ran: list[int] = []
    assert failure_of(source, ran=ran).hint == "Did you mean `go`?"
    assert ran == []


def test_a_column_of_a_table_is_suggested() -> None:
    pandas = pytest.importorskip("pandas")
    assert failure_of("df['pric']", df=pandas.DataFrame({"price": [1]})).hint == "Did you mean 'price'?"


def kinds() -> Iterator[tuple[BaseException, str, str]]:
    class ImportRefused(Refused, ImportError):
        pass

    yield LimitReached("operations"), "limit", "LimitReached"
    yield Refused("no", "use that"), "refused", "Refused"
    yield ImportRefused("no", "use that"), "refused", "ImportError"
    yield ToolFailed("no"), "tool", "ToolFailed"
    yield type("ValueError", (ToolFailed, ValueError), {})("no"), "tool", "ValueError"
    yield MemoryError(), "limit", "MemoryError"
    yield ValueError("no"), "raised", "ValueError"
    yield Exception("no"), "raised", "Exception"


@pytest.mark.parametrize(("error", "kind", "name"), list(kinds()), ids=lambda part: str(part)[:20])
def test_the_kind_is_read_from_the_type(error: BaseException, kind: str, name: str) -> None:
    failure = explain.explain(error, Program(""))
    assert (failure.kind, failure.type) == (kind, name)
    assert failure.hint == ("use that" if isinstance(error, Refused) else "")


def test_a_limit_of_memory_says_what_is_missing() -> None:
    assert "Limits(memory_bytes=" in explain.explain(MemoryError(), Program("")).message
    assert explain.explain(MemoryError("own words"), Program("")).message == "own words"


def test_a_stream_that_is_deleted_gets_the_way_it_is_set_back() -> None:
    failure = Step().run("import sys\ndel sys.stdout").failure
    assert failure is not None
    assert failure.hint == "sys.stdout = sys.__stdout__ sets it back"


def test_a_class_that_pretends_to_be_a_limit_is_not_one() -> None:
    failure = failure_of("class E(Exception):\n    __class__ = L\nraise E()", L=LimitReached)
    assert failure.kind == "raised"


def test_no_path_of_the_host_is_shown() -> None:
    failure = explain.explain(ValueError(f"bad {explain.__file__} and {sys.prefix}/lib/x.py"), Program(""))
    assert failure.message == "bad codeact/snippet/explain.py and lib/x.py"


BIG = [
    "raise ValueError('x' * 10**6)",
    "raise KeyError('x' * 10**6)",
    "a = b = c = d = 'x' * 10**6\na + b + c + d + 1",
    "x = '" + "y" * 100_000 + "' + 1",
    "raise ExceptionGroup('g' * 5000, [ValueError('v' * 5000)] * 500)",
    "class " + "A" * 5000 + "(Exception): pass\nraise " + "A" * 5000 + "('x' * 5000)",
    "d = {'k' * 5000 + str(i): i for i in range(1000)}\nd['j']",
    "d = {'k' * 5000 + str(i): i for i in range(1000)}\nd['k' * 5000]",
    "d = {'1': 1}\nd[10**5000]",
    "raise ValueError(10**5000)",
    "t = ()\nfor _ in range(5000): t = (t, t)\nraise ValueError(t)",
    "raise SyntaxError('a', ('f', 1, 2, 'x' * 5000))",
    "x = 1\n" + "n" * 5000 + " + 1",
    "def f(n):\n    try:\n        f(n - 1) if n else 1 / 0\n    except Exception as e:\n"
    "        raise ValueError('x' * 5000) from e\nf(30)",
]


@pytest.mark.parametrize("source", BIG, ids=range(len(BIG)))
def test_a_failure_is_at_most_2000_characters(source: str) -> None:
    failure = failure_of(source)
    assert size(failure) <= MOST_CHARS
    assert failure.line > 0


def test_control_characters_do_not_reach_the_reader() -> None:
    failure = failure_of("raise ValueError('\\x1b[2J\\u202e')  # \x1b[2J")
    assert "\x1b" not in failure.message + failure.excerpt
    assert "\u202e" not in failure.message


def test_every_name_in_a_parsed_line_keeps_its_place() -> None:
    source = "x = 1\r\ny = x.nothing\r\n"
    assert isinstance(ast.parse(source), ast.Module)
    failure = failure_of(source)
    assert failure.excerpt.splitlines()[:2] == ["line 2: y = x.nothing", "            ^^^^^^^^^"]
