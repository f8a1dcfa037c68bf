"""What a snippet catches where a tool failed: an exception of the built-in name that the tool's had."""

from __future__ import annotations

from codeact.snippet.endings import ToolFailed
from codeact.wire.messages import Raised
from codeact.wire.raised import CATCHABLE, arguments_of

_CATCHABLE = {**CATCHABLE, "NotApproved": PermissionError}  # somebody was asked and said no
_made: dict[str, type[Exception]] = {}


def exception_of(message: Raised) -> Exception:
    """Give what a tool raised: caught by its built-in name, and known as a tool's."""
    return _class_of(message.error)(*arguments_of(message.error, message.message))


def _class_of(name: str) -> type[Exception]:
    base = _CATCHABLE.get(name)
    if base is None:
        return ToolFailed
    if name not in _made:
        _made[name] = type(name, (ToolFailed, base), {"__module__": "builtins"})
    return _made[name]
