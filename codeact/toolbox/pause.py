"""Calls that are not made now, or not at all: held open until there is an answer, and refused by a person."""

from __future__ import annotations


class Pause(BaseException):
    """Raised by a tool that cannot answer now: the step stops at this call, and `Session.go_on` continues it.

    `reason` says what is waited for: `seen.paused.error` is what it says.
    No `except Exception` between the tool and the session takes it for a failure.
    """

    def __init__(self, reason: str = "it waits for an answer") -> None:
        super().__init__(reason)
        self.reason = reason


class NotApproved(PermissionError):
    """Raised for a call that somebody was asked about and said no to; the snippet sees it by this name."""
