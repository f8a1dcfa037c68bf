"""The cage: walls put on in a fixed order, each tried right after, before the first line of a snippet runs.

    folder → identity → limits → capabilities → privileges → landlock → descriptors → syscalls

A wall that does not hold stops the session, unless it was left out by name or this kernel has no such wall and
another one covers for it; the report says which.
"""

from __future__ import annotations

import errno
import os
import random
import resource
import socket
from collections.abc import Callable, Collection
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from codeact.errors import CageError
from codeact.records import Wall
from codeact.wire.orders import (
    CAPABILITIES,
    DESCRIPTORS,
    FOLDER,
    IDENTITY,
    LANDLOCK,
    LIMITS,
    PRIVILEGES,
    PROCESSES,
    SYSCALLS,
)
from codeact.worker import kernel, landlock, mounts, rlimits, seccomp

_Made = TypeVar("_Made")

_UNBOUNDED_BYTES = 1 << 40
_REMEDY = "Run on a kernel, or in a container, that allows it"
_AS_WHOM = "Run as root with CAP_CHOWN, CAP_SETUID, CAP_SETGID and CAP_DAC_OVERRIDE, or as an ordinary user"
_REMEDIES = {
    FOLDER: _AS_WHOM,
    IDENTITY: _AS_WHOM,
    SYSCALLS: "Run on a kernel with seccomp filters, or in a container that allows them",
}
SOCKET = 3  # the descriptor of the session's socket, the only one besides the three standard ones


class Plan(msgspec.Struct, frozen=True):
    """What a zygote prepares once for all its sessions."""

    without: frozenset[str]
    small_root: bool
    own_users: bool  # a user namespace per session counts its processes
    uid_range: tuple[int, int] | None  # None: sessions keep the user's own identity
    readable: tuple[str, ...]
    landlock_version: int
    filter_program: bytes
    usage: rlimits.Usage
    proc: int  # a descriptor of `/proc` for the zygote alone; -1: there is none, and each process is bounded for itself
    zygote_pid: int
    shared_walls: tuple[Wall, ...]


class Bounds(msgspec.Struct, frozen=True):
    """How much one session may use."""

    memory_bytes: int
    folder_bytes: int
    processes: int
    alone: int  # of these, without frozen states
    allowed: int  # what is set at first as the limit of processes


class Lodging(msgspec.Struct, frozen=True):
    """Who a session is and where it lives; below `base` lie the places of its copies."""

    uid: int
    folder: str
    base: str
    files: tuple[tuple[str, int], ...]


def put_on(plan: Plan, bounds: Bounds, lodging: Lodging) -> tuple[Wall, ...]:
    """Cage this process for good and say how it stands; raises `CageError` where that is not possible."""
    os.setsid()
    rules = -1
    if FOLDER in plan.without:
        bounds = replace(bounds, folder_bytes=_UNBOUNDED_BYTES)
    limits = rlimits.bounds(
        plan.usage,
        memory_bytes=bounds.memory_bytes,
        folder_bytes=bounds.folder_bytes,
        processes=bounds.processes,
        allowed=bounds.allowed,
    )
    if PROCESSES in plan.without:
        del limits[resource.RLIMIT_NPROC]
    order: tuple[tuple[str, Callable[[], Wall]], ...] = (
        (FOLDER, lambda: _folder(plan, bounds, lodging)),
        (IDENTITY, lambda: _identity(plan, lodging.uid)),
        (LIMITS, lambda: _limits(limits, plan)),
        (PROCESSES, lambda: _processes(plan, bounds)),
        (CAPABILITIES, _capabilities),
        (PRIVILEGES, lambda: _privileges(plan)),
        (LANDLOCK, lambda: _landlock(plan, rules)),
        (DESCRIPTORS, _descriptors),
        (SYSCALLS, lambda: _syscalls(plan)),
    )
    walls = []
    for name, step in order:
        walls.append(_put_on_one(name, step, plan))
        if name == FOLDER:  # its rules name places that only root may look up, where the identity is yet to change
            rules = _tried(LANDLOCK, lambda: landlock_rules(plan, lodging))
    return (*plan.shared_walls, *walls)


