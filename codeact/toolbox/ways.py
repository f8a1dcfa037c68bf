"""Values that an annotation can take in more ways than anybody waits for.

A union of models that hold themselves, `Add | Mul`, is tried one after the other at each level of what is given: forty
levels of a few bytes would take for ever. How often a union is gone into is counted, and of what fits none of its types
few reasons are kept: they would double with each level as well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import ArgsKwargs, ValidationError

_FEW = 200_000  # times, for any value
_FOR_EACH = 4  # times, for each part that it has
_MOST_REASONS = 50
_TOO_MANY = "it can be taken in more ways than can be tried: it is nested too deeply"


class _Left(threading.local):
    """How often unions may yet be gone into, for the value that is held against an annotation in this thread."""

    times = 0
    given: Any = None  # whose parts have not been counted yet


_left = _Left()


def counted(union: dict[str, Any]) -> dict[str, Any]:
    """Let a union refuse what it is given where unions have been gone into too often."""
    named = {"ref": union.pop("ref")} if "ref" in union else {}
    return {
        "type": "function-wrap",
        "function": {"type": "no-info", "function": _once_more},
        "schema": union,
        **named,
    }


def bounded(schema: Any) -> Any:
    """Let each value that is held against this schema be counted for itself."""
    return {"type": "function-wrap", "function": {"type": "no-info", "function": _anew}, "schema": schema}


def _anew(value: Any, check: Callable[[Any], Any]) -> Any:
    before = _left.times, _left.given
    _left.times, _left.given = _FEW, value
    try:
        return check(value)
    finally:
        _left.times, _left.given = before


def _once_more(value: Any, take: Callable[[Any], Any]) -> Any:
    _left.times -= 1
    if _left.times < 0:
        _left.times, _left.given = _left.times + _FOR_EACH * _parts(_left.given), None
        if _left.times < 0:
            raise ValueError(_TOO_MANY)
    try:
        return take(value)
    except ValidationError as error:
        if error.error_count() <= _MOST_REASONS:
            raise
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    raise ValueError(f"it fits none of the types it may have; of the first: {first['msg']}")


def _parts(given: Any) -> int:
    count, todo = 0, [given]
    while todo:
        part = todo.pop()
        if isinstance(part, ArgsKwargs):
            todo += [part.args, part.kwargs]
        elif isinstance(part, list | tuple | set | frozenset | Mapping):
            count += len(part)
            todo += part.values() if isinstance(part, Mapping) else part
    return count
