"""The names of arguments that a mapping gives: `f(**mapping)` hands on strings, and nothing of the mapping's own class.

Python takes strings of any class there, and asks them which parameter they name, each time anew: a guard and the
function behind it could be told different ones.
"""

from __future__ import annotations

import functools
from typing import Any

from codeact.snippet import running
from codeact.snippet.live_names import live
from codeact.snippet.ownership import mro_of
from codeact.snippet.patches import put_on


def named(given: Any) -> Any:
    """The same names and values, under plain strings; what is no mapping Python itself refuses."""
    if type(given) is dict:
        for name in given:
            if type(name) is not str:
                break
        else:
            return given
    if not hasattr(given, "keys"):
        return given
    return {plain(name): value for name, value in {**given}.items()}


def plain(name: Any) -> Any:
    """The string itself, whatever class it was given; anything else as it is."""
    return str.__str__(name) if str in mro_of(type(name)) else name


def kept(names: dict[Any, Any]) -> dict[str, Any]:
    """Names that are handed on later, as a snippet sees them: nothing but a plain string is stored among them."""
    return live(names, names, _check)


def _check(name: Any) -> None:
    if type(name) is not str:
        raise TypeError(f"keywords must be plain strings, not {type(name).__name__!r}")


class _Keywords:
    """What a partial function or method keeps of its arguments with names."""

    __slots__ = ("_read",)

    def __init__(self, read: Any) -> None:
        self._read = read

    def __get__(self, partial: Any, owner: Any = None) -> Any:
        if partial is None:
            return self
        found = self._read(partial)
        return kept(found) if type(found) is dict and running.in_a_snippet() else found

    def __set__(self, partial: Any, names: Any) -> None:
        raise AttributeError("readonly attribute")


class _KeywordsOfMethods(_Keywords):
    __slots__ = ()

    def __set__(self, partial: Any, names: Any) -> None:
        vars(partial)["keywords"] = dict(named(names))


def guard() -> None:
    """Keep the names of partial functions and methods, in the whole process."""
    if "keywords" not in vars(functools.partialmethod):
        put_on(functools.partial, "keywords", _Keywords(vars(functools.partial)["keywords"].__get__))
        put_on(functools.partialmethod, "keywords", _KeywordsOfMethods(lambda partial: vars(partial)["keywords"]))
