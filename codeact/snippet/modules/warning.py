"""`warnings` with filters of one session alone, written to the output of the step."""

from __future__ import annotations

import inspect
import itertools
import linecache
import operator
import re
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from codeact.snippet import attributes, running
from codeact.snippet.modules.row import Room
from codeact.snippet.traces import SNIPPETS, snippets_frames
from codeact.snippet.words import words

_ACTIONS = ("default", "error", "ignore", "always", "module", "once", "all")
_EACH_TIME = ("error", "always", "all")
_OWN = "__main__"  # the module a snippet is

#: The functions of the module that the filters decide about.
OF_FILTERS = words("warn warn_explicit simplefilter filterwarnings resetwarnings formatwarning showwarning")

WARNINGS = "warnings"


class Told(NamedTuple):
    """What a warning is known by where it is told once."""

    text: str
    category: type[Warning]
    module: str
    lineno: int


class Filter(NamedTuple):
    """What is done with some warnings; an empty text or module and line 0 stand for any."""

    action: str
    text: str
    category: type[Warning]
    module: str = ""
    lineno: int = 0

    def concerns(self, told: Told) -> bool:
        """True where it is about this warning."""
        if not issubclass(told.category, self.category) or self.lineno not in (0, told.lineno):
            return False
        return bool(re.match(self.text, told.text, re.IGNORECASE) and re.match(self.module, told.module))


#: Those a program begins with in Python.
_AT_FIRST = (
    Filter("default", "", DeprecationWarning, _OWN),
    *(Filter("ignore", "", category) for category in (DeprecationWarning, PendingDeprecationWarning)),
    *(Filter("ignore", "", category) for category in (ImportWarning, ResourceWarning)),
)


