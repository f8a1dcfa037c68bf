"""Turns the source of a snippet into code objects: bounded, parsed, checked, rewritten, compiled."""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import linecache
import sys
import types
import warnings
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace

from codeact import alone
from codeact.records import Failure, Violation
from codeact.snippet import build, copies, text_globals
from codeact.snippet.bindings import Survey
from codeact.snippet.explain import refused, syntax_failure
from codeact.snippet.precheck import Needs, needs_of, rebound
from codeact.snippet.rewrite import Rewriter
from codeact.snippet.steady import is_steady

#: No model writes more in one step; the parser needs a few hundred bytes for each character.
SOURCE_CHARS = 1_000_000

#: Levels of nesting in the syntax tree: a sum of as many terms, or as many `elif`s; CPython stops at some 1,000.
DEPTH = 600

_KEPT_SOURCES = 400
Given = ParamSpec("Given")
Done = TypeVar("Done")
_remembered: deque[str] = deque()  # the files whose sources are kept, the oldest first
_STACK = 20_000  # frames of pure Python, which take no C stack, for the visits of a deep tree


class _Recording(warnings.catch_warnings):
    """As it is in Python: the guard put there later looks through all frames for a snippet that has called."""

    __enter__ = warnings.catch_warnings.__enter__


class Odd(NamedTuple):
    """What CPython's compiler warns of, and tells everybody; of what is deprecated it tells who asks for that."""

    text: str
    line: int

    def tell(self, filename: str) -> None:
        """Warn of it by the filters of the session alone; raises SyntaxError where they make an error of it."""
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            try:
                warnings.warn_explicit(self.text, SyntaxWarning, filename, self.line)
            except SyntaxWarning:  # as CPython's compiler does
                raise SyntaxError(self.text, (filename, self.line, None, None)) from None


class Program(msgspec.Struct, frozen=True):
    """A compiled snippet: `body` runs its statements, `value` computes its last expression where it ends with one."""

    source: str
    filename: str
    body: types.CodeType
    value: types.CodeType | None
    awaits: bool = False  # it awaits outside of functions
    needs: Needs | None = None  # where the session has it all, the snippet need not be looked at again
    odd: tuple[Odd, ...] = ()
    steady: bool = False  # it comes to the same each time, as far as can be seen here

    def tree(self) -> ast.Module:
        """The snippet as it was written, parsed anew."""
        return _parsed_again(self.source, self.filename)


class Rejected(msgspec.Struct, frozen=True):
    """A source that parses and says what it may not; what is certain to fail in it can be told beside that."""

    source: str
    filename: str
    violations: tuple[Violation, ...]

    def tree(self) -> ast.Module:
        """The snippet as it was written, parsed anew."""
        return _parsed_again(self.source, self.filename)


def compile_snippet(
    source: str, *, protected: frozenset[str], checked: bool = True, kind: str = "snippet"
) -> Program | Rejected | Failure:
    """The program a source is, or why it is none; the same source is compiled once. `kind` begins its file name."""
    return _compile(source, protected, checked, kind)


@functools.lru_cache(maxsize=256)
def compile_text(
    source: str, protected: frozenset[str], mode: str, awaits: bool = False
) -> Program | Failure | SyntaxError | ValueError:
    """The program of a text given to `eval` or `exec`; what CPython says of a text that is none is given back."""
    if len(source) > SOURCE_CHARS:
        return _too_large(f"a text of {len(source):,} characters is more than the {SOURCE_CHARS:,} a step takes")
    try:
        # within a snippet: the guard keeps warnings from it
        with alone.compiling(), warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            found = compile(source, "<string>", mode, ast.PyCF_ONLY_AST, dont_inherit=True)
            survey = Survey(found, deepest=DEPTH)
            if (much := _too_much(found, survey)) is not None:
                return _too_large(f"the text {much}")
            tree = found if isinstance(found, ast.Module) else ast.Module([], [])
            if isinstance(found, ast.Expression):
                tree.body.append(build.line(found.body))
            if not text_globals.KINDS.isdisjoint(survey.kinds):
                text_globals.note(tree)
            if violations := _rewritten(tree, survey, protected, of_text=True):
                return refused(violations, source)
            made = replace(
                _compiled(tree, source, "<string>", ends_with_value=mode == "eval"), odd=_odd(warned, "<string>")
            )
            if not (waits := _waits(made)) or awaits:
                return replace(made, awaits=waits)
            compile(source, "<string>", mode, dont_inherit=True)  # it says where `await` may not stand
            raise SyntaxError("'await' outside function")
    except (SyntaxError, ValueError) as error:
        return error
    except (MemoryError, RecursionError, SystemError, OverflowError) as error:
        return _given_up(error)


