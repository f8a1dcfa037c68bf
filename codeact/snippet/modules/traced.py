"""Exceptions and tracebacks as text and data, with the lines of snippets alone.

The traceback module asks an exception for its cause, its frames and their files, and reads the lines of these files. A
snippet's class could answer with frames of its own making, so each exception is told by a twin that only has values.
"""

from __future__ import annotations

import linecache
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from codeact.snippet import running, types_
from codeact.snippet.classes import instance_fields, is_a
from codeact.snippet.endings import CallRefused
from codeact.snippet.ownership import module_said
from codeact.snippet.traces import snippets_frames

_MOST = 100  # exceptions told of one chain
_get: dict[str, Callable[[Any], Any]] = {
    name: vars(BaseException)[name].__get__
    for name in ("__traceback__", "__cause__", "__context__", "__suppress_context__")
}
_OF_SYNTAX = ("msg", "filename", "lineno", "offset", "text", "end_lineno", "end_offset")
_qualname = vars(type)["__qualname__"].__get__


def is_exception(value: object) -> bool:
    """True for exceptions, whatever an object says of its class."""
    return is_a(value, BaseException)


_ITS_OWN: Any = object()


def lines_of(error: Any, chain: bool = True, limit: int | None = None, tb: Any = _ITS_OWN) -> list[str]:
    """The text of an exception and of those that led to it; with another traceback than its own, where one is given."""
    told = _twin(error, {})
    if tb is not _ITS_OWN:
        told = told.with_traceback(_of_snippets(tb))
    return list(traceback.TracebackException.from_exception(told, limit=limit).format(chain=chain))


def last_lines_of(error: Any, **settings: Any) -> list[str]:
    """The text of an exception without its traceback; with its members where `show_group` says so (Python 3.13)."""
    return traceback.format_exception_only(_twin(error, {}), **settings)


def _twin(error: BaseException, known: dict[int, BaseException | None]) -> BaseException:
    """An exception that reads like this one, and has nothing to say for itself."""
    known[id(error)] = None  # it may be behind itself
    made = known[id(error)] = _bare_twin(error, known)
    for name in ("__cause__", "__context__"):
        setattr(made, name, _other(_get[name](error), known))
    made.__suppress_context__ = _get["__suppress_context__"](error)
    notes: Any = dict(instance_fields(error)).get("__notes__")
    if isinstance(notes, str):  # each of its characters was a note until Python 3.13
        vars(made)["__notes__"] = str.__str__(notes)
    elif isinstance(notes, list | tuple):
        vars(made)["__notes__"] = [_text(note, "note") for note in notes]
    elif notes is not None:
        vars(made)["__notes__"] = _Note(notes)
    return made.with_traceback(_snippets_alone(_get["__traceback__"](error)))


def _other(error: BaseException | None, known: dict[int, BaseException | None]) -> BaseException | None:
    if error is None or id(error) in known or len(known) >= _MOST:
        return known.get(id(error))
    return _twin(error, known)


def _bare_twin(error: BaseException, known: dict[int, BaseException | None]) -> BaseException:
    cls, text = type(error), _text(error, "exception")
    contents = {"__module__": module_said(cls) or "<unknown>", "__qualname__": _qualname(cls)}
    made: Any = BaseException
    given: tuple[Any, ...] = ()
    if is_a(error, SyntaxError):
        message, *place = (_plain(vars(SyntaxError)[name].__get__(error)) for name in _OF_SYNTAX)
        made, given = SyntaxError, (message, tuple(place))
    if is_a(error, BaseExceptionGroup):
        members = [_other(member, known) for member in vars(BaseExceptionGroup)["exceptions"].__get__(error)]
        if told := [member for member in members if member is not None]:
            made, given = BaseExceptionGroup, (text, told)
    twin: BaseException = type("Told", (made,), {**contents, "__str__": lambda self: text})(*given)
    return twin


def _plain(value: object) -> object:
    return value if type(value) in (int, str) else None


class _Note:
    """What stands in the place of notes and is no list: it is told by its repr."""

    def __init__(self, value: object) -> None:
        self._text = _text(value, "__notes__", repr)

    def __repr__(self) -> str:
        return self._text


def _text(value: object, what: str, tell: Callable[[object], str] = str) -> str:
    try:
        return str.__str__(tell(value))
    except Exception:  # the traceback module does the same
        return f"<{what} {tell.__name__}() failed>"


def _of_snippets(tb: Any) -> types.TracebackType | None:
    if tb is not None and type(tb) is not types.TracebackType:
        raise TypeError(f"a traceback is needed, not {type(tb).__name__}")
    return _snippets_alone(tb)


