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

from codeact.agent.candidates import Waits, trial
from codeact.agent.effects import Effects, changes, repeated, repeated_async
from codeact.agent.effects import Paused as RunPaused
from codeact.agent.nesting import Caller, called_by
from codeact.agent.tape import Tape, served
from codeact.errors import CodeactError
from codeact.events import Paused, ToolEnded, ToolStarted
from codeact.journal import Journal
from codeact.records import ToolCall
from codeact.toolbox import Tool


class Uncertain(RuntimeError):
    """A call had begun when the run was interrupted, and nobody knows whether it happened."""


class Calls:
    """Stands between a session and the user's functions."""

    def __init__(self, caller: Caller, tape: Tape, journal: Journal | None, effects: Effects) -> None:
        self.step = 0
        self.live = True  # False while no step runs: a call that is approved then would come out of nowhere
        self.diverged: CodeactError | None = None
        self.paused: ToolCall | None = None  # the call that waits for a decision
        self.caller, self.effects = caller, effects
        self._emit, self._tape, self._journal = caller.emit, tape, journal
        self._prefix = secrets.token_hex(3)  # a resumed run counts anew, in the same journal
        self._numbers = itertools.count(1)

    def watched(self, tool: Tool) -> Tool:
        """Give the tool with its calls told, approved, recorded, and served from the tape."""

        def call(*args: Any, **kwargs: Any) -> Any:
            if _is_tried(tool):
                return tool.function(*args, **kwargs)
            ticket = self._begin(tool, args, kwargs)
            if ticket.settled is not None:
                return ticket.settled()
            with ticket.noting(), called_by(self.caller):
                made = repeated(tool, lambda: tool.function(*ticket.args, **ticket.kwargs), self.caller.stop)
                return ticket.ended(made)

        async def call_async(*args: Any, **kwargs: Any) -> Any:
            if _is_tried(tool):
                return await tool.function(*args, **kwargs)
            asked = self.effects.asks(tool)  # a person who thinks does not hold up the loop
            begin = functools.partial(self._begin, tool, args, kwargs)
            ticket = await asyncio.to_thread(begin) if asked else begin()
            if ticket.settled is not None:
                return ticket.settled()
            with ticket.noting(), called_by(self.caller):
                return ticket.ended(await repeated_async(tool, lambda: tool.function(*ticket.args, **ticket.kwargs)))

        watched = call_async if tool.is_async else call
        if self.effects.dry_run and changes(tool):
            return tool.unchecked(watched)
        return dataclasses.replace(tool, function=watched)

    def _begin(self, tool: Tool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Ticket:
        arguments = _bound(tool, args, kwargs)
        ticket = _Ticket(self, tool, self.step, f"{self._prefix}-{next(self._numbers)}", arguments)
        ticket.args, ticket.kwargs = args, kwargs
        self._emit(ToolStarted(self.step, tool.name, arguments))
        try:
            found = self._tape.serve(self.step, tool.name, arguments)
        except CodeactError as error:
            self.diverged = self.diverged or error
            raise
        if found is not None and found.call is not None:
            ticket.settled = functools.partial(served, found)
            self.effects.happened(tool, arguments, found.call.result)
            self._emit(ToolEnded(self.step, found.call))
        elif found is not None and changes(tool):
            raise Uncertain(
                f"{tool.name}() had begun with these arguments when the run was interrupted; whether it happened is "
                "not known. Check before doing it again."
            )
        elif (kept := self.effects.cached(tool, arguments)) is not None:
            ticket.settled = functools.partial(ticket.ended, kept[0])
        elif self.effects.dry_run and changes(tool):
            result = self.effects.withhold(tool, arguments)
            ticket.settled = functools.partial(ticket.ended, result, withheld=True)
        else:
            self._ask_for_approval(tool, ticket)
            ticket.write("call_started")
        return ticket

    def _ask_for_approval(self, tool: Tool, ticket: _Ticket) -> None:
        """Ask about a call; PermissionError where the answer is no, Paused where the run waits for one."""
        if not self.effects.asks(tool):
            return
        answer = self.effects.decide(tool, ticket.arguments)
        if not (self.live and self.step == ticket.step) or self.caller.stop.is_set:
            raise PermissionError(f"{tool.name}() was approved when its step was over: it was not made")
        if isinstance(answer, Mapping):
            ticket.args, ticket.kwargs = tool.bind([], dict(answer))
            ticket.asked, ticket.arguments = ticket.arguments, _bound(tool, ticket.args, ticket.kwargs)
        elif answer == "pause":
            self._pause(tool, ticket)
        elif answer is not True:
            refused = PermissionError(
                f"{tool.name}() was not approved by the user. Do not try it again; go on without it."
            )
            ticket.failed(refused)
            raise refused

    def _pause(self, tool: Tool, ticket: _Ticket) -> None:
        """Stop the run at this call: it goes on from here when somebody has decided."""
        self.paused = self.paused or ToolCall(tool.name, ticket.arguments)
        ticket.write("waiting")
        self._emit(Paused(self.step, tool.name, ticket.arguments))
        self.caller.stop.set()
        raise RunPaused(f"{tool.name}() waits for a decision")


class _Ticket:
    """One call: what becomes of it."""

    def __init__(self, calls: Calls, tool: Tool, step: int, number: str, arguments: dict[str, Any]) -> None:
        self.settled: Callable[[], Any] | None = None  # what the call came to without being made now
        self.step = step
        self.arguments = arguments
        self.asked: dict[str, Any] | None = None  # what the snippet wanted, where the user changed it
        self.args: tuple[Any, ...] = ()
        self.kwargs: dict[str, Any] = {}
        self._calls, self._tool, self._name, self._number = calls, tool, tool.name, number
        self._begun = time.perf_counter()

    @contextlib.contextmanager
    def noting(self) -> Iterator[None]:
        """Note what the call raises within the block."""
        try:
            yield
        except BaseException as error:
            self.failed(error)
            raise

    def ended(self, result: Any, *, withheld: bool = False) -> Any:
        """Note a result and pass it on."""
        self._calls.effects.happened(self._tool, self.arguments, result)
        call = ToolCall(self._name, self.arguments, result, None, time.perf_counter() - self._begun)
        self._end(call, withheld=withheld)
        return result

    def failed(self, error: BaseException) -> None:
        """Note an error; who called raises it."""
        call = ToolCall(self._name, self.arguments, None, str(error), time.perf_counter() - self._begun)
        self._end(call, error_type=type(error).__name__)

    def _end(self, call: ToolCall, error_type: str = "", **more: Any) -> None:
        self.write("call", result=call.result, error=call.error, error_type=error_type, seconds=call.seconds, **more)
        self._calls._emit(ToolEnded(self.step, call))

    def write(self, kind: str, **fields: Any) -> None:
        """Write a line about this call."""
        if self._calls._journal is not None:
            asked = {} if self.asked is None else {"asked": self.asked}
            name = {
                "step": self.step,
                "number": self._number,
                "tool": self._name,
                "arguments": self.arguments,
                **asked,
            }
            self._calls._journal.append(kind, **name, **fields)


def _is_tried(tool: Tool) -> bool:
    """Tell whether a call belongs to a trial, which leaves no trace; Waits where it would change something."""
    if (tried := trial()) is None:
        return False
    if changes(tool) or tool.approve is True:
        tried.waits = True
        raise Waits(f"{tool.name}() waits until this code is chosen")
    return True


@functools.lru_cache(maxsize=1024)
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def _bound(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    return dict(_signature(tool.function).bind(*args, **kwargs).arguments)
