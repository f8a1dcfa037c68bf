"""Places in a snippet's source: of a node, of an instruction, and the line a reader sees with the part underlined."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

import msgspec

from codeact.records import Violation

#: What is shown of a line; of a longer one the surroundings of the place.
LINE_CHARS = 160

_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Place(msgspec.Struct, frozen=True):
    """A stretch of source: lines from 1, columns from 0 in bytes of UTF-8, as CPython counts them."""

    line: int
    column: int
    end_line: int
    end_column: int


def violation(rule: str, message: str, node: ast.AST, hint: str = "") -> Violation:
    """A violation at the place of `node`."""
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    return Violation(rule, message, line, column, hint, _last_column(node))


def _last_column(node: ast.AST) -> int:
    """Where an expression or an import ends; 0 for what goes on in another line, and for whole blocks."""
    one_line = getattr(node, "end_lineno", None) == getattr(node, "lineno", None)
    told = isinstance(node, ast.expr | ast.Import | ast.ImportFrom | ast.keyword)
    return (getattr(node, "end_col_offset", 0) or 0) if one_line and told else 0


def lines_of(source: str) -> list[str]:
    """The lines as CPython counts them: form feeds and Unicode line separators end none."""
    return _LINE_ENDS.split(source)


def characters(line: str, byte_column: int) -> int:
    """The column in characters for a column in bytes of UTF-8."""
    return len(line.encode("utf-8", "surrogatepass")[: max(byte_column, 0)].decode("utf-8", "ignore"))


def excerpt(lines: Sequence[str], place: Place) -> str:
    """The place's first line with its number and, below it, the part in question underlined."""
    if not 1 <= place.line <= len(lines):
        return ""
    line = lines[place.line - 1]
    start = characters(line, place.column)
    end = characters(line, place.end_column) if place.end_line == place.line else len(line.rstrip())
    return marked(line, place.line, start, max(end, start + 1))


def marked(line: str, number: int, start: int, end: int) -> str:
    """One line with its number and the characters `start` to `end` underlined; long lines lose what is far away."""
    indent = len(line) - len(line.lstrip())
    low = max(min(indent, start), start - LINE_CHARS // 2 if len(line) - indent > LINE_CHARS else 0)
    high = min(len(line), low + LINE_CHARS)
    shown = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", line[low:high]).replace("\t", " ")
    before, after = "…" if low > indent else "", "…" if high < len(line) else ""
    label = f"line {number}: "
    carets = "^" * max(1, min(end, high) - max(start, low))
    return f"{label}{before}{shown}{after}\n{' ' * (len(label) + len(before) + max(start, low) - low)}{carets}"


def printable(text: str) -> str:
    """The text without control characters that would move a terminal's cursor or hide what is there; line ends stay."""
    return "\n".join(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", line) for line in _LINE_ENDS.split(text))
