"""The exceptions a step can end with that are ours, so that a failure's kind is read from its type.

Ending(SystemExit)        no snippet can catch it
 ├─ LimitReached          a budget is spent
 └─ Answered              final_answer(value) was called
Refused(Exception)        a rule decided at run time; a refused import is a Refused and an ImportError
ToolFailed(Exception)     a tool raised on the host, or a call did not fit its signature
"""

from __future__ import annotations

from typing import Any


class Ending(SystemExit):
    """The step is over; only the edge of the worker may catch it.

    A SystemExit, because asyncio lets no other exception but a KeyboardInterrupt through its loop at once.
    """


class LimitReached(Ending):
    """A budget of the step is spent; the message says which and how much it was."""


class Answered(Ending):
    """The snippet called `final_answer`."""

    def __init__(self, value: Any) -> None:
        super().__init__("the run was answered")
        self.value = value


class Refused(Exception):
    """The policy refuses what the snippet asked for at run time."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class ToolFailed(Exception):
    """A tool's own error, or a call that does not fit its signature; the message is the tool's."""

    def __init__(self, message: str, tool: str = "") -> None:
        super().__init__(message)
        self.tool = tool
