"""Holds each session to its memory, all its processes together, from outside of them.

The kernel's limits bound each process. A frozen state shares its memory with the process it was forked from until one
of the two writes to it; so a session that rewrites much of its memory gives up its states, the oldest first, and what
a state would have saved is built again where it is needed after all. Last of all the running process has to go.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial

from codeact.worker import census
from codeact.worker.family import Member

_PAUSE_SECONDS = 0.05
_SHARE = 10  # looking takes at most one part in so many of the time


class Watch:
    """Looks at the sessions of one zygote, not more often than is bearable."""

    def __init__(self, proc: int, base_bytes: int) -> None:
        self._proc, self._base_bytes = proc, base_bytes
        self._wanted = False
        self._not_before = 0.0
        self._suspected: frozenset[int] = frozenset()  # groups with processes that no session named last time

    def want(self) -> None:
        """Ask for a look as soon as it is bearable."""
        self._wanted = self._proc >= 0

    @property
    def seconds_left(self) -> float | None:
        """How long until the next look is due; None where none was asked for."""
        return max(0.0, self._not_before - time.monotonic()) if self._wanted else None

    def look_if_due(self, members: Collection[Member]) -> None:
        """Look at all sessions, if it is time."""
        if self.seconds_left != 0.0:
            return
        began = time.monotonic()
        self._wanted = False
        found = census.groups(self._proc)
        families: dict[int, list[Member]] = {}
        for member in members:
            families.setdefault(member.family.group, []).append(member)
        suspected: set[int] = set()
        for group, kin in families.items():
            if strangers := self._strangers(kin, found.get(group, [])):
                suspected.add(group)
                if group in self._suspected:
                    self._end(group, partial(self._strangers, kin))
            self._hold(kin, found.get(group, []), strangers)
        self._suspected = frozenset(suspected)
        self._wanted = self._wanted or bool(suspected)
        ended = time.monotonic()
        self._not_before = ended + max(_PAUSE_SECONDS, (ended - began) * _SHARE)

    def end_strangers(self, member: Member, members: Iterable[Member], states: Collection[int]) -> None:
        """Kill what a step that is undone has started: all but these states, and the processes of its copies."""
        kin = [other for other in members if other.family is member.family and other is not member]
        if self._proc >= 0 and all(other.page.settled for other in kin):
            group = member.family.group

            def started(there: list[int]) -> set[int]:
                return set(self._unnamed(kin, there)).difference(states)

            if started(census.groups(self._proc).get(group, [])):
                self._end(group, started)

    def _end(self, group: int, strangers: Callable[[list[int]], Iterable[int]]) -> None:
        """Kill the strangers among a family's processes, which stand still meanwhile.

        Of what forks on and on and ends, each process is gone by the time it was found.
        """
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGSTOP)
            try:
                kill(strangers(census.groups(self._proc).get(group, [])))
            finally:
                os.killpg(group, signal.SIGCONT)

    def elders(self, pids: list[int]) -> list[int]:
        """The first of these processes, and those that were there before it."""
        born = {pid: census.born(self._proc, pid) for pid in pids}
        return [pid for pid in pids if born[pid] <= born[pids[0]]]

    def nameless(self, member: Member, members: Iterable[Member]) -> list[int] | None:
        """The processes of a family that no other session of it names; None where that is not told."""
        if self._proc < 0:
            return None
        kin = [other for other in members if other.family is member.family and other is not member]
        named = {pid for other in kin for pid in other.pids()}
        return [pid for pid in census.groups(self._proc).get(member.family.group, []) if pid not in named]

    def _strangers(self, kin: list[Member], pids: list[int]) -> list[int]:
        """Living processes no session of a family names.

        While one of them is about to freeze or to be copied, those are none that it has just forked: that it waits for
        a place must not keep who has taken it.
        """
        if all(member.page.settled for member in kin):
            return self._unnamed(kin, pids)
        if os.getpid() != 1:  # a copy is forked by a process that ends at once
            return []
        named = {pid for member in kin for pid in member.pids()}
        return [pid for pid in self._unnamed(kin, pids) if census.parent(self._proc, pid) not in named]

    def _unnamed(self, kin: list[Member], pids: list[int]) -> list[int]:
        named = {pid for member in kin for pid in member.pids()}
        return [pid for pid in pids if pid not in named and census.own_bytes(self._proc, pid)]

    def _hold(self, kin: list[Member], pids: list[int], strangers: list[int]) -> None:
        """Kill as few processes of a family as bring it back to what all its sessions may use."""
        allowed = sum(member.memory_bytes + self._base_bytes for member in kin)
        if sum(census.own_bytes(self._proc, pid) for pid in pids) <= allowed:
            return
        weights = {pid: census.weigh(self._proc, pid) for pid in pids}
        excess = sum(shared for shared, _ in weights.values()) - allowed
        states, running = _by_need(kin, [pid for pid, (shared, _) in weights.items() if shared])
        spare = (*strangers, *states)  # what they share with each other is free once the last of them is gone
        # A session that freezes meanwhile names other states than those that were found: they go before what runs.
        others = [pid for pid, (shared, _) in weights.items() if shared and pid not in running]
        for pid in spare or others or running:
            if excess <= 0:
                return
            excess -= weights[pid][1]
            kill([pid])
            self._wanted = True


def _by_need(kin: list[Member], pids: list[int]) -> tuple[list[int], list[int]]:
    """The frozen states of a family, the newest of each session last, and the processes that run."""
    named = [[pid for pid in member.pids() if pid in pids] for member in kin]
    older = [pid for own in named for pid in own[1:-1]]
    newest = [own[-1] for own in named if len(own) > 1]
    return older + newest, [own[0] for own in named if own]


def kill(pids: Iterable[int]) -> None:
    """Kill processes, as far as they live."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
