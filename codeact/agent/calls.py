"""The tool calls of a run on their way: told to the outside, written down, and never made twice on a resume."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import itertools
import time
from collections.abc import Callable, Mapping
from typing import Any

from codeact.agent.tape import Served, Tape, served
from codeact.errors import CodeactError
from codeact.events import Event, ToolEnded, ToolStarted
from codeact.journal import Journal
from codeact.records import ToolCall
from codeact.toolbox import Tool

_REPEATABLE = ("read", "idempotent")


class Uncertain(RuntimeError):
    """A call had begun when the run was interrupted, and nobody knows whether it happened."""


class Calls:
    """Stands between a session and the user's functions."""

    def __init__(self, emit: Callable[[Event], object], tape: Tape, journal: Journal | None) -> None:
        self.step = 0
        self.diverged: CodeactError | None = None
        self._emit, self._tape, self._journal = emit, tape, journal
        self._numbers = itertools.count(1)

    def watched(self, tool: Tool) -> Tool:
        """Give the tool with its calls told, recorded, and served from the tape."""
        function = tool.function

        def call(*args: Any, **kwargs: Any) -> Any:
            ticket = self._begin(tool, args, kwargs)
            if ticket.found is not None:
                return served(ticket.found)
            try:
                return ticket.ended(function(*args, **kwargs))
            except BaseException as error:
                ticket.failed(error)
                raise

        async def call_async(*args: Any, **kwargs: Any) -> Any:
            ticket = self._begin(tool, args, kwargs)
            if ticket.found is not None:
                return served(ticket.found)
            try:
                return ticket.ended(await function(*args, **kwargs))
            except BaseException as error:
                ticket.failed(error)
                raise

        return dataclasses.replace(tool, function=call_async if tool.is_async else call)

    def _begin(self, tool: Tool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Ticket:
        arguments = _bound(tool, args, kwargs)
        ticket = _Ticket(self, tool.name, self.step, next(self._numbers), arguments)
        self._emit(ToolStarted(self.step, tool.name, arguments))
        try:
            found = self._tape.serve(self.step, tool.name, arguments)
        except CodeactError as error:
            self.diverged = self.diverged or error
            raise
        if found is not None and found.call is not None:
            ticket.found = found
            self._emit(ToolEnded(self.step, found.call))
        elif found is not None and tool.spec.effect not in _REPEATABLE:
            raise Uncertain(
                f"{tool.name}() had begun with these arguments when the run was interrupted; whether it happened is "
                "not known. Check before doing it again."
            )
        else:
            ticket.write("call_started")
        return ticket


class _Ticket:
    """One call: what becomes of it."""

    def __init__(self, calls: Calls, tool: str, step: int, number: int, arguments: dict[str, Any]) -> None:
        self.found: Served | None = None
        self._calls, self._tool, self._step, self._number = calls, tool, step, number
        self._arguments = arguments
        self._begun = time.perf_counter()

    def ended(self, result: Any) -> Any:
        """Note a result and pass it on."""
        self._end(ToolCall(self._tool, self._arguments, result, None, time.perf_counter() - self._begun))
        return result

    def failed(self, error: BaseException) -> None:
        """Note an error; who called raises it."""
        call = ToolCall(self._tool, self._arguments, None, str(error), time.perf_counter() - self._begun)
        self._end(call, error_type=type(error).__name__)

    def _end(self, call: ToolCall, error_type: str = "") -> None:
        self.write("call", result=call.result, error=call.error, error_type=error_type, seconds=call.seconds)
        self._calls._emit(ToolEnded(self._step, call))

    def write(self, kind: str, **fields: Any) -> None:
        """Write a line about this call."""
        if self._calls._journal is not None:
            name = {"step": self._step, "number": self._number, "tool": self._tool, "arguments": self._arguments}
            self._calls._journal.append(kind, **name, **fields)


@functools.lru_cache(maxsize=1024)
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def _bound(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    return dict(_signature(tool.function).bind(*args, **kwargs).arguments)
