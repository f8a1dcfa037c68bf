"""The texts a library evaluates: checked, and passed on exactly as they were checked.

A library asks an object what it is in its own words (`isinstance`, `keys`, `splitlines`), which an object of the
snippet's answers as it likes, and otherwise each time. So the library gets plain texts and plain containers.
"""

from __future__ import annotations

import ast
import io
import itertools
import os
import re
import tokenize
import types
import weakref
from collections.abc import Callable, Collection
from typing import Any

from codeact import alone
from codeact.snippet import ownership
from codeact.snippet.endings import AttributeRefused
from codeact.snippet.words import word_set

_QUOTED = re.compile(r"`[^`'\"#\\\n]*`")
_PLAIN = frozenset({int, float, complex, bool, str, bytes, type(None)})
_OF_DATA = ("datetime", "decimal", "fractions", "numpy", "pandas")
_NESTED = 3
_NOT_IN_QUERIES = ast.Subscript | ast.Lambda | ast.Starred

#: What a text may ask of a column: all of it computes, and calls nothing by a name it is given.
_OF_COLUMNS = word_set(
    """str contains startswith endswith match fullmatch len lower upper strip lstrip rstrip title capitalize
    casefold replace slice get find count zfill isdigit isalpha isnumeric isalnum isupper islower isspace isdecimal
    dt year month day hour minute second quarter dayofweek day_of_week weekday dayofyear day_of_year date time
    month_name day_name normalize days seconds total_seconds is_month_end is_month_start is_quarter_end
    is_quarter_start is_year_end is_year_start is_leap_year days_in_month floor ceil
    isna isnull notna notnull isin between eq ne lt le gt ge abs round clip fillna duplicated rank shift diff pct_change
    cumsum cumprod cummax cummin mean median min max sum std var quantile nunique any all"""
)
_OF_NUMBERS = word_set(
    """sin cos tan exp log expm1 log1p sqrt sinh cosh tanh arcsin arccos arctan arccosh arcsinh arctanh abs log10
    floor ceil arctan2"""
)


def exact(text: Any, what: str) -> str:
    """The text itself, of type str; TypeError where it is none, whatever it says of itself."""
    if str not in ownership.mro_of(type(text)):
        raise TypeError(f"{what} is a text, not {type(text).__name__!r}")
    return str.__str__(text)


def exact_path(path: Any) -> str | bytes:
    """The text or bytes a path is, of just these types; TypeError where it is none."""
    given: Any = os.fspath(path)
    return str.__str__(given) if str in ownership.mro_of(type(given)) else bytes.__getitem__(given, slice(None))


def formula(text: Any) -> tuple[str, list[str]]:
    """A text that computes with columns, in lines as pandas reads them, and the variables it names; raises at more."""
    lines = [line.strip() for line in exact(text, "a formula of columns").splitlines() if line.strip()]
    return "\n".join(lines), [name for line in lines for name in _variables_of(line)]


def _variables_of(line: str) -> list[str]:
    plain, variables = _without_marks(_QUOTED.sub("column", line))
    if "`" in plain:
        raise ValueError("a name between backticks holds no quotes, # or \\ in a query; use df[…] for that column")
    with alone.compiling():
        parsed = ast.parse(plain.replace("&&", "&"))
    for statement in parsed.body:
        if not isinstance(statement, ast.Expr | ast.Assign) or not all(map(_computes, ast.walk(statement))):
            raise ValueError("a query holds comparisons, arithmetic and methods of columns; use df[…] for all else")
    return variables


def _computes(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _OF_COLUMNS and isinstance(node.value, ast.Name | ast.Attribute | ast.Call)
    if isinstance(node, ast.Call):
        called = node.func
        return isinstance(called, ast.Attribute) or (isinstance(called, ast.Name) and called.id in _OF_NUMBERS)
    if isinstance(node, ast.Assign):
        return [type(target) for target in node.targets] == [ast.Name]
    return not isinstance(node, _NOT_IN_QUERIES)


def _without_marks(text: str) -> tuple[str, list[str]]:
    """The text without the `@` before each name of a variable, and these names."""
    marks, variables = [], []
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline)) if "@" in text else []
    for mark, name in itertools.pairwise(tokens):
        if mark.type == tokenize.OP and mark.string == "@":
            if name.type != tokenize.NAME or name.start != mark.end or mark.start[0] != 1:
                raise ValueError("@ comes right before the name of a variable in a query")
            marks.append(mark.start[1])
            variables.append(name.string)
    return "".join(" " if at in marks else letter for at, letter in enumerate(text)).strip(), variables


def value(name: str, found: Any, depth: int = 0) -> Any:
    """The value of a variable in a query: plain data, copied, or a table, an array, a date of a library."""
    cls = type(found)
    if cls in (list, tuple, set, frozenset) and depth < _NESTED:
        return cls([value(name, part, depth + 1) for part in found])
    library = ownership.module_of(cls).partition(".")[0]
    if cls in _PLAIN or (library in _OF_DATA and not callable(found)):
        return found
    raise ValueError(f"@{name} is a {cls.__name__!r}: a query takes numbers, texts, dates, lists of them and columns")


def functions(value: Any, refused: Collection[str], depth: int = 0) -> Any:
    """What names functions for a library, made of plain texts and containers; raises where a text may not name one."""
    cls = type(value)
    line = ownership.mro_of(cls)
    if str in line:
        return _named(str.__str__(value), refused)
    if depth > 4:
        raise AttributeRefused("functions are named by a text, a list or a dictionary, not deeper")
    if dict in line:
        return {key: functions(part, refused, depth + 1) for key, part in dict.items(value)}
    for kind in (list, tuple, set, frozenset):
        if kind in line:
            return kind(functions(part, refused, depth + 1) for part in kind.__iter__(value))
    if callable(value):
        return value if _is_the_librarys(value) else _called(value)
    if ownership.module_of(cls).partition(".")[0] in ("pandas", "numpy"):
        return _of_the_library(value, refused, depth + 1)
    return _of_parts(value, refused, depth + 1)


def _is_the_librarys(function: Any) -> bool:
    if ownership.is_class(function):
        return True
    cls = type(function)
    if cls is types.FunctionType:
        return not ownership.is_own_function(function)
    return cls is types.BuiltinFunctionType or ownership.module_of(cls).partition(".")[0] == "numpy"


def _of_parts(value: Any, refused: Collection[str], depth: int) -> Any:
    cls = type(value)
    if cls in ownership.BARE_TYPES:
        return value
    if ownership.is_own_class(cls) or cls in weakref.ProxyTypes or not hasattr(cls, "__iter__"):
        raise AttributeRefused(f"functions are named by a text, a list or a dictionary, not {cls.__name__!r}")
    return [functions(part, refused, depth) for part in value]


def _named(word: str, refused: Collection[str]) -> str:
    if word in refused or word.startswith("_"):
        raise AttributeRefused(f"the method {word!r} cannot be named by a text: call it directly")
    return word


def _of_the_library(value: Any, refused: Collection[str], depth: int) -> Any:
    if type(value).__name__ == "NamedAgg":
        return type(value)(value.column, functions(value.aggfunc, refused, depth), *value.args, **value.kwargs)
    if hasattr(value, "keys") and hasattr(value, "items"):
        return {key: functions(part, refused, depth) for key, part in value.items()}
    return [functions(part, refused, depth) for part in value] if getattr(value, "ndim", 0) else value


def _called(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function without the attributes it has, by which it could pass as a dictionary."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        return function(*arguments, **keywords)

    name = getattr(function, "__name__", None)
    call.__name__ = call.__qualname__ = name if type(name) is str else type(function).__name__
    return call
