"""`warnings` with filters of one session alone, written to the output of the step."""

from __future__ import annotations

import inspect
import itertools
import operator
import re
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from codeact.snippet import attributes
from codeact.snippet.modules.row import Room
from codeact.snippet.traces import snippets_frames
from codeact.snippet.words import words

_ACTIONS = ("default", "error", "ignore", "always", "module", "once", "all")

#: The functions of the module that the filters decide about.
OF_FILTERS = words("warn warn_explicit simplefilter filterwarnings resetwarnings formatwarning showwarning")

WARNINGS = "warnings"


class Warnings:
    """The filters of one session."""

    def __init__(self, room: Room, output: Any) -> None:
        self._room, self._output = room, output
        self._filters: list[tuple[str, str, type[Warning]]] = []
        self._seen: set[tuple[str, type]] = set()
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
        self.tell(warning, category, 0 if asked is None else asked.f_lineno)

    def warn_explicit(self, message: Any, category: Any, filename: str, lineno: int, *more: Any, **rest: Any) -> None:
        """What warnings.warn_explicit does, without the file."""
        if not isinstance(message, Warning):
            message = (UserWarning if category is None else category)(message)
        self.tell(message, type(message), lineno)

    def tell(self, warning: Warning, category: type[Warning], lineno: int = 0) -> None:
        """Do with a warning what the filters say."""
        action, text = self._action(warning, category), str(warning)
        if action == "ignore":
            return
        if action == "error":
            raise warning
        if self._recording:
            self._recording[-1].append(warnings.WarningMessage(warning, category, "<snippet>", lineno))
        elif action in ("always", "all") or (text, category) not in self._seen:
            self._seen.add((text, category))
            self._output.write(f"{category.__name__}: {text}\n")

    def _action(self, warning: Warning, category: type[Warning]) -> str:
        for action, pattern, asked in self._filters:
            if issubclass(category, asked) and re.match(pattern, str(warning), re.IGNORECASE):
                return action
        return "default"

    def simplefilter(self, action: str, category: Any = Warning, lineno: int = 0, append: bool = False) -> None:
        """What warnings.simplefilter does."""
        self.filterwarnings(action, "", category, append=append)

    def filterwarnings(  # noqa: PLR0913, PLR0917  # its parameters in warnings
        self,
        action: str,
        message: str = "",
        category: Any = Warning,
        module: str = "",
        lineno: int = 0,
        append: bool = False,
    ) -> None:
        """What warnings.filterwarnings does, by text and category."""
        if action not in _ACTIONS:
            raise ValueError(f"invalid action: {action!r}")
        self._filters.insert(len(self._filters) if append else 0, (action, message, category))

    def resetwarnings(self) -> None:
        """What warnings.resetwarnings does."""
        self._filters.clear()

    def showwarning(  # noqa: PLR0913, PLR0917  # its parameters in warnings
        self, message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        """What warnings.showwarning does."""
        (file or self._output).write(self.formatwarning(message, category, filename, lineno, line))

    def formatwarning(self, message: Any, category: Any, filename: str, lineno: int, line: Any = None) -> str:
        """What warnings.formatwarning does."""
        return f"{filename}:{lineno}: {category.__name__}: {message}\n"

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
                log: list[Any] | None = [] if self._record else None
                if log is not None:
                    session._recording.append(log)
                if self._action is not None:
                    session.simplefilter(self._action, self._category)
                return log

            def __exit__(self, *details: Any) -> None:
                session._filters[:] = self._kept_filters
                if self._record and session._recording:
                    session._recording.pop()

        catch_warnings.__module__, catch_warnings.__qualname__ = "warnings", "catch_warnings"
        made = {"catch_warnings": catch_warnings, **{name: getattr(self, name) for name in OF_FILTERS}}
        real = getattr(warnings, "deprecated", None)  # from 3.13 on
        return made if real is None else {**made, "deprecated": _deprecated(real, self.warn)}


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
