"""What stands for `os.environ`: CPython's own would change the process."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

from codeact.snippet import ownership

_NAMED = re.compile(r"\$(\w+|\{[^}]*\})", re.ASCII)


def put_into(path: str, environment: Mapping[str, str]) -> str:
    """What `os.path.expandvars` makes of a path."""
    return _NAMED.sub(lambda named: environment.get(named[1].strip("{}"), named[0]), path)


def _text(given: Any) -> str:
    if str not in ownership.mro_of(type(given)):
        raise TypeError(f"str expected, not {type(given).__name__}")
    return str.__str__(given)


class Environment(MutableMapping[str, str]):
    """Texts by their names, and nothing else."""

    def __init__(self) -> None:
        self._held: dict[str, str] = {}

    def __getitem__(self, key: Any) -> str:
        return self._held[_text(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._held[_text(key)] = _text(value)

    def __delitem__(self, key: Any) -> None:
        del self._held[_text(key)]

    def __iter__(self) -> Iterator[str]:
        return iter([*self._held])

    def __len__(self) -> int:
        return len(self._held)

    def __repr__(self) -> str:
        return f"environ({self._held!r})"

    def __or__(self, other: Any) -> Any:
        return {**self, **other} if isinstance(other, Mapping) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return {**other, **self} if isinstance(other, Mapping) else NotImplemented

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def copy(self) -> dict[str, str]:
        """A dictionary, as CPython's own gives."""
        return dict(self._held)


Environment.__name__ = Environment.__qualname__ = "_Environ"
