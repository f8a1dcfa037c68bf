"""Methods as they are compared: CPython asks the function of one whether it equals that of the other.

What a snippet calls and binds itself would be handed the function of a method of ours, or of a library's, without the
object it belongs to: `Folder.open` opens any file for a folder that says where it is. While a step runs, two methods
are equal where their functions are the same.
"""

from __future__ import annotations

import types
from typing import Any

from codeact.snippet import defects, running


def _equals(one: Any, other: Any) -> Any:
    if type(other) is not types.MethodType:
        return NotImplemented
    ours, theirs = one.__func__, other.__func__
    if ours is not theirs and (type(ours) is type(theirs) is types.FunctionType or running.in_a_snippet()):
        return False
    return one.__self__ is other.__self__ and (ours is theirs or ours == theirs)


def _differs(one: Any, other: Any) -> Any:
    found = _equals(one, other)
    return found if found is NotImplemented else not found


def guard() -> None:
    """Have methods compared like this, in the whole process; outside of steps it comes to what it always did."""
    if vars(types.MethodType)["__eq__"] is not _equals:
        defects.put(types.MethodType, {"__eq__": _equals, "__ne__": _differs}, defects.COMPARISON)
