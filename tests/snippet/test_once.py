"""What is asked once for a call of a function is asked of the very object that is used."""

from __future__ import annotations

import ast

import pytest

from codeact.snippet.program import compile_snippet
from tests.snippet.running import Step, failure_of, value_of

_MADE = """
import contextlib
class Own:
 _exit_callbacks = 1
own, stack = Own(), contextlib.ExitStack()
own._exit_callbacks  # from here on its class is known
"""

#: Functions of what is the snippet's own, which read a private name of it, and then one of a library's object.
_OTHERS = {
    "bound anew": "def f(x): x._exit_callbacks; x = stack; x._exit_callbacks",
    "bound anew in a loop": "def f(x):\n for x in (x, stack): x._exit_callbacks",
    "bound anew by a walrus in a comprehension": "def f(x): [x._exit_callbacks for i in (1, 2) if i < 2 or (x := stack)]",
    "of a comprehension": "def f(x): x._exit_callbacks; [x._exit_callbacks for x in [stack]]",
    "of a comprehension inside another": "def f(x): [[x._exit_callbacks for x in [stack]] for i in [x._exit_callbacks]]",
    "of a generator expression": "def f(x): x._exit_callbacks; list(x._exit_callbacks for x in [stack])",
    "behind a comprehension's own": "def f(y): [y._exit_callbacks for y in [own]]; y = stack; y._exit_callbacks",
    "of an inner function": "def f(x):\n x._exit_callbacks\n def g(x): x._exit_callbacks; x._exit_callbacks\n g(stack)",
    "of an inner function that binds it": "def f(x):\n x._exit_callbacks\n def g(): x = own; x._exit_callbacks; x = stack; x._exit_callbacks\n g()",
    "of an inner function that takes the global": """
x = stack
def f(x):
 x._exit_callbacks
 def g():
  global x
  x._exit_callbacks
 g()""",
    "of a lambda": "def f(x): x._exit_callbacks; (lambda x: x._exit_callbacks)(stack)",
    "of a lambda that binds it": "def f(x): x._exit_callbacks; (lambda: (x := stack) and x._exit_callbacks)()",
    "bound by an inner function": """
def f(x):
 def g():
  nonlocal x
  x = stack
 for turn in range(2):
  x._exit_callbacks
  g()""",
    "of a class body": "def f(x):\n x._exit_callbacks\n class A:\n  x = own\n  x._exit_callbacks\n  x = stack\n  x._exit_callbacks",
    "of a method": "def f(x):\n x._exit_callbacks\n class A:\n  def g(x): x._exit_callbacks; x._exit_callbacks\n A.g(stack)",
    "stored on by an inner function": """
def f(x):
 x._exit_callbacks = 1
 def g():
  x = stack
  x._exit_callbacks = 1
  x._exit_callbacks = 2
 g()""",
    "of the next call": "def f(x): x._exit_callbacks; x._exit_callbacks\nf(own)\nf = (lambda g: lambda x: g(stack))(f)",
}


@pytest.mark.parametrize("which", _OTHERS)
def test_another_object_of_the_same_name_is_asked_about(which: str) -> None:
    assert failure_of(f"{_MADE}{_OTHERS[which]}\nf(own)") == ("refused", "AttributeError")


_READING = """
class Stack:
    '''Documented.'''
    def __init__(self, items):
        'How it is made.'
        self._items, self._size = list(items), 0
        for item in self._items:
            self._size += item
    def scaled(self, by):
        def one(item):
            return item * self._size * by._size + self._size
        return [one(item) + self._size for item in self._items], sum(self._size for item in self._items)
    def sorted(self):
        return sorted(self._items, key=lambda item: (self._size - item, self._size))
    def each(self):
        for item in self._items:
            yield self._size, item
    async def later(self):
        return self._size + self._items[0]
import asyncio
one = Stack([1, 2])
one.scaled(one), one.sorted(), list(one.each()), asyncio.run(one.later()), Stack.__doc__, Stack.__init__.__doc__
"""


def test_functions_inside_methods_read_what_is_private_to_the_class() -> None:
    plain: dict[str, object] = {}
    module = ast.parse(_READING)
    value = ast.Expression(module.body.pop().value)  # type: ignore[attr-defined]  # it ends with an expression
    exec(compile(module, "<plain>", "exec"), plain)
    assert value_of(_READING) == eval(compile(value, "<plain>", "eval"), plain)


def test_a_class_built_on_a_librarys_reads_its_own_private_names() -> None:
    source = (
        "import json\nclass E(json.JSONEncoder):\n def f(self):\n  self._a = 1\n  return self._a + self._a\nE().f()"
    )
    assert value_of(source) == 2


def test_variables_of_the_rewriting_are_not_among_the_locals() -> None:
    assert value_of("def f(x): x._a; x._a; return list(locals())\nclass A: _a = 1\nf(A())") == ["x"]


def test_what_stands_in_a_loop_is_asked_before_it() -> None:
    source = "def f(x):\n for i in y: x._a\n"
    program = compile_snippet(source, protected=frozenset())
    function = program.body.co_consts[0]  # type: ignore[union-attr]  # it compiles
    assert function.co_varnames[:1] == ("x",)
    assert any(name.startswith(" held") for name in function.co_varnames)


def test_a_step_that_fails_shows_no_variable_of_ours() -> None:
    failure = Step().run("class A: _a = 0\ndef f(x):\n 1 / (x._a + x._a)\nf(A())").failure
    assert failure is not None
    assert "held" not in failure.excerpt
