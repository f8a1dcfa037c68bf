"""Where a snippet failed: its own frames of a traceback, the exact stretch of source, and the names in it."""

from __future__ import annotations

import ast
import functools
import itertools
import linecache
import types
from collections.abc import Iterator, Mapping
from typing import Protocol

import msgspec
from msgspec.structs import replace

from codeact import alone
from codeact.snippet.describe import describe
from codeact.snippet.given import held
from codeact.snippet.ownership import mro_of
from codeact.snippet.places import Place, lines_of

#: How the file names begin under which snippets and skills are compiled; all other frames are ours or a library's.
SNIPPETS = ("<snippet", "<skill")

VALUE_CHARS = 100
_traceback = BaseException.__dict__["__traceback__"].__get__
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_NOT_DATA = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, type)


def snippets_frames(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    """The frame and those that called it, the snippet's alone."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(SNIPPETS):
            yield frame
        frame = frame.f_back


class Compiled(Protocol):
    """What is asked of a compiled snippet here."""

    @property
    def source(self) -> str: ...

    @property
    def filename(self) -> str: ...


class Spot(msgspec.Struct, frozen=True):
    """One frame of the snippet's: where it stands, in which function, and the names it sees."""

    file: str
    place: Place
    function: str
    names: Mapping[str, object]
    outer: Mapping[str, object]


def spots(error: BaseException) -> list[Spot]:
    """The snippet's own frames, outermost first; the same place called again and again appears at most three times."""
    found: list[Spot] = []
    step: types.TracebackType | None = _traceback(error)
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename.startswith(SNIPPETS):
            place = _place(code, step.tb_lasti, step.tb_lineno)
            repeated = len(found) >= 3 and all(
                one.file == code.co_filename and one.place == place for one in found[-3:]
            )
            if repeated:
                found.pop()
            spot = _spot(step.tb_frame, place, found[-1] if found else None)
            if spot.function in _COMPREHENSIONS and found and _encloses(found[-1], spot):
                spot = replace(spot, function=found.pop().function)  # from 3.12 on most have no frame of their own
            found.append(spot)
        step = step.tb_next
    return found


def _spot(frame: types.FrameType, place: Place, caller: Spot | None) -> Spot:
    function = frame.f_code.co_name
    names: Mapping[str, object] = held(frame.f_locals)
    if function in _COMPREHENSIONS and caller is not None:
        names = {**caller.names, **names}  # a comprehension's frame sees only what it uses itself
    return Spot(frame.f_code.co_filename, place, "" if function == "<module>" else function, names, frame.f_globals)


def _encloses(outer: Spot, inner: Spot) -> bool:
    around, within = outer.place, inner.place
    return outer.file == inner.file and around.line <= within.line and within.end_line <= around.end_line


def _place(code: types.CodeType, instruction: int, line: int) -> Place:
    position = next(itertools.islice(code.co_positions(), instruction // 2, None), (None,) * 4)
    start, end, column, end_column = position
    if start is None or column is None or start != line:
        return Place(line, 0, line, 0)
    return Place(start, column, end or start, end_column or column)


def source_lines(file: str, program: Compiled) -> list[str]:
    """The source a frame's code was compiled from: the program's own, or that of an earlier step or a skill."""
    if file == program.filename:
        return lines_of(program.source)
    known = linecache.cache.get(file)
    return lines_of("".join(known[2])) if known is not None and len(known) == 4 else []


@functools.lru_cache(maxsize=4)
def _tree(source: str) -> ast.Module | None:
    try:
        with alone.compiling():
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def nodes_at(source: str, place: Place) -> list[ast.expr]:
    """The expressions that stand exactly at the place, outermost first."""
    tree = _tree(source)
    return [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.expr)
        and (node.lineno, node.col_offset) == (place.line, place.column)
        and (node.end_lineno, node.end_col_offset) == (place.end_line, place.end_column)
    ]


def definition(source: str, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function of that name in the source; None where there is none or more than one."""
    tree = _tree(source)
    if tree is None:
        return None
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node for node in ast.walk(tree) if isinstance(node, kinds) and node.name == name]
    return found[0] if len(found) == 1 else None


def look_up(name: str, spot: Spot) -> object:
    """The value of a name as the frame sees it; raises KeyError where it has none."""
    return spot.names[name] if name in spot.names else spot.outer[name]


def values(source: str, spot: Spot, room: int) -> str:
    """`name = value` for the names in the line, those in the failing part first, without running the snippet's code."""
    shown: list[str] = []
    for name in _names_at(source, spot.place):
        try:
            value = look_up(name, spot)
        except KeyError:
            continue
        if any(base is kind for base in mro_of(type(value)) for kind in _NOT_DATA):
            continue
        text = f"{name} = {describe(value, VALUE_CHARS)}"
        room -= len(text) + 3
        if room < 0:
            break
        shown.append(text)
    return "\n".join(f"  {text}" for text in shown)


def _names_at(source: str, place: Place) -> list[str]:
    tree = _tree(source)
    found: list[tuple[bool, int, int, str]] = []
    not_yet: set[str] = set()
    changed = {node.target for node in ast.walk(tree) if isinstance(node, ast.AugAssign)} if tree is not None else set()
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Name) and place.line <= node.lineno <= max(
            place.line, min(place.end_line, place.line + 5)
        ):
            at = (node.lineno, node.col_offset)
            inside = (place.line, place.column) <= at < (place.end_line, place.end_column)
            if isinstance(node.ctx, ast.Load) or node in changed:
                found.append((not inside, *at, node.id))
            elif inside:
                not_yet.add(node.id)  # what was to be bound there still has the value of before
    return list(dict.fromkeys(name for *_, name in sorted(found) if name not in not_yet))


def chain(error: BaseException) -> Iterator[tuple[str, BaseException]]:
    """The exceptions behind this one, nearest first, each with how it led on; a cycle ends the chain."""
    cause, context = (BaseException.__dict__[name].__get__ for name in ("__cause__", "__context__"))
    suppressed = BaseException.__dict__["__suppress_context__"].__get__
    seen = {id(error)}
    current = error
    while True:
        behind = cause(current)
        how = "caused by"
        if behind is None and not suppressed(current):
            behind, how = context(current), "raised while handling"
        if behind is None or id(behind) in seen:
            return
        seen.add(id(behind))
        yield how, behind
        current = behind
