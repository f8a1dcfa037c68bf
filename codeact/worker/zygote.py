"""How a zygote shuts itself in: namespaces of its own, and a plan of the cage all its sessions share."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial

from codeact.errors import CageError
from codeact.records import Wall
from codeact.wire import orders
from codeact.wire.orders import (
    ENVIRONMENT,
    FILES,
    IPC,
    LANDLOCK,
    LIMITS,
    NETWORK,
    PIDS,
    PRIVILEGES,
    PROCESSES,
    SYSCALLS,
    Born,
)
from codeact.worker import ahead, census, kernel, landlock, mounts, rlimits, seccomp
from codeact.worker.cage import Plan
from codeact.worker.nested import new_name, take_away

_NAMESPACES = {
    FILES: kernel.CLONE_NEWNS,
    PIDS: kernel.CLONE_NEWPID,
    NETWORK: kernel.CLONE_NEWNET,
    IPC: kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS,
}
_COVERED_BY = {
    FILES: "no namespace: Landlock alone decides which files are seen",
    PIDS: "no namespace: the filter of system calls alone keeps other processes out of reach",
    NETWORK: "no namespace: the filter of system calls alone keeps the network out of reach",
    IPC: "no namespace: the filter of system calls alone keeps System V memory out of reach",
}
_HOST_NAME = "codeact"
_VISIBLE = "other processes cannot be reached, but the host's /proc tells which there are"
_REMEDY = (
    "Run as root, or allow unprivileged user namespaces (sysctl user.max_user_namespaces; on Ubuntu also "
    "kernel.apparmor_restrict_unprivileged_userns=0)"
)
_REMEDY_FOR_ROOT = "Let this container make namespaces and mounts (CAP_SYS_ADMIN, and a filter that allows them)"
_OWN_UIDS = (0x40000000, 0x7FFFFFFF)  # a range no system gives to people or services


def leave(without: frozenset[str]) -> frozenset[str]:
    """Leave the host's namespaces for new ones where that is allowed; the names of the walls this put up.

    The process namespace begins with the next process forked.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where the host ignores it, nobody's end could be waited for
    wanted = [name for name in _NAMESPACES if name not in without]
    if os.geteuid() != 0 and not _own_user_namespace():
        return frozenset()
    left = frozenset(name for name in wanted if _tried(partial(kernel.unshare, _NAMESPACES[name])))
    if IPC in left:
        _tried(lambda: socket.sethostname(_HOST_NAME))  # the host's own is nobody's business
    return left


def home(temporary: bytes) -> str:
    """Where folders of its sessions are to lie that are on disk; where none can be made anywhere, that is said then."""
    own = os.fsdecode(temporary)
    if not own.isprintable():  # what is no text is not: the host could not be told of a folder there
        own = ""
    places = (own or "/tmp", "/tmp", "/var/tmp")  # noqa: S108  # under a name nobody can guess
    place = next((place for place in places if os.access(place, os.W_OK)), places[0])
    return f"{place}/codeact-{new_name()}"


def become_first_process(channel: socket.socket, host: int, home: str) -> None:
    """Go on in a forked process, which is the first of a new process namespace where there is one.

    Its parent waits, and ends and removes what a zygote that was killed has left.
    """
    _set(kernel.PR_SET_CHILD_SUBREAPER, 1)  # what outlives the zygote, its parent comes to have as a child
    children = _list_of_children()
    child = _fork()
    if child:
        channel.send(orders.numbered(Born(child)))
        channel.close()
        os.close(host)
        os.waitpid(child, 0)
        _end_all(children)
        take_away(home)
        os._exit(0)
    if children >= 0:
        os.close(children)
    _set(kernel.PR_SET_CHILD_SUBREAPER, 1)
    _set(kernel.PR_SET_DUMPABLE, 0)


def _set(option: int, value: int) -> None:
    try:
        kernel.prctl(option, value)
    except OSError as error:
        remedy = "Run on a kernel, or in a container, that allows it"
        raise CageError(PRIVILEGES, f"the kernel refuses ({error})", remedy) from error


def _fork() -> int:
    try:
        return os.fork()
    except BlockingIOError as error:
        raise CageError(PROCESSES, f"none may be started ({error})", rlimits.MORE_PROCESSES) from error


