"""What a snippet may not say is refused before it runs, in every form it can be written in."""

from __future__ import annotations

import ast
import unicodedata

import pytest

from codeact.snippet import rules
from codeact.snippet.rewrite import Rewriter
from tests.snippet.running import Step, failure_of, value_of

REFUSED = [
    "().__subclasses__", "f = 1\nf.__globals__", "(lambda: 0).__code__", "x = 1\nx.__class__ = 2", "del x.__globals__",
    "for (1).__dict__ in [{}]: pass", "with open('x') as (1).__code__: pass", "[0 for (1).__code__ in []]", "(1).__code__ += 1",
    "__builtins__", "__import__('os')", "__loader__", "__spec__", "().__ｃｌａｓｓ__.__ｂａｓｅ__", "()._︳mro_︳\n().__subclasses__",
    "import __main__", "from os import __file__", "from . import x", "from .. import y", "import x as __builtins__",
    "def __import__(): pass", "def f(__builtins__): pass", "lambda __builtins__: 0", "def f(*__builtins__): pass",
    "def f(__builtins__, /): pass", "def f(*, __builtins__): pass", "class __builtins__: pass", "__builtins__ = {}",
    "global __builtins__", "def f():\n    global __name__", "try: pass\nexcept E as __builtins__: pass", "(__builtins__ := 1)",
    "match 1:\n    case __builtins__: pass", "match [1]:\n    case [*__builtins__]: pass", "match {}:\n    case {**__builtins__}: pass",
    "match f:\n    case object(__globals__=g): pass", "match f:\n    case object(_x=g): pass", "for __builtins__ in []: pass",
    "with x as __builtins__: pass", "del __builtins__", "__name__ = 'os'", "f(__class__=1)", "f(_＿class__=1)", "[__builtins__ for __builtins__ in x]",
    "class A:\n    def __del__(self): pass", "class A:\n    __del__ = print", "x.gi_frame", "x.tb_frame", "x.f_back", "x.cr_frame", "x.gi_code", "x.ag_frame",
]  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_it_is_refused(source: str) -> None:
    assert failure_of(source)[0] in ("refused", "syntax")


def test_all_that_is_refused_is_told_at_once() -> None:
    failure = Step(check_first=False).run("x = ().__subclasses__\ny = 1\nz = x.__globals__").failure
    assert failure is not None
    assert (failure.line, failure.message) == (1, "2 things to put right before this can run")
    assert "line 3" in failure.excerpt


def test_a_snippet_with_a_refusal_does_nothing() -> None:
    step = Step(check_first=False)
    step.run("print('before')\n().__subclasses__")
    assert step.printed == ""


PROTECTED = [
    "tool = 1", "tool: int = 1", "tool += 1", "(tool := 1)", "for tool in []: pass", "[0 for tool in []]", "def tool(): pass",
    "class tool: pass", "import tool", "import x as tool", "from x import tool", "from x import y as tool", "del tool",
    "with x as tool: pass", "try: pass\nexcept E as tool: pass", "match 1:\n    case tool: pass", "match 1:\n    case [*tool]: pass",
    "match 1:\n    case {**tool}: pass", "def f():\n    global tool\n    tool = 1", "a, *tool = 1, 2", "ｔｏｏｌ = 1", "exec('tool = 1')",
    "exec('global tool')",
]  # fmt: skip


@pytest.mark.parametrize("source", PROTECTED)
def test_the_name_of_a_tool_cannot_be_bound(source: str) -> None:
    step = Step(check_first=False)
    step.namespace.protect("tool", lambda: "real")
    failure = step.run(source).failure
    assert failure is not None
    assert failure.kind == "refused"
    assert step.run("tool()").value == "real"


def test_a_star_import_leaves_the_tools_alone() -> None:
    step = Step()
    step.namespace.protect("add", lambda a, b: "tool")
    assert step.run("from operator import *\nadd(1, 2), mul(2, 3)").value == ("tool", 6)


