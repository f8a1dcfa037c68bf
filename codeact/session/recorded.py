"""Answers given as they were recorded, in the order in which a step that is lived again has to see them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from codeact.errors import ProtocolError
from codeact.records import ToolCall
from codeact.session.alike import are_said_again
from codeact.session.hosting import Answer, AnsweredCall, Arguments, answer_again
from codeact.snippet.toolcalls import as_called
from codeact.wire import messages as say
from codeact.wire.frames import Channel
from codeact.wire.values import Allowance

if TYPE_CHECKING:
    from codeact.toolbox import Tool

_FIXED = "Where it says the time: Session(deterministic=True) fixes the clock"


class Recorded(ABC):
    """What is known of a step from before, and what of it its calls have been given."""

    def __init__(self, channel: Channel[say.ToHost], first_call: int, allowance: Allowance) -> None:
        self.channel, self.first_call, self._allowance = channel, first_call, allowance
        self.recorded: Mapping[int, AnsweredCall] = {}
        self.due: deque[int] = deque()  # those of them that are yet to be given, in their order
        self.readings: list[int] = []  # what its clocks say, or have said so far
        self.only_recorded = False  # the step has been lived before, whole: no tool is called
        self.diverged = ""  # the first call that is not the recorded one
        self.begun: dict[int, tuple[str, dict[str, Any]]] = {}  # every call: its tool and its arguments
        self._put_off: set[int] = set()  # calls that have begun, and that no tool is at work for yet
        self._came: dict[int, tuple[say.Call, AnsweredCall]] = {}  # calls whose recorded answer is not due yet
        self._later: list[tuple[say.Call, Tool, Arguments]] = []  # calls to be made when no recorded answer is due
        self._waits = self._waits_told = 0  # that were over in vain; and that are told of, whatever came of them

    @abstractmethod
    def _make(self, call: say.Call, tool: Tool, read: Arguments) -> None:
        """Have a tool answer a call."""

    @abstractmethod
    def _give(self, call: say.Call, answer: Answer, record: ToolCall) -> None:
        """Record an answer, tell of it, and only then let the snippet see it."""

    def _take_readings(self, readings: list[int]) -> None:
        self.readings += readings
        if len(self.readings) > say.MOST_READINGS:
            raise ProtocolError("the worker told of more readings of clocks than it may")

    @property
    def _so_far(self) -> int:  # by how many calls have begun and waits are over, an answer has its place
        return len(self.begun) + self._waits

    def _answer_from_record(self, call: say.Call, tool: Tool, read: Arguments) -> bool:
        """Answer as it was recorded, when it is due; False where the call is to be made now."""
        number = call.call - self.first_call
        found = self.recorded.get(number)
        made = ToolCall(*self.begun[call.call])
        if found is None and not self.only_recorded:
            if not call.aside or not self.due:
                self._give_rest()
                return False
            self._put_off.add(call.call)
            self._later.append((call, tool, read))
            self._give_due()
        elif found is None:
            self._diverge(call, f"it calls {_shown(made)} where it made no call", "no such call was recorded")
        elif found.call.tool != made.tool or not are_said_again(found.call.arguments, made.arguments):
            what = f"it calls {_shown(made)} where it called {_shown(found.call)}"
            self._diverge(call, what, f"this is not the call that was recorded: {what}. {_FIXED}")
        else:
            self._put_off.add(call.call)
            self._came[number] = call, found
            self._give_due()
            if not call.aside and number in self._came:  # the worker does nothing else until it is there
                self._give_recorded(number)
                self._give_due()
        return True

    def _diverge(self, call: say.Call, what: str, told: str) -> None:
        self.diverged = self.diverged or what
        self.channel.send(say.Raised(call.call, "", told))
        self._give_rest()

    def _give_due(self) -> None:
        """Give recorded answers in their order, each when as much has happened as had then: the order of what runs
        side by side depends on it.
        """
        while self.due and (came := self._came.get(self.due[0])) and came[1].begun <= self._so_far:
            self._give_recorded(self.due[0])
        if not self.due:
            self._give_rest()

    def _give_rest(self) -> None:
        """Give what is recorded, and make the calls that were to come later: there is nothing left to wait for."""
        self.due.clear()
        for number in list(self._came):
            self._give_recorded(number)
        later, self._later = self._later, []
        for call, tool, read in later:
            self._put_off.discard(call.call)
            self._make(call, tool, read)

    def _give_recorded(self, number: int) -> None:
        call, found = self._came.pop(number)
        if number in self.due:
            self.due.remove(number)
        self._give(call, answer_again(call, found, self._allowance), found.call)
        self._put_off.discard(call.call)


def _shown(call: ToolCall) -> str:
    return as_called(call.tool, call.arguments, 60)
