"""The exceptions a step can end with that are ours, so that a failure's kind is read from its type.

Ending(SystemExit)        no snippet can catch it
 ├─ LimitReached          a budget is spent; StepOver where nothing may run at all
 └─ Answered              final_answer(value) was called
Refused(Exception)        a rule decided at run time
 ├─ ImportRefused         also an ImportError; ModuleMissing also a ModuleNotFoundError
 ├─ AttributeRefused      also an AttributeError
 └─ CallRefused           also a RuntimeError
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


class StepOver(LimitReached, GeneratorExit):
    """Something of the snippet runs between steps.

    A GeneratorExit as well: a generator that is collected after its step may end with one and the host hears nothing.
    """


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


class ImportRefused(Refused, ImportError):
    """The policy does not allow a module; a snippet may catch it as an ImportError."""

    def __init__(self, message: str, module: str = "") -> None:
        super().__init__(message)
        self.name = module


class ModuleMissing(ImportRefused, ModuleNotFoundError):
    """The same of a module that is not there at all; to a snippet it is what CPython raises."""


class AttributeRefused(Refused, AttributeError):
    """An attribute is refused; a snippet may catch it as an AttributeError."""


class CallRefused(Refused, RuntimeError):
    """A function is withheld; a snippet may catch it as a RuntimeError."""


#: What each of them says of itself, in `type(e).__name__` and in tracebacks: what it is caught as.
_CAUGHT_AS: dict[type[Refused], type[Exception]] = {
    ImportRefused: ImportError,
    ModuleMissing: ModuleNotFoundError,
    AttributeRefused: AttributeError,
    CallRefused: RuntimeError,
}
for _refusal, _caught in _CAUGHT_AS.items():
    _refusal.__name__ = _refusal.__qualname__ = _caught.__name__
    _refusal.__module__ = _caught.__module__


class ToolFailed(Exception):
    """A tool's own error, or a call that does not fit its signature; the message is the tool's."""
