"""From an exception to a failure the model can act on: what, where, the values there, and a hint where one is certain.

Nothing of the snippet runs here: messages, values and names are read past the classes that could answer for them.
The whole is at most `MOST_CHARS` characters and shows neither a frame of ours nor a path of the host.
"""

from __future__ import annotations

import builtins
import re
import types
from collections.abc import Mapping, Sequence
from typing import Any

from codeact.records import Failure, FailureKind, ToolSpec, Violation
from codeact.snippet.classes import class_attribute, class_name, instance_fields, is_a, trusted
from codeact.snippet.describe import describe
from codeact.snippet.endings import LimitReached, Refused, ToolFailed
from codeact.snippet.failure_text import clean
from codeact.snippet.habits import about_line
from codeact.snippet.hints import hint_for
from codeact.snippet.leaves import cut
from codeact.snippet.ownership import mro_of
from codeact.snippet.places import Place, characters, excerpt, lines_of, marked
from codeact.snippet.traces import Compiled, Spot, chain, source_lines, spots, values

_MOST_LINES = 10_000_000

#: With the type's 80 they stay below MOST_CHARS.
MESSAGE_CHARS, EXCERPT_CHARS, HINT_CHARS = 500, 1_050, 360

_KINDS: tuple[tuple[type[BaseException], FailureKind], ...] = (
    (LimitReached, "limit"),
    (Refused, "refused"),
    (ToolFailed, "tool"),
    (RecursionError, "raised"),
    (MemoryError, "limit"),
)
_RULE_TYPES = {"undefined-name": "NameError", "import": "ImportError", "tool-call": "TypeError"}
_CALLERS = 4
_VALUES_CHARS = 400
NO_MEMORY = "it takes more memory than there is; the user can allow more with Limits(memory_bytes=…)"
_arguments = BaseException.__dict__["args"].__get__


def explain(
    error: BaseException,
    program: Compiled,
    *,
    tools: Mapping[str, ToolSpec] | None = None,
    message: str | None = None,
) -> Failure:
    """The failure an exception of a snippet is; `message` is given where the caller let the exception write its own."""
    found = spots(error)
    spot = found[-1] if found else None
    source = "\n".join(source_lines(spot.file, program)) if spot is not None else ""
    parts = [
        _where(source, spot),
        *_of_text(error),
        *_notes(error),
        *_callers(found, program),
        *_group(error, program),
        *_behind(error, program),
    ]
    text = message if message is not None else message_of(error)
    if not text and is_a(error, MemoryError):
        text = NO_MEMORY
    return Failure(
        kind=next((kind for cls, kind in _KINDS if is_a(error, cls)), "raised"),
        type=_type_name(error),
        message=cut(clean(text), MESSAGE_CHARS),
        line=spot.place.line if spot is not None else 0,
        column=_column(source, spot),
        excerpt=_fitting(parts),
        hint=cut(clean(hint_for(error, source, spot, tools or {})), HINT_CHARS),
    )


def syntax_failure(error: BaseException, source: str) -> Failure:
    """The failure of a source that does not parse, with the caret where CPython puts it."""
    name = class_name(type(error))
    if not isinstance(error, SyntaxError):  # null bytes are a ValueError in 3.11, deep nesting a MemoryError
        return Failure("syntax", name, cut(clean(message_of(error)), MESSAGE_CHARS))
    lines = lines_of(source)
    line, start = error.lineno or 0, max((error.offset or 1) - 1, 0)
    written = lines[line - 1] if 1 <= line <= len(lines) else ""
    if error.text is not None and error.text.strip() not in written:
        written = error.text.rstrip("\r\n")  # a part of an f-string has lines of its own in 3.11
    same_line = error.end_lineno in (None, error.lineno)
    end = (error.end_offset or 0) - 1 if same_line else len(written)
    shown = marked(written, line, start, max(end, start + 1)) if line else ""
    hint = about_line(written, lines[: max(line - 1, 0)])
    return Failure("syntax", name, cut(clean(str(error.msg)), MESSAGE_CHARS), line, start, shown, hint)


