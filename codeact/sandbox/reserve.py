"""A few caged sessions kept ready, so that the next one starts at once.

Filled by a thread in the background once the same kind of session has been asked for repeatedly, with more where they
are asked for faster than they are made; emptied, and the thread gone, when nobody has asked for a while. A session is
handed out once, the latest first, and never comes back.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar

from codeact.errors import CodeactError

_KINDS = 4
_ASKED_FIRST = 2  # a program that needs one session or two keeps none in reserve
_KEPT_FIRST = 2
_IDLE_SECONDS = 30.0
_HEAD_START_SECONDS = 0.005  # for the one just handed out: making the next takes a processor's time


class Kept(Protocol):
    """What is kept ready."""

    @property
    def fit(self) -> bool:
        """Whether it still waits for its first message."""

    def close(self) -> None:
        """End it."""


Key = TypeVar("Key", bound=Hashable)
Ready = TypeVar("Ready", bound=Kept)


class Reserve(Generic[Key, Ready]):
    """Ready ones by kind, at most `most` of each; `make` makes one more, or gives None where none can be made now."""

    def __init__(self, make: Callable[[Key], Ready | None], *, most: int) -> None:
        self._make, self.most = make, most
        self._begin_anew()
        os.register_at_fork(after_in_child=self._begin_anew)  # the parent's sessions and threads stay the parent's

    def _begin_anew(self) -> None:
        self._changed = threading.Condition()
        self._ready: dict[Key, list[Ready]] = {}  # the kind asked for last comes last
        self._asked: dict[Key, int] = {}
        self._missed: dict[Key, int] = {}  # how often none was ready
        self._filling = False
        self._handed_out = 0.0  # when

    def take(self, key: Key) -> Ready | None:
        """Give one that is ready, if there is one, and see to it that there will be another."""
        with self._changed:
            waiting = self._ready.pop(key, [])
            self._ready[key] = waiting
            self._asked[key] = self._asked.pop(key, 0) + 1
            found, surplus = None, self._forget_old_kinds()
            while waiting and found is None:
                latest = waiting.pop()  # of its memory, most is still in the processor's caches
                if latest.fit:
                    found, self._handed_out = latest, time.monotonic()
                else:
                    surplus.append(latest)
            if self._asked[key] >= _ASKED_FIRST:
                self._missed[key] = self._missed.get(key, 0) + (found is None)
                self._fill()
        for one in surplus:
            one.close()
        return found

    def _forget_old_kinds(self) -> list[Ready]:
        surplus: list[Ready] = []
        while len(self._ready) > _KINDS:
            oldest = next(iter(self._ready))
            surplus += self._ready.pop(oldest)
            del self._asked[oldest]
            self._missed.pop(oldest, None)
        return surplus

    def _fill(self) -> None:
        if self._filling:
            self._changed.notify()
            return
        try:
            threading.Thread(target=self._keep_full, name="codeact reserve", daemon=True).start()
            self._filling = True
        except RuntimeError:  # no thread is left: sessions are made when asked for
            return

    def _keep_full(self) -> None:
        try:
            while self._wait_for_work():
                pass
        finally:
            with self._changed:
                self._filling = False

    def _wait_for_work(self) -> bool:
        """Make one, or wait to be asked; False when it is time to go."""
        with self._changed:
            key = next((key for key in reversed(self._ready) if self._lacks(key)), None)
            if key is None:
                if self._changed.wait(_IDLE_SECONDS):
                    return True
                idle = self._all_out()
            elif self._ready[key] and (early := self._handed_out + _HEAD_START_SECONDS - time.monotonic()) > 0:
                self._changed.wait(early)
                return True
        if key is None:
            for one in idle:
                one.close()
            return False
        try:
            made = self._make(key)
        except (CodeactError, OSError):  # whoever asks next starts one and is told why it cannot be had
            made = None
        with self._changed:
            if made is None:
                surplus = list(self._ready.pop(key, ()))
                self._asked.pop(key, None)
                self._missed.pop(key, None)
            elif key in self._ready and self._lacks(key):
                self._ready[key].append(made)
                return True
            else:
                surplus = [made]
        for one in surplus:
            one.close()
        return True

    def _lacks(self, key: Key) -> bool:
        wanted = min(self.most, _KEPT_FIRST + self._missed.get(key, 0))
        return self._asked.get(key, 0) >= _ASKED_FIRST and len(self._ready[key]) < wanted

    def _all_out(self) -> list[Ready]:
        idle = [one for waiting in self._ready.values() for one in waiting]
        self._ready.clear()
        self._asked.clear()
        self._missed.clear()
        return idle

    def empty(self) -> bool:
        """End all that are kept; whether there were any."""
        with self._changed:
            idle = self._all_out()
        for one in idle:
            one.close()
        return bool(idle)
