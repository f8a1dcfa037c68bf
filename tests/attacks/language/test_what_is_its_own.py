"""Classes and functions of a snippet's that pass for a library's, and so for what no rule looks at."""

from __future__ import annotations

import importlib.util

import pytest

from tests.snippet.running import Step

#: Each gives a class what no class may define, by a function whose module says it is a library's.
DEFINED = {
    "a finalizer": "type('A', (), {'__del__': f})",
    "the names a class body runs in": "type('M', (type,), {'__prepare__': f})",
    "what makes its copy": "type('A', (), {'__reduce_ex__': f})",
}

#: Ways for a class to say that it is from another module; `B` is one.
SAID = {
    "in its body": "class B:\n    __module__ = 'MODULE'\n    BODY\n",
    "afterwards": "class B:\n    BODY\nB.__module__ = 'MODULE'\n",
    "by type": "class C:\n    BODY\nB = type('B', (C,), {**vars(C), '__module__': 'MODULE'})\n",
    "by the names it is defined among": "d = {'__name__': 'MODULE', **globals()}\nd['__name__'] = 'MODULE'\n"
    "exec('''class B:\n    BODY''', d)\nB = d['B']\n",
    "by new_class": "import types\nclass C:\n    BODY\n"
    "B = types.new_class('B', (C,), {}, lambda n: n.update(vars(C), __module__='MODULE'))\n",
    "by an enum": "import enum\nclass C:\n    BODY\nB = enum.Enum('B', 'x', type=C, module='MODULE')\nmade = B.x\n",
}


@pytest.mark.parametrize("source", DEFINED.values(), ids=DEFINED)
def test_a_function_is_the_snippets_own_whatever_its_module_is_called(run, source):
    outcome = run("d = {'__name__': 'json'}\nexec('def f(*given): pass', d)\nf = d['f']\n" + source)
    assert outcome.failure is not None
    assert "may not define" in outcome.failure.message


@pytest.mark.parametrize("way", SAID.values(), ids=SAID)
def test_a_class_is_the_snippets_own_whatever_it_says_of_its_module(run, way):
    source = way.replace("BODY", "pass").replace("MODULE", "json")
    assert run(source + "B.extra = 1\n[B.extra, B.__module__]").value == [1, "json"]


def test_the_mark_of_a_class_is_not_shown_and_cannot_be_taken_away(run):
    assert run("class A: pass\n[n for n in [*dir(A), *vars(A), *dir(A()), *A.__dict__] if 'own' in n]").value == []
    for taken in ("delattr(A, N)", "setattr(A, N, 0)", "type.__delattr__(A, N)", "type.__setattr__(A, N, 0)"):
        assert run(f"N = '_abc_ own'\n{taken}").failure is not None


def test_a_protocol_takes_the_mark_for_no_member(run):
    source = (
        "import typing\n@typing.runtime_checkable\nclass P(typing.Protocol):\n    def go(self): ...\n"
        "class A:\n    def go(self): pass\n[isinstance(A(), P), isinstance(1, P)]"
    )
    assert run(source).value == [True, False]


def test_a_class_body_that_deletes_its_module_does_not_show_ours(run):
    assert run("class A:\n    del __module__\nA.__module__").value == "__main__"


@pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed")
@pytest.mark.parametrize("way", SAID.values(), ids=SAID)
def test_numpy_hands_no_function_that_opens_files_to_a_class_of_another_module(way):
    body = "def __array_function__(self, f, types, args, kw): return f"
    source = way.replace("BODY", body).replace("MODULE", "json")
    source += "import numpy as np\nnp.loadtxt('a', like=made if 'made' in globals() else B())"
    outcome = Step(check_first=False, imports=("numpy",)).run(source)
    assert "cannot be given" in outcome.failure.message


_FORMULAS = {
    "a transformation": "d = {'__name__': 'sympy.parsing.sympy_parser'}\n"
    "exec('seen = []\\ndef t(tokens, known, names):\\n    seen.append(names)\\n    return tokens', d)\n"
    "sympy.parse_expr('1', transformations=(d['t'],))",
    "a printer": "class P:\n    __module__ = 'sympy.printing.own'\n    def doprint(self, e): return 'x'\n"
    "x = sympy.Symbol('x')\nsympy.lambdify(x, x, printer=P())",
}


@pytest.mark.skipif(importlib.util.find_spec("sympy") is None, reason="sympy is not installed")
@pytest.mark.parametrize("source", _FORMULAS.values(), ids=_FORMULAS)
def test_sympy_takes_no_part_of_itself_from_a_snippet(source):
    outcome = Step(check_first=False, imports=("sympy",)).run("import sympy\n" + source)
    assert outcome.failure.message.endswith("inside a snippet")


@pytest.mark.skipif(importlib.util.find_spec("pandas") is None, reason="pandas is not installed")
def test_pandas_is_told_of_no_function_by_a_class_that_passes_for_its_own():
    source = (
        "import pandas as pd\nclass NamedAgg:\n    __module__ = 'pandas'\n"
        "    def __init__(self, *a, **k): self.column, self.aggfunc, self.args, self.kwargs = 'a', 'sum', (), {}\n"
        "    def __iter__(self): return iter(['__getattribute__'])\n"
        "pd.DataFrame({'a': [1]}).agg(NamedAgg(), 0, '__class__')"
    )
    outcome = Step(check_first=False, imports=("pandas",)).run(source)
    assert "NamedAgg" in outcome.failure.message
