"""The tool calls of one step being answered: each checked, made or given as recorded, written down, and sent back."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from codeact.errors import JournalError, ProtocolError
from codeact.limits import Limits
from codeact.records import REPEATABLE, Failure, ToolCall
from codeact.session import lanes
from codeact.session.hosting import (
    Answer,
    AnsweredCall,
    Arguments,
    AsyncTools,
    answer_call,
    read_arguments,
    unknown_answer,
)
from codeact.session.log import Log
from codeact.session.recorded import Recorded
from codeact.session.settings import Listener
from codeact.toolbox import Pause
from codeact.wire import messages as say
from codeact.wire.frames import FRAME_BYTES, Channel, ChannelClosed
from codeact.wire.parts import PARTS
from codeact.wire.values import Allowance

if TYPE_CHECKING:
    import asyncio

    from codeact.toolbox import Tool

_AT_ONCE = 32  # tools running side by side for one session
_VALUES_OF_A_STEP = 4  # of the greatest size; a worker that keeps to the rules ends a step before
_MOST_PARTS, _PART_BYTES = 3 * PARTS, 40  # of what its calls are given; as well
_HELD = "held open until its answer is given"

End = Literal["finished", "rolled back", "died", "broke the protocol"]


class Answering(Recorded):
    """The calls of one step, and what became of them."""

    def __init__(self, channel: Channel[say.ToHost], tools: dict[str, Tool], limits: Limits, first_call: int) -> None:
        super().__init__(channel, first_call, Allowance(value_bytes=limits.value_bytes))
        self.tools, self.limits = tools, limits
        self.problem = ""  # what broke the protocol
        self.answers: dict[int, AnsweredCall] = {}  # by their number within the step
        self.held: dict[int, ToolCall] = {}  # calls that wait for an answer given later, numbered alike
        self.log: Log | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.listener = Listener()
        self.calls: dict[int, ToolCall] = {}  # those that have ended, or are held open
        self.end: End | None = None
        self.stopped: Failure | None = None  # why the host has ended it, if it was the host
        self.error: BaseException | None = None  # what failed here, and is not the worker's doing
        self._over = False  # called off: nothing is sent or read any more
        self.giving = threading.Lock()  # so that answers are written in the order they are sent in
        self._async_tools = AsyncTools()
        self._calls_left = limits.tool_calls
        self.bytes_before = channel.bytes_crossed
        self._most_bytes = _VALUES_OF_A_STEP * limits.value_bytes + FRAME_BYTES
        self._parts = 0  # what the arguments of its calls come to

    @cached_property
    def _slots(self) -> threading.Semaphore:
        """Places for tools side by side; few steps need one, and it takes long to make."""
        return threading.Semaphore(_AT_ONCE)

    @property
    def carried_bytes(self) -> int:
        """How much has crossed for the step, and what that comes to here."""
        return self.channel.bytes_crossed - self.bytes_before + _PART_BYTES * self._parts

    @abstractmethod
    def _wake(self) -> None:
        """Let whoever waits for the step look again."""

    def tell(self, listener: Callable[..., object] | None, *said: Any) -> None:
        """Call the user's code, if there is any to be told."""
        if listener is not None:
            with lanes.UsersCode():
                listener(*said)

    def _take_call(self, call: say.Call) -> None:
        tool = self.tools.get(call.tool)
        if tool is None:
            raise ProtocolError(f"the worker called {call.tool[:100]!r}, which is no tool of this session")
        self._calls_left -= 1
        if self.channel.bytes_crossed - self.bytes_before > self._most_bytes:
            raise ProtocolError("the worker sent or asked for more in one step than a step may")
        if self._calls_left < 0 or call.call != self.first_call + len(self.begun) + 1:
            raise ProtocolError("the worker made more tool calls than it may, or numbered them wrongly")
        self._take_readings(call.readings)
        if call.readings:
            if self.log is not None:
                self.log.add("clock", readings=call.readings)
            self.tell(self.listener.clocks_read, call.readings)
        read = read_arguments(call, tool)
        self._parts += read[-1]
        if self._parts > _MOST_PARTS:
            raise ProtocolError("the calls of one step were given more parts than they may be in all")
        self.begun[call.call] = call.tool, read[2]
        self.tell(self.listener.call_started, call.tool, read[2])
        if (self.recorded or self.only_recorded) and self._answer_from_record(call, tool, read):
            return
        self._make(call, tool, read)

    def _take_wait(self, wait: say.Waits) -> None:
        if self._waits_told >= say.MOST_WAITS:
            raise ProtocolError("the worker told of more waits than it may")
        self._waits_told += 1
        if not wait.unanswered:
            with self.giving:
                self._waits += wait.taken is None or wait.taken == len(self.calls) - len(self.held)
                self.channel.send(say.Given())
        elif self._came and wait.unanswered == len(self.begun) - len(self.calls):  # what was to come before will not
            self._give_recorded(next(number for number in self.due if number in self._came))
        self._give_due()

    def _make(self, call: say.Call, tool: Tool, read: Arguments) -> None:
        if self.held:  # the step is about to end
            self._put_off.add(call.call)
            self._end_if_held()
            return
        if self.log is not None and tool.spec.effect not in REPEATABLE:
            try:
                self.log.calling(call.call - self.first_call, call.tool, read[2])
            except JournalError:
                self._put_off.add(call.call)
                raise
        if not call.aside:
            self._answer(call, tool, read)
            if self.held:
                self._end_if_held()
            return
        self._slots.acquire()
        if self._over:  # meanwhile
            self._slots.release()
        else:
            lanes.run(lambda: self._answer_aside(call, tool, read))

    def _answer_aside(self, call: say.Call, tool: Tool, read: Arguments) -> None:
        try:
            self._answer(call, tool, read)
        except ChannelClosed:
            return  # the one who reads sees it as well
        except ProtocolError as error:
            self.problem, self.end = str(error), "broke the protocol"
            self._wake()
        except BaseException as error:  # a listener or the journal failed: whoever waits raises it
            self.error = error
            self._wake()
        finally:
            self._slots.release()
            if self.held:
                self._end_if_held()

    def _answer(self, call: say.Call, tool: Tool, read: Arguments) -> None:
        try:
            answer, record = answer_call(call, tool, self._allowance, read=read, result_of=self._result_of)
        except Pause as pause:
            self._hold(call, read, pause.reason)
            return
        self._give(call, answer, record)

    def _result_of(self, awaitable: Any) -> Any:
        return self._async_tools.result_of(awaitable, self.loop)

    def _cancel_tools(self) -> None:
        """Cancel the async tools that are still under way: the step they were called for is over."""
        self._async_tools.cancel()

    def _hold(self, call: say.Call, read: Arguments, reason: str) -> None:
        """Let a call wait for its answer, and the step end as soon as no other tool is at work for it."""
        number = call.call - self.first_call
        waits = ToolCall(call.tool, read[2], error=reason)
        with self.giving:
            if self._over:
                return  # another step may have begun, and this is no call of that one
            self.calls[call.call] = ToolCall(call.tool, read[2], error=_HELD)
            if self.log is not None:
                self.log.held(number, waits)
            self.held[number] = waits

    def _end_if_held(self) -> None:
        """Let the step end, at whose call that is held open nothing else is to be waited for."""
        if not self._under_way():
            self._wake()

    def _under_way(self) -> set[int]:
        """The calls that tools are at work for."""
        return self.begun.keys() - self.calls.keys() - self._put_off

    def give_up_waiting(self) -> None:
        """Answer the calls still under way, as far as they may not happen twice: nobody knows whether they happen."""
        for call in sorted(self._under_way()):
            tool, arguments = self.begun[call]
            if self.log is not None and self.tools[tool].spec.effect not in REPEATABLE:
                number = call - self.first_call
                self.answers[number] = answered = unknown_answer(tool, arguments)
                with suppress(JournalError):  # a file that is full has a line that it began, which says the same
                    self.log.answered(number, answered)

    def _release_calls(self) -> None:
        """Answer the calls whose tools are still busy, so that the worker sees that it is to stop."""
        try:
            for number in [number for number in self.begun if number not in self.calls or number in self.held]:
                self._release(number)
        except ChannelClosed:
            return  # seen again when reading

    def _release(self, call: int) -> None:
        self.channel.send(say.Raised(call, "", "the step was stopped"))

    def _give(self, call: say.Call, answer: Answer, record: ToolCall) -> None:
        with self.giving:  # also where the worker waits for this answer alone: others may be on their way
            if not self._over:
                self._give_next(call, answer, record)

    def _give_next(self, call: say.Call, answer: Answer, record: ToolCall) -> None:
        self.calls[call.call] = record
        if self.log is not None:
            error, message = (answer.error, answer.message) if isinstance(answer, say.Raised) else ("", "")
            number = call.call - self.first_call
            self.answers[number] = answered = AnsweredCall(record, error, message, self._so_far)
            self.log.answered(number, answered)
        self.tell(self.listener.call_ended, record)
        try:
            self.channel.send(answer)
        except ValueError as error:
            self.channel.send(say.Raised(call.call, "TypeError", f"{call.tool}() returned too much: {error}"))
