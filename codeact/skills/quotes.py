"""f-strings as every Python reads them; before 3.12 none held the quotes it stands in.

f'{row['name']}'  →  f"{row['name']}"
"""

from __future__ import annotations

import ast
import io
import itertools
import sys
import tokenize

_QUOTES = ("'", '"', "'''", '"""')


def readable(code: str) -> str:
    """The code with each f-string in quotes it does not hold, where there are such; the same program."""
    if sys.version_info < (3, 12):  # it writes them so
        return code
    made = code
    while (changed := _changed(made)) is not None:
        made = changed
    return made if ast.dump(ast.parse(made)) == ast.dump(ast.parse(code)) else code


def _changed(code: str) -> str | None:
    """The code with one f-string in other quotes, inner ones before outer ones; None where nothing is left to do."""
    lines = [0, *itertools.accumulate(len(line) + 1 for line in code.split("\n"))]
    opened: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "FSTRING_START":
            opened.append(token)
        elif kind == "FSTRING_END":
            begins, quote = opened.pop(), token.string
            start, end = lines[begins.end[0] - 1] + begins.end[1], lines[token.start[0] - 1] + token.start[1]
            inside = code[start:end]
            if quote in inside and (other := _fitting(inside)):
                return f"{code[: start - len(quote)]}{other}{inside}{other}{code[end + len(quote) :]}"
    return None


def _fitting(inside: str) -> str:
    """The first quotes a text can stand in as it is; empty where there are none."""
    for quote in _QUOTES:
        if quote not in inside and not inside.endswith(quote[0]) and (len(quote) == 3 or "\n" not in inside):
            return quote
    return ""
