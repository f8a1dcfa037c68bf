"""A call held open: the session stops at it, and goes on when its answer is there."""

from __future__ import annotations


class Pause(BaseException):
    """Raised by a tool that cannot answer now: the step stops at this call, and `Session.go_on` continues it.

    No `except Exception` between the tool and the session takes it for a failure.
    """

    def __init__(self, reason: str = "it waits for an answer") -> None:
        super().__init__(reason)
        self.reason = reason