def _list_of_children() -> int:
    """A descriptor of the list of this process's children, for when `/proc` is out of sight; -1: there is none."""
    try:
        return os.open("/proc/thread-self/children", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def _end_all(children: int) -> None:
    """End what a zygote that was killed has left: no process namespace need have ended with it."""
    with suppress(OSError):  # none can be found, or there is one that only somebody else may end
        while pids := [int(pid) for pid in os.pread(children, 1 << 16, 0).split()]:
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            for pid in pids:
                os.waitpid(pid, 0)


def _own_user_namespace() -> bool:
    """Become the owner of a new user namespace that knows this user alone; whether that is allowed.

    Tried in a child first: some systems let a process enter one and then refuse to let it be anybody there.
    """
    if not _tried_in_child(_enter_user_namespace):
        return False
    _enter_user_namespace()
    return True


def _enter_user_namespace() -> None:
    uid, gid = os.geteuid(), os.getegid()
    kernel.unshare(kernel.CLONE_NEWUSER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _tried(step: Callable[[], object]) -> bool:
    try:
        step()
    except OSError:
        return False
    return True


def plan_cage(left: frozenset[str], without: frozenset[str], *, as_root: bool, imports: Collection[str]) -> Plan:
    """Prepare what all sessions share, and enter the small root; called in the zygote once its imports are done.

    Where there is no such root, what the policy imports may have to be imported with all its parts.
    """
    usage = rlimits.usage_now()
    uid_range = _uid_range() if as_root else None
    if uid_range is not None:
        kernel.drop_bounding_capabilities()  # for all sessions; a user's get another set with their namespaces
    proc = -1 if LIMITS in without else census.open_proc()
    readable = mounts.readable()
    small_root = FILES in left and _tried(lambda: mounts.enter_small_root(readable, mounts.links()))
    if uid_range is not None and not small_root and ahead.are_hidden():
        ahead.import_all(imports)
        usage = rlimits.usage_now()
    standing = left if small_root else left - {FILES, PIDS}  # the host's /proc tells by its names which processes run
    covered = {**_COVERED_BY, PIDS: _VISIBLE} if PIDS in left else _COVERED_BY
    remedy = _REMEDY_FOR_ROOT if as_root else _REMEDY
    off = {name: Wall(name, holds=False, detail=detail, remedy=remedy) for name, detail in covered.items()}
    off.update({name: Wall(name, holds=False, detail="left out on request") for name in without})
    reports = tuple(_proved(name) if name in standing else off[name] for name in _NAMESPACES)
    landlock_version = 0 if LANDLOCK in without else landlock.version()
    return Plan(
        without=without,
        small_root=small_root,
        own_users=uid_range is None and _tried_in_child(lambda: kernel.unshare(kernel.CLONE_NEWUSER)),
        uid_range=uid_range,
        readable=readable,
        landlock_version=landlock_version,
        filter_program=b""
        if SYSCALLS in without
        else seccomp.program(small_root=small_root, landlock_version=landlock_version),
        usage=usage,
        proc=proc,
        zygote_pid=os.getpid(),
        shared_walls=(Wall(ENVIRONMENT, holds=True, detail="no variable of the host's"), *reports),
    )


def _proved(name: str) -> Wall:
    if _shows_the_host(name):
        raise CageError(name, "its namespace still shows the host's", f"Session(without=[{name!r}]) goes without it")
    return Wall(name, holds=True, detail="a namespace of its own")


def _shows_the_host(name: str) -> bool:
    """Try to see through a namespace; one of System V memory is proved by the call that makes it not failing."""
    if name == FILES:
        return os.path.exists("/proc") or os.path.exists("/etc/passwd")
    if name == PIDS:
        return os.getpid() != 1
    if name == NETWORK:
        return any(label != "lo" for _, label in socket.if_nameindex())
    return False


def _uid_range() -> tuple[int, int] | None:
    """User numbers that exist here and belong to nobody; None where root is the only one."""
    try:
        with open("/proc/self/uid_map", encoding="ascii") as file:
            rows = [[int(field) for field in line.split()] for line in file]
    except FileNotFoundError:  # no /proc: where these do not exist, the identity cannot be put on, and that is said
        return _OWN_UIDS
    first, _, count = max(rows, key=lambda row: row[2])
    last = first + count - 1
    if last >= _OWN_UIDS[1]:
        return _OWN_UIDS
    if count < 1 << 12:
        return None
    return last - count // 2, last


def _tried_in_child(step: Callable[[], object]) -> bool:
    child = _fork()
    if child == 0:
        os._exit(0 if _tried(step) else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
