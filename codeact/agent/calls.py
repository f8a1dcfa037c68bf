"""The tool calls of a run on their way: told to the outside, written down, and never made twice on a resume."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import inspect
import itertools
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from codeact.agent.nesting import Caller, called_by
from codeact.agent.tape import Served, Tape, served
from codeact.errors import CodeactError
from codeact.events import ToolEnded, ToolStarted
from codeact.journal import Journal
from codeact.records import ToolCall
from codeact.toolbox import Tool

Approve = Callable[[str, dict[str, Any]], "bool | Mapping[str, Any]"]

_REPEATABLE = ("read", "idempotent")


class Uncertain(RuntimeError):
    """A call had begun when the run was interrupted, and nobody knows whether it happened."""


class Refused(PermissionError):
    """The user was asked about a call and said no."""


class Calls:
    """Stands between a session and the user's functions."""

    def __init__(self, caller: Caller, tape: Tape, journal: Journal | None, approve: Approve | None = None) -> None:
        self.step = 0
        self.diverged: CodeactError | None = None
        self.caller = caller
        self._emit, self._tape, self._journal, self._approve = caller.emit, tape, journal, approve
        self._prefix = secrets.token_hex(3)  # a resumed run counts anew, in the same journal
        self._numbers = itertools.count(1)

    def watched(self, tool: Tool) -> Tool:
        """Give the tool with its calls told, approved, recorded, and served from the tape."""

        def call(*args: Any, **kwargs: Any) -> Any:
            ticket = self._begin(tool, args, kwargs)
            if ticket.found is not None:
                return served(ticket.found)
            with ticket.noting(), called_by(self.caller):
                return ticket.ended(tool.function(*ticket.args, **ticket.kwargs))

        async def call_async(*args: Any, **kwargs: Any) -> Any:
            asked = self._approve is not None  # a person who thinks does not hold up the loop
            ticket = (
                await asyncio.to_thread(self._begin, tool, args, kwargs) if asked else self._begin(tool, args, kwargs)
            )
            if ticket.found is not None:
                return served(ticket.found)
            with ticket.noting(), called_by(self.caller):
                return ticket.ended(await tool.function(*ticket.args, **ticket.kwargs))

        return dataclasses.replace(tool, function=call_async if tool.is_async else call)

    def _begin(self, tool: Tool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Ticket:
        arguments = _bound(tool, args, kwargs)
        ticket = _Ticket(self, tool.name, self.step, f"{self._prefix}-{next(self._numbers)}", arguments)
        ticket.args, ticket.kwargs = args, kwargs
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
            self._ask_for_approval(tool, ticket)
            ticket.write("call_started")
        return ticket

    def _ask_for_approval(self, tool: Tool, ticket: _Ticket) -> None:
        """Ask the user about a call that changes something; Refused where the answer is no."""
        if self._approve is None or tool.spec.effect in _REPEATABLE:
            return
        answer = self._approve(tool.name, dict(ticket.arguments))
        if isinstance(answer, Mapping):
            ticket.args, ticket.kwargs = tool.bind([], dict(answer))
            ticket.asked, ticket.arguments = ticket.arguments, _bound(tool, ticket.args, ticket.kwargs)
        elif answer is not True:
            refused = Refused(f"{tool.name}() was not approved by the user. Do not try it again; go on without it.")
            ticket.failed(refused)
            raise refused


class _Ticket:
    """One call: what becomes of it."""

    def __init__(self, calls: Calls, tool: str, step: int, number: str, arguments: dict[str, Any]) -> None:
        self.found: Served | None = None
        self.arguments = arguments
        self.asked: dict[str, Any] | None = None  # what the snippet wanted, where the user changed it
        self.args: tuple[Any, ...] = ()
        self.kwargs: dict[str, Any] = {}
        self._calls, self._tool, self._step, self._number = calls, tool, step, number
        self._begun = time.perf_counter()

    @contextlib.contextmanager
    def noting(self) -> Iterator[None]:
        """Note what the call raises within the block."""
        try:
            yield
        except BaseException as error:
            self.failed(error)
            raise

    def ended(self, result: Any) -> Any:
        """Note a result and pass it on."""
        self._end(ToolCall(self._tool, self.arguments, result, None, time.perf_counter() - self._begun))
        return result

    def failed(self, error: BaseException) -> None:
        """Note an error; who called raises it."""
        call = ToolCall(self._tool, self.arguments, None, str(error), time.perf_counter() - self._begun)
        self._end(call, error_type=type(error).__name__)

    def _end(self, call: ToolCall, error_type: str = "") -> None:
        self.write("call", result=call.result, error=call.error, error_type=error_type, seconds=call.seconds)
        self._calls._emit(ToolEnded(self._step, call))

    def write(self, kind: str, **fields: Any) -> None:
        """Write a line about this call."""
        if self._calls._journal is not None:
            asked = {} if self.asked is None else {"asked": self.asked}
            name = {
                "step": self._step,
                "number": self._number,
                "tool": self._tool,
                "arguments": self.arguments,
                **asked,
            }
            self._calls._journal.append(kind, **name, **fields)


@functools.lru_cache(maxsize=1024)
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def _bound(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    return dict(_signature(tool.function).bind(*args, **kwargs).arguments)