def test_a_method_may_be_called_like_a_tool() -> None:
    step = Step()
    step.namespace.protect("add", lambda: None)
    assert step.run("class A:\n    def add(self): return 1\nA().add()").value == 1


@pytest.mark.parametrize(
    "name", [name for name, node in vars(ast).items() if isinstance(node, type) and issubclass(node, ast.AST)]
)
def test_every_syntax_node_was_reviewed(name: str) -> None:
    node = getattr(ast, name)
    abstract = node is ast.AST or bool(node.__subclasses__())
    old = {
        "Index",
        "ExtSlice",
        "Suite",
        "AugLoad",
        "AugStore",
        "Param",
        "Num",
        "Str",
        "Bytes",
        "NameConstant",
        "Ellipsis",
    }
    if (
        abstract
        or name in old
        or name == "FunctionType"
        or name.startswith("_")
        or node.__module__ not in ("ast", "_ast")
    ):
        return  # never in the tree of a module
    assert hasattr(Rewriter, f"visit_{name}")


def test_a_node_nobody_reviewed_is_refused() -> None:
    class Unheard(ast.expr):
        _fields = ()

    rewriter = Rewriter()
    rewriter.visit(ast.Module([ast.Expr(Unheard(lineno=1, col_offset=0), lineno=1, col_offset=0)], []))
    assert [found.rule for found in rewriter.violations] == ["syntax"]


HOOKS = [
    value for name, value in vars(rules).items() if name.isupper() and isinstance(value, str) and rules.is_hook(value)
]


def test_our_hooks_are_no_identifiers_in_any_alphabet() -> None:
    assert len(HOOKS) > 20
    assert not any(hook.isidentifier() or unicodedata.normalize("NFKC", hook).isidentifier() for hook in HOOKS)


WATCHING = {
    "globals": "sorted(k for k in globals() if k[0] == ' ' or k == '__builtins__')",
    "locals": "def f():\n    while True:\n        return sorted(k for k in locals() if k[0] == ' ')\nf()",
    "vars": "sorted(k for k in vars() if k[0] == ' ')",
    "dir": "sorted(k for k in dir() if k[0] == ' ')",
    "class dict": "class A:\n    for i in range(2): pass\n    a, (b, *c) = 1, (2, 3)\nsorted(k for k in vars(A) if k[0] == ' ')",
    "names of exec": "d = {}\nexec('for i in range(2): pass', d)\nsorted(k for k in [*d, *d['__builtins__']] if k[0] == ' ')",
}


@pytest.mark.parametrize("how", WATCHING)
def test_our_hooks_are_shown_nowhere(how: str) -> None:
    assert value_of(WATCHING[how]) == []


def test_names_given_to_exec_cannot_stand_for_our_hooks() -> None:
    source = "exec('while True: pass', {}, {' loops': iter(int, 1), ' next': lambda x: 1})"
    assert failure_of(source, operations=1000) == ("limit", "LimitReached")
    given = "exec('x = ().__class__', {' load': lambda o, n: 'taken'}, {' load': lambda o, n: 'taken'})"
    assert failure_of(given) == ("refused", "AttributeError")


def test_the_namespace_of_a_class_cannot_stand_for_our_hooks() -> None:
    source = """
asked = []
class Names(dict):
    def __getitem__(self, name):
        asked.append(name)
        raise KeyError(name)
class Meta:
    def __getattr__(self, name): return lambda *a, **k: Names()
    def __call__(self, *a, **k): return None
class A(metaclass=Meta()):
    for i in [1, 2]: pass
    b = 2 ** 70
[name for name in asked if name[0] == ' ']
"""
    step = Step(check_first=False)
    outcome = step.run(source)
    assert outcome.failure is not None or outcome.value == []


def test_a_class_cannot_pass_for_another_by_its_metaclass() -> None:
    source = """
class Plain:
    def __init__(self): self._x = 1
Plain()._x
class Meta(type):
    def __hash__(cls): return hash(Plain)
    def __eq__(one, other): return True
import string
class Evil(string.Formatter, metaclass=Meta): pass
Evil()._vformat
"""
    assert failure_of(source) == ("raised", "TypeError")


