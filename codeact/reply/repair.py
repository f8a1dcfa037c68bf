"""Code as models send it → code that parses, where a typist's slip is all that stands between.

Nothing is changed in code that parses already (but for `a &lt; b`, which parses as something nobody means).
"""

from __future__ import annotations

import ast
import html
import re
import textwrap
import warnings
from collections.abc import Callable

from codeact import alone

_LONGEST_PARSED = 400_000  # characters; past that a reply is refused later by its size, not parsed again and again
_TYPOGRAPHIC = str.maketrans(
    {
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u00ab": '"', "\u00bb": '"',
        "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'",
        "\u2013": "-", "\u2212": "-", "\uff08": "(", "\uff09": ")", "\uff0c": ",", "\uff1a": ":",
    }
)  # fmt: skip
_INVISIBLE = {ord(sign): None for sign in "\u200b\u200c\u200d\u2060\ufeff"} | {0xA0: " ", 0x202F: " ", 0x2007: " "}
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|#39|#x27|#34);")
_ENTITY_NAMES = {"lt", "gt", "amp", "quot", "apos"}
_PROMPT = re.compile(r"(?:>>>|\.\.\.)(?: |$)|In \[\d*\]: ?| {0,3}\.\.\.:(?: |$)")
_FIRST_PROMPT = re.compile(r"\s*(?:>>>(?: |$)|In \[\d*\]:)", re.MULTILINE)
_LANGUAGE_LINE = re.compile(r"\A\s*(?:python3?|py)[ \t]*\n(?=[ \t]*\S)", re.IGNORECASE)  # parses, as a name
_EMPTY_PROMPT = re.compile(r"^[ \t]*In \[\d*\]:[ \t]*\n(?! *\.\.\.:)", re.MULTILINE)
_ADDED = re.compile(r"\s*(?:\+[^\n]*(?:\n|\Z)|[ \t]*\n)+")  # as a diff shows lines
_NUMBERED_PROMPT = re.compile(r"\s*In \[\d*\]:")
_MAGIC = re.compile(r"^(?:%{1,2}[a-z]\w*|!(?:pip3?|conda|uv pip) install\b).*$", re.MULTILINE)
_NUMBER = re.compile(r"[ \t]*(\d+)[ \t]*[|:\u2502\u2192](?: |$)")


def parse(source: str) -> ast.Module | None:
    """Give the syntax tree, top-level `await` allowed, or None where the source is not Python."""
    if len(source) > _LONGEST_PARSED:
        return None
    try:
        return _parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError, SystemError):  # what compile does
        return None


def _parse(source: str) -> ast.Module:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with alone.compiling(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes in the model's code are not the host's business
        tree: ast.Module = compile(source, "<reply>", "exec", flags, dont_inherit=True)
    return tree


def has_prompts(source: str) -> bool:
    """Tell whether the source begins as a session at a prompt: `>>> x = 1`, `In [1]: x = 1`."""
    return _FIRST_PROMPT.match(source) is not None


def _without_prompts(source: str) -> str:
    if not has_prompts(source):
        return source
    kept = []
    source = _EMPTY_PROMPT.sub("", source)  # a notebook's cell: its code begins on the next line
    if not has_prompts(source):
        return source
    for line in textwrap.dedent(source).splitlines():  # lines without a prompt are output: not the snippet's
        if found := _PROMPT.match(line):
            kept.append(line[found.end() :])
    return "\n".join(kept)


def _without_numbers(source: str) -> str:
    """Give the source without the numbers before its lines, where every line has one and they count up."""
    lines = source.strip("\n").splitlines()
    found = [_NUMBER.match(line) for line in lines]
    numbers = [int(match[1]) for match in found if match]
    if len(numbers) < len(lines) or numbers != list(range(numbers[0], numbers[0] + len(lines))):
        return source
    return "\n".join(line[match.end() :] for line, match in zip(lines, found, strict=True) if match)


# tried in this order, each on top of the one before, until the code parses
_REPAIRS: tuple[Callable[[str], str], ...] = (
    textwrap.dedent,
    lambda source: textwrap.dedent(source.strip("\n").lstrip(" ")),
    _without_prompts,
    lambda source: source.translate(_INVISIBLE),
    html.unescape,
    lambda source: source.translate(_TYPOGRAPHIC),
    lambda source: _MAGIC.sub("", source),
    _without_numbers,
    lambda source: re.sub(r"^\+", "", source, flags=re.MULTILINE) if _ADDED.fullmatch(source) else source,
)


def repaired(source: str) -> str:
    """Give the source with the smallest change that makes it parse; unchanged where none does."""
    source = _LANGUAGE_LINE.sub("", source)
    if _NUMBERED_PROMPT.match(source):  # `In [1]: x = 1` parses, as an annotation
        source = _without_prompts(source)
    tree = parse(source)
    if tree is not None:
        return html.unescape(source) if _ENTITY.search(source) and _says_entity(tree) else source
    changed = source
    for repair in _REPAIRS:
        before, changed = changed, repair(changed)
        if changed != before and parse(changed) is not None:
            return changed
    for repair in _REPAIRS:  # one alone may do where all together undo each other
        if (alone := repair(source)) != source and parse(alone) is not None:
            return alone
    return source


def _says_entity(tree: ast.Module) -> bool:
    """Tell whether an operand reads `& lt` and ends its statement: `a &lt; b` parsed as two statements."""
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.BitAnd)
        and isinstance(node.right, ast.Name)
        and node.right.id in _ENTITY_NAMES
        for node in ast.walk(tree)
    )


def longest_python(source: str) -> str:
    """Give the longest run of leading paragraphs that parses: prose after code that was never closed falls away."""
    if parse(source) is not None:
        return source
    ends = [found.start() for found in re.finditer(r"\n[ \t]*\n", source)][-20:]
    for end in reversed(ends):
        if source[:end].strip() and parse(source[:end]) is not None:
            return source[:end]
    return source


def acts(tree: ast.Module) -> bool:
    """Tell whether the code does something: a name, a number or a table of values alone is somebody's output."""
    doing = ast.Call | ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.For | ast.While | ast.Assign
    return any(isinstance(node, doing) for node in ast.walk(tree))


_LOOKS = re.compile(
    r"\s*(?:import \w|from \w[\w.]* import |(?:async )?def \w|class \w"
    r"|for \w.* in |while |if .+:|elif .+:|else:|try:|with "
    r"|except|return\b|print\(|final_answer\(|await |@\w|#|[\w.\[\]'\"]+ ?[+\-*/]?= ?\S|\w[\w.]*\(.*\)?$|[\])}]+,?$)"
)


def looks_like_python(source: str) -> bool:
    """Tell whether most lines read like Python, though as a whole it may not parse."""
    lines = [line for line in source.splitlines() if line.strip()]
    return bool(lines) and sum(1 for line in lines if _LOOKS.match(line)) * 5 >= len(lines) * 4
