"""The few places inside libraries through which text becomes code, or a program is started: guarded for snippets alone.

A facade decides what a snippet may name. These places are reached from inside a library, by whatever function takes a
text: `sympy.sin("…")` evaluates it. So the library's own call is checked where it happens; outside a session it does
what it always did.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import importlib.util
import sys
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import library_texts, ownership
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules import drawn, labels, styles
from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet, our_own_work
from codeact.snippet.storable import is_storable
from codeact.snippet.words import word_set, words

_TEX = "it starts LaTeX; use mathtext, such as r'$x^2$'"
_BACKEND = "it imports what a text names; figures are drawn by matplotlib"
_SOLVER = "its options may name no file: the solver opens files by itself"
_PICKLES = "it keeps pickles in files; leave memory out"
_FOR_ALL = "it would change what the library does for everyone; derive a predicate of your own"
_ADDRESS = "it opens files and addresses by itself; use parse or parseString"

#: Library → (module, name in it, why): what a snippet never calls, not even through the library.
REFUSED: dict[str, tuple[tuple[str, str, str], ...]] = {
    "matplotlib": (
        ("matplotlib.texmanager", "TexManager.make_tex", _TEX),
        ("matplotlib.texmanager", "TexManager.make_dvi", _TEX),
        ("matplotlib.cbook", "_check_and_log_subprocess", "it starts a program"),
        ("matplotlib.backends.registry", "BackendRegistry.load_backend_module", _BACKEND),
        ("matplotlib.backends.backend_pgf", "LatexManager._setup_latex_process", _TEX),
    ),
    "pandas": (("pandas.plotting._core", "_load_backend", _BACKEND),),
    "sklearn": (("joblib.memory", "Memory.__init__", _PICKLES),),
    "scipy": (("scipy._lib._util", "MapWrapper.__init__", "it starts processes; leave workers at 1"),),
    "sympy": (("sympy.multipledispatch.dispatcher", "Dispatcher.add", _FOR_ALL),),
    "xml.dom": (("xml.dom.xmlbuilder", "DOMImplementationLS.createDOMBuilder", _ADDRESS),),
    "scipy.optimize": (
        ("scipy.optimize._milp", "_highs_wrapper", _SOLVER),
        ("scipy.optimize._linprog_highs", "_highs_wrapper", _SOLVER),
    ),
}

#: Why a call of `REFUSED` is harmless after all, by its first argument.
_ALLOWED: dict[str, Callable[..., bool]] = {
    "_load_backend": lambda backend: type(backend) is str and backend == "matplotlib" and _drawn(),
    "BackendRegistry.load_backend_module": lambda registry, backend: (
        type(backend) is str and backend.lower() in ("agg", "pdf", "ps", "svg")
    ),
    "Memory.__init__": lambda memory, location=None, *more, **settings: location is None,
    "_highs_wrapper": lambda *given: all(type(name) is str and "file" not in name for name in given[-1]),
    "Dispatcher.add": lambda dispatcher, kinds, function, *more, **settings: (
        not ownership.is_own_function(function)
        or (dispatcher.funcs and all(map(ownership.is_own_function, dispatcher.funcs.values())))
        or (not dispatcher.funcs and dispatcher.name.startswith("Ask"))  # as a class of its own begins
    ),
    "MapWrapper.__init__": lambda wrapper, pool=1: callable(pool) or pool == 1,
}


def refuse(library: str) -> None:
    """Put the refusals of a library in place."""
    if library in ("matplotlib", "pandas"):
        labels.check_zones()
    if library == "matplotlib":
        base = importlib.import_module("matplotlib.axes._base")._AxesBase
        only(base, "add_child_axes", 1, is_storable, "axes take other axes")
        labels.check_labels()
        labels.check_fonts()
        drawn.guard()
    if library == "pandas":
        labels.check_numbers()
        styles.guard()
    for module_name, path, why in REFUSED[library]:
        if importlib.util.find_spec(module_name) is None:  # not in this version
            continue
        owner: Any = importlib.import_module(module_name)
        *outer, name = path.split(".")
        for part in outer:
            owner = getattr(owner, part)
        patch(owner, name, functools.partial(_refusing, path=path, why=why))


def _drawn() -> bool:
    """Load matplotlib as for its own facade, where pandas alone is allowed and draws; True."""
    with our_own_work():
        refuse("matplotlib")
        importlib.import_module("matplotlib.pyplot")  # which looks for the styles of a user
    return True


def _refusing(function: Callable[..., Any], path: str, why: str) -> Callable[..., Any]:
    def call(*arguments: Any, **keywords: Any) -> Any:
        allowed = _ALLOWED.get(path)
        if in_a_snippet() and (allowed is None or not allowed(*arguments, **keywords)):
            raise CallRefused(f"{path} is refused in a snippet: {why}")
        return function(*arguments, **keywords)

    return call


def one_at_a_time() -> None:
    """Let joblib do in this thread what a snippet asks it to do in many: the results are the same."""
    patch(importlib.import_module("joblib.parallel").Parallel, "__init__", _in_one_job)


def _in_one_job(real: Callable[..., Any]) -> Callable[..., Any]:
    def __init__(self: Any, n_jobs: Any = None, *arguments: Any, **settings: Any) -> None:
        if in_a_snippet():
            with our_own_work():  # from Python 3.14 on the first who asks for it writes a file, to see whether it can
                importlib.import_module("multiprocessing").get_context()
            n_jobs = 1
        real(self, n_jobs, *arguments, **settings)

    return __init__


# ------------------------------------------------------------------------------------------------ formulas as text

_NODES = word_set(
    "Expression Module FunctionDef Lambda arguments arg Return Expr Assign Load Store Name Call keyword Constant Tuple "
    "List Dict Subscript Slice BinOp UnaryOp BoolOp Compare IfExp Starred GeneratorExp ListComp comprehension"
)
_OPERATORS = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
_NUMBERS_OF_BUILTINS = word_set(
    "abs min max sum pow round divmod int float complex bool len all any sorted range list tuple"
)
_NAMED_BY_TEXT = word_set("Symbol Dummy Wild Function Float Integer Rational Str MatrixSymbol")
_SOURCES = frozenset(
    words("sympy sympy.functions sympy.matrices mpmath math cmath numpy numpy.linalg scipy scipy.special")
    + words("numpy.fft scipy.constants scipy.sparse scipy.integrate")
)
_BUILTINS = {name: getattr(builtins, name) for name in _NUMBERS_OF_BUILTINS}

#: Names of what is imported into a formula's namespace that do more than compute.
_NOT_IN_FORMULAS: dict[str, str] = {
    **dict.fromkeys(words("lambdify sympify parse_expr var vring vfield nsolve test doctest source preview"), "sympy"),
    **dict.fromkeys(words("plot plot3d textplot pprint init_printing init_session plot_implicit"), "sympy"),
    **dict.fromkeys(words("cplot splot runtests doctests timing monitor"), "mpmath"),
    **dict.fromkeys(words("load save savez savez_compressed loadtxt savetxt genfromtxt fromfile fromregex"), "numpy"),
    **dict.fromkeys(words("memmap from_dlpack bmat asmatrix DataSource info fromstring frombuffer vectorize"), "numpy"),
}


def check_formula(source: Any) -> None:
    """Raise where a text, or a syntax tree, is more than a formula of names, numbers and calls."""
    tree = ast.parse(source.strip(), "<string>") if isinstance(source, str) else source
    named: set[int] = set()
    for node in ast.walk(tree):
        kind = type(node).__name__
        if kind not in _NODES and not isinstance(node, _OPERATORS):
            raise CallRefused(f"a formula holds names, numbers and calls; {kind} is not part of it")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NAMED_BY_TEXT:
            named.update(id(argument) for argument in node.args)
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            named.add(id(node.body[0].value))  # type: ignore[attr-defined]  # a docstring is an Expr
        if isinstance(node, ast.Name | ast.arg):
            _check_word(node.id if isinstance(node, ast.Name) else node.arg)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in named:
            raise CallRefused("a formula holds names, numbers and calls, not texts")


def _check_word(word: str) -> None:
    builtin = hasattr(builtins, word) and word not in _NUMBERS_OF_BUILTINS
    if word in _NOT_IN_FORMULAS or word.startswith("__") or (builtin and word not in ("True", "False", "None")):
        raise CallRefused(f"the name {word!r} cannot be part of a formula")


def _check_imports(source: str) -> None:
    for node in ast.parse(library_texts.exact(source, "an import")).body:
        asked = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names = node.names if isinstance(node, ast.Import | ast.ImportFrom) else []
        asked += [name.name for name in names] if isinstance(node, ast.Import) else []
        if not asked or any(name.asname for name in names) or any(module not in _SOURCES for module in asked):
            raise CallRefused("a formula takes names from sympy, mpmath, numpy and scipy alone")
        for name in names if isinstance(node, ast.ImportFrom) else ():
            _check_word(name.name)


def _check_names(code: types.CodeType, names: Any) -> None:
    """Raise where code names a module among the names it runs with."""
    for name in code.co_names:
        if types.ModuleType in ownership.mro_of(type(dict.get(names, name))):
            raise CallRefused(f"the name {name!r} cannot be part of a formula")
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _check_names(constant, names)


def _eval(source: Any, globals: Any = None, locals: Any = None, /) -> Any:
    if globals is None:  # a constant of the library, evaluated among its own names
        caller = sys._getframe(1)
        return builtins.eval(source, caller.f_globals, caller.f_locals)  # noqa: S307  # a constant
    if not in_a_snippet():
        return builtins.eval(source, globals, locals)  # noqa: S307  # as ever
    code = source if type(source) is types.CodeType else _compile(source, "<string>", "eval")
    names = {**dict(dict.items(globals)), "__builtins__": dict(_BUILTINS)}  # the given ones stay as they are
    _check_names(code, names)
    return builtins.eval(code, names, locals)  # noqa: S307  # checked


def _exec(source: Any, globals: Any, locals: Any = None, /) -> None:
    if in_a_snippet() and type(source) is types.CodeType:  # it comes from `_compile`
        globals["__builtins__"] = dict(_BUILTINS)
        _check_names(source, globals)
    elif in_a_snippet():
        _check_imports(source)
    builtins.exec(source, globals, locals)  # noqa: S102  # checked


def _compile(source: Any, *arguments: Any, **settings: Any) -> Any:
    if in_a_snippet():
        source = source if ownership.module_of(type(source)) == "ast" else library_texts.exact(source, "a formula")
        check_formula(source)
    return builtins.compile(source, *arguments, **settings)


def _is_special(name: str) -> bool:
    """True where what a function of sympy is given by this name would be a special method of its class."""
    return type(name) is not str or name.startswith("__")


def _named_alone(real: Callable[..., Any]) -> Callable[..., Any]:
    def __new__(mcl: Any, name: Any, bases: Any = None, __dict__: Any = None, **settings: Any) -> Any:
        if in_a_snippet() and (bases is not None or __dict__ is not None or any(map(_is_special, settings))):
            raise CallRefused("a function of sympy is made from a name and assumptions; write a class statement")
        given = {} if bases is None else {"bases": bases}
        return real(mcl, name, **given, __dict__=__dict__, **settings)

    return __new__


def check_formulas() -> None:
    """Let sympy evaluate formulas and nothing else where it evaluates text, and make no class that nobody checked."""
    refuse("sympy")
    patch(importlib.import_module("sympy.core.function").UndefinedFunction, "__new__", _named_alone)
    parser, generator = (importlib.import_module(f"sympy.{name}") for name in _EVALUATING)
    for module in (parser, generator):
        vars(module).update(eval=_eval, exec=_exec, compile=_compile)
    only(parser, "stringify_expr", -1, _are_transformations, "transformations are named by a text, such as 'all'")
    only(generator, "_get_namespace", 0, _is_namespace, "names come from a module, its name, or a dictionary")
    only(generator._EvaluatorPrinter, "__init__", 1, _is_the_librarys, "a printer of your own writes code")


_EVALUATING = ("parsing.sympy_parser", "utilities.lambdify")


def only(owner: Any, name: str, at: int, allowed: Callable[[Any], bool], why: str) -> None:
    """Let a function of sympy take nothing else at one place."""

    def looking(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            if in_a_snippet() and not allowed(arguments[at]):
                raise CallRefused(f"{why} inside a snippet")
            return real(*arguments, **keywords)

        return call

    patch(owner, name, looking)


def _are_transformations(given: Any) -> bool:
    return type(given) is tuple and all(
        type(one) is types.FunctionType
        and not ownership.is_own_function(one)
        and one.__globals__["__name__"] == "sympy.parsing.sympy_parser"
        for one in given
    )


def _is_namespace(given: Any) -> bool:
    line = ownership.mro_of(type(given))
    return str in line or dict in line or types.ModuleType in line


def _is_the_librarys(printer: Any) -> bool:
    return printer is None or ownership.module_of(type(printer)).startswith("sympy.printing.")
