"""One step being served: the worker's messages in, tool calls and their answers out, until it is over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from codeact.clock import Clock
from codeact.errors import ProtocolError
from codeact.limits import Limits
from codeact.session import bell, lanes
from codeact.session.answering import Answering
from codeact.session.stretch import Stretch
from codeact.session.turns import Turn
from codeact.wire import messages as say
from codeact.wire.frames import Channel, ChannelClosed, Unread
from codeact.wire.looking import NEVER
from codeact.wire.undelivered import NotInTime

if TYPE_CHECKING:
    from codeact.toolbox import Tool

_NOTE_CHARS = 200
_MOST_EXCESS = 1 << 20  # of output nobody is shown; reading it takes the host's time
_MEANWHILE_SECONDS = 0.2
_LEAST_SECONDS = 0.5  # for who says that it has taken over; it is waited for no longer than its step may last
Awaited = type[say.RolledBack | say.Finished | say.Done]
InVain = Callable[[], bool]
_NOTHING = bool  # called meanwhile, where nothing is to be done
_USERS = (say.Call, say.Waits, say.Output)  # what may call the user's code


class Serving(Answering):
    """Serves one step for whoever waits for it, and may call it off.

    It is read where it is waited for, and on a thread of its own once the user's code is called, which may block.
    """

    def __init__(self, channel: Channel[say.ToHost], tools: dict[str, Tool], limits: Limits, first_call: int) -> None:
        super().__init__(channel, tools, limits, first_call)
        self.clock, self.turn, self.looking = Clock(), Turn(), NEVER
        self.seconds = limits.wall_seconds  # that it may take
        self.freezes = limits.checkpoints > 0  # the state before it
        self.in_vain: InVain | None = None  # says meanwhile whether there is nothing to wait for
        self.stretch = Stretch()  # the steps before it that no state is frozen after
        self.finished: say.Finished | None = None
        self.output: list[str] = []
        self.interrupted = self.rolled_back = False
        self.missed = self._told_missed = False  # the worker was gone before it took the step; an older state says so
        self.with_zygote = False  # the worker has ended together with what it was forked from
        self._not_undone = False  # it finished and was to be undone, and no state from before it was there
        self._reader = threading.Lock()  # held by whoever reads from the channel
        self._bell, self._until = bell.mine(), 0.0
        self._woken = False  # the waiting one is to look again
        self._meanwhile: Callable[[], object] = _NOTHING
        self._output_left = limits.output_chars + _NOTE_CHARS
        self._excess = 0  # characters and messages of a worker that does not keep to this

    @property
    def ended_by_itself(self) -> bool:
        """Whether the step was over, all its calls answered and not for a limit, before it saw that it was to stop."""
        failure = self.finished.failure if self.finished is not None else None
        stopped = failure is not None and failure.kind == "limit"
        return self.end == "finished" and not stopped and self.begun.keys() <= self.calls.keys()

    @property
    def is_over(self) -> bool:
        """Whether it has come to its end, or was called off."""
        return self._over

    @property
    def has_begun(self) -> bool:
        """Whether the worker has said anything of it."""
        return bool(self.begun or self.output)

    @property
    def left_no_state(self) -> bool:
        """Whether no process is left that has the state from before the step, or after it."""
        return self.end == "died" or self._not_undone

    # --- for whoever waits ---------------------------------------------------------------------------------------

    def run(
        self, code: str, seconds: float, *, frugal: bool = False, meanwhile: Callable[[], object] = _NOTHING
    ) -> bool:
        """Serve the step until it is over or was interrupted, at most so long; whether it is over.

        `meanwhile` is called again and again.
        """
        limits = self.limits
        most = limits.operations, limits.output_chars, limits.tool_calls, limits.text_chars, limits.value_bytes
        told = say.StepLimits(*most, again=self.only_recorded)
        to = self.freezes, self.first_call, frugal, self.stretch.last, self.looking.looks
        step = say.Step(code, told, *to, self.readings)
        self._until, self._meanwhile = self.clock.now() + seconds, meanwhile
        self._guarded(lambda: self._begin(step), tell=_NOTHING)
        while self._is_awaited():
            self._wait()
            self._meanwhile()
        self._over = self.end is not None  # calls that are still under way are not answered any more
        if self._over:
            self._cancel_tools()
        return self._over

    def _is_awaited(self) -> bool:
        over = self._woken or self.clock.now() >= self._until
        return not over and (self.in_vain is None or not self.in_vain())

    def _wait(self, *sockets: int) -> bool:
        """Wait a while for a ring, or for the socket where it is read here; whether the socket has something."""
        return self._bell.wait(min(self._until - self.clock.now(), _MEANWHILE_SECONDS), *sockets)

    def interrupt(self) -> None:
        """Let the waiting one stop the step."""
        self.interrupted = True
        self._wake()

    def _wake(self) -> None:
        self._woken = True
        self._bell.ring()

    def call_off(
        self, kill: Callable[[], bool], seconds: float, *, asks: bool = False, in_vain: InVain | None = None
    ) -> None:
        """Kill the step and take in what the worker's backup says; afterwards `end` is set.

        `asks`: the worker cannot be killed, only asked to stop, and then finishes the step itself. `in_vain`: says
        meanwhile whether there is nothing to wait for.
        """
        self._over = not asks
        backed_up = kill()
        if asks:
            self._release_calls()
        awaited = say.RolledBack if backed_up else say.Finished if asks else None
        if not bell.comes_about(lambda: self._reader.acquire(blocking=False), seconds, in_vain):
            self.end = "died"  # it does not even hang up
            self._cancel_tools()
            return
        try:
            if awaited is not None and not (self.end == "rolled back" or (asks and self.end is not None)):
                self._read_until(awaited, seconds, in_vain)
            if self.end == "rolled back":
                self._make_sure(seconds, in_vain)
            if self.end is None or (self.end == "finished" and not asks):  # its end was read before it was killed
                self.end = "died"
        finally:
            self._over = True
            self._cancel_tools()
            self._reader.release()

    def _make_sure(self, seconds: float, in_vain: InVain | None) -> None:
        """Ask the state that took over whether it is there: where the step died by itself just before it was killed,
        the kill has met that state, and an older one may follow.
        """
        with suppress(ChannelClosed):
            if bell.comes_about(lambda: self.channel.send(say.Assign({}), wait=False), seconds, in_vain):
                self._read_until(say.Done, seconds, in_vain)
                return
        self.end = "died"

    def see_if_missed(self, seconds: float, in_vain: InVain | None = None) -> None:
        """Where an older state than this step's has taken over by itself: hear from it whether the step had begun."""
        if self.end == "rolled back" and self.stretch.steps:
            left = max(_LEAST_SECONDS, self._until - self.clock.now())
            with self._reader:
                self._make_sure(min(seconds, left), in_vain)
            self.missed = self._told_missed and not self.has_begun

    def give_up_state(self) -> None:
        """Note that the state it has left is that of before it no more, nor of after it, and nobody takes over."""
        self._not_undone = self.end == "finished"

    def roll_back(self, kill: Callable[[], bool], seconds: float, in_vain: InVain) -> None:
        """Go back to before a step that has finished, by killing the process it left behind."""
        finished = self.end
        if kill():
            with self._reader:
                self.end = None
                self._read_until(say.RolledBack, seconds, in_vain)
        if self.end != "broke the protocol":
            self._not_undone, self.end = not self.rolled_back, finished

    def _read_until(self, awaited: Awaited, seconds: float, in_vain: InVain | None) -> None:
        try:
            for message in self.channel.receive_within(seconds, in_vain):
                if awaited is say.Finished and isinstance(message, say.Call):
                    self._release(message.call)  # made before it saw that it is to stop
                elif awaited is say.Finished and isinstance(message, say.Waits):
                    self.channel.send(say.Given())
                elif isinstance(message, say.Missed):
                    self._told_missed = self._told_missed or message.first_call == self.first_call
                elif isinstance(message, say.RolledBack | awaited) and not self._is_stale(message):
                    if not isinstance(message, say.Done):
                        self._last(message)
                    if isinstance(message, awaited) or self.end == "died":
                        return  # else a twin of who was asked has taken over: the question is its own to answer now
        except (ChannelClosed, NotInTime):
            self.end = "died"
        except ProtocolError as error:
            self.end, self.problem = "broke the protocol", str(error)

    # --- serving -------------------------------------------------------------------------------------------------

    def _guarded(self, serve: Callable[[], bool], tell: Callable[[], object]) -> None:
        """Serve for a while; where `serve` says that was all, `tell` who waits. Whatever goes wrong ends the step."""
        try:
            if not serve():
                return
            self._miss_if(self.end == "died")  # an older state than this step's has taken over
        except ChannelClosed as error:
            self._miss_if(isinstance(error, Unread))  # what it was sent last is the step, where it has said nothing
            self.end = self.end or "died"
        except ProtocolError as error:
            self.end, self.problem = "broke the protocol", str(error)
        except BaseException as error:  # a listener or the journal failed, or Ctrl-C: whoever waits raises it
            self.error = error
        self._woken = True
        tell()

    def _miss_if(self, lost: bool) -> None:  # on its way to a worker that was gone, which nobody had called off
        self.missed = lost and not (self.has_begun or self._over)

    def _begin(self, step: say.Step) -> bool:
        """Send the step, and serve it up to where the user's code is called; True where it ends before that."""
        if self.channel.send(step, wait=False):
            with self._reader:
                message = self._read_here()
            if message is None:
                return True
            lanes.run(lambda: self._guarded(lambda: self._go_on(message), self._bell.ring))
        else:
            lanes.run(lambda: self._guarded(lambda: self.channel.send(step) and self._go_on(None), self._bell.ring))
        return False

    def _read_here(self) -> say.Call | say.Output | None:
        """Give the first message that calls the user's code; None where the step is over or out of time before."""
        while self.end is None and self._is_awaited():
            message = self.channel.receive_packet_soon(self.looking, lambda: self._wait(self.channel.fileno()))
            if isinstance(message, say.Call) or (message and self.listener.output and isinstance(message, say.Output)):
                return message
            if isinstance(message, say.Output):
                self._take_output(message.text)
            elif message is not None:
                self._last(message)
            self._meanwhile()  # also where it never stops talking
        return None

    def _go_on(self, message: say.Call | say.Waits | say.Output | None) -> bool:
        """Serve on from this message; True where the step is over."""
        while self.end is None and not self._over:
            if isinstance(message, say.Call):
                self._take_call(message)
            elif isinstance(message, say.Waits):
                self._take_wait(message)
            elif message is not None:
                self._take_output(message.text)
            with self._reader:
                if self._over:
                    return False
                said = self.channel.receive_soon()
                message = said if isinstance(said, _USERS) else None
                if message is None:
                    self._last(said)
        return True

    def _is_stale(self, message: say.ToHost) -> bool:  # the end of an earlier step, which came twice
        return isinstance(message, say.Finished) and message.first_call < self.first_call

    def _last(self, message: say.ToHost) -> None:
        """Take in the end of the step."""
        if self._is_stale(message):
            return
        if isinstance(message, say.Finished):
            self.finished, self.end = message, "finished"
            self._take_readings(message.readings)
        elif isinstance(message, say.RolledBack) or message == say.NO_ROOM:  # nor is an older state of any use
            self.rolled_back = getattr(message, "first_call", 0) == (self.stretch.began or self.first_call)
            self.end = "rolled back" if self.rolled_back else "died"
        else:
            raise ProtocolError(f"{type(message).__name__} came while a step was running")

    def _take_output(self, text: str) -> None:
        kept = text[: self._output_left]
        self._output_left -= len(kept)
        self._excess += len(text) - len(kept) + (not kept)
        if self._excess > _MOST_EXCESS:
            raise ProtocolError("the worker went on to send output where a step may have no more")
        if kept:
            self.output.append(kept)
            self.tell(self.listener.output, kept)
