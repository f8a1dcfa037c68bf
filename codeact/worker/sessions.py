"""What a zygote knows of its sessions, and how it makes, copies and kills them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Collection, Iterable
from contextlib import suppress

from msgspec.structs import replace

from codeact.errors import CageError
from codeact.wire.orders import FOLDER, Stirring
from codeact.worker import census, kernel, mounts, rlimits
from codeact.worker.cage import Bounds, Lodging, Plan, choose_uid
from codeact.worker.family import Family, Member, exists, group_of, is_ending_child
from codeact.worker.folder import KNOWN_AS
from codeact.worker.leftovers import Leftovers
from codeact.worker.nested import new_name, remove_empty, take_away
from codeact.worker.page import Page
from codeact.worker.watch import Watch, kill

_SETTLING_SECONDS, _SETTLING_ATTEMPTS = 0.001, 50
_REMOVING_SECONDS, _MOST_SECONDS = 0.05, 600.0  # the latter for a folder of a copy whose original may still add to it
_SHARED_USER_SLACK = 64  # processes the user may start elsewhere while a session counts them with its own


class Sessions:
    """The living sessions of this zygote by number."""

    def __init__(self, plan: Plan, home: str) -> None:
        self.plan, self._home = plan, home
        self.watch = Watch(plan.proc, plan.usage.data_bytes + rlimits.STACK_BYTES)
        self._members: dict[int, Member] = {}
        self._leftovers = Leftovers(self.watch, self._remove_folder)
        self._ending: dict[int, list[int]] = {}  # the processes of those that were closed and whose family lives on
        self._last_steps: dict[int, int] = {}  # that had begun in those that died, and are not closed yet
        self._last_number = 0

    def lodge(self, files: tuple[tuple[str, int], ...]) -> Lodging:
        """A user and a place for a new session."""
        uid = choose_uid(self.plan, {member.family.uid for member in self._members.values()})
        if not self.plan.small_root:
            base = f"{self._home}/{new_name()}"
            return Lodging(uid, _new_folder(base), base, files)
        base = f"{mounts.FORKS}/{new_name()}"
        os.mkdir(base, 0o311)
        return Lodging(uid, KNOWN_AS, base, files)

    def _lodge_copy(self, family: Family, above: str) -> tuple[str, str]:
        """A place for a copy below the one of its original, and its folder in it; the places of its own copies follow.

        So what a copy may reach lies within what its original may: the kernel lets nobody reach what an older rule
        forbids. Nobody can guess the folder's name either: the copies of a copy know the place it lies in.
        """
        place = f"{above}/{new_name()}"
        os.mkdir(place, 0o311 if self.plan.small_root else 0o711)
        folder = f"{place}/{new_name()}"
        os.mkdir(folder, 0o700)
        if self.plan.small_root:
            mounts.mount_folder(folder, family.folder_bytes, family.uid)
        else:
            os.chown(folder, family.uid, family.uid)
        return place, folder

    def dislodge(self, lodging: Lodging) -> None:
        """Give up the place of a session that could not be made."""
        take_away(lodging.base)

    def processes_allowed(self, uid: int, processes: int) -> int:
        """The limit that leaves a session of this user this many processes."""
        if self.plan.uid_range is not None or self.plan.own_users:
            return processes
        return rlimits.processes_of(uid) + processes + _SHARED_USER_SLACK

    def add(self, pid: int, lodging: Lodging, page: Page, *, bounds: Bounds, at_first: int) -> int:
        """Note a session just forked, which may have so many processes at first; its number."""
        family = Family(pid, lodging.uid, lodging.base, bounds.folder_bytes)
        needed = at_first, bounds.alone, bounds.processes
        return self._note(Member(family, page, *needed, bounds.memory_bytes, lodging.base, runner=pid))

    def _note(self, member: Member) -> int:
        member.page.keep()
        self._last_number += 1
        self._members[self._last_number] = member
        return self._last_number

    def fork(self, number: int, page_descriptor: int) -> tuple[int, Lodging]:
        """Make room for a copy of a session, among its processes and for a folder; its number and where it lives."""
        original = self._members[number]
        family = original.family
        processes = max(2, original.processes)
        rlimits.require(sum(member.processes for member in self._kin(family)) + processes)
        place, folder = self._lodge_copy(family, original.place)
        kin = self._kin(family)
        if original.inherited is None:  # else it has yet to begin its first step itself
            original.now = processes
        family.copied = True
        copy = replace(original, page=Page(page_descriptor), processes=processes, place=place, folder=folder, runner=0)
        copy.now = copy.alone  # its frozen states' places would be free for its kin to take until its first step
        copy.earlier = frozenset(pid for member in kin for pid in member.page.read())
        copy.inherited, number = original.mark, self._note(copy)
        copy.mark = rlimits.mark_number(number)
        self._share_out(family, settling=kin)
        return number, Lodging(family.uid, folder, place, ())

    def knows(self, number: int) -> bool:
        """Whether there is such a session; one whose processes are all gone is forgotten."""
        return number in self._members

    def make_room(self, number: int) -> None:
        """Let a session have all the processes it needs."""
        member = self._members.get(number)
        if member is not None:
            is_new = member.inherited is not None
            member.now = member.processes
            self._share_out(member.family, settling=[member] if is_new else [])
            if is_new:
                self.note_runner(number)
            member.inherited = None  # from here on the session's own code may run

    def note_runner(self, number: int, *, took_over: bool = False) -> None:
        """Note who runs the steps of a session by its own account: from the next step on it may say anything.

        Where it `took_over`, what is younger is of a step that was undone, which may go on to speak for the session.
        """
        member = self._members.get(number)
        if member is not None:
            pids = member.pids()
            member.runner, member.killed, member.heirs = next(iter(pids), 0), 0, []
            if took_over and pids:
                self.watch.end_strangers(member, self._members.values(), self.watch.elders(pids))

    def _kin(self, family: Family) -> list[Member]:
        return [member for member in self._members.values() if member.family is family]

    def _share_out(self, family: Family, settling: Iterable[Member] = ()) -> None:
        """Set what each process of a family may see of them to the sum of what its sessions need.

        A process that was being forked has what its parent had before; it is found on a second look, for which those
        that may be `settling` have said who they are.
        """
        members = self._kin(family)
        self._tell_apart(members)
        on_the_way = 0 if self.plan.zygote_pid == 1 else len(members) - 1  # it takes two forks to be the zygote's child
        total = self.processes_allowed(family.uid, sum(member.now for member in members) + on_the_way)
        told = {pid for member in members for pid in member.pids()}
        rlimits.make_room(told, total, family.uid)
        if unsettled := [member.page for member in settling if not member.page.settled]:
            _wait_until_settled(unsettled)
        self._tell_apart(members)
        if late := {pid for member in members for pid in member.pids()} - told:
            rlimits.make_room(late, total, family.uid)

    def _tell_apart(self, kin: Iterable[Member]) -> None:
        """See to it that none can pass off the processes of another one of its family as its own."""
        for member in kin:
            member.put_mark()

    def kill_step(self, number: int) -> bool:
        """Kill the process that runs the steps of a session, if it has not died; whether another can take over."""
        member = self._members.get(number)
        if member is None:
            return False
        _wait_until_settled([member.page])
        self._tell_apart(self._kin(member.family))
        pids = member.pids()
        runner = member.runner_of(pids)
        if runner > 0:
            kill([runner])
        elif not member.runner and len(self._kin(member.family)) == 1:  # else it may be another one's that runs a step
            kill([member.family.group])
        states = [pid for pid in pids if pid != runner]
        member.runner, member.killed, member.heirs = 0, runner, states
        self.watch.end_strangers(member, self._members.values(), states)
        return any(group_of(pid) == member.family.group for pid in states)

    def stirring(self, number: int) -> Stirring:
        """What the processes of a session are doing, as the kernel has it; awake where that is not known."""
        member = self._members.get(number)
        if member is None:  # all its processes are gone
            return Stirring(awake=False, cpu_seconds=0.0, step=self._last_steps.get(number, 0))
        pids = member.awaited() or self.watch.nameless(member, self._members.values())
        if pids is None:
            return Stirring(awake=True, cpu_seconds=0.0, step=member.page.step)
        seen = {pid: census.stirring(self.plan.proc, pid) for pid in pids}
        dying, _ = seen.pop(member.killed, (False, 0.0))  # no state can take over before that is over
        is_awake = dying or any(awake for awake, _ in seen.values())
        return Stirring(is_awake, sum(took for _, took in seen.values()), member.page.step)

    def close(self, number: int) -> bool:
        """Kill every process of a session; with the last of its family, all that is left of the family.

        Whether one of them has yet to end, which takes as long as giving back its memory does. That is not waited for
        here: all other sessions would wait, too.
        """
        member = self._members.get(number)
        if member is not None and len(self._kin(member.family)) > 1:
            self._close_one_of(member, number)
        elif member is not None:
            with suppress(ProcessLookupError):
                os.killpg(member.family.group, signal.SIGKILL)
            self.bury()
            if number in self._members:
                return True
        self._last_steps.pop(number, None)
        return self._is_ending(number)

    def _is_ending(self, number: int) -> bool:
        """Whether a process of a session that was closed, whose family lives on, has yet to end."""
        left = [pid for pid in self._ending.pop(number, []) if is_ending_child(pid)]
        if left:
            self._ending[number] = left
        return bool(left)

    def _close_one_of(self, member: Member, number: int) -> None:
        """Kill the processes of a session whose family lives on."""
        self._tell_apart(self._kin(member.family))
        del self._members[number]
        if not member.page.settled:  # a copy that has yet to say who it is
            _wait_until_settled([member.page])
        self._ending[number] = pids = member.pids()
        kill(reversed(pids))
        self.watch.want()  # by its own account those were all
        self._share_out(member.family)
        self._tidy(member)

    def _tidy(self, member: Member) -> None:
        member.page.unmap()
        if member.folder is not None:
            self._leftovers.leave(member)
        if not self._kin(member.family):
            self._leftovers.end(member.family)
            self._take_away(member.family.base)
            remove_empty(self._home, os.path.dirname(self._home))

    def _remove_folder(self, member: Member) -> None:
        self._take_away(member.folder or member.place)
        remove_empty(member.place, member.family.base)

    def _take_away(self, folder: str) -> None:
        """Remove a folder; where that takes long, in a process of its own, for all other sessions wait for this one."""
        if take_away(folder, seconds=_REMOVING_SECONDS):
            return
        with suppress(OSError):  # no place for a process: what is left stays
            if kernel.fork() == 0:
                signal.set_wakeup_fd(-1)
                os.closerange(0, 1 << 16)
                take_away(folder, seconds=_MOST_SECONDS)
                os._exit(0)

    def look_if_due(self) -> None:
        """Hold the sessions to their memory, if it is time."""
        self.watch.look_if_due(self._members.values())
        self._leftovers.look()

    def bury(self) -> None:
        """Take note of the dead: reap every child, and forget the sessions whose last process is gone."""
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        for number in [number for number, member in self._members.items() if not exists(member.family.group)]:
            member = self._members.pop(number)
            self._last_steps[number] = member.page.step
            self._tidy(member)

    def close_all(self) -> None:
        """Kill every process of every session, and wait until what they left behind is removed."""
        for number in list(self._members):
            self.close(number)
        with suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)
        self.bury()


def _wait_until_settled(pages: Collection[Page]) -> None:
    """Give sessions that are freezing their state a moment to finish, one for all; who only says so gains but that."""
    for _ in range(_SETTLING_ATTEMPTS):
        time.sleep(_SETTLING_SECONDS)  # before the first look too: a step just read has not yet begun to freeze
        if all(page.settled for page in pages):
            return


def _new_folder(base: str) -> str:
    """Make a folder in this one, which is made as well; each such folder is its owner's alone."""
    try:
        os.makedirs(os.path.dirname(base), 0o711, exist_ok=True)
        os.mkdir(base, 0o711)
        os.mkdir(folder := f"{base}/{new_name()}", 0o700)
    except OSError as error:
        remedy = "Set TMPDIR to a folder that can be written, or allow mount namespaces"
        raise CageError(FOLDER, f"there is no place for it ({error})", remedy) from error
    return folder
