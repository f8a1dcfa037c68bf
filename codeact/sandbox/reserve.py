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

import msgspec

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


class _Shelf(msgspec.Struct, Generic[Ready]):
    """The ready ones of a kind, and how often they have been asked for, and were when there was none."""

    ready: list[Ready] = []
    asked: int = 0
    missed: int = 0


class Reserve(Generic[Key, Ready]):
    """Ready ones by kind, at most `most` of each; `make` makes one more, or gives None where none can be made now."""

    def __init__(self, make: Callable[[Key], Ready | None], *, most: int) -> None:
        self._make, self.most = make, most
        self._begin_anew()
        os.register_at_fork(after_in_child=self._begin_anew)  # the parent's sessions and threads stay the parent's

    def _begin_anew(self) -> None:
        self._changed = threading.Condition()
        self._shelves: dict[Key, _Shelf[Ready]] = {}  # the kind asked for last comes last
        self._filling = False
        self._handed_out = 0.0  # when

    def take(self, key: Key) -> Ready | None:
        """Give one that is ready, if there is one, and see to it that there will be another."""
        with self._changed:
            shelf = self._shelves[key] = self._shelves.pop(key, _Shelf())
            shelf.asked += 1
            found, surplus = None, self._forget_old_kinds()
            while shelf.ready and found is None:
                latest = shelf.ready.pop()  # of its memory, most is still in the processor's caches
                if latest.fit:
                    found, self._handed_out = latest, time.monotonic()
                else:
                    surplus.append(latest)
            if shelf.asked >= _ASKED_FIRST:
                shelf.missed += found is None
                self._fill()
        for one in surplus:
            one.close()
        return found

    def _forget_old_kinds(self) -> list[Ready]:
        surplus: list[Ready] = []
        while len(self._shelves) > _KINDS:
            surplus += self._shelves.pop(next(iter(self._shelves))).ready
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
            key = next((key for key in reversed(self._shelves) if self._lacks(self._shelves[key])), None)
            if key is None:
                if self._changed.wait(_IDLE_SECONDS):
                    return True
                idle = self._all_out()
            else:
                shelf = self._shelves[key]
                if shelf.ready and (early := self._handed_out + _HEAD_START_SECONDS - time.monotonic()) > 0:
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
            is_known = self._shelves.get(key) is shelf
            if made is not None and is_known and self._lacks(shelf):
                shelf.ready.append(made)
                return True
            surplus = [] if made is None else [made]
            if made is None and is_known:
                surplus += self._shelves.pop(key).ready
        for one in surplus:
            one.close()
        return True

    def _lacks(self, shelf: _Shelf[Ready]) -> bool:
        wanted = min(self.most, _KEPT_FIRST + shelf.missed)
        return shelf.asked >= _ASKED_FIRST and len(shelf.ready) < wanted

    def _all_out(self) -> list[Ready]:
        idle = [one for shelf in self._shelves.values() for one in shelf.ready]
        self._shelves.clear()
        return idle

    def empty(self) -> bool:
        """End all that are kept; whether there were any."""
        with self._changed:
            idle = self._all_out()
        for one in idle:
            one.close()
        return bool(idle)
