"""`eval` and `exec` of a snippet: the text is checked, rewritten and counted like the snippet itself.

The text runs under the same rules and budget, so it can do nothing the snippet could not have written itself. A
dictionary given for its names is told what they become: itself it would hold our hooks beside them. Any other mapping
given for its variables is asked for each of them.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import io
import operator
import os
import sys
import tokenize
import types
from collections.abc import Callable, Mapping
from typing import Any

from codeact import alone
from codeact.records import Failure
from codeact.snippet import no_methods, ownership, types_
from codeact.snippet.endings import Refused
from codeact.snippet.given import TOLD, Asked, Charge, copy_back, names_of, said, tell
from codeact.snippet.live_names import GlobalNames, LiveNames
from codeact.snippet.modules.row import named
from codeact.snippet.program import SOURCE_CHARS, Program, compile_text
from codeact.snippet.rules import TEXTS


class Text:
    """What `compile` gives inside a snippet: a text that was found to be fine, and nothing to look into."""

    __slots__ = ("__awaits", "__mode", "__text")

    def __init__(self, text: str, mode: str, awaits: bool) -> None:
        self.__text, self.__mode, self.__awaits = text, mode, awaits

    def __repr__(self) -> str:
        return "<code object>"

    @staticmethod
    def opened(given: Any) -> tuple[str, str, bool]:
        """The text, the mode, and whether it may await outside of functions."""
        return given.__text, given.__mode, given.__awaits


_ROOTS = {"exec": "Module", "eval": "Expression", "single": "Interactive"}  # what trees begin with
_TEXTS = (str, bytes, bytearray, memoryview)
types_.STAND_INS[Text] = types_.STAND_INS[types.CodeType]  # nobody makes one with another text, or another mode


def _again(error: SyntaxError | ValueError, filename: str) -> Exception:
    """The same error for this text; the one that is kept for the next time is handed to nobody."""
    if not isinstance(error, SyntaxError) or error.lineno is None:
        return type(error)(*error.args)
    place = (filename, error.lineno, error.offset, error.text, error.end_lineno, error.end_offset)
    return type(error)(error.msg, place)


def _text(source: Any, filename: str, mode: str) -> str:
    """A text, or the one that bytes say in the encoding they name."""
    if issubclass(type(source), str):
        return str.__str__(source)
    told = memoryview(source).tobytes()
    try:
        return told.decode(tokenize.detect_encoding(io.BytesIO(told).readline)[0])
    except (SyntaxError, ValueError, LookupError):
        compile(told, filename, mode, ast.PyCF_ONLY_AST, dont_inherit=True)  # it says what is wrong with them
        raise


def _text_of(tree: Any, wanted: str) -> str:
    if (kind := type(tree).__name__) != wanted:
        raise TypeError(f"expected {wanted} node, got {kind}")
    return ast.unparse(tree)


def _flags(flags: Any = 0, dont_inherit: Any = False, optimize: Any = -1) -> int:
    known = ast.PyCF_ONLY_AST | ast.PyCF_TYPE_COMMENTS | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    asked: int = operator.index(flags)
    if asked & ~known:
        raise ValueError("compile(): unrecognised flags")
    if operator.index(optimize) not in (-1, 0):
        known_too = optimize in (1, 2)
        raise ValueError(f"compile(): {'asserts are kept inside a snippet' if known_too else 'invalid optimize value'}")
    return asked


_flags.__qualname__ = "compile"  # errors name it as snippets call it


def _tree(text: str, filename: str, mode: str, flags: int) -> Any:
    if len(text) > SOURCE_CHARS:
        raise Refused(f"compile(): a text has at most {SOURCE_CHARS:,} characters", "")
    with alone.compiling():
        return compile(text, filename, mode, flags, dont_inherit=True)


async def _telling(waiting: Any, names: dict[str, Any]) -> Any:
    """What a text that awaits comes to; its dictionary is told when that is known."""
    try:
        return await waiting
    finally:
        tell(names)


class Evaluator:
    """The two functions of one namespace; `names` are its globals, `protected` what no text may bind."""

    def __init__(self, names: dict[str, Any], protected: Callable[[], frozenset[str]], charge: Charge) -> None:
        self._names, self._protected, self._charge = names, protected, charge

    def functions(self) -> dict[str, Any]:
        """What `eval`, `exec` and `compile` are inside a snippet."""

        def eval(source: Any, /, globals: Any = None, locals: Any = None) -> Any:
            program = self._program("eval", source)
            return self._run(program, self._scopes(globals, locals, ownership.snippets_frame(sys._getframe(1))))

        def exec(source: Any, /, globals: Any = None, locals: Any = None, *, closure: None = None) -> None:
            if closure is not None:
                raise TypeError("closure can only be used when source is a code object")
            program = self._program("exec", source)
            self._run(program, self._scopes(globals, locals, ownership.snippets_frame(sys._getframe(1))))

        def compile(source: Any, filename: Any, mode: str, *settings: Any, **named: Any) -> Any:
            return self._compiled(source, filename, mode, _flags(*settings, **named))

        made = named(eval, exec, compile)
        for name, function in made.items():
            function.__qualname__ = name  # errors name it as snippets call it
            function.__doc__ = vars(builtins)[name].__doc__
            no_methods.note(function, vars(builtins)[name])
        return made

    def _compiled(self, source: Any, filename: Any, mode: Any, flags: int) -> Any:
        """A text or a tree in, and something for `eval` and `exec` out, or a tree where that is asked for."""
        if type(mode) is not str or mode not in _ROOTS:  # programs are kept by it, for all sessions
            raise ValueError("compile() mode must be 'exec', 'eval' or 'single'")
        if ast.AST in ownership.mro_of(type(source)):
            if flags & ast.PyCF_ONLY_AST:
                return source
            source = _text_of(source, _ROOTS[mode])
        if not issubclass(type(source), _TEXTS):
            raise TypeError("compile() arg 1 must be a string, bytes or AST object")
        name = str.__str__(os.fsdecode(filename))
        text, awaits = _text(source, name, mode), bool(flags & ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        if flags & ast.PyCF_ONLY_AST:
            return _tree(text, name, mode, flags)
        if mode == "single":
            _tree(text, name, mode, flags)  # it says what is wrong with it
            raise Refused("compile(): 'single' prints, as a prompt does", "use 'exec' or 'eval', and print")
        self._program(mode, source, name, awaits=awaits)
        return Text(text, mode, awaits)

    def reader(self, names: Mapping[str, Any]) -> Callable[[str], Any]:
        """What evaluates one text after another, all of which see these names: the texts of annotations."""
        scope = {**said(names), "__builtins__": self._names["__builtins__"], "__name__": self._names["__name__"]}
        return lambda text: self._run(self._program("eval", text), (scope, None, None))

    def _program(self, mode: str, source: Any, filename: str = "<string>", *, awaits: bool = False) -> Program:
        if known := type(source) is Text:
            source, mode, awaits = Text.opened(source)
        if not issubclass(type(source), _TEXTS):
            raise TypeError(f"{mode}() arg 1 must be a string, bytes or code object")
        text = _text(source, filename, mode)
        program = compile_text(text.lstrip(" \t") if mode == "eval" else text, self._protected(), mode, awaits)
        if isinstance(program, SyntaxError | ValueError):
            raise _again(program, filename)
        if isinstance(program, Failure):
            raise Refused(f"{mode}(): {program.message}", program.hint)
        for odd in () if known else program.odd:
            odd.tell(filename)
        return program

    def _scopes(self, globals: Any, locals: Any, frame: Any) -> tuple[dict[str, Any], Any, Any]:
        """The globals and locals to run with, and the dictionary these locals are copied back into."""
        if globals is not None and not isinstance(globals, dict):
            raise TypeError(f"globals must be a dict, not {type(globals).__name__}")
        if locals is not None and not hasattr(type(locals), "__getitem__"):
            raise TypeError(f"locals must be a mapping or None, not {type(locals).__name__}")
        if globals is None or type(globals) is GlobalNames:
            inside = globals is None and frame.f_globals.get(TEXTS) is self._names
            names = frame.f_globals if inside else self._names
            around = frame.f_locals
            if globals is locals is None and frame.f_globals is names is not around:
                if frame.f_code.co_flags & inspect.CO_OPTIMIZED or type(around) is dict:
                    return names, said(dict(around)), around if type(around) is dict else None
                return names, around if type(around) is Asked else Asked(around), None
            return names, *self._variables(locals)
        names = names_of(globals, self._names, self._charge)
        if locals is None and type(globals) not in _COPIED:
            locals = globals  # it may find names that it does not hold
        return names, *self._variables(None if locals is globals and type(globals) in _COPIED else locals)

    def _variables(self, locals: Any) -> tuple[Any, Any]:
        """What a text binds its variables in, and the dictionary these are copied back into."""
        if locals is None:
            return None, None
        if type(locals) in _COPIED:
            self._charge(dict.__len__(locals) // TOLD * 2)
            return said(locals), locals
        return Asked(locals), None

    def _run(self, program: Program, scopes: tuple[dict[str, Any], Any, Any]) -> Any:
        names, around, locals = scopes
        before = {} if locals is None else dict(around or {})
        try:
            given = eval(program.value or program.body, names, names if around is None else around)  # noqa: S307  # checked and rewritten
            return _telling(given, names) if program.awaits else given
        finally:
            tell(names)
            if locals is not None and around is not None:
                copy_back(around, before, locals)


_COPIED = (dict, LiveNames, GlobalNames)  # anything built on a dictionary may find names that it does not hold
