"""How long a session is waited for: a busy machine may give it no processor, but one that sleeps is not waiting for it.

The zygote sees which of the two it is. Where it has no `/proc` to see it by, all are taken to wait for a processor.
"""

from __future__ import annotations

import fcntl
import math
import select
import socket
import struct
import termios
import time
from contextlib import suppress

from codeact.alarms import is_of_the_system
from codeact.errors import CageError, WorkerDied
from codeact.sandbox.zygotes import Zygote
from codeact.wire.orders import Stir, Stirring

_READING_SECONDS = 0.05
_BEGINNING_SECONDS = 2.0  # a busy machine gives a worker no processor for as long as this
_POLL_SECONDS = 0.0005
_LOOK_SECONDS = 0.02
_LOOKS = 8  # one after the other: a state that takes over sleeps for a moment too
_LOOKS_IN_ALL = 16
_BUSY_SECONDS = 0.2  # of processor time: more than it takes to read, whatever there is to let go of first


class Patience:
    """What is left of it with one session."""

    def __init__(
        self, zygote: Zygote, session: int, most_busy_seconds: float = math.inf, *, takes_over: bool = False
    ) -> None:
        self._zygote, self._session, self._most_busy_seconds = zygote, session, most_busy_seconds
        self._most_slept = _LOOKS_IN_ALL if takes_over else math.inf
        self._looked_at = 0.0
        self._asleep = self._slept = 0  # how often it was found so: one time after the other, and in all
        self._step = 0  # that has begun, by its own account
        self._before: float | None = None
        self.busy_seconds = 0.0  # that it has computed for since the first look

    def is_over(self) -> bool:
        """Whether it has slept for so long that it does not wait for a processor, or has had enough of one.

        Who takes over has nothing to wait for once who ran the step is dead: it may be found asleep so often in all.
        To be asked again and again.
        """
        now = time.monotonic()
        if now - self._looked_at >= _LOOK_SECONDS:
            self._looked_at = now
            self._look()
        return self._asleep >= _LOOKS or self._slept >= self._most_slept or self.has_had_enough

    @property
    def has_had_enough(self) -> bool:
        """Whether it has computed for longer than it takes."""
        return self.busy_seconds > self._most_busy_seconds

    def has_begun(self, step: int) -> bool:
        """Whether a step has begun, by the session's own account, which is known also where it is dead."""
        self._look()
        return self._step == step

    def _look(self) -> None:
        seen = None
        with suppress(WorkerDied, CageError):
            seen = self._zygote.ask(Stir(self._session))
        if isinstance(seen, Stirring):
            self._asleep = 0 if seen.awake else self._asleep + 1
            self._slept += not seen.awake
            self._step = seen.step
            self.busy_seconds += 0.0 if self._before is None else max(0.0, seen.cpu_seconds - self._before)
            self._before = seen.cpu_seconds

    def until_begun(self, sock: socket.socket, unheard: int) -> None:
        """Give the worker a moment to take what it is sent: killed before, it would lose the step before that.

        `unheard` is the first call of a step that has said nothing yet: the wait is over when the state before it is
        frozen, not when it was read. One that sleeps now and then meanwhile could have begun, and is not waited for.
        """
        until = time.monotonic() + (_BEGINNING_SECONDS if unheard else _READING_SECONDS)
        try:
            while _is_unread(sock) or (unheard and not self._begins(sock, unheard)):
                if self.is_over() or self._slept >= _LOOKS or self.busy_seconds > _BUSY_SECONDS:
                    return
                if time.monotonic() > until:
                    return
                time.sleep(_POLL_SECONDS)
        except OSError as error:  # a socket closed meanwhile has nobody to wait for
            if not is_of_the_system(error):
                raise

    def _begins(self, sock: socket.socket, step: int) -> bool:
        """Whether the step has begun, as of the last look, or will not any more."""
        hung_up = select.poll()
        hung_up.register(sock, 0)
        self.is_over()
        return self._step == step or bool(hung_up.poll(0))


def _is_unread(sock: socket.socket) -> bool:
    """Whether something that was sent has not been read."""
    return bool(struct.unpack("i", fcntl.ioctl(sock, termios.TIOCOUTQ, bytes(4)))[0])