def _put_on_one(name: str, step: Callable[[], Wall], plan: Plan) -> Wall:
    left_out = Wall(name, holds=False, detail="left out on request")
    if name in plan.without and name != FOLDER:
        return left_out
    report = _tried(name, step)
    return left_out if name in plan.without else report  # a folder there must be, of whatever size


def _tried(name: str, step: Callable[[], _Made]) -> _Made:
    try:
        return step()
    except OSError as error:
        spared = IDENTITY if name == FOLDER else name  # there must be a folder; whose, is what is refused
        remedy = f"{_REMEDIES.get(name, _REMEDY)}, or do without a wall: Session(without=[{spared!r}])"
        raise CageError(name, f"the kernel refuses ({error})", remedy) from error


def _must_hold(name: str, held: bool, attempt: str) -> None:
    if not held:
        remedy = f"This is a defect worth reporting; until then Session(without=[{name!r}]) goes without this wall"
        raise CageError(name, f"it was put on, but {attempt}", remedy)


def choose_uid(plan: Plan, taken: Collection[int]) -> int:
    """A user number for a new session: one of its own where this zygote may give one out, and there is one left."""
    if plan.uid_range is None or IDENTITY in plan.without:
        return os.getuid()
    first, last = plan.uid_range
    while (uid := random.SystemRandom().randint(first, last)) in taken and len(taken) <= last - first:
        pass
    return uid


def _folder(plan: Plan, bounds: Bounds, lodging: Lodging) -> Wall:
    if plan.small_root:
        mounts.own_view()
        if lodging.uid == os.getuid():  # else the others' belong to others
            mounts.hide_other_places(lodging.base)
        mounts.mount_folder(lodging.folder, bounds.folder_bytes, lodging.uid)
    else:
        os.chown(lodging.folder, lodging.uid, lodging.uid)
    os.chdir(lodging.folder)
    for name, source in lodging.files:
        mounts.put_file(name, source, lodging.uid)
        os.close(source)  # before the limits: there may be more of them than a session may open
    megabytes = bounds.folder_bytes >> 20
    if not plan.small_root:
        detail = f"each file is held to {megabytes} MiB, their sum is not; files handed in can be replaced"
        remedy = "Allow mount namespaces: run as root, or allow unprivileged user namespaces"
        return Wall(FOLDER, holds=False, detail=detail, remedy=remedy)
    mounts.protect_files([name for name, _ in lodging.files])
    found = os.statvfs(".")
    held = found.f_frsize * found.f_blocks <= bounds.folder_bytes + (1 << 16)
    _must_hold(FOLDER, held, "the folder is larger than asked for")
    return Wall(FOLDER, holds=True, detail=f"a memory file system of {megabytes} MiB")


def _descriptors() -> Wall:
    os.closerange(SOCKET + 1, 1 << 20)
    open_ones = [descriptor for descriptor in range(rlimits.OPEN_FILES) if _is_open(descriptor)]
    _must_hold(DESCRIPTORS, open_ones == [0, 1, 2, SOCKET], f"descriptors {open_ones} are open")
    return Wall(DESCRIPTORS, holds=True, detail="none but the session's socket")


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _limits(wanted: dict[int, int], plan: Plan) -> Wall:
    rlimits.put_on(wanted, processes_may_grow=SYSCALLS not in plan.without)
    _must_hold(LIMITS, rlimits.hold(wanted), "a limit is laxer than asked for")
    megabytes = wanted[resource.RLIMIT_DATA] >> 20
    counted = (
        "for all processes together" if plan.proc >= 0 else "for each process, as there is no /proc to add them up"
    )
    return Wall(LIMITS, holds=True, detail=f"{len(wanted)} rlimits, memory {megabytes} MiB {counted}")


