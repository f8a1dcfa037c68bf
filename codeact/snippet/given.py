"""The dictionaries a snippet gives to `exec` and `eval` for their names.

The text runs on a copy: the dictionary itself would let the snippet put its own values in the place of our hooks. What
the text binds is copied back when it has run; what the snippet changes in the dictionary later is copied in by every
function of the text when it is called. For variables any mapping will do: it is asked for each by its name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from codeact.snippet.rules import GIVEN

_items: Callable[[Any], Any] = dict.items
_MISSING = object()


class Asked:
    """Stands for a mapping that is asked for the variables of a text: for those a snippet could say, and no others."""

    __slots__ = ("_ours", "mapping")

    def __init__(self, mapping: Any) -> None:
        self.mapping, self._ours = mapping, dict[str, Any]()

    def _holder(self, name: str) -> Any:
        return self._ours if name.startswith(" ") or name == "__builtins__" else self.mapping

    def __getitem__(self, name: str) -> Any:
        return self._holder(name)[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._holder(name)[name] = value

    def __delitem__(self, name: str) -> None:
        del self._holder(name)[name]


def said(names: Mapping[Any, Any]) -> dict[str, Any]:
    """The names a snippet could have said: neither our hooks nor the builtins."""
    return {
        name: value
        for name, value in _items(names)
        if type(name) is str and name != "__builtins__" and not name.startswith(" ")
    }


def copy_back(names: Mapping[str, Any], before: Mapping[str, Any], given: dict[str, Any]) -> None:
    """Bring what a text has bound and deleted into the dictionary it was given."""
    for name, value in said(names).items():
        if name not in before or before[name] is not value:
            dict.__setitem__(given, name, value)
    for name in before:
        if name not in names:
            dict.pop(given, name, None)


def keep_fresh(names: dict[str, Any], given: dict[str, Any]) -> None:
    """From now on the functions of the text see what changes in `given`."""
    names[GIVEN] = given


def fresh() -> bool:
    """At the entry of a text's function: take over what has changed in the dictionary since."""
    names = sys._getframe(1).f_globals
    given = names.get(GIVEN)
    if given is not None:
        now = said(given)
        for name, value in now.items():
            if names.get(name, _MISSING) is not value:
                names[name] = value
        for name in [name for name in said(names) if name not in now and name != "__name__"]:
            del names[name]
    return True
