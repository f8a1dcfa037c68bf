"""A source that is not run is told of as a failure is: what the parser says of it, and what the language refuses."""

from __future__ import annotations

import pytest

from codeact.records import Violation
from codeact.snippet import explain
from codeact.snippet.failure_text import MOST_CHARS

BROKEN = [
    "def f(:\n  pass",
    "if x:\npass",
    "print('a'\n",
    "a = 1\n\tb = 2",
    "é = (1 +\n",
    "x = 'abc",
    "for in x: pass",
    "return 1",
    "f(a=1, 2)",
    "1 = x",
]


@pytest.mark.parametrize("source", BROKEN)
def test_the_caret_of_a_syntax_error_is_where_cpython_puts_it(source: str) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(source, "<snippet 1>", "exec")
    failure = explain.syntax_failure(caught.value, source)
    assert (failure.kind, failure.type) == ("syntax", type(caught.value).__name__)
    assert (failure.line, failure.column) == (caught.value.lineno, (caught.value.offset or 1) - 1)
    shown, carets = failure.excerpt.splitlines()
    assert "^" in carets
    assert shown.startswith(f"line {failure.line}: ")


@pytest.mark.parametrize("error", [ValueError("null bytes"), MemoryError(), RecursionError("too deep")])
def test_a_source_the_parser_gives_up_on_has_a_failure_too(error: BaseException) -> None:
    assert explain.syntax_failure(error, "").kind == "syntax"


def test_all_violations_are_told_together() -> None:
    found = [
        Violation("undefined-name", "name 'b' is not defined", 2, 0, "Did you mean `bb`?"),
        Violation("import", "os is not allowed", 1, 0, "Allowed are math, json."),
    ]
    failure = explain.refused(found, "import os\nb + 1")
    assert (failure.kind, failure.type, failure.line) == ("refused", "Refused", 1)
    assert failure.message == "2 things to put right before this can run"
    assert "        ^^^^^^\nos is not allowed (Allowed are math, json)\n" in failure.excerpt
    assert "line 2: b + 1\n        ^\nname 'b' is not defined (Did you mean `bb`?)" in failure.excerpt


def test_one_undefined_name_reads_as_in_cpython() -> None:
    failure = explain.refused([Violation("undefined-name", "name 'b' is not defined", 1, 4)], "a = b")
    assert (failure.type, failure.message, failure.column) == ("NameError", "name 'b' is not defined", 4)


def test_many_violations_stay_within_the_limit() -> None:
    source = "\n".join(f"name_{i} = " + "x" * 300 for i in range(100))
    found = [Violation("syntax", "m" * 300, line, 4, "h" * 300 + str(line)) for line in range(1, 101)]
    failure = explain.refused(found, source)
    told = failure.type + failure.message + failure.excerpt + failure.hint
    assert len(told) <= MOST_CHARS
