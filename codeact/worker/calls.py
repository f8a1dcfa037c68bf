"""Calls from the worker to the tools on the host: numbered, several at a time over the one socket."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn
from weakref import WeakValueDictionary

from codeact.errors import ProtocolError
from codeact.snippet.endings import Ending, LimitReached
from codeact.snippet.modules import loops, waits
from codeact.snippet.modules.readings import Readings
from codeact.snippet.modules.row import Room
from codeact.wire.frames import Channel
from codeact.wire.given import pack_arguments
from codeact.wire.messages import MOST_READINGS, MOST_WAITS, Call, Given, Raised, Returned, StepLimits, ToWorker, Waits
from codeact.wire.parts import Uncrossable
from codeact.wire.values import Allowance, Module, unpack
from codeact.worker.output import Output
from codeact.worker.tool_errors import exception_of

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future

    from codeact.worker.namespace import Namespace
    from codeact.worker.stubs import Pending

_ANSWERS = (Returned, Raised)
_VALUES_OF_A_STEP = 2  # of the greatest size and of the most parts; the host keeps a record of each
_NO_LIMITS = StepLimits(operations=0, output_chars=0, tool_calls=0, text_chars=0, value_bytes=0)


class Calls:
    """The calls of one worker."""

    def __init__(self, channel: Channel[ToWorker], output: Output) -> None:
        self._channel, self._output = channel, output
        channel.meanwhile = lambda: self._put_by(channel.receive_ready())
        self._number = self._left = self._waits = self._taken = 0
        self._called = False  # since the calls of the last step were forgotten
        self.one_by_one = True  # no call of this step ran beside another one, or beside the step
        self._limits = _NO_LIMITS
        self._allowance = Allowance()
        self._crossed_before = self._parts = 0
        self._waiting: dict[int, str] = {}  # calls under way: number → tool
        self._heard: deque[ToWorker] = deque()  # what came as this one sent something, and is not taken in yet
        self._arrived: dict[int, Returned | Raised] = {}
        self._futures: dict[int, Future[Any]] = {}
        self._promised: WeakValueDictionary[int, Pending] = WeakValueDictionary()
        self._loops: set[AbstractEventLoop] = set()  # of libraries, which listen; a snippet's own ask
        self._go_on: Callable[[], object] = bool  # nothing is to be done
        self._end: Callable[[Ending], Ending] = lambda ending: ending
        self._module: Module = import_module
        self._room = Room()
        self.readings = Readings()

    def obey(self, namespace: Namespace, readings: Readings | None) -> None:
        """Ask before each call whether the step goes on, and let its threads go on before each wait for an answer.

        What tools return is made with the modules it gives. Its clocks are read by way of `readings`, if any.
        """
        self._go_on, self._end, self._module = namespace.go_on, namespace.end, namespace.module
        self._room = namespace.room
        self._room.settings[waits.ANSWERS] = self
        if readings is not None:
            self.readings = self._room.settings[waits.READINGS] = readings

    def close(self) -> None:
        """End the threads that could make more of them: the session is over."""
        waits.forget(self._room)

    def begin(self, first: int, limits: StepLimits, readings: Iterable[int]) -> None:
        """Start a step: `first` is the number of its first call, `readings` what its clocks say first."""
        self.forget()
        self._number, self._limits, self._left = first, limits, limits.tool_calls
        self._allowance = Allowance(value_bytes=limits.value_bytes)
        self.one_by_one, self._waits, self._taken = True, 0, 0
        self.readings.begin(readings, MOST_READINGS)
        self._crossed_before, self._parts = self._channel.bytes_crossed, 0

    @property
    def comes_to_the_same(self) -> bool:
        """Whether the step can be run again with nothing but the answers to its calls and what its clocks said."""
        return self.one_by_one and self.readings.are_all_told

    def forget(self) -> None:
        """End the calls of a step: who still holds one keeps its answer, or is told that it will not come."""
        if not self._called:
            return
        self._called = False
        for number, pending in list(self._promised.items()):
            arrived = self._arrived.get(number)
            pending._settle(_never if arrived is None else partial(self.result, arrived))
        self._promised.clear()
        self._waiting.clear()
        self._heard.clear()
        self._arrived.clear()
        self._futures.clear()
        self._listen_no_more()

    def start(self, tool: str, arguments: tuple[Any, ...], named: Mapping[str, Any], *, aside: bool = True) -> int:
        """Send a call off; its number is what to wait for."""
        self._go_on()
        if self._left <= 0:
            most = f"{self._limits.tool_calls:,} at most; the user can allow more with Limits(tool_calls=…)"
            raise self._end(LimitReached(f"the tool calls of one step are used up: {most}"))
        allowance = self._allowance
        try:
            packed, by_name, parts = pack_arguments(arguments, named, allowance)
        except Uncrossable as error:
            raise TypeError(f"{tool}() was not called, an argument cannot be sent to it: {error}") from None
        self._parts += parts
        most_bytes, most_parts = allowance.value_bytes * _VALUES_OF_A_STEP, allowance.parts * _VALUES_OF_A_STEP
        if self._channel.bytes_crossed - self._crossed_before > most_bytes:
            told = f"{most_bytes:,} bytes in all, there and back: fetch less in one step"
            raise self._end(LimitReached(f"the calls of one step carry more than {told}"))
        if self._parts > most_parts:
            told = f"{most_parts:,} items in all: hand over less in one step"
            raise self._end(LimitReached(f"the calls of one step are given more than {told}"))
        aside = aside or waits.are_others(self._room)
        self._left -= 1
        self._called = True
        self.one_by_one = self.one_by_one and not aside
        self._number = number = self._number + 1
        self._output.flush()
        self._channel.send(Call(number, tool, packed, by_name, aside, self.readings.taken()))
        self._waiting[number] = tool
        return number

    def promise(self, number: int, pending: Pending) -> None:
        """Note who will ask for the answer to a call, perhaps after the step."""
        self._promised[number] = pending

    def wait(self, number: int) -> Any:
        """Give what a call returned, or raise what it raised."""
        waits.call(self._room, number)
        return self.taken(number)

    def let_go_on(self, number: int, seconds: float | None) -> bool:
        """Let the other threads go on before one waits for an answer; False where it is not there in time."""
        until = time.monotonic() + (seconds or 0)
        waits.call(self._room, number, seconds)
        while seconds is not None and number in self._waiting:
            if not self.take(max(until - time.monotonic(), 0)):
                return False
        return True

    def taken(self, number: int) -> Any:
        """The same, while no thread goes on."""
        arrived = self._arrived
        while number not in arrived:
            if number not in self._waiting:
                _never()
            self.take(None)
        return self.result(arrived.pop(number))

    def take(self, seconds: float | None) -> bool:
        """Take in one answer that comes within so many seconds, or as late as it does; whether one did.

        When the seconds are over, those count that are given before the host hears of it. It notes how often that was
        so, and the same answers are there when the step is run again.
        """
        if not self._waiting:
            return False
        if self._take_heard():
            return True
        if seconds is None:
            if (self._waits or self._limits.again) and self._waits < MOST_WAITS:
                self._tell(Waits(len(self._waiting)))  # an answer alone can end it
            self._take(self._heard.popleft() if self._heard else self._channel.receive_soon())
        elif self._channel.readable(seconds):
            self._take(self._channel.receive())  # whole: how many packets it comes in tells how quick the machine is
        else:
            self._hear(self._taken)
            return self._take_heard()
        return True

    def take_ready(self) -> bool:
        """Take in one answer that is there, as the host notes that it was asked; whether one was."""
        if not self._waiting:
            return False
        self._hear()
        return self._take_heard()

    def _take_heard(self) -> bool:
        if not self._heard:
            return False
        self._take(self._heard.popleft())
        return True

    def _hear(self, taken: int | None = None) -> None:
        if self._waits < MOST_WAITS:
            self._tell(Waits(taken=taken))
            while not isinstance(message := self._channel.receive_soon(), Given):
                self._put_by(message)
        else:
            self._put_by(self._channel.receive_ready())

    def _put_by(self, message: ToWorker | None) -> None:
        """Keep an answer until one is looked for: when it comes hangs on how quick the machine is."""
        if message is not None:
            self._heard.append(message)
            for loop in self._loops:  # which listen to the socket, where it is no more
                if not loop.is_closed():
                    loop.call_soon(self._take_ready)

    def _tell(self, wait: Waits) -> None:
        self._waits += 1
        self._channel.send(wait)

    def first(self, numbers: Collection[int]) -> int | None:
        """Give the call of these whose answer came first, or will not come; None where they are to be waited for."""
        came = (number for number in self._arrived if number in numbers)
        return next(came, None) or next((number for number in numbers if number not in self._waiting), None)

    def has_arrived(self, number: int) -> bool:
        """Whether the answer to a call is there."""
        if number in self._waiting:
            self._hear()
            while self._take_heard():
                pass
        return number in self._arrived

    def settle(self) -> None:
        """Wait for every call that is still under way."""
        self.take_ready()
        while self._waiting:
            self.take(None)

    def _take_one(self) -> bool:
        message = self._heard.popleft() if self._heard else self._channel.receive_ready()
        if message is not None:
            self._take(message)
        return message is not None

    def _take(self, message: ToWorker) -> None:
        if isinstance(message, Given):
            return  # to one who asked, and was cut off
        if not isinstance(message, _ANSWERS):
            raise ProtocolError(f"{type(message).__name__} came while a step was running")
        if self._waiting.pop(message.call, None) is None:
            return  # a call of a step that is over
        self._taken += 1
        if (future := self._futures.pop(message.call, None)) is None:
            self._arrived[message.call] = message
        elif not (future.done() or future.get_loop().is_closed()):  # else nobody waits for it
            try:
                future.set_result(self.result(message))
            except Exception as error:
                future.set_exception(error)
        if not self._futures:
            self._listen_no_more()

    def result(self, message: Returned | Raised) -> Any:
        """Give or raise what an answer says."""
        if isinstance(message, Returned):
            return unpack(message.value, module=self._module)
        raise exception_of(message)

    # --- under asyncio ---------------------------------------------------------------------------------------

    async def awaited(self, tool: str, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        """Call a tool; other coroutines run until it has answered."""
        import asyncio

        loop = asyncio.get_running_loop()
        number = self.start(tool, arguments, named)
        future: Future[Any] = loop.create_future()
        self._futures[number] = future
        if loop not in self._loops and not loops.is_one(loop):
            loop.add_reader(self._channel.fileno(), self._take_ready)
            self._loops.add(loop)
        return await future

    @property
    def are_due(self) -> bool:
        """Whether calls are under way."""
        return bool(self._waiting)

    def are_awaited(self, loop: AbstractEventLoop) -> bool:
        """Whether a task of this loop waits for one."""
        return any(future.get_loop() is loop for future in self._futures.values())

    def _take_ready(self) -> None:
        while self._futures and self._take_one():
            pass

    def _listen_no_more(self) -> None:
        while self._loops:
            if not (loop := self._loops.pop()).is_closed():
                loop.remove_reader(self._channel.fileno())


def _never() -> NoReturn:
    raise RuntimeError("the step that made this call ended before the call did: call the tool again")
