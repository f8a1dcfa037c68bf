"""Objects that know how many of their kind were made before them, and are hashed by that and not by where they lie.

So a set of them has the same order when a step is lived again, in another process.
"""

from __future__ import annotations

from typing import Any

from codeact.snippet import running, types_

_SERIAL = "serial"  # of the last one, in the settings of a session


def in_order(real: Any) -> Any:
    """A class that is known as `real`, to whose objects it gives such a hash."""

    def __new__(cls: Any, *_: Any, **__: Any) -> Any:
        self = real.__new__(cls)
        settings = running.room().settings
        self._serial = settings[_SERIAL] = settings.get(_SERIAL, 0) + 1
        return self

    def __hash__(self: Any) -> int:
        serial: int = self._serial
        return serial

    cls = type(real.__name__, (real,), {"__slots__": ("_serial",), "__new__": __new__, "__hash__": __hash__})
    types_.hide(cls, real)
    return cls