def _snippets_alone(step: types.TracebackType | None) -> types.TracebackType | None:
    kept = None
    for one in reversed(list(_steps(step))):
        kept = types.TracebackType(kept, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return kept


def _steps(step: types.TracebackType | None) -> Any:
    while step is not None:
        if step.tb_frame.f_code.co_filename.startswith("<"):
            yield step
        step = step.tb_next


def calls_told(limit: int | None = None) -> list[str]:
    """The text of the calls that led here, the snippet's alone; of the last ones, where there is a limit."""
    calls = ((frame, frame.f_lineno) for frame in snippets_frames(sys._getframe(1)))
    stack = traceback.StackSummary.extract(calls, limit=limit)
    stack.reverse()
    return stack.format()


# ------------------------------------------------------------------------------------------------ frames as data


class _Place(NamedTuple):
    filename: str
    lineno: int | None
    name: str
    line: str | None


class FrameSummary(_Place):
    """One frame as values; unlike the one of the traceback module it looks for no line in a file."""

    locals = end_lineno = colno = end_colno = None
    _whole = ""  # the line with what stands before it

    def __repr__(self) -> str:
        """What the traceback module shows."""
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


class StackSummary(list[Any]):
    """What extract_tb gives."""

    def format(self) -> list[str]:
        """The text of the frames."""
        return format_list(self)


def extract_tb(tb: Any, limit: int | None = None) -> StackSummary:
    """What traceback.extract_tb gives, of the frames of snippets."""
    found = StackSummary()
    for real in traceback.extract_tb(_of_snippets(tb), limit):
        made = FrameSummary(real.filename, real.lineno, real.name, real.line)
        vars(made).update(end_lineno=real.end_lineno, colno=real.colno, end_colno=real.end_colno)
        made._whole = linecache.getline(real.filename, real.lineno or 0)
        found.append(made)
    return found


class TracebackException:
    """Stands for `traceback.TracebackException`: what it tells was settled when it was made."""

    __slots__ = ("__cause__", "__context__", "__suppress_context__", "_told", "exc_type", "stack")

    def __init__(self, exc_type: Any, exc_value: Any, exc_traceback: Any = None, **settings: Any) -> None:
        if not is_exception(exc_value):
            raise TypeError(f"an exception is needed, not {type(exc_value).__name__}")
        if settings.pop("capture_locals", False):
            raise CallRefused("capture_locals is refused: frames hold the variables of every function that is running")
        limit, known = settings.get("limit"), settings.pop("_seen", set())
        known.add(id(exc_value))
        self._told = traceback.TracebackException.from_exception(_twin(exc_value, {}), **settings)
        self.exc_type, self.stack = types_.type_of(exc_value), extract_tb(_get["__traceback__"](exc_value), limit)
        for name in ("__cause__", "__context__"):
            other = _get[name](exc_value)
            untold = other is not None and id(other) not in known and len(known) < _MOST
            setattr(self, name, TracebackException(None, other, _seen=known, **settings) if untold else None)
        self.__suppress_context__ = _get["__suppress_context__"](exc_value)

    @classmethod
    def from_exception(cls, exc: Any, *given: Any, **settings: Any) -> Any:
        """What tells of an exception."""
        return cls(type(exc), exc, None, *given, **settings)

    def format(self, *, chain: bool = True) -> Iterator[str]:
        """The text of the exception and of those that led to it."""
        return self._told.format(chain=chain)

    def format_exception_only(self, **settings: Any) -> Iterator[str]:
        """The text of the exception without its traceback."""
        return self._told.format_exception_only(**settings)

    def print(self, *, file: Any = None, chain: bool = True) -> None:
        """Write the text to a file, or to the output of the step."""
        (running.room().current("stderr") if file is None else file).write("".join(self.format(chain=chain)))

    def __eq__(self, other: object) -> Any:
        """True for what tells the same."""
        return list(self.format()) == list(other.format()) if isinstance(other, TracebackException) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as in the traceback module

    def __str__(self) -> str:
        """What the exception says."""
        return str(self._told)


def format_list(extracted_list: Any) -> list[str]:
    """What traceback.format_list gives; no line is looked up in a file."""
    return traceback.StackSummary.from_list([_of(frame) for frame in extracted_list]).format()


def _of(frame: Any) -> traceback.FrameSummary:
    if type(frame) is FrameSummary:
        places = {name: getattr(frame, name) for name in ("end_lineno", "colno", "end_colno")}
        return traceback.FrameSummary(*frame[:3], lookup_line=False, line=frame._whole, **places)
    filename, lineno, name, line = frame
    return traceback.FrameSummary(filename, lineno, name, lookup_line=False, line="" if line is None else str(line))


for _class in (FrameSummary, StackSummary, TracebackException):
    types_.present(_class, getattr(traceback, _class.__name__))
