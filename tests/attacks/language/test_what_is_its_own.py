"""Classes and functions of a snippet's that pass for a library's, and so for what no rule looks at."""

from __future__ import annotations

import importlib.util
import json
import sys

import pytest

from tests.snippet.running import Step

#: Each gives a class what no class may define, by a function whose module says it is a library's.
DEFINED = {
    "a finalizer": "type('A', (), {'__del__': f})",
    "what it is taken for": "type('A', (), {'__subclasshook__': f})",
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


@pytest.mark.parametrize("name", ["__del__", "__prepare__"])
@pytest.mark.parametrize("function", ["print", "statistics.mean", "copy.copy"])
def test_no_function_of_a_library_calls_the_snippets_own_in_the_place_of_a_finalizer(run, name, function):
    outcome = run(f"import copy, statistics\ntype('A', (), {{{name!r}: {function}}})")
    assert outcome.failure is not None
    assert f"may not define {name}" in outcome.failure.message


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


if sys.version_info >= (3, 13):
    OF_A_LIBRARY = {
        "a class": "json.JSONEncoder",
        "a class, silently": "json.JSONEncoder, category=None",
        "a function": "json.dumps",
        "a method": "json.JSONEncoder().encode",
    }

    @pytest.mark.parametrize("marked", OF_A_LIBRARY.values(), ids=OF_A_LIBRARY)
    def test_a_snippet_marks_no_class_and_no_function_of_a_library_as_deprecated(run, marked):
        """It would be given code that runs for everybody in the process, and outside of the step."""
        subject, _, settings = marked.partition(", ")
        run("import json")  # which guards what it gives
        before = dict(vars(json.JSONEncoder)), dict(vars(json.dumps))
        source = "import json, warnings\nclass Told(Warning):\n    def __init__(self, *given): print('ran')\n"
        outcome = run(f"{source}warnings.deprecated('old', {settings or 'category=Told'})({subject})")
        said = "'method' object has no attribute" if "encode" in subject else "not your own"  # Python's words for it
        assert said in outcome.failure.message
        assert (dict(vars(json.JSONEncoder)), dict(vars(json.dumps))) == before

    def test_what_a_snippet_marks_as_deprecated_warns_as_its_session_wants(run, printed):
        source = (
            "import warnings\n@warnings.deprecated('use g')\ndef f(a: int): return a\n"
            "@warnings.deprecated('use D')\nclass C:\n    @staticmethod\n    @warnings.deprecated('use h')\n    def s(): return 5\n"
            "with warnings.catch_warnings(record=True) as told:\n    warnings.simplefilter('always')\n"
            "    for i in range(2): f(i)\n    C().s()\n    class E(C): pass\n"
            "    E()\n[str(one.message) for one in told]"
        )
        assert run(source).value == ["use g", "use g", "use D", "use h", "use D"]
        assert run("import typing\ntyping.get_type_hints(f) == {'a': int}").value is True
        assert run("warnings.simplefilter('error')\nf(1)").failure.type == "DeprecationWarning"
        assert printed == []
