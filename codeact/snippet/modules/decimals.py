"""The contexts of decimal, which its C code takes for contexts, and for alive, without a look.

- The one in use is the value of a variable that `contextvars.copy_context()` tells of: whatever a snippet set there was
  read, and written to, as if it were one.
- `context.traps` and `context.flags` look into their context and do not keep it: behind one that is gone they would
  change what stands in its place. A session keeps those that it looked into as long as somebody may hold what looks.

How many digits one may have is asked where it is set up, whatever class it is of.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet import defects, digits, ownership, running
from codeact.snippet.modules.row import Room
from codeact.snippet.patches import put_on

_READING = -3  # how far from the flags of a class stands what reads attributes of its instances
_LOOKING = ("traps", "flags")
_KEPT = "decimal contexts"
_FEW = 100


def guarded(room: Room) -> dict[str, Any]:
    """Nothing is replaced in a module by which a snippet comes to the variable: what is behind it looks."""
    guard()
    return {}


def guard() -> None:
    """Have both look first, in the whole process; more calls do nothing."""
    import contextvars
    import decimal

    real: Any = vars(decimal.Context)["__getattribute__"]
    if not hasattr(real, "__wrapped__"):
        reading, variable = _keeping(real), contextvars.Context().run(_variable)
        put_on(contextvars.ContextVar, "set", _taking(contextvars.ContextVar.set, variable, decimal.Context))
        defects.put(decimal.Context, {"__getattribute__": reading}, _READING)
        defects.put(decimal.Context, {"__init__": _set_up(vars(decimal.Context)["__init__"])}, defects.INIT)


def _variable() -> Any:
    """What decimal has its context in: the only variable there is in new surroundings."""
    import contextvars
    import decimal

    decimal.getcontext()
    return next(iter(contextvars.copy_context()))


def _taking(real: Callable[..., Any], variable: Any, kind: type) -> Callable[..., Any]:
    @functools.wraps(real)
    def set(self: Any, value: Any, /) -> Any:
        if self is variable:
            _check(value, kind)
        return real(self, value)

    return set


def _check(value: Any, kind: type) -> None:
    if kind not in ownership.mro_of(type(value)):
        raise TypeError(f"the variable of decimal takes a context, not {type(value).__name__!r}")


def _set_up(real: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(real)
    def __init__(self: Any, prec: Any = None, *settings: Any, **named: Any) -> None:
        """What sets up a context, also one of a class built on it."""
        if prec is not None and running.in_a_snippet():
            digits.check_precision(prec)
        real(self, prec, *settings, **named)

    return __init__


def surrounding(real: Callable[..., Any]) -> Callable[..., Any]:
    """What makes a context for a while, which has no more digits than others."""

    def localcontext(ctx: Any = None, **settings: Any) -> Any:
        if settings.get("prec") is not None and running.in_a_snippet():
            digits.check_precision(settings["prec"])
        return real(ctx, **settings)

    return localcontext


def _keeping(real: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(real)
    def __getattribute__(self: Any, name: str, /) -> Any:
        found = real(self, name)
        if name in _LOOKING and (room := running.room()) is not None:
            kept: dict[int, Any] = room.settings.setdefault(_KEPT, {})
            if id(self) not in kept and len(kept) % _FEW == _FEW - 1:
                _let_go(kept, real)
            kept[id(self)] = self
        return found

    return __getattribute__


def _let_go(kept: dict[int, Any], real: Callable[..., Any]) -> None:
    """Keep those contexts alone whose traps or flags somebody holds: else the context has them, and this call."""
    for at, context in list(kept.items()):
        if all(sys.getrefcount(real(context, name)) <= 2 for name in _LOOKING):  # said above
            del kept[at]
