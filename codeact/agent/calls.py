"""The tool calls of a run on their way: told to the outside, written down, and never made twice on a resume."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import itertools
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from codeact.agent.binding import bound, defaults, said_instead
from codeact.agent.candidates import is_tried
from codeact.agent.effects import RunPaused, changed, changes, is_agent, repeated, repeated_async
from codeact.agent.nesting import Caller, Held, PausedInside, called_by
from codeact.agent.tape import Tape, served
from codeact.agent.turns import TURN_SECONDS, Turns
from codeact.errors import CodeactError
from codeact.events import Event, Paused, ToolEnded, ToolStarted
from codeact.journal import Journal
from codeact.records import ToolCall
from codeact.session.hosting import awaited, given, returned, said_of, settled
from codeact.snippet.classes import class_name, is_a
from codeact.snippet.describe import describe
from codeact.toolbox import BadCall, NotApproved, Tool

_QUIET_SECONDS = 0.5  # without any call beginning or ending: the one that is waited for does not come
_INSTEAD = (
    "{call} waits for a decision: the snippet calls it in place of the call that was decided about. Where its "
    "arguments come from the clock, Agent(deterministic=True) makes them the same each time"
)


class Uncertain(RuntimeError):
    """A call had begun when the run was interrupted, and nobody knows whether it happened."""


class Calls:
    """Stands between a session and the user's functions."""

    def __init__(self, caller: Caller, tape: Tape, journal: Journal | None) -> None:
        self.step = 0
        self.live = False  # False while no step runs: a call that is approved then would come out of nowhere
        self.diverged: CodeactError | None = None
        self.paused: ToolCall | None = None  # the call that waits for a decision
        self.waits_for = ""  # what else is to be said of it: that it is a call within an agent, for one
        self.under_way = set[_Ticket]()
        self.moved = 0.0  # when a call began or ended last
        self.inside: PausedInside | None = None  # the inner run that a resumed run is to go on with
        self.changed: list[ToolCall] = []  # in this step, as the user had them made
        self.unheard: BaseException | None = None  # what a listener failed with first: no call is to fail by it
        self._turns = Turns()
        self._pausing = threading.Lock()
        self.caller, self.effects = dataclasses.replace(caller, emit=self._tell), caller.effects
        self._emit, self._tape, self._journal = caller.emit, tape, journal
        self._prefix = secrets.token_hex(3)  # a resumed run counts anew, in the same journal
        self._numbers = itertools.count(1)

    def _tell(self, event: Event) -> None:
        """Tell the listener; what it fails with is raised when the step is over."""
        try:
            self._emit(event)
        except BaseException as error:  # Ctrl-C too: it ends the run, and not as a failure of the call
            self.unheard = self.unheard or error

    def watched(self, tool: Tool) -> Tool:
        """Give the tool with its calls told, approved, recorded, and served from the tape."""

        def call(*args: Any, **kwargs: Any) -> Any:
            if is_tried(tool):
                return settled(tool, tool.function(*args, **kwargs))
            ticket = self._begin(tool, args, kwargs)
            if ticket.settled is not None:
                return ticket.settled()
            with ticket.noting(), self._turns.taken(tool), called_by(ticket.caller):
                ticket.start()
                made = repeated(tool, lambda: tool.function(*ticket.args, **ticket.kwargs), self.caller.stop)
                later = awaited(made)
                return ticket.ended(made) if later is None else ended_later(ticket, later)

        async def ended_later(ticket: _Ticket, later: Awaitable[Any]) -> Any:
            with ticket.noting(), called_by(ticket.caller):
                return ticket.ended(await later)

        async def call_async(*args: Any, **kwargs: Any) -> Any:
            if is_tried(tool):
                return settled(tool, await tool.function(*args, **kwargs))
            asked = self.effects.asks(tool)  # a person who thinks does not hold up the loop
            begin = functools.partial(self._begin, tool, args, kwargs)
            ticket = await asyncio.to_thread(begin) if asked else begin()
            if ticket.settled is not None:
                return ticket.settled()
            with ticket.noting(), called_by(ticket.caller):
                async with self._turns.taken_async(tool):
                    ticket.start()
                    made = await repeated_async(tool, lambda: tool.function(*ticket.args, **ticket.kwargs))
                    return ticket.ended(made)

        return tool.unchecked(call_async if tool.is_async else call)  # what it returns is checked before it is noted

    def _begin(self, tool: Tool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Ticket:
        arguments, self.moved = bound(tool, args, kwargs), time.monotonic()
        ticket = _Ticket(self, tool, self.step, f"{self._prefix}-{next(self._numbers)}", arguments)
        ticket.args, ticket.kwargs = args, kwargs
        self._tell(ToolStarted(self.step, tool.name, arguments))
        try:
            found = self._tape.serve(self.step, tool.name, arguments, defaults(tool), given.get({}))
        except CodeactError as error:
            self.diverged = self.diverged or error
            raise
        ticket.live = found is None
        if found is not None and found.call is not None:
            ticket.settled = functools.partial(served, found)
            self.effects.happened(tool, arguments, found.call.result)
            self.effects.withheld += found.withheld
            self.changed += [found.call] if found.changed else []
            self._tell(ToolEnded(self.step, found.call))
        elif self.inside is not None and self.effects.is_waiting(tool, arguments):
            ticket.was_waiting = True
            ticket.caller = dataclasses.replace(ticket.caller, paused=self.inside)
            self.inside = self.effects.waiting = None
        elif found is not None and found.inside and is_agent(tool):
            ticket.caller = dataclasses.replace(ticket.caller, paused=PausedInside(Path(found.inside)))
        elif found is not None and changes(tool):
            raise Uncertain(
                f"{tool.name}() had begun with these arguments when the run was interrupted; whether it happened is "
                "not known. Check before doing it again."
            )
        elif (kept := self.effects.cached(tool, arguments)) is not None:
            ticket.settled = functools.partial(ticket.ended, kept[0])
        elif self.effects.withholds(tool):
            call = self.effects.withhold(tool, arguments)
            ticket.caller.withheld.append(call)
            ticket.settled = functools.partial(ticket.ended, call.result)
        else:
            self._ask_for_approval(tool, ticket)
        if ticket.settled is not None:
            self.caller.ledger.charge_call(live=ticket.live)
        return ticket

    def _ask_for_approval(self, tool: Tool, ticket: _Ticket) -> None:
        """Ask about a call; PermissionError where the answer is no, RunPaused where the run waits for one."""
        if not self.effects.asks(tool):
            return
        ticket.was_waiting = self.effects.is_waiting(tool, ticket.arguments)
        while self.effects.waiting is not None and not ticket.was_waiting and not self.caller.stop.is_set:
            if not self.under_way and time.monotonic() - self.moved > _QUIET_SECONDS:
                self.effects.let_go()
            time.sleep(TURN_SECONDS)  # the call that was decided about comes first, wherever it is made
        try:
            with self.caller.stop.clock.stopped():
                answer = self.effects.decide(tool, ticket.arguments)
        except CodeactError as error:  # who decides is the user's side: the run ends with it
            self.diverged = self.diverged or error
            raise
        if not (self.live and self.step == ticket.step) or self.caller.stop.is_set:
            raise NotApproved(f"{tool.name}() was approved when its step was over: it was not made")
        if isinstance(answer, Mapping):
            ticket.args, ticket.kwargs = self._changed(tool, answer)
            ticket.asked, ticket.arguments = ticket.arguments, bound(tool, ticket.args, ticket.kwargs)
        elif answer == "pause":
            self._pause(tool, ticket)
        elif answer is not True:
            refused = NotApproved(f"{tool.name}() was not approved by the user. Do not try it again; go on without it.")
            ticket.failed(refused)
            raise refused

    def _changed(self, tool: Tool, answer: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        try:
            return changed(tool, answer)
        except CodeactError as error:
            self.diverged = self.diverged or error
            raise

    def _pause(self, tool: Tool, ticket: _Ticket, **inside: str) -> None:
        """Stop the run at this call: it goes on from here when somebody has decided."""
        with self._pausing:
            first = self.paused is None
            self.paused = self.paused or ToolCall(tool.name, ticket.arguments)
        if first:  # one decision at a time: calls beside it wait for the next one
            if tool.name == self.effects.instead and not inside:
                self.waits_for = _INSTEAD.format(call=f"{tool.name}({describe(ticket.arguments, 300)})")
            ticket.write("waiting", **inside)
            self._tell(Paused(self.step, tool.name, ticket.arguments))
            with self._turns.lock:  # a change that is under way comes to its end, and none begins after it
                self.caller.stop.set()
        raise RunPaused(f"{tool.name}() waits for a decision")

    def hold(self, tool: Tool, ticket: _Ticket, held: Held) -> None:
        """Stop the run at the call of an agent whose own run waits for a decision."""
        if self.paused is None:
            self.waits_for = f"{held}, in the agent {tool.name}"
        self._pause(tool, ticket, inside=str(held.journal), at=held.at)


class _Ticket:
    """One call: what becomes of it."""

    def __init__(self, calls: Calls, tool: Tool, step: int, number: str, arguments: dict[str, Any]) -> None:
        self.settled: Callable[[], Any] | None = None  # what the call came to without being made now
        self.step = step
        self.arguments = arguments
        self.asked: dict[str, Any] | None = None  # what the snippet wanted, where the user changed it
        self.said = said_instead(arguments)
        self.args: tuple[Any, ...] = ()
        self.kwargs: dict[str, Any] = {}
        self.caller = dataclasses.replace(calls.caller, enters=self.entered, inner=[], withheld=[])
        self.was_waiting = False  # a paused run waited here
        self.live = True  # False where a recording knows of it
        self._calls, self._tool, self._name, self._number = calls, tool, tool.name, number
        self._begun = time.perf_counter()
        self._happened = False  # it changed something, and failed by what it returned

    def start(self) -> None:
        """Count the call and note that it begins; raises where it may not any more."""
        if self._calls.paused is not None:
            raise RunPaused(f"{self._name}() was not made: the run pauses")
        if spent := self.caller.ledger.take_call(live=self.live):
            raise RuntimeError(f"no tool call is left, this one was not made: {spent}")
        self.write("call_started")

    def entered(self, journal: Path) -> None:
        """Note where an inner run of this call is recorded, before anything of it happens."""
        self.caller.inner.append(journal)
        self.write("entered", inside=str(journal))

    @contextlib.contextmanager
    def noting(self) -> Iterator[None]:
        """Note what the call raises within the block."""
        self._calls.under_way.add(self)
        try:
            yield
        except RunPaused:
            raise
        except Held as held:
            if is_agent(self._tool):
                self._calls.hold(self._tool, self, held)
            self.failed(error := held.within(self._name))  # to go on, all the tool did would be done again
            raise error from held
        except CodeactError as error:  # an inner run that cannot be gone on with, or whose model cannot be asked
            if self.was_waiting or self.caller.paused is not None:
                self._calls.diverged = self._calls.diverged or error
            else:
                self.failed(error)
            raise
        except BaseException as error:
            self.failed(error)
            raise
        finally:
            self._calls.under_way.discard(self)
            self._calls.moved = time.monotonic()

    def ended(self, made: Any) -> Any:
        """Note what the tool returned, as the snippet gets it, and pass it on; BadCall where it cannot."""
        try:
            result = made if self.settled is not None else returned(self._tool, made)[1]
        except BadCall:
            self._happened = changes(self._tool)
            raise
        self._calls.effects.happened(self._tool, self.arguments, result)
        self._end(ToolCall(self._name, self.arguments, result, None, time.perf_counter() - self._begun))
        return result

    def failed(self, error: BaseException) -> None:
        """Note an error; who called raises it."""
        seconds, refused = time.perf_counter() - self._begun, is_a(error, NotApproved)
        if self._happened:
            self._calls.effects.happened(self._tool, self.arguments, None)
        kind, message = said_of(error, self._tool)  # what the snippet is told, for the recording to tell it again
        call = ToolCall(self._name, self.arguments, None, message, seconds, refused)
        self._end(call, error_type=kind or class_name(type(error)))

    def _end(self, call: ToolCall, error_type: str = "") -> None:
        self._calls.changed += [call] if self.asked is not None else []
        more: dict[str, Any] = {"happened": True} if self._happened else {}
        if self.caller.inner:
            more["inner"] = [str(path) for path in self.caller.inner]
        if self.caller.withheld:
            more["withheld"] = self.caller.withheld
            self._calls.effects.withheld += self.caller.withheld
        if self.was_waiting:
            self.write("decided")
        self.write("call", result=call.result, error=call.error, error_type=error_type, seconds=call.seconds, **more)
        self._calls._tell(ToolEnded(self.step, call))

    def write(self, kind: str, **fields: Any) -> None:
        """Write a line about this call."""
        if self._calls._journal is not None:
            name: dict[str, Any] = {"step": self.step, "number": self._number, "tool": self._name}
            if self.asked is not None:
                name["asked"] = self.asked
            if self.said is not None:
                name["said"] = self.said
            self._calls._journal.append(kind, **name, arguments=self.arguments, **fields)