def refused(violations: Sequence[Violation], source: str) -> Failure:
    """One failure for all that a snippet says and may not, or that is certain to fail."""
    ordered = sorted(violations, key=lambda one: (one.line, one.column))
    places = list({(one.rule, one.line, one.column): one for one in ordered}.values())
    first, lines = places[0], lines_of(source)
    kinds = {_RULE_TYPES.get(one.rule, "Refused") for one in places}
    message = first.message if len(places) == 1 else f"{len(places)} things to put right before this can run"
    parts, told = [], set[str]()
    for one in places:
        shown = excerpt(lines, _end_of_word(lines, one))
        hint = f" ({cut(one.hint.rstrip('.'), 200)})" if one.hint and one.hint not in told else ""
        told.add(one.hint)
        parts.append(shown if len(places) == 1 else f"{shown}\n{cut(one.message, 200)}{hint}")
    return Failure(
        kind="refused",
        type=kinds.pop() if len(kinds) == 1 else "Refused",
        message=cut(clean(message), MESSAGE_CHARS),
        line=first.line,
        column=characters(lines[first.line - 1], first.column) if 1 <= first.line <= len(lines) else 0,
        excerpt=_fitting(parts),
        hint=cut(clean(first.hint), HINT_CHARS) if len(places) == 1 else "",
    )


def message_of(error: BaseException) -> str:
    """What `str(error)` gives where that runs no code of a snippet's, else a description of its arguments."""
    arguments: tuple[object, ...] = _arguments(error)
    if len(arguments) == 1 and class_attribute(type(error), "__str__") is vars(KeyError)["__str__"]:
        return describe(arguments[0], MESSAGE_CHARS)
    if is_a(error, BaseExceptionGroup) and arguments and type(arguments[0]) is str:
        count = len(vars(BaseExceptionGroup)["exceptions"].__get__(error))
        return f"{arguments[0]} ({count} sub-exception{'s' if count != 1 else ''})"
    if not words_itself(error):
        return str(error)
    return ", ".join(part if type(part) is str else describe(part, 200) for part in arguments[:5])


def words_itself(error: BaseException) -> bool:
    """True where `str(error)` may run code of the snippet: a `__str__` of its own, or the repr of what it carries."""
    if isinstance(class_attribute(type(error), "__str__"), types.FunctionType):
        return True
    fields = [held for name, held in instance_fields(error) if name not in ("obj", "__notes__")]
    return not all(_harmless(part) for part in (*_arguments(error), *fields))


def _harmless(part: object) -> bool:
    if type(part) is tuple:  # a SyntaxError keeps its place in one
        return len(part) <= 10 and all(_plain(item) for item in part)
    return _plain(part) or trusted(part)


def _plain(part: object) -> bool:
    if type(part) is int:
        return part.bit_length() < 10_000  # CPython does not write more than 4,300 digits
    return any(type(part) is kind for kind in (str, float, bytes, bool, type(None)))


def _type_name(error: BaseException) -> str:
    """The class's name; of a refusal the builtin exception a snippet would catch it as."""
    cls = type(error)
    if is_a(error, Refused):
        cls = next((base for base in mro_of(cls) if vars(builtins).get(class_name(base)) is base), cls)
        return class_name(cls) if cls is not Exception else "Refused"
    return class_name(cls)


def _of_text(error: BaseException) -> list[str]:
    """The line of a text that does not parse, where `eval`, `exec` or `compile` was given one."""
    if not is_a(error, SyntaxError):
        return []
    line, start, text = (vars(SyntaxError)[name].__get__(error) for name in ("lineno", "offset", "text"))
    if type(line) is not int or type(start) is not int or type(text) is not str or not text.strip():
        return []
    if not (0 < line < _MOST_LINES and 0 <= start <= len(text) + 1):  # a snippet can raise one of its own making
        return []
    return [
        "in the text, " + marked(text.rstrip("\r\n"), line, max(start - 1, 0), start).replace("\n", "\n" + " " * 13)
    ]


def _notes(error: BaseException) -> list[str]:
    """The notes `add_note` put below the message."""
    notes: Any = next((held for name, held in instance_fields(error) if name == "__notes__"), ())
    return [f"note: {cut(note, 200)}" for note in notes if type(note) is str][:5] if type(notes) is list else []


