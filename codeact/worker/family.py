"""Sessions as their zygote knows them: one and its copies share a process group and a user."""

from __future__ import annotations

import os
from dataclasses import dataclass

from codeact.worker.page import Page


@dataclass(slots=True)
class Family:
    """A session and its copies: one process group, one user, one place below which their folders lie."""

    group: int
    uid: int
    base: str
    folder_bytes: int


@dataclass(slots=True)
class Member:
    """One session of a family; `folder` is the one to be taken away with it, if there is one.

    Below its `place` lie the places of its copies.
    It may have so many processes `now`, and comes to need `processes`.
    """

    family: Family
    page: Page
    now: int
    processes: int
    memory_bytes: int
    place: str
    folder: str | None = None

    def pids(self) -> list[int]:
        """Its processes by its own account, the running one first; none that the kernel says is not its family's."""
        return [pid for pid in self.page.read() if group_of(pid) == self.family.group]


def group_of(pid: int) -> int:
    """The process group of a process; -1 of one that is gone."""
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return -1