class Warnings:
    """The filters of one session."""

    def __init__(self, room: Room, output: Any) -> None:
        self._room, self._output = room, output
        self._filters = [*_AT_FIRST]
        self._seen: set[Told] = set()
        self._recording: list[list[Any]] = []
        room.settings[WARNINGS] = self

    def warn(self, message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **more: Any) -> None:
        """What warnings.warn does."""
        if isinstance(message, Warning):
            category = type(message)
        category = UserWarning if category is None else category
        if not (isinstance(category, type) and issubclass(category, Warning)):
            raise TypeError(f"category must be a Warning subclass, not {type(category).__name__!r}")
        warning = message if isinstance(message, Warning) else category(message)
        frames = snippets_frames(sys._getframe(1))
        asked = next(itertools.islice(frames, max(operator.index(stacklevel), 1) - 1, None), None)
        line, file = (0, "") if asked is None else (asked.f_lineno, asked.f_code.co_filename)
        self.tell(warning, category, line, file=file)

    def warn_explicit(  # its parameters in warnings
        self, message: Any, category: Any, filename: str, lineno: int, module: Any = None, *more: Any, **rest: Any
    ) -> None:
        """What warnings.warn_explicit does."""
        if not isinstance(message, Warning):
            message = (UserWarning if category is None else category)(message)
        told_of = filename.removesuffix(".py") if module is None else module
        self.tell(message, type(message), operator.index(lineno), told_of, filename)

    def tell(
        self, warning: Warning, category: type[Warning], lineno: int = 0, module: str = _OWN, file: str = ""
    ) -> None:
        """Do with a warning what the filters say; without a file it is told as of the line that has called."""
        told = Told(str(warning), category, module, lineno)
        if told in self._seen:
            return
        action = next((one.action for one in self._filters if one.concerns(told)), "default")
        if action in _EACH_TIME:
            _forget()
        if action == "error":
            raise warning
        if action == "ignore" or not self._is_new(told, action):
            return
        if self._recording:
            self._recording[-1].append(warnings.WarningMessage(warning, category, "<snippet>", lineno))
        else:
            self._output.write(worded(category, told.text, file, lineno))

    def _is_new(self, told: Told, action: str) -> bool:
        """True unless it was told before: from this line, or from anywhere in its module or the program."""
        if action in _EACH_TIME:
            return True
        self._seen.add(told)
        if action not in ("module", "once"):
            return True
        wider = told._replace(lineno=-1, module=told.module if action == "module" else "")
        known = wider in self._seen
        self._seen.add(wider)
        return not known

    def _changed(self) -> None:
        self._seen.clear()
        _forget()

    def simplefilter(self, action: str, category: Any = Warning, lineno: int = 0, append: bool = False) -> None:
        """What warnings.simplefilter does."""
        self.filterwarnings(action, "", category, lineno=lineno, append=append)

    def filterwarnings(  # noqa: PLR0913, PLR0917  # its parameters in warnings
        self,
        action: str,
        message: str = "",
        category: Any = Warning,
        module: str = "",
        lineno: int = 0,
        append: bool = False,
    ) -> None:
        """What warnings.filterwarnings does."""
        if action not in _ACTIONS:
            raise ValueError(f"invalid action: {action!r}")
        added = Filter(action, message, category, module, lineno)
        self._filters.insert(len(self._filters) if append else 0, added)
        self._changed()

    def resetwarnings(self) -> None:
        """What warnings.resetwarnings does."""
        self._filters.clear()
        self._changed()

    def showwarning(  # noqa: PLR0913, PLR0917  # its parameters in warnings
        self, message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        """What warnings.showwarning does."""
        (file or self._output).write(self.formatwarning(message, category, filename, lineno, line))

    def formatwarning(self, message: Any, category: Any, filename: str, lineno: int, line: Any = None) -> str:
        """What warnings.formatwarning does."""
        return _written(category, message, filename, lineno, line)

    def names(self) -> dict[str, Any]:
        """The names of the module."""
        session = self

        class catch_warnings:  # it stands for the one of warnings
            def __init__(
                self,
                *,
                record: bool = False,
                module: Any = None,
                action: Any = None,
                category: Any = Warning,
                **more: Any,
            ) -> None:
                if module is not None:
                    raise TypeError("catch_warnings takes no module inside a snippet")
                self._record, self._action, self._category = record, action, category

            def __enter__(self) -> Any:
                self._kept_filters = list(session._filters)
                session._changed()
                log: list[Any] | None = [] if self._record else None
                if log is not None:
                    session._recording.append(log)
                if self._action is not None:
                    session.simplefilter(self._action, self._category)
                return log

            def __exit__(self, *details: Any) -> None:
                session._filters[:] = self._kept_filters
                session._changed()
                if self._record and session._recording:
                    session._recording.pop()

        catch_warnings.__module__, catch_warnings.__qualname__ = "warnings", "catch_warnings"
        made = {"catch_warnings": catch_warnings, **{name: getattr(self, name) for name in OF_FILTERS}}
        real = getattr(warnings, "deprecated", None)  # from 3.13 on
        return made if real is None else {**made, "deprecated": _deprecated(real, self.warn)}


def worded(category: type[Warning], text: str, file: str = "", line: int = 0) -> str:
    """A warning as Python writes it, of this file or of the line of a snippet that has called."""
    if file:
        return _written(category, text, file, line)
    frame = next(snippets_frames(sys._getframe(1)), None)
    if frame is None:
        return f"{category.__name__}: {text}\n"
    return _written(category, text, frame.f_code.co_filename, frame.f_lineno)


def _written(category: type[Warning], text: object, file: str, line: int, source: str | None = None) -> str:
    name = "<snippet>" if file.startswith("<snippet ") else file
    found = _source_line(file, line) if source is None else source
    below = f"  {found.strip()}\n" if found else ""
    return f"{name}:{line}: {category.__name__}: {text}\n{below}"


def _source_line(file: str, line: int) -> str:
    """The line of a snippet or skill; of no other file."""
    known = linecache.cache.get(file) if file.startswith(SNIPPETS) else None
    lines = known[2] if known is not None and len(known) == 4 else []
    return lines[line - 1] if 0 < line <= len(lines) else ""


class Heard(NamedTuple):
    """Where what is warned of goes while a library records it, as `warnings` has it meanwhile."""

    log: list[Any]

    def __call__(self, message: Any) -> None:
        self.log.append(message)


def heard(real: Callable[..., Any]) -> Callable[..., Any]:
    """`catch_warnings.__enter__`, which notes where a library records for itself while it works for a snippet."""

    def __enter__(self: Any) -> Any:
        log = real(self)
        if log is not None and running.in_a_snippet():
            warnings._showwarnmsg_impl = Heard(log)  # type: ignore[attr-defined]  # typeshed hides it
        return log

    return __enter__


def hear_of_calls() -> None:
    """Have Python show what is deprecated of a library's function that we put another around.

    Whose call that is, is asked where it is told. It is for a process of ours alone, where nothing else warns.
    """
    warnings.filterwarnings("always", category=DeprecationWarning, module=r"codeact\.")


def is_heard() -> bool:
    """True where a library records its warnings itself, to decide about them."""
    return isinstance(warnings._showwarnmsg_impl, Heard)  # type: ignore[attr-defined]  # typeshed hides it


def _forget() -> None:
    """Have Python tell again what a library has warned of: by its own filters it does so once from each line."""
    warnings._filters_mutated()  # type: ignore[attr-defined]  # typeshed hides it


def _deprecated(real: Any, warn: Callable[..., None]) -> type:
    """`warnings.deprecated` for what is the snippet's own, which it changes; using that warns as `warn` does."""
    written: Any = inspect.unwrap(real.__call__)
    own = {"warn": warn, "_wm": types.SimpleNamespace(warn=warn)}  # by either name, as versions have it
    call: Any = types.FunctionType(written.__code__, {**written.__globals__, **own}, closure=written.__closure__)

    class deprecated(real):  # type: ignore[misc]  # mypy does not know which class it is
        def __call__(self, arg: Any, /) -> Any:
            if type(arg) not in (property, classmethod, staticmethod):
                attributes.store(arg)
            return call(self, arg)

    deprecated.__module__, deprecated.__qualname__ = "warnings", "deprecated"
    return deprecated
