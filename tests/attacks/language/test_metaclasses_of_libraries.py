"""Metaclasses that objects of libraries hold by public names: what they make is looked at as a class statement's is."""

from __future__ import annotations

import pytest

from codeact.snippet.modules import class_makers
from tests.attacks.language.uncaged import uncaged
from tests.snippet.running import Step

_FOUND = "import functools, json\nimport pandas as pd\nMeta = pd.CategoricalDtype.type\n"
_GLOBALS = "{'__match_args__': ('__globals__',)}"

MADE = {
    "called": f"Meta('C', (), {_GLOBALS})",
    "called by a library": f"pd.Series(['C']).apply(Meta, args=((), {_GLOBALS}))",
    "called by name": f"Meta.__new__(Meta, 'C', (), {_GLOBALS})",
    "kept": "functools.partial(Meta, 'C', ())({'__del__': print})",
    "called by a library, with functions of ours": "pd.Series(['C']).apply(Meta, args=((), {'__del__': print}))",
    "one built on it": f"class Mine(Meta):\n    def __instancecheck__(cls, other): return True\nMine('C', (), {_GLOBALS})",
    "one it makes": f"Meta('Mine', (Meta,), {{'__instancecheck__': lambda cls, other: True}})('C', (), {_GLOBALS})",
}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_no_class_is_made_that_nobody_looked_at(made):
    with uncaged("pandas") as session:
        assert session.run(f"{_FOUND}{made}").failure.type == "TypeError"


def test_a_class_of_the_kind_of_a_librarys_is_the_snippets_own():
    own = "class Own(pd.offsets.Day):\n    def said(self): return self.n + 1\n"
    with uncaged("pandas") as session:
        assert session.run(f"{_FOUND}{own}(Own(2).said(), Meta('C', (), {{'a': 1}}).__module__)").value == (
            3,
            "__main__",
        )


def test_a_library_makes_classes_as_ever():
    source = """
import sympy
x = sympy.Symbol('x')
class Next(sympy.Function):
    @classmethod
    def eval(cls, a): return a + 1
(str(sympy.Function('f')(x).diff(x)), sympy.Function('g', real=True)(x).is_real, str(Next(x)))
"""
    with uncaged("sympy") as session:
        assert session.run(source).value == ("Derivative(f(x), x)", True, "x + 1")


class Named(type):
    """As libraries write them: one that hands on what it is given."""

    def __new__(mcs, name, bases, namespace):
        return super().__new__(mcs, name, bases, namespace)


class Kept(Named):
    """One built on it."""

    def __new__(mcs, name, bases, namespace):
        return super().__new__(mcs, name, bases, {**namespace, "__of_the_library__": 1})


@pytest.mark.parametrize("given", [_GLOBALS, f"namespace={_GLOBALS}", f"bases=(), namespace={_GLOBALS}"])
def test_one_built_on_another_hands_on_names_that_were_looked_at(given):
    class_makers.keep(Named)
    class_makers.keep(Kept)
    step = Step(check_first=False)
    step.namespace.protect("Kept", Kept)
    bases = "" if "bases" in given else "(), "
    assert step.run(f"Kept('C', {bases}{given})").failure.type in ("TypeError", "RuntimeError")
    assert step.run("Kept('C', (), {'a': 1}).a").value == 1
