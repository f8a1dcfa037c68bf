"""Whatever is handed in as source, there is a program or a clear failure, and never a dead worker."""

from __future__ import annotations

import linecache
import time
import warnings

import pytest

from codeact.snippet.program import SOURCE_CHARS, Program, Rejected, compile_snippet
from tests.snippet.running import Step, value_of

BAD = {
    "null byte": "x = 1\0",
    "lone surrogate": "x = '\ud800'",
    "surrogate as a name": "\udcff = 1",
    "too long": "x = 1\n" * SOURCE_CHARS,
    "unclosed brackets": "(" * 10_000,
    "nested brackets": "(" * 10_000 + ")" * 10_000,
    "nested lists": "[" * 10_000 + "]" * 10_000,
    "nested subscripts": "a" + "[a" * 5_000 + "]" * 5_000,
    "long sum": "+".join(["1"] * 50_000),
    "attribute chain": "a" + ".b" * 50_000,
    "call chain": "f" + "()" * 50_000,
    "unary tower": "-" * 50_000 + "1",
    "not tower": "not " * 20_000 + "x",
    "power tower": "**".join(["2"] * 20_000),
    "lambda tower": "lambda: " * 5_000 + "1",
    "conditional tower": "1 if x else " * 5_000 + "1",
    "await tower": "await " * 10_000 + "x",
    "nested f-strings": "f'{" * 500 + "1" + "}'" * 500,
    "deep indentation": "".join(" " * i + "if x:\n" for i in range(150)) + " " * 150 + "pass",
    "elif chain": "if x: pass\n" + "elif x: pass\n" * 5_000,
    "dictionary never closed": "{a:" * 150,
    "mixed indentation": "if x:\n\ty\n        z",
    "finally in finally": "".join(" " * i + "try: pass\n" + " " * i + "finally:\n" for i in range(19)) + " " * 19 + "0",
    "many ways out of finally": "def f():\n try:\n" + "  if a: return\n" * 3_000 + " finally:\n" + "  a\n" * 3_000,
    "unfinished": "def f(",
    "return outside": "return 1",
    "encoding cookie": "# coding: utf-7\n+AGEAYgBj-(",
}


@pytest.mark.parametrize("what", BAD)
def test_bad_source_is_a_failure_with_a_reason(what: str) -> None:
    outcome = Step().run(BAD[what])
    assert outcome.failure is not None
    assert outcome.failure.kind == "syntax"
    assert outcome.failure.message


def test_what_the_compiler_warns_of_is_told_with_its_line_by_the_filters_of_the_session() -> None:
    step = Step()
    step.run("x = 1\nif x is 1:\n    assert (x, 'told')")
    step.run("x is 1", "x is 1\n2", "import warnings\nx is 1", "x is 1\n3", "x is 1\n4")
    told, below = step.printed.splitlines()[::2], step.printed.splitlines()[1::2]
    at = [f"<snippet>:{line}: SyntaxWarning" for line in (2, 3, 1, 1, 2, 1, 1)]
    assert [line.rpartition(": ")[0] for line in told] == at
    assert below == ["  if x is 1:", "  assert (x, 'told')"] + ["  x is 1"] * 5
    assert step.run("warnings.simplefilter('ignore')", "x is 1\n5").failure is None
    assert len(step.printed.splitlines()) == 2 * len(told)
    failure = step.run("warnings.simplefilter('error')", "x is 1\n6").failure
    assert failure is not None
    assert failure.type == "SyntaxError"


FINE = {
    "x = 1\r\nx + 1\r\n": 2,
    "\ufeffx = 2\nx": 2,
    "if True:\n\tx = 3\nx": 3,
    "x = 4\n\x0cx": 4,
    "# coding: latin-1\n'é'": "é",
    "'''a\r\nb'''": "a\nb",
    "x = '\\d'\nx": "\\d",
    "+".join(["1"] * 500): 500,
    "ｘ = 5\nx": 5,
    "": None,
    "# nothing": None,
    "'text'": "text",
    "from __future__ import annotations\ndef f(a: nothing): pass\nf.__annotations__": {"a": "nothing"},
    "x: int = 3\nx": 3,
    "if True: 5": None,
}


#: What would take years, or all memory, if each level were worked out from those below it.
LABORIOUS = {
    "powers of powers": "(" * 90 + "x" + "**2)" * 90,
    "powers of a number": "x = " + "(" * 40 + "3" + "**5)" * 40,
}


@pytest.mark.parametrize("what", LABORIOUS)
def test_what_would_be_much_work_is_compiled_and_not_worked_out(what: str) -> None:
    assert isinstance(compile_snippet(LABORIOUS[what], protected=frozenset()), Program)


@pytest.mark.parametrize("source", FINE)
def test_odd_source_means_what_it_means_in_cpython(source: str) -> None:
    assert value_of(source) == FINE[source]


def test_a_repeated_source_is_compiled_once() -> None:
    first, second = (compile_snippet("x = 1", protected=frozenset()) for _ in range(2))
    assert isinstance(first, Program)
    assert first is second


def test_the_sources_of_the_last_hundreds_of_snippets_are_kept_for_tracebacks() -> None:
    made = [compile_snippet(f"kept = {n}", protected=frozenset()) for n in range(450)]
    lines = [linecache.getline(program.filename, 1) for program in made]

    assert lines[0] == ""
    assert lines[50:] == [f"kept = {n}" for n in range(50, 450)]


def test_other_protected_names_make_another_program() -> None:
    assert isinstance(compile_snippet("x = 1", protected=frozenset({"y"})), Program)
    assert isinstance(compile_snippet("x = 1", protected=frozenset({"x"})), Rejected)


def test_a_long_snippet_compiles_quickly() -> None:
    block = "def f{0}(a, b):\n    t = [x.y for x in a if x._z]\n    for i in range(b):\n        t[i] **= 2\n    return sum(t)\n"
    source = "".join(block.format(i) for i in range(40))
    times = []
    for turn in range(3):
        start = time.process_time()
        assert isinstance(compile_snippet(f"{source}#{turn}", protected=frozenset()), Program)
        times.append(time.process_time() - start)
    assert source.count("\n") == 200
    assert min(times) < 1.0  # the figure itself is the benchmark's business: this catches what is not linear


def test_a_step_begins_with_the_streams_of_the_session() -> None:
    step = Step()
    step.run(
        "import contextlib, io, sys\nfirst = sys.stdout\ncontextlib.redirect_stdout(io.StringIO()).__enter__()\n1 / 0"
    )
    step.run("print('told')\nprint(sys.stdout is first)")
    assert step.printed == "told\nTrue\n"


def test_what_the_compiler_warns_of_is_no_error_where_the_host_makes_errors_of_warnings() -> None:
    step = Step()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = step.run("x = 1\nx is 1\nr'\\d', '\\d'")
    assert outcome.failure is None
    assert "<snippet>:2: SyntaxWarning: " in step.printed
    assert outcome.value == ("\\d", "\\d")
