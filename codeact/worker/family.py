"""Sessions as their zygote knows them: one and its copies share a process group and a user."""

from __future__ import annotations

import os
from contextlib import suppress

import msgspec

from codeact.worker import rlimits
from codeact.worker.page import Page


class Family(msgspec.Struct):
    """A session and its copies: one process group, one user, one place below which their folders lie."""

    group: int
    uid: int
    base: str
    folder_bytes: int
    copied: bool = False


class Member(msgspec.Struct):
    """One session of a family; `folder` is the one to be taken away with it, if there is one.

    Below its `place` lie the places of its copies.
    It may have so many processes `now`, needs so many `alone`, and `processes` with its frozen states.
    Its processes are known by the `mark` they bear, once there are copies. Those of a copy are born with the mark they
    have `inherited` from its original, as all that was there `earlier`. The `runner` is who runs its steps, as it was
    noted when no step could lie about it; 0: it is not known. Once it is `killed`, the `heirs` are the states of which
    one is to take over.
    """

    family: Family
    page: Page
    now: int
    alone: int
    processes: int
    memory_bytes: int
    place: str
    folder: str | None = None
    mark: int = rlimits.UNMARKED
    inherited: int | None = None
    earlier: frozenset[int] = frozenset()
    runner: int = 0
    killed: int = 0
    heirs: list[int] = []

    def pids(self) -> list[int]:
        """Its processes by its own account, the running one first; none that the kernel says is another's.

        Of more than it may have none is asked about: all other sessions would wait for it.
        """
        pids = [pid for pid in self.page.read()[: self.processes] if group_of(pid) == self.family.group]
        if not self.family.copied:
            return pids
        marks = rlimits.marks_of(pids, self.family.uid).items()
        return [pid for pid, mark in marks if mark == self.mark or (mark == self.inherited and pid not in self.earlier)]

    def runner_of(self, pids: list[int]) -> int:
        """Who runs its steps: who was noted, or where nobody was, the first of these; -1 of one that is gone."""
        runner = self.runner or next(iter(pids), -1)
        return runner if group_of(runner) == self.family.group else -1

    def awaited(self) -> set[int] | None:
        """Whom the host waits for: once the step is killed, who were states then, whatever they say since."""
        if self.heirs:
            return {pid for pid in (self.killed, *self.heirs) if group_of(pid) == self.family.group}
        pids = self.pids()
        runner = self.runner_of(pids)
        return {*pids, *([runner] if runner > 0 else [])} or None  # it may be gone for one of the others to take over

    def put_mark(self) -> None:
        """Mark the processes of a copy as its own and nobody else's; where the kernel refuses, its original's count."""
        if self.inherited is not None and not rlimits.mark(self.pids(), self.mark, self.family.uid):
            self.mark = self.inherited


def group_of(pid: int) -> int:
    """The process group of a process; -1 of one that is gone."""
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return -1


def exists(group: int) -> bool:
    """Whether there is a process of this group, or one just forked that has yet to found it."""
    for is_there in (os.killpg, os.kill):
        with suppress(ProcessLookupError):
            is_there(group, 0)
            return True
    return False


def is_ending_child(pid: int) -> bool:
    """Whether a process that was killed has yet to end; one that is no child of this one is not waited for."""
    with suppress(ChildProcessError):
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    return False