def _identity(plan: Plan, uid: int) -> Wall:
    if plan.uid_range is None:
        if plan.own_users:
            kernel.unshare(kernel.CLONE_NEWUSER)  # before the limits: its count of processes must not be held to them
        return Wall(
            IDENTITY,
            holds=os.getuid() != 0,
            detail="the user's own, without rights" if plan.own_users else "the user's own",
            remedy="" if plan.own_users else "Run as root, so that each session gets a user number of its own",
        )
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    _must_hold(IDENTITY, _refused(lambda: os.setresuid(0, 0, 0)), "the session can become root again")
    detail = "a user number of its own"
    if not os.access(os.path.dirname(os.__file__), os.R_OK):
        detail += "; what is imported late by libraries is out of its reach, for Python lies where only root may look"
    return Wall(IDENTITY, holds=True, detail=detail)


def _processes(plan: Plan, bounds: Bounds) -> Wall:
    own_count = plan.uid_range is not None or plan.own_users
    return Wall(
        PROCESSES,
        holds=own_count and os.getuid() != 0,
        detail=f"{bounds.processes} at most" if own_count else "counted together with the user's other processes",
        remedy="" if own_count else "Run as root, or allow unprivileged user namespaces",
    )


def _capabilities() -> Wall:
    kernel.drop_capabilities()
    _must_hold(CAPABILITIES, kernel.capabilities() == 0, "some are left")
    return Wall(CAPABILITIES, holds=True, detail="none")


def _privileges(plan: Plan) -> Wall:
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, 9)
    if os.getppid() != plan.zygote_pid:
        os._exit(1)  # the zygote died before its death could be noticed
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    _must_hold(PRIVILEGES, kernel.prctl(kernel.PR_GET_NO_NEW_PRIVS) == 1, "new privileges can be gained")
    return Wall(PRIVILEGES, holds=True, detail="no new ones, not dumpable")


def landlock_rules(plan: Plan, lodging: Lodging) -> int:
    """A descriptor of the rules that bind a session to where it lives; -1 where this kernel has none."""
    if plan.landlock_version == 0:
        return -1
    writable = (lodging.folder, lodging.base, *filter(os.path.exists, (mounts.NULL,)))
    readable = (*plan.readable, *filter(os.path.exists, mounts.CHANCE))
    return landlock.ruleset(landlock.Reach(readable, writable), plan.landlock_version)


def _landlock(plan: Plan, rules: int) -> Wall:
    version = plan.landlock_version
    if version == 0:
        if not plan.small_root:
            raise CageError(
                LANDLOCK,
                "this kernel has no Landlock, and mount namespaces are not allowed either, so nothing would hide files",
                "Use Linux 5.13 or newer with Landlock on, or let this user or container make mount namespaces",
            )
        remedy = "Use a kernel from 5.13 on with lsm=…,landlock"
        return Wall(LANDLOCK, holds=False, detail="not in this kernel; the small root hides files", remedy=remedy)
    landlock.enforce(rules)
    _must_hold(LANDLOCK, _refused(lambda: os.close(os.open("/", os.O_RDONLY))), "the root folder can be read")
    gaps = landlock.missing(version)
    if not gaps:
        return Wall(LANDLOCK, holds=True, detail=f"version {version}")
    cover = "which the filter does not either" if SYSCALLS in plan.without else "which the filter of system calls does"
    detail = f"version {version}: it cannot hold back {gaps}, {cover}"
    return Wall(LANDLOCK, holds=True, detail=detail, remedy="A newer kernel closes the gaps")


def _syscalls(plan: Plan) -> Wall:
    seccomp.load(plan.filter_program)
    attempts: dict[str, Callable[[], object]] = {
        "a socket can be made": socket.socket,
        "a signal can be sent": lambda: os.kill(os.getpid(), 0),
        "a program can be started": lambda: os.execv("/proc/self/exe", ["x"]),  # noqa: S606  # it must be refused
        "a limit can be set": kernel.set_no_core_files,
        "memory can be hidden in a file": lambda: os.close(os.memfd_create("x")),
    }
    for what, attempt in attempts.items():
        _must_hold(SYSCALLS, _refused(attempt), what)
    return Wall(SYSCALLS, holds=True, detail="a list of what is allowed; all else is refused")


def _refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError as error:
        return error.errno in (errno.EPERM, errno.EACCES)
    return False