@functools.lru_cache(maxsize=256)
def _compile(source: str, protected: frozenset[str], checked: bool, kind: str) -> Program | Rejected | Failure:
    filename = f"<{kind} {_digest(source)}>"
    if len(source) > SOURCE_CHARS:
        return _too_large(f"the source has {len(source):,} characters; a step takes at most {SOURCE_CHARS:,}")
    source = source.removeprefix("\ufeff")
    try:
        with alone.compiling(), _Recording(record=True) as warned:
            warnings.simplefilter("always")
            tree = _parsed(source, filename)
            survey = Survey(tree, deepest=DEPTH)
            if (much := _too_much(tree, survey)) is not None:
                return _too_large(f"the source {much}")
            ends_with_value = bool(tree.body) and isinstance(tree.body[-1], ast.Expr)
            needs, steady = None, checked and is_steady(source, survey)
            if checked:
                needs = _deep(needs_of, tree, survey, protected)
                violations = _rewritten(tree, survey, protected)
                if violations:
                    return Rejected(source, filename, tuple(violations))
            made = _compiled(tree, source, filename, ends_with_value=ends_with_value)
            program = replace(made, needs=needs, steady=steady, odd=_odd(warned, filename))
    except (SyntaxError, ValueError, OverflowError) as error:
        return syntax_failure(error, source)
    except (MemoryError, RecursionError, SystemError) as error:
        return _given_up(error)
    _remember(filename, source)
    return program


def _odd(warned: list[warnings.WarningMessage] | None, filename: str) -> tuple[Odd, ...]:
    """What was warned of in this source: other threads of the host may warn meanwhile."""
    here = (one for one in warned or () if one.filename == filename and one.category is SyntaxWarning)
    return tuple(dict.fromkeys(Odd(str(one.message), one.lineno) for one in here))


def _digest(source: str) -> str:
    """Twelve letters that tell it from others; BLAKE2 is in Python itself, what OpenSSL offers is slow to find."""
    return hashlib.blake2b(source.encode("utf-8", "replace"), digest_size=6).hexdigest()


def _given_up(error: BaseException) -> Failure:
    if isinstance(error, SystemError):
        return _too_large("Python's own compiler breaks down at this: write it in another way")
    return _too_large("this is nested too deeply for Python's own parser: use a list and a loop")


def _waits(program: Program) -> bool:
    return any(code.co_flags & inspect.CO_COROUTINE for code in (program.body, program.value) if code is not None)


def _too_much(tree: ast.AST, survey: Survey) -> str | None:
    """What is too much in a source for the compiler."""
    if survey.depth > DEPTH:
        return f"is nested more than {DEPTH} levels deep: use a list and a loop"
    if survey.finals and _deep(copies.too_many, tree):
        return "has too many ways out of `finally`, which Python writes out for each: call a function there"
    return None


def _too_large(message: str) -> Failure:
    return Failure("syntax", "SyntaxError", message)


def _parsed(source: str, filename: str) -> ast.Module:
    # dont_inherit: the future imports of this file are not the snippet's
    tree = compile(source, filename, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    assert isinstance(tree, ast.Module)  # noqa: S101  # what "exec" gives
    return tree


def _parsed_again(source: str, filename: str) -> ast.Module:
    with alone.compiling(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # said once, where it was compiled
        return _parsed(source, filename)


def _deep(visit: Callable[Given, Done], *given: Given.args, **named: Given.kwargs) -> Done:
    """Visit a tree with all the frames that takes."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, _STACK))
    try:
        return visit(*given, **named)
    finally:
        sys.setrecursionlimit(usual)


def _rewritten(
    tree: ast.Module, survey: Survey, protected: frozenset[str], *, of_text: bool = False
) -> list[Violation]:
    found = list(rebound(tree, protected, survey))
    rewriter = Rewriter(survey.rebound_inside, expressions_bind=ast.NamedExpr in survey.kinds, of_text=of_text)
    _deep(rewriter.visit, tree)
    return [*found, *rewriter.violations]


def _compiled(tree: ast.Module, source: str, filename: str, *, ends_with_value: bool) -> Program:
    last = tree.body.pop() if ends_with_value else None
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    body = compile(tree, filename, "exec", flags, dont_inherit=True)
    value = None
    if isinstance(last, ast.Expr):
        futures = body.co_flags & _FUTURES
        value = compile(ast.Expression(last.value), filename, "eval", flags | futures, dont_inherit=True)
    return Program(source, filename, body, value)


def _remember(filename: str, source: str) -> None:
    """Keep the source where tracebacks, ours and the `traceback` module's, look for lines."""
    if filename not in linecache.cache:
        _remembered.append(filename)
    if len(_remembered) > _KEPT_SOURCES:
        linecache.cache.pop(_remembered.popleft(), None)
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)


def _futures() -> int:
    import __future__

    flags = 0
    for name in __future__.all_feature_names:
        flags |= getattr(__future__, name).compiler_flag
    return flags


_FUTURES = _futures()
