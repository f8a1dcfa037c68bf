"""What functions of the language say of calls that do not fit, and what `exec` and `eval` take as a text."""

from __future__ import annotations

import ast

import pytest

from codeact.records import Parameter, ToolSpec
from codeact.snippet.precheck import precheck
from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "what print does not take": """
for given in (dict(seperator=","), dict(sep="-", ending=""), dict(bogus=1, more=2)):
    try: print("not printed", **given)
    except TypeError as e: print(e)
""",
    "texts as bytes": """
exec(b"# -*- coding: latin-1 -*-\\nname = '\\xe9'"), exec(compile(bytearray(b"more = 5"), "<bytes>", "exec"))
class Bytes(bytes): pass
print(eval(b" 1 + 1"), eval(memoryview(b"2 * 3")), eval(Bytes(b"'own'")), eval(b"\\xef\\xbb\\xbf7"), name, more)
for wrong in (b"x = '\\xff'", b"# coding: nope\\n1", b"# coding: hex\\n1", b"a\\x00b", b"a b", [1], 5):
    for run in (eval, exec, lambda given: compile(given, "<wrong>", "exec")):
        try: run(wrong)
        except (SyntaxError, ValueError, TypeError) as error: print(type(error).__name__, error)
try: compile("1", "<mode>", "other")
except ValueError as error: print(error)
""",
    "what has no attributes to set": """
class A:
    def f(self): pass
for x in (object(), A().f, len, "a".upper, 5, (1,), None):
    for act in ("x.attr = 1", "del x.attr", "x.attr += 1", "setattr(x, 'attr', 1)", "delattr(x, 'attr')"):
        try: exec(act)
        except AttributeError as error: print(act, error)
""",
    "sums that were not asked for rightly": """
from itertools import accumulate
for given, named in ((), {}), ((1,), {}), (([1], 2, 3), {}), (([1], max), {"func": max}), (([1],), {"x": 1}), ((), {"func": max}):
    try: print(accumulate(*given, **named))
    except TypeError as error: print(error)
print([*accumulate(iterable=[1, 2])], [*accumulate([1, 2], None)], [*accumulate([1, 3, 2], func=max, initial=2)])
""",
    "texts for a prompt": """
import ast
for wrong in ("with a as None: pass", "a = 1\\nb = 2", "if a:", "(a", ""):
    try: compile(wrong, "<prompt>", "single")
    except SyntaxError as error: print(error, error.lineno, error.offset)
print(ast.dump(ast.parse("a; b = 1", mode="single")))
""",
    "lines that are asked for": """
import io, sys
def total():
    count = int(input("how many? "))
    return sum(sum(map(int, input().split())) for _ in range(count))
before, sys.stdin = sys.stdin, io.StringIO("2\\n1 2\\n3 4\\nlast\\nmore")
print(total(), repr(input(5)), sys.stdin.read())
class Lines:
    def __init__(self, *lines): self.lines = iter(lines)
    def readline(self): return next(self.lines, "")
class Text(str): pass
out, sys.stdin, usual = io.StringIO(), Lines("a\\n", Text("b\\n"), 5), sys.stdout
sys.stdout = out
given = [input("first "), input()]
sys.stdout = usual
for _ in range(2):
    try: input()
    except (TypeError, EOFError) as error: print(type(error).__name__, error)
sys.stdin = None
try: input()
except RuntimeError as error: print(str(error).removeprefix("input(): "))  # some releases leave it out
sys.stdin = before
print(given, out.getvalue())
""",
    "functions that tell of themselves": """
import io
print(io.open is open, open.__name__, open.__qualname__, exec.__qualname__, open.__doc__ == io.open.__doc__)
eval.__doc__, getattr.__doc__
""",
}

#: Call → what its error begins with.
CALLS = {
    "open()": "open() missing",
    "open('a', wrong=1)": "open() got an unexpected keyword argument 'wrong'",
    "open(1, 2, 3, 4, 5, 6, 7, 8, 9)": "open() takes from 1 to 8 positional arguments but 9 were given",
    "exec()": "exec() missing",
    "eval()": "eval() missing",
    "compile('1')": "compile() missing",
    "shutil.copy()": "copy() missing",
    "os.listdir(1, 2)": "listdir() takes",
    "sys.getrefcount()": "getrefcount() missing",
    "asyncio.run()": "run() missing",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_texts_and_functions_are_what_they_are_in_cpython(name: str) -> None:
    ours, failure = in_ours(PROGRAMS[name])
    assert failure is None
    assert ours == in_cpython(PROGRAMS[name])


def test_without_lines_to_read_input_says_how_to_give_it_some() -> None:
    for source in ("input()", "import io, sys\nsys.stdin = io.StringIO('a')\nsys.stdin = sys.__stdin__\ninput()"):
        _, failure = in_ours(source)
        assert failure is not None
        assert (failure.kind, failure.type) == ("refused", "RuntimeError")
        assert "set sys.stdin" in failure.message


def test_a_text_for_a_prompt_is_no_program() -> None:
    _, failure = in_ours("compile('a = 1', '<prompt>', 'single')")
    assert failure is not None
    assert (failure.kind, failure.hint) == ("refused", "use 'exec' or 'eval', and print")


@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_does_not_fit_names_the_function_as_it_is_called(call: str) -> None:
    _, failure = in_ours(f"import asyncio, os, shutil, sys\n{call}")
    assert failure is not None
    assert failure.type == "TypeError"
    assert failure.message.startswith(CALLS[call])


@pytest.mark.parametrize(("taken", "given"), [(0, 1), (1, 2), (2, 4)])
def test_too_many_arguments_for_a_tool_are_told_as_those_for_a_function(taken: int, given: int) -> None:
    names = [f"p{place}" for place in range(taken)]
    tree, tools = ast.parse(f"f({'1, ' * given})"), {"f": ToolSpec("f", (*map(Parameter, names),))}
    found = precheck(tree, names=(), tools=tools, refused_import=lambda *_: None)
    with pytest.raises(TypeError) as raised:
        eval(f"(lambda {', '.join(names)}: 1)({'1, ' * given})")
    assert found[0].message == str(raised.value).replace("<lambda>", "f")
