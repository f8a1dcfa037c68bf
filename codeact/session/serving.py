"""One step being served: the worker's messages in, tool calls and their answers out, until it is over."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from typing import Literal

from codeact.clock import Clock
from codeact.errors import ProtocolError
from codeact.limits import Limits
from codeact.records import ToolCall
from codeact.session import lanes
from codeact.session.hosting import Answer, Answered, Arguments, answer_again, answer_call, read_arguments
from codeact.session.log import Log
from codeact.session.settings import Listener
from codeact.snippet.describe import describe
from codeact.toolbox import Pause, Tool
from codeact.wire import messages as say
from codeact.wire.frames import Channel, ChannelClosed
from codeact.wire.values import Budget

_AT_ONCE = 32  # tools running side by side for one session
_NOTE_CHARS = 200
_MEANWHILE_SECONDS = 0.2
_REPEATABLE = ("read", "idempotent")
_UNFINISHED = "the step ended before the call did"
_HELD = "held open until its answer is given"

End = Literal["finished", "rolled back", "died", "broke the protocol"]


class Serving:
    """Serves one step on a thread of its own; whoever started it waits, and may call it off."""

    def __init__(self, channel: Channel[say.ToHost], tools: dict[str, Tool], limits: Limits, first_call: int) -> None:
        self.channel, self.tools, self.limits, self.first_call = channel, tools, limits, first_call
        self.recorded: Mapping[int, Answered] = {}
        self.only_recorded = False  # the step has been lived before, whole: no tool is called
        self.diverged = ""  # what the first call was that is not the recorded one
        self.answers: dict[int, Answered] = {}  # by their number within the step
        self.held: dict[int, ToolCall] = {}  # calls that wait for an answer given later, numbered alike
        self.log: Log | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.listener = Listener()
        self.clock = Clock()
        self.end: End | None = None
        self.problem = ""
        self.error: BaseException | None = None  # what failed on the thread, and is not the worker's doing
        self.finished: say.Finished | None = None
        self.output: list[str] = []
        self.calls: dict[int, ToolCall] = {}
        self.interrupted = self.rolled_back = False
        self._over = False  # called off: nothing is sent or read any more by the thread
        self._aside: set[int] = set()  # calls that run on threads of their own
        self._reader = threading.Lock()  # held by whoever reads from the channel
        self._woken = threading.Semaphore(0)
        self._slots = threading.Semaphore(_AT_ONCE)
        self._output_left = limits.output_chars + _NOTE_CHARS
        self._calls_left = limits.tool_calls
        self._budget = Budget(value_bytes=limits.value_bytes)

    # --- for whoever waits ---------------------------------------------------------------------------------------

    def start(self, code: str) -> None:
        """Begin serving."""
        limits = self.limits
        told = say.StepLimits(
            limits.operations, limits.output_chars, limits.tool_calls, limits.text_chars, limits.value_bytes
        )
        step = say.Step(code, told, limits.checkpoints > 0, self.first_call)
        lanes.run(lambda: self._serve(step))

    def wait(self, seconds: float, meanwhile: Callable[[], object] = lambda: None) -> bool:
        """Wait until the step is over or was interrupted, at most so long; whether it is over."""
        until = self.clock.now() + seconds
        while (left := until - self.clock.now()) > 0 and not self._woken.acquire(timeout=min(left, _MEANWHILE_SECONDS)):
            meanwhile()
        self._over = self.end is not None  # calls that are still under way are not answered any more
        return self._over

    def wake(self) -> None:
        """Let the waiting one look again."""
        self.interrupted = True
        self._woken.release()

    def call_off(self, kill: Callable[[], bool], seconds: float, *, asks: bool = False) -> None:
        """Kill the step and take in what the worker's backup says; afterwards `end` is set.

        `asks`: the worker cannot be killed, only asked to stop, and then finishes the step itself.
        """
        self._over = not asks
        backed_up = kill()
        if asks:
            self._release_calls()
        awaited = say.RolledBack if backed_up else say.Finished if asks else None
        if not self._reader.acquire(timeout=seconds):
            self.end = "died"  # it does not even hang up
            return
        try:
            if awaited is not None and not (self.end == "rolled back" or (asks and self.end is not None)):
                self._read_until(awaited, seconds)
            if self.end == "rolled back":
                self._make_sure(seconds)
            self.end = self.end or "died"
        finally:
            self._over = True
            self._reader.release()

    def _make_sure(self, seconds: float) -> None:
        """Ask the state that took over whether it is there: where the step died by itself just before it was killed,
        the kill has met that state, and an older one may follow.
        """
        try:
            self.channel.send(say.Assign({}))
        except ChannelClosed:
            self.end = "died"
            return
        self._read_until(say.Done, seconds)

    def roll_back(self, kill: Callable[[], bool], seconds: float) -> None:
        """Go back to before a step that has finished, by killing the process it left behind."""
        if not kill():
            self.end = "died"
            return
        with self._reader:
            finished, self.end = self.end, None
            self._read_until(say.RolledBack, seconds)
            if self.rolled_back:
                self.end = finished

    def _release_calls(self) -> None:
        """Answer the calls whose tools are still busy, so that the worker sees that it is to stop."""
        try:
            for number in [number for number, record in self.calls.items() if record.error in (_UNFINISHED, _HELD)]:
                self.channel.send(say.Raised(number, "", "the step was stopped"))
        except ChannelClosed:
            return  # seen again when reading

    def _read_until(self, awaited: type[say.RolledBack | say.Finished | say.Done], seconds: float) -> None:
        until = time.monotonic() + seconds
        try:
            while True:
                message = self.channel.receive(max(0.0, until - time.monotonic()))
                if isinstance(message, say.RolledBack | awaited) and not self._is_stale(message):
                    if not isinstance(message, say.Done):
                        self._last(message)
                    return
        except (ChannelClosed, TimeoutError):
            self.end = "died"
        except ProtocolError as error:
            self.end, self.problem = "broke the protocol", str(error)

    # --- on the thread -------------------------------------------------------------------------------------------

    def _serve(self, step: say.Step) -> None:
        try:
            self.channel.send(step)
            while self.end is None and not self._over:
                with self._reader:
                    if self._over:
                        return
                    message = self.channel.receive()
                    if not isinstance(message, say.Call | say.Output):
                        if self._is_stale(message):
                            continue
                        self._last(message)
                        break
                if isinstance(message, say.Output):
                    self._take_output(message.text)
                else:
                    self._take_call(message)
        except ChannelClosed:
            self.end = self.end or "died"
        except ProtocolError as error:
            self.end, self.problem = "broke the protocol", str(error)
        except BaseException as error:  # a listener or the journal failed: whoever waits raises it
            self.error = error
        finally:
            self._woken.release()

    def _is_stale(self, message: say.ToHost) -> bool:
        """Whether this is the end of an earlier step, which came twice."""
        return isinstance(message, say.Finished) and message.first_call < self.first_call

    def _last(self, message: say.ToHost) -> None:
        if isinstance(message, say.Finished):
            self.finished, self.end = message, "finished"
        elif isinstance(message, say.RolledBack):  # an older state than that before this step is of no use
            self.rolled_back = message.first_call == self.first_call
            self.end = "rolled back" if self.rolled_back else "died"
        else:
            raise ProtocolError(f"{type(message).__name__} came while a step was running")

    def _take_output(self, text: str) -> None:
        text = text[: self._output_left]
        self._output_left -= len(text)
        if text:
            self.output.append(text)
            if self.listener.output is not None:
                self.listener.output(text)

    def _take_call(self, call: say.Call) -> None:
        tool = self.tools.get(call.tool)
        if tool is None:
            raise ProtocolError(f"the worker called {call.tool[:100]!r}, which is no tool of this session")
        self._calls_left -= 1
        if self._calls_left < 0 or call.call != self.first_call + len(self.calls) + 1:
            raise ProtocolError("the worker made more tool calls than it may, or numbered them wrongly")
        read = read_arguments(call, tool)
        self.calls[call.call] = ToolCall(call.tool, read[2], error=_UNFINISHED)
        if self.listener.call_started is not None:
            self.listener.call_started(call.tool, read[2])
        if (self.recorded or self.only_recorded) and self._answer_from_record(call):
            return
        if self.held:
            return  # the step is about to end; the call is made when it goes on
        if self.log is not None and tool.spec.effect not in _REPEATABLE:
            self.log.add("calling", number=call.call - self.first_call, tool=call.tool, arguments=read[2])
        if not call.aside:
            self._answer(call, tool, read)
            return
        self._slots.acquire()
        self._aside.add(call.call)
        lanes.run(lambda: self._answer_aside(call, tool, read))

    def _answer_from_record(self, call: say.Call) -> bool:
        """Answer as it was recorded; False where nothing was recorded for a call at this place."""
        found = self.recorded.get(call.call - self.first_call)
        made = self.calls[call.call]
        if found is None:
            if not self.only_recorded:
                return False
            self.diverged = self.diverged or f"it calls {_shown(made)} where it made no call"
            self.channel.send(say.Raised(call.call, "", "no such call was recorded"))
            return True
        if (found.call.tool, found.call.arguments) != (made.tool, made.arguments):
            self.diverged = self.diverged or f"it calls {_shown(made)} where it called {_shown(found.call)}"
            self.channel.send(say.Raised(call.call, "", "this is not the call that was recorded"))
            return True
        self._give(call, answer_again(call, found, self._budget), found.call)
        return True

    def _answer_aside(self, call: say.Call, tool: Tool, read: Arguments) -> None:
        try:
            self._answer(call, tool, read)
        except ChannelClosed:
            return  # the one who reads sees it as well
        except ProtocolError as error:
            self.problem, self.end = str(error), "broke the protocol"
            self._woken.release()
        except BaseException as error:  # as above
            self.error = error
            self._woken.release()
        finally:
            self._aside.discard(call.call)
            self._slots.release()
            if self.held and not self._aside:
                self._woken.release()

    def _answer(self, call: say.Call, tool: Tool, read: Arguments) -> None:
        try:
            answer, record = answer_call(call, tool, self._budget, loop=self.loop, read=read)
        except Pause as pause:
            self._hold(call, read, pause.reason)
            return
        if not self._over:
            self._give(call, answer, record)

    def _hold(self, call: say.Call, read: Arguments, reason: str) -> None:
        """Let a call wait for its answer, and the step end as soon as no other tool is at work for it."""
        number = call.call - self.first_call
        self.calls[call.call] = ToolCall(call.tool, read[2], error=_HELD)
        if self.log is not None:
            self.log.add("held", number=number, tool=call.tool, arguments=read[2], reason=reason)
        self.held[number] = ToolCall(call.tool, read[2], error=reason)
        if not call.aside and not self._aside:
            self._woken.release()

    def _give(self, call: say.Call, answer: Answer, record: ToolCall) -> None:
        """Record an answer, tell of it, and only then let the snippet see it."""
        self.calls[call.call] = record
        if self.log is not None:
            error, message = (answer.error, answer.message) if isinstance(answer, say.Raised) else ("", "")
            number = call.call - self.first_call
            self.answers[number] = answered = Answered(record, error, message)
            self.log.answered(number, answered)
        if self.listener.call_ended is not None:
            self.listener.call_ended(record)
        try:
            self.channel.send(answer)
        except ValueError as error:
            self.channel.send(say.Raised(call.call, "TypeError", f"{call.tool}() returned too much: {error}"))


def _shown(call: ToolCall) -> str:
    return f"{call.tool}({', '.join(f'{name}={describe(value, 60)}' for name, value in call.arguments.items())})"
