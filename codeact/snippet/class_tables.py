"""What `A.__dict__` shows: what a class of the snippet's own defines, but for what stands in it for our rules.

A library that makes it something more keeps in it what is the library's: what validates for a model sets up any object,
and is not to be had by any other name either. So special names that nobody may say are shown of what bodies define.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, KeysView, Mapping
from typing import Any

from codeact.snippet import attribute_rules, group_names, memory_names, ownership
from codeact.snippet.endings import CallRefused
from codeact.snippet.names import BY_PYTHON
from codeact.snippet.private_names import may_say

#: What a class has for the attributes of its instances.
_HELD = ("__dict__", "__weakref__")

_OURS = (type(memory_names.ABSENT), type(group_names.SPLIT))


class Held:
    """Stands for the `__dict__` and `__weakref__` that a class has for its instances: it gives what these give."""

    __slots__ = ("__name__", "__objclass__")

    def __init__(self, name: str, owner: type) -> None:
        self.__name__, self.__objclass__ = name, owner

    def __get__(self, subject: Any, owner: Any = None) -> Any:
        if subject is None:
            return self
        if self.__objclass__ not in ownership.mro_of(type(subject)):
            whose, kind = self.__objclass__.__name__, type(subject).__name__
            raise TypeError(f"descriptor {self.__name__!r} for {whose!r} objects doesn't apply to a {kind!r} object")
        from codeact.snippet.attributes import get  # which needs this module

        return get(subject, self.__name__)

    def __repr__(self) -> str:
        return f"<attribute {self.__name__!r} of {self.__objclass__.__name__!r} objects>"


class Names:
    """Stands for the `__dict__` of a library's class: it tells which names that defines, and hands out nothing."""

    __slots__ = ("_names", "_owner")
    __hash__ = None  # type: ignore[assignment]  # as of what it stands for

    def __init__(self, owner: type) -> None:
        names = ownership.class_dict(owner)
        self._owner, self._names = owner, {key: None for key in names if type(key) is str and key.isidentifier()}

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._names.copy().keys()

    def get(self, name: object, default: object = None, /) -> object:
        """The default where the class defines no such name."""
        return self[name] if name in self._names else default

    def __getitem__(self, name: object) -> object:
        if name not in self._names:
            raise KeyError(name)
        return self._withheld()

    def _withheld(self, *given: object) -> Any:
        why = "it tells the names alone of what is not your own; getattr(cls, name) gives what they are"
        raise CallRefused(f"{self._owner.__name__}.__dict__ is refused: {why}")

    items = values = copy = __repr__ = __eq__ = __or__ = __ror__ = _withheld


Mapping.register(Names)


def shown(cls: type) -> dict[str, Any]:
    """A copy of the definitions of a class."""
    return {
        key: Held(key, cls) if type(value) is types.GetSetDescriptorType else value
        for key, value in ownership.class_dict(cls).items()
        if type(value) not in _OURS
        and key != ownership.MARK
        and (type(value) is not types.GetSetDescriptorType or key in _HELD)
        and (key in _HELD or key in BY_PYTHON or not _is_librarys(cls, key))
    }


def _is_librarys(cls: type, key: str) -> bool:
    """True for what only a library puts into a class that is built on its own, and nobody may ask for."""
    kind = attribute_rules.attribute_kind(key)
    if kind == "private":
        return not may_say(cls, key)
    return kind == "refused" and attribute_rules.refused_definition(key) is not None


def let_go(names: dict[str, Any]) -> None:
    """Take out what was copied from another class along with its definitions: the class that is made has its own."""
    for key in _HELD:
        if type(dict.get(names, key)) is Held:
            dict.__delitem__(names, key)
