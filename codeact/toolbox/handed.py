"""Functions a caller hands over besides tools: they are called at once, and nobody waits for what they begin."""

from __future__ import annotations

import inspect
from typing import Any

NOT_AWAITED = "nobody waits for what is async: a function that gives its answer is needed"


def is_async(function: Any) -> bool:
    """Tell whether a call of the function begins something that has to be waited for."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004  # its kind is asked for, not whether it is there


def takes(value: Any, count: int) -> bool:
    """Tell whether a value is a function that can be called with so many arguments, and is not async."""
    if not callable(value) or is_async(value):
        return False
    try:
        signature = inspect.signature(value)
    except Exception:  # what is written in C may not say; nor what has types that cannot be read, from Python 3.14 on
        return True
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def is_begun(answer: Any) -> bool:
    """Tell whether an answer only waits to be waited for; a coroutine is put away, or Python would warn of it."""
    if inspect.iscoroutine(answer):
        answer.close()
    return inspect.isawaitable(answer)
