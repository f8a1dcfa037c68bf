"""What a handler of a signal raises, as the alarms of a host do, told apart from what the system or a library says.

It comes anywhere in the main thread, like Ctrl-C, but may be an error of any kind: most alarms raise a TimeoutError.
"""

from __future__ import annotations

import signal
from typing import Any, TypeGuard


def is_of_the_system(error: BaseException) -> TypeGuard[OSError]:
    """Whether the system has refused something: that has a number, which what others raise does not."""
    return isinstance(error, OSError) and error.errno is not None


def is_an_alarms(error: BaseException) -> bool:
    """Whether a handler of a signal has raised it."""
    handlers = {_code_of(signal.getsignal(number)) for number in signal.valid_signals()}
    at = error.__traceback__
    while at is not None and at.tb_frame.f_code not in handlers:
        at = at.tb_next
    return at is not None


def _code_of(handler: Any) -> object:
    if isinstance(handler, signal.Handlers):  # none, or the usual one
        return None
    return getattr(handler, "__code__", None) or getattr(type(handler).__call__, "__code__", None)
