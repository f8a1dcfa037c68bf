"""Whose turn it is with a session that several share, and whether whoever asks is in it."""

from __future__ import annotations

import contextvars
import threading
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from codeact.errors import SessionError
from codeact.session import lanes

if TYPE_CHECKING:
    import asyncio


class Turn(msgspec.Struct, eq=False):
    """The session's time for one of those who share it."""

    thread: int = 0  # whose it is, while it lasts
    called_off: bool = False  # its step is to stop
    withdrawn: bool = False  # by whom it is for: its step is not even to begin


class Shared(Protocol):
    """What is used in turns, and closed by whoever has the turn where nobody else can wait for its end."""

    turn: Turn
    closed: bool

    def close(self) -> None: ...


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
        self._turn.thread = threading.get_ident()
        self._token = _inside.set(_inside.get() | {self._turn})

    def __exit__(self, *_: object) -> None:
        _inside.reset(self._token)
        if self._shared.closed:
            self._shared.close()
        self._shared.turn = Turn()  # so that an interrupt between two turns stops nobody


class Line:
    """The tasks of one loop that came for a session: their steps run in the order they were asked for."""

    def __init__(self) -> None:
        self._last: asyncio.Future[Any] | None = None

    async def run(self, job: lanes.Job, done: asyncio.Future[Any], turn: Turn) -> None:
        """Run a job that settles `done` as soon as those before it are over; where `turn` waits for it, at once."""
        import asyncio

        before = self._last
        if not is_inside(turn):
            self._last = done
            done.add_done_callback(self._forget)
            if before is not None and before.get_loop() is done.get_loop():
                try:
                    await asyncio.wait([before])
                except asyncio.CancelledError:  # those behind wait for those before all the same
                    before.add_done_callback(lambda _: done.cancel())
                    raise
        try:
            lanes.run(job)
        except BaseException:
            done.cancel()
            raise

    def _forget(self, done: asyncio.Future[Any]) -> None:
        if self._last is done:
            self._last = None  # an idle session keeps no observation alive
