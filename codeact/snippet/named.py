"""The names of arguments that a mapping gives: `f(**mapping)` hands on strings, and nothing of the mapping's own class.

Python takes strings of any class there, and asks them which parameter they name, each time anew: a guard and the
function behind it could be told different ones.
"""

from __future__ import annotations

from typing import Any

from codeact.snippet.ownership import mro_of

_TEXT = frozenset({str})


def named(given: Any) -> Any:
    """The same names and values, under plain strings; what is no mapping Python itself refuses."""
    if type(given) is dict and _TEXT.issuperset(map(type, given)):
        return given
    if not hasattr(given, "keys"):
        return given
    return {plain(name): value for name, value in {**given}.items()}


def plain(name: Any) -> Any:
    """The string itself, whatever class it was given; anything else as it is."""
    return str.__str__(name) if str in mro_of(type(name)) else name
