"""Whose turn it is with a session that several share, and whether whoever asks is in it."""

from __future__ import annotations

import contextvars
from typing import Protocol

import msgspec

from codeact.errors import SessionError


class Turn(msgspec.Struct, eq=False):
    """The session's time for one of those who share it."""

    called_off: bool = False  # its step is to stop
    withdrawn: bool = False  # by whom it is for: its step is not even to begin


class Shared(Protocol):
    """What is used in turns."""

    turn: Turn


_inside: contextvars.ContextVar[frozenset[Turn]] = contextvars.ContextVar("turns under way", default=frozenset())


def is_inside(turn: Turn) -> bool:
    """Whether the code that asks was called in this turn."""
    return turn in _inside.get()


class Marked:
    """Marks whose turn it is while a `with` lasts. A generator that Ctrl-C left would end a later turn when it ends."""

    def __init__(self, shared: Shared, turn: Turn) -> None:
        self._shared, self._turn = shared, turn

    def __enter__(self) -> None:
        self._shared.turn = self._turn
        if self._turn.withdrawn:
            raise SessionError("the step was called off before its turn came: nothing of it has run")
        self._token = _inside.set(_inside.get() | {self._turn})

    def __exit__(self, *_: object) -> None:
        _inside.reset(self._token)
        self._shared.turn = Turn()  # so that an interrupt between two turns stops nobody