def test_a_refusal_underlines_all_that_is_refused():
    failure = Step().run("a = (1).__dict__\n").failure
    assert failure.excerpt.splitlines()[1].count("^") == len("(1).__dict__")


INSTEAD = {
    "unittest": "assert statements",
    "doctest": "assert statements",
    "unittest.mock": "types.SimpleNamespace",
    "tarfile": "zipfile",
    "pickle": "json",
    "multiprocessing": "ThreadPoolExecutor",
    "importlib.util": "an import statement",
    "cProfile": "time.perf_counter()",
}


@pytest.mark.parametrize(
    ("source", "instead"), [("x = __file__", "os.getcwd()"), ("__import__('json')", "import statement")]
)
def test_a_special_name_that_programs_ask_for_is_refused_with_what_to_write_instead(source: str, instead: str) -> None:
    failure = Step(check_first=False).run(source).failure
    assert failure is not None
    assert (failure.kind, instead in failure.message) == ("refused", True)


def test_another_working_folder_is_refused_with_what_to_write_instead() -> None:
    failure = Step().run("import os\nos.chdir('below')").failure
    assert failure is not None
    assert "write paths below it" in failure.message


@pytest.mark.parametrize("name", INSTEAD)
def test_a_module_that_programs_ask_for_is_refused_with_what_to_use_instead(name):
    failure = Step().run(f"import {name}").failure
    assert failure is not None
    assert INSTEAD[name] in failure.message


@pytest.mark.parametrize("source", ["time.sleep(1)", "def f(): return time.time()\nf()"])
@pytest.mark.parametrize("check_first", [True, False])
def test_a_hint_names_none_of_our_hooks(source: str, check_first: bool) -> None:
    failure = Step(check_first=check_first).run(source).failure
    assert failure is not None
    assert (failure.type, failure.hint) == ("NameError", "`time` is a module: import it first.")


@pytest.mark.parametrize("line", ["!pip install x", "%matplotlib inline", "%%time", "!ls -l", "pip install x"])
def test_a_line_of_a_shell_or_a_notebook_is_told_as_that(line: str) -> None:
    failure = Step().run(f"x = 1\nif x:\n    pass\n{line}\n").failure
    assert failure is not None
    assert failure.hint.startswith("A snippet is Python alone: no commands of a shell or a notebook")


@pytest.mark.parametrize("source", ["  x = 1\n  x", "\n    # why\n\n    x = 1\n    x\n    ", "\tx = 1"])
def test_a_snippet_that_is_indented_as_a_whole_is_told_how_to_begin(source: str) -> None:
    failure = Step().run(source).failure
    assert failure is not None
    assert failure.type == "IndentationError"
    assert failure.hint == "A snippet begins at the left margin: textwrap.dedent(source) moves it there."


@pytest.mark.parametrize("source", ["a = ", "x = 5\n!= 3", "print('a'", "pip = 1 2", "if 1:\n  a\n    b"])
def test_any_other_line_that_does_not_parse_is_not(source: str) -> None:
    failure = Step().run(source).failure
    assert failure is not None
    assert (failure.kind, failure.hint) == ("syntax", "")


def test_the_classes_a_class_is_built_on_are_refused_with_the_way_to_them() -> None:
    failure = Step().run("class A: pass\nclass B(A): pass\nprint(B.__mro__)").failure
    assert failure is not None
    assert failure.hint == "A.mro() gives the classes of one of your own"
    assert Step().run("class A: pass\nclass B(A): pass\n[c.__name__ for c in B.mro()]").value == ["B", "A", "object"]


def test_what_is_asked_of_heirs_and_bases_is_refused_with_the_way_to_them() -> None:
    for name, way in (("__subclasses__", "__init_subclass__"), ("__base__", "__bases__")):
        failure = Step().run(f"class A: pass\nprint(A.{name})").failure
        assert failure is not None
        assert failure.kind == "refused"
        assert way in failure.message
