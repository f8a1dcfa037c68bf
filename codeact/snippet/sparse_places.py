"""The names by which a snippet gets at the places that compiled code goes by in a sparse array.

Who never says one of them has sparse arrays as they are; the guards are put in place once one is said.
"""

from __future__ import annotations

from collections.abc import Callable

from codeact.snippet.words import word_set

NAMES = word_set("indices indptr coords offsets")

_said: list[bool] = []
_waiting: list[Callable[[], object]] = []


def say() -> None:
    """Note that one of the names is said, in whatever way."""
    _said[:] = [True]
    while _waiting:
        _waiting.pop()()


def once_said(act: Callable[[], object]) -> None:
    """Call a function as soon as one of the names is said, or now."""
    _waiting.append(act)
    if _said:
        say()
