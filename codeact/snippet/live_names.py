"""Dictionaries of names a snippet may look at and store in: each store is checked as an assignment would be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

#: Raises where a name may not be stored or deleted.
Check = Callable[[Any], object]


class LiveNames(dict[str, Any]):
    """A copy of some names that hands on what is stored in it; made by `live` alone."""

    __slots__ = ("_check", "_target")

    _check: Check
    _target: MutableMapping[str, Any]

    def __setitem__(self, name: str, value: Any) -> None:
        self._check(name)
        self._target[name] = value
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        if name in self:
            self._check(name)
            self._target.pop(name, None)
        super().__delitem__(name)

    def update(self, /, *arguments: Any, **keywords: Any) -> None:
        """Store several names."""
        for name, value in dict(*arguments, **keywords).items():
            self[name] = value

    def __ior__(self, other: Any) -> LiveNames:  # type: ignore[override, misc]  # it takes what update takes
        self.update(other)
        return self

    def setdefault(self, name: str, default: Any = None) -> Any:
        """Store a name that is not there."""
        if name not in self:
            self[name] = default
        return self[name]

    def pop(self, name: str, *default: Any) -> Any:
        """Take a name away."""
        if name not in self:
            return super().pop(name, *default)
        value = self[name]
        del self[name]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Take the last name away."""
        for name in reversed(self):
            return name, self.pop(name)
        return super().popitem()

    def clear(self) -> None:
        """Take all names away."""
        for name in list(self):
            del self[name]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (dict(self),)


class GlobalNames(LiveNames):
    """What globals() gives."""

    __slots__ = ()


for _class in (LiveNames, GlobalNames):
    _class.__name__ = _class.__qualname__ = "dict"
    _class.__module__ = "builtins"


def live(
    shown: Mapping[str, Any], target: MutableMapping[str, Any], check: Check, *, kind: type[LiveNames] = LiveNames
) -> LiveNames:
    """Names as they are now, over the `target` they are stored in."""
    made = kind(shown)
    made._check, made._target = check, target
    return made
