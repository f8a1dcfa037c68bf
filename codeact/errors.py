"""What codeact raises.

    CodeactError
     ├─ UsageError          the caller's arguments are off
     │   └─ ToolError       a function cannot be offered as a tool
     ├─ CageError           a wall that was asked for cannot be put up
     ├─ SessionError        the session cannot go on
     │   ├─ SessionClosed   it was closed before
     │   ├─ WorkerDied      its worker ended and no earlier state was left to return to
     │   └─ ProtocolError   its worker broke the protocol; it was killed
     ├─ ModelError          the model gave no reply
     │   ├─ NoModel         no model was named
     │   ├─ NotAuthorised   no key, one the provider refuses, or no credit
     │   ├─ UnknownModel    neither litellm nor the provider knows the name
     │   ├─ ModelUnavailable  no connection, a time-out, or an error on the provider's side
     │   ├─ RateLimited     the provider asks to wait
     │   ├─ ContextTooLong  the messages do not fit the model's window
     │   └─ ModelRefused    the model, or its provider's policy, refuses to answer
     ├─ SkillError          a skill cannot be read, run or kept
     └─ JournalError        a recording cannot be read or followed
         └─ Diverged        running it again did something else than was recorded

A snippet's own mistakes are none of these: they are an `Observation` with a `Failure`.
"""

from __future__ import annotations


class CodeactError(Exception):
    """The base of all errors raised by codeact."""


class UsageError(CodeactError):
    """The caller's arguments are off; the message says which and what to write instead."""


class ToolError(UsageError):
    """A function cannot be offered as a tool."""


class CageError(CodeactError):
    """A wall that was asked for cannot be put up."""

    def __init__(self, wall: str, reason: str, remedy: str) -> None:
        super().__init__(wall, reason, remedy)  # as it was called, or it could not be pickled
        self.wall, self.reason, self.remedy = wall, reason, remedy

    def __str__(self) -> str:
        """Say what is wrong, and what to do."""
        return f"the {self.wall} wall cannot be put up: {self.reason}. {self.remedy}"


class SessionError(CodeactError):
    """The session cannot go on."""


class SessionClosed(SessionError):
    """The session was closed before."""


class WorkerDied(SessionError):
    """The worker ended and no earlier state was left to return to."""


class ProtocolError(SessionError):
    """The worker broke the protocol and was killed."""


class ModelError(CodeactError):
    """The model gave no reply; the message is one sentence, with what to try where that helps."""


class NoModel(ModelError):
    """No model was named."""


class NotAuthorised(ModelError):
    """There is no key, the provider refuses it, or its account has no credit left."""


class UnknownModel(ModelError):
    """Neither litellm nor the provider knows the model's name."""


class ModelUnavailable(ModelError):
    """No connection, a time-out, or an error on the provider's side."""


class RateLimited(ModelError):
    """The provider asks to wait; `retry_after_seconds` is None where it did not say how long."""

    def __init__(self, message: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class ContextTooLong(ModelError):
    """The messages do not fit the model's context window."""


class ModelRefused(ModelError):
    """The model, or its provider's policy, refuses to answer; asking again does not help."""


class SkillError(CodeactError):
    """A skill cannot be read, run or kept."""


class JournalError(CodeactError):
    """A recording cannot be read or followed."""


class Diverged(JournalError):
    """Running a recording again did something else than was recorded."""