def _column(source: str, spot: Spot | None) -> int:
    lines = source.split("\n")
    if spot is None or not 1 <= spot.place.line <= len(lines):
        return 0
    return characters(lines[spot.place.line - 1], spot.place.column)


def _where(source: str, spot: Spot | None) -> str:
    if spot is None:
        return ""
    inside = f"in {spot.function}, " if spot.function else ""
    place = spot.place
    lines = source.split("\n")
    if (place.column, place.end_column) == (0, 0) and 1 <= place.line <= len(lines):  # only the line is known
        width = len(lines[place.line - 1].encode("utf-8", "surrogatepass"))
        place = Place(place.line, width - len(lines[place.line - 1].lstrip()), place.line, width)
    shown = excerpt(lines, place)
    if inside:
        first, _, second = shown.partition("\n")
        shown = f"{inside}{first}\n{' ' * len(inside)}{second}" if second else f"{inside}{first}"
    return "\n".join(part for part in (shown, values(source, spot, _VALUES_CHARS)) if part)


def _callers(found: Sequence[Spot], program: Compiled) -> list[str]:
    """One line for each call that led to the place of the failure, nearest first."""
    told = []
    for spot in reversed(found[:-1][-_CALLERS:]):
        within = f", in {spot.function}" if spot.function else ""
        earlier = " of an earlier step" if spot.file != program.filename else ""
        told.append(f"called from line {spot.place.line}{earlier}{within}: {_written(spot, program)}")
    return told


def _behind(error: BaseException, program: Compiled) -> list[str]:
    told = []
    said = (type(error), message_of(error))
    for how, other in chain(error):
        if (type(other), message_of(other)) == said and not spots(other):
            continue  # a library raised the same again
        told.append(f"{how} {_one_line(other, program)}")
        if len(told) == 3:
            break
    return told


def _group(error: BaseException, program: Compiled, depth: int = 0) -> list[str]:
    """The members of an exception group, numbered; groups within are indented below."""
    if not is_a(error, BaseExceptionGroup) or depth > 3:
        return []
    members = vars(BaseExceptionGroup)["exceptions"].__get__(error)
    told: list[str] = []
    for number, member in enumerate(members[:5], 1):
        told.append(f"{'  ' * depth}{number}. {_one_line(member, program)}")
        told.extend(_group(member, program, depth + 1))
    if len(members) > 5:
        told.append(f"{'  ' * depth}… {len(members) - 5:,} more")
    return told


def _one_line(error: BaseException, program: Compiled) -> str:
    text = f"{class_name(type(error))}: {cut(message_of(error), 150)}"
    found = spots(error)
    if not found:
        return text
    return f"{text}\n  line {found[-1].place.line}: {_written(found[-1], program)}"


def _written(spot: Spot, program: Compiled) -> str:
    """The line of the source that a spot stands in."""
    lines = source_lines(spot.file, program)
    return cut(lines[spot.place.line - 1].strip(), 100) if 1 <= spot.place.line <= len(lines) else ""


def _end_of_word(lines: Sequence[str], one: Violation) -> Place:
    """What gets underlined: to its end, or where that is not known the word or dotted name at its start."""
    if not 1 <= one.line <= len(lines):
        return Place(one.line, one.column, one.line, one.column)
    if one.end_column > one.column:
        return Place(one.line, one.column, one.line, one.end_column)
    rest = lines[one.line - 1].encode("utf-8", "surrogatepass")[one.column :].decode("utf-8", "surrogatepass")
    word = re.match(r"[\w.]+|\S", rest)
    width = len(word.group().encode("utf-8", "surrogatepass")) if word is not None else 1
    return Place(one.line, one.column, one.line, one.column + width)


def _fitting(parts: Sequence[str]) -> str:
    """As many whole parts as there is room for, the first in any case."""
    told: list[str] = []
    room = EXCERPT_CHARS
    for part in (clean(part) for part in parts if part):
        if told and len(part) > room - 20:
            told.append("…")
            break
        told.append(cut(part, room))
        room -= len(told[-1]) + 1
    return cut("\n".join(told), EXCERPT_CHARS)
