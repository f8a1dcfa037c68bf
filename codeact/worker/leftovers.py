"""Folders of copies that were closed: each is given up once nobody uses it any more.

A copy's folder lies below the place of its original, which can open what is in it, and a copy of the copy may have a
part of it mapped. What is open when the copy is closed stays in memory: for a whole family no more than one folder.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from codeact.worker import kernel
from codeact.worker.family import Family, Member
from codeact.worker.watch import Watch

_GRACE_SECONDS = 2.0  # for the processes of a copy to end


class Leftovers:
    """The folders that were in use when their copies were closed; `remove` takes away what is left of one."""

    def __init__(self, watch: Watch, remove: Callable[[Member], object]) -> None:
        self._watch, self._remove = watch, remove
        self._left: list[tuple[Member, float]] = []

    def leave(self, member: Member) -> None:
        """Give up the folder of a copy as soon as that can be."""
        self._left.append((member, time.monotonic() + _GRACE_SECONDS))
        self.look()

    def look(self) -> None:
        """Give up what nobody uses, and end a family that holds more of it than one folder may."""
        left = [(member, until) for member, until in self._left if not self._is_given_up(member)]
        self._left, now = left, time.monotonic()
        for family in {id(member.family): member.family for member, _ in left}.values():
            own = [(member, until) for member, until in left if member.family is family]
            if sum(_bytes_in(member) for member, until in own if until <= now) > family.folder_bytes:
                with suppress(ProcessLookupError):
                    os.killpg(family.group, signal.SIGKILL)
            elif any(now < until for _, until in own):
                self._watch.want()

    def end(self, family: Family) -> None:
        """Give up all folders of a family that has ended."""
        ended = [member for member, _ in self._left if member.family is family]
        self._left = [(member, until) for member, until in self._left if member.family is not family]
        for member in ended:
            with suppress(OSError):  # it is none that is mounted
                kernel.unmount(_folder(member))
            self._remove(member)

    def _is_given_up(self, member: Member) -> bool:
        given_up = kernel.unmount_unused(_folder(member))
        if given_up:
            self._remove(member)
        return given_up


def _folder(member: Member) -> str:
    return member.folder or member.place


def _bytes_in(member: Member) -> int:
    with suppress(OSError):
        found = os.statvfs(_folder(member))
        return (found.f_blocks - found.f_bfree) * found.f_frsize
    return 0
