"""What prints, warns and tells about exceptions: to the output of the step, without frames."""

from __future__ import annotations

import calendar
import io
import pprint
import string
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet import attributes, data_objects, types_
from codeact.snippet.modules.row import Room, named
from codeact.snippet.modules.traced import (
    TracebackException,
    calls_told,
    extract_tb,
    format_list,
    is_exception,
    last_lines_of,
    lines_of,
)


class Output:
    """The output of a step as a text file; with the name of a stream, what that stream is at the time."""

    __slots__ = ("_room", "_write", "name")
    encoding, errors, newlines, mode = "utf-8", "strict", None, "w"
    closed = False

    def __init__(self, room: Room, stream: str = "") -> None:
        self._room, self.name = room, f"<{stream or 'stdout'}>"
        self._write: Callable[[str], object] = lambda text: room.write(text, stream)

    def __repr__(self) -> str:
        return f"<_io.TextIOWrapper name={self.name!r} mode='w' encoding='utf-8'>"

    def write(self, text: str) -> int:
        """Write to the output."""
        if not issubclass(type(text), str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._write(text)
        return str.__len__(text)

    def writelines(self, lines: Any) -> None:
        """Write many texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Do nothing: the output is written through."""

    def isatty(self) -> bool:
        """False: it is not a terminal."""
        return False

    def writable(self) -> bool:
        """True."""
        return True

    def readable(self) -> bool:
        """False."""
        return False

    seekable = readable

    def reconfigure(self, **settings: Any) -> None:
        """Do nothing: the output is text."""

    def fileno(self) -> int:
        """Raise, as a file in memory does."""
        raise io.UnsupportedOperation("fileno")


class Formatter(string.Formatter):
    """A `string.Formatter` that follows the attribute rules."""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        """Read what a field names."""
        from _string import formatter_field_name_split  # type: ignore[import-not-found]  # has no stub

        first, rest = formatter_field_name_split(str.__str__(field_name))
        found = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            found = attributes.get(found, key) if is_attribute else found[key]
        return found, first


types_.hide(Formatter, string.Formatter)


def formatter(room: Room) -> dict[str, Any]:
    """The replaced names of string."""
    return {"Formatter": Formatter}


def pretty(room: Room) -> dict[str, Any]:
    """The replaced names of pprint."""
    output: Any = Output(room, "stdout")

    class PrettyPrinter(pprint.PrettyPrinter):
        def __init__(self, *arguments: Any, **settings: Any) -> None:
            if len(arguments) < 4 and settings.get("stream") is None:
                settings["stream"] = output
            super().__init__(*arguments, **settings)

    def pretty_print(object: Any, stream: Any = None, *arguments: Any, **settings: Any) -> None:  # its name in pprint
        pprint.pprint(object, stream or output, *arguments, **settings)

    def pp(object: Any, *arguments: Any, sort_dicts: bool = False, **settings: Any) -> None:  # its name in pprint
        pretty_print(object, *arguments, sort_dicts=sort_dicts, **settings)

    known: Any = vars(pprint.PrettyPrinter)["_dispatch"]
    known[data_objects.SimpleNamespace.__repr__] = data_objects.pretty
    types_.hide(PrettyPrinter, pprint.PrettyPrinter)
    return {"PrettyPrinter": PrettyPrinter, "pprint": pretty_print, "pp": pp}


def calendars(room: Room) -> dict[str, Any]:
    """The replaced names of calendar."""
    output = Output(room, "stdout")

    class TextCalendar(calendar.TextCalendar):
        def prweek(self, theweek: Any, width: int) -> None:
            output.write(self.formatweek(theweek, width))

        def prmonth(self, theyear: int, themonth: int, w: int = 0, l: int = 0) -> None:  # noqa: E741  # its name in calendar
            output.write(self.formatmonth(theyear, themonth, w, l))

        def pryear(self, *arguments: Any, **settings: Any) -> None:
            output.write(self.formatyear(*arguments, **settings))

    types_.hide(TextCalendar, calendar.TextCalendar)
    own = TextCalendar()

    def setfirstweekday(firstweekday: int) -> None:
        if not calendar.MONDAY <= firstweekday <= calendar.SUNDAY:
            raise calendar.IllegalWeekdayError(firstweekday)
        own.firstweekday = firstweekday

    of_own = {
        "setfirstweekday": setfirstweekday,
        "firstweekday": own.getfirstweekday,
        "monthcalendar": own.monthdayscalendar,
        "prweek": own.prweek,
        "month": own.formatmonth,
        "calendar": own.formatyear,
        "week": own.formatweek,
        "weekheader": own.formatweekheader,
    }
    return {"TextCalendar": TextCalendar, "prmonth": own.prmonth, "prcal": own.pryear, **of_own}


def redirections(room: Room) -> dict[str, Any]:
    """The replaced names of contextlib."""

    class redirect_stdout:  # it stands for the one of contextlib
        _stream = "stdout"

        def __init__(self, new_target: Any) -> None:
            self._target = new_target
            self._before: list[Any] = []

        def __enter__(self) -> Any:
            self._before.append(room.current(self._stream))
            room.redirect(self._stream, self._target)
            return self._target

        def __exit__(self, *details: Any) -> None:
            room.redirect(self._stream, self._before.pop())

    redirect_stdout.__module__, redirect_stdout.__qualname__ = "contextlib", "redirect_stdout"
    redirect_stderr = type("redirect_stderr", (redirect_stdout,), {"__module__": "contextlib", "_stream": "stderr"})
    return {"redirect_stdout": redirect_stdout, "redirect_stderr": redirect_stderr}


def warners(room: Room) -> dict[str, Any]:
    """The replaced names of warnings."""
    from codeact.snippet.modules.warning import Warnings

    return Warnings(room, Output(room, "stderr")).names()


_LEFT_OUT: Any = object()


def _no_exception(value: Any) -> list[str]:
    """What traceback tells of a value that is none."""
    return [f"{type(value).__name__}: {value}\n"]


def format_exception(
    exc: Any, /, value: Any = _LEFT_OUT, tb: Any = _LEFT_OUT, limit: Any = None, chain: bool = True
) -> list[str]:
    if (value is _LEFT_OUT) != (tb is _LEFT_OUT):
        raise ValueError("Both or neither of value and tb must be given")
    if value is not _LEFT_OUT:
        return lines_of(value, chain, limit, tb) if is_exception(value) else _no_exception(value)
    if not is_exception(exc) and exc is not None:
        raise TypeError(f"Exception expected for value, {type(exc).__name__} found")
    return _no_exception(None) if exc is None else lines_of(exc, chain, limit)


def format_exception_only(exc: Any, /, value: Any = _LEFT_OUT, **settings: Any) -> list[str]:
    found = exc if value is _LEFT_OUT else value
    return last_lines_of(found, **settings) if is_exception(found) else _no_exception(found)


def format_exc(limit: Any = None, chain: bool = True) -> str:
    return "".join(format_exception(sys.exception(), limit=limit, chain=chain))


def format_tb(tb: Any, limit: Any = None) -> list[str]:
    return extract_tb(tb, limit).format()


def traces(room: Room) -> dict[str, Any]:
    """The replaced names of traceback: texts of exceptions with the lines of snippets alone."""
    output = Output(room, "stderr")

    def print_exc(limit: Any = None, file: Any = None, chain: bool = True) -> None:
        (file or output).write(format_exc(limit, chain))

    def print_exception(  # noqa: PLR0913, PLR0917  # its parameters in traceback
        exc: Any,
        /,
        value: Any = _LEFT_OUT,
        tb: Any = _LEFT_OUT,
        limit: Any = None,
        file: Any = None,
        chain: bool = True,
    ) -> None:
        (file or output).write("".join(format_exception(exc, value, tb, limit, chain)))

    def print_tb(tb: Any, limit: Any = None, file: Any = None) -> None:
        (file or output).write("".join(format_tb(tb, limit)))

    def print_list(extracted_list: Any, file: Any = None) -> None:
        (file or output).write("".join(format_list(extracted_list)))

    def format_stack(f: None = None, limit: Any = None) -> list[str]:
        if f is not None:
            raise TypeError(f"format_stack() takes no frame inside a snippet, not {type(f).__name__!r}")
        return calls_told(limit)

    def print_stack(f: None = None, limit: Any = None, file: Any = None) -> None:
        (file or output).write("".join(format_stack(f, limit)))

    texts = (format_exception, format_exception_only, format_exc, format_tb, print_exc, print_exception, print_tb)
    return named(*texts, format_stack, print_stack, extract_tb, format_list, print_list, TracebackException)
