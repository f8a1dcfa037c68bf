"""Kernels that offer less, put before a program by a filter of system calls.

Most wishes make a call fail as an old kernel, or a container that forbids it, would. `landlock-version-N` stands for a kernel
with that version of Landlock: each making of rules is shown to a process outside, which answers the question for the
version, refuses the bits that version does not know, and lets the kernel do the rest.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import signal
import socket
import struct
from typing import NoReturn

from codeact.worker import bpf, kernel, seccomp, syscalls

_NEW_USERS = (bpf.Test(0, kernel.CLONE_NEWUSER, kernel.CLONE_NEWUSER),)
_NUMBERS = {**syscalls.numbers(), "pidfd_open": 434}
#: Wish → (call, error number, only where these hold).
REFUSED: dict[str, tuple[tuple[str, int, tuple[bpf.Test, ...]], ...]] = {
    "no-namespaces": (("unshare", errno.EPERM, ()),),
    "no-user-namespaces": (("unshare", errno.ENOSPC, _NEW_USERS),),
    "no-landlock": tuple(
        (f"landlock_{call}", errno.ENOSYS, ()) for call in ("create_ruleset", "add_rule", "restrict_self")
    ),
    "landlock-switched-off": tuple(
        (f"landlock_{call}", errno.EOPNOTSUPP, ()) for call in ("create_ruleset", "add_rule", "restrict_self")
    ),
    "no-landlock-rules": (("landlock_add_rule", errno.EPERM, ()),),
    "no-landlock-log": (("landlock_restrict_self", errno.EPERM, (bpf.Test(1, 0xFFFFFFFF, 0),)),),
    "no-landlock-layers": (("landlock_restrict_self", errno.E2BIG, ()),),
    "no-mounts": (("mount", errno.EPERM, ()),),
    "no-pivot": (("pivot_root", errno.EINVAL, ()),),
    "no-mount-setattr": (("mount_setattr", errno.ENOSYS, ()),),
    "mount-setattr-forbidden": (("mount_setattr", errno.EPERM, ()),),
    "no-seccomp": (("seccomp", errno.EINVAL, ()),),
    "no-prctl": (("prctl", errno.EPERM, ()),),
    "no-ftruncate": (("ftruncate", errno.EPERM, ()),),
    "no-process-descriptors": (("pidfd_open", errno.ENOSYS, ()),),
}
_ASK, _NEW_LISTENER = 0x7FC00000, 8
_RECEIVE, _ANSWER = 0xC0502100, 0xC0182101
_GO_ON = 1
_BITS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # kinds of access to files a version knows
_PORTS_SINCE, _SCOPES_SINCE = 4, 6


def refuse(wishes: list[str]) -> None:
    """Have the kernel fail the calls these wishes name, for this process and all it starts."""
    rows = [row for wish in wishes for row in REFUSED.get(wish, ())]
    if rows:
        rules = [
            bpf.Rule(_NUMBERS[name], (bpf.Clause(bpf.error(number), tests),), bpf.ALLOW)
            if tests
            else bpf.Rule(_NUMBERS[name], (), bpf.error(number))
            for name, number, tests in rows
        ]
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        seccomp.load(_filter(rules))


def _filter(rules: list[bpf.Rule]) -> bytes:
    architecture, allow = syscalls.audit_architecture(), bpf.ALLOW
    return bpf.assemble(rules, architecture=architecture, first_unknown=1 << 20, unknown=allow, default=allow)


def with_landlock_of(version: int) -> None:
    """Return in a child for which Landlock is of this version; this process answers for the kernel and ends with it."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        program = _filter([bpf.Rule(_NUMBERS["landlock_create_ruleset"], (), _ASK)])
        code = ctypes.create_string_buffer(program, len(program))
        described = seccomp._SockFprog(len(program) // 8, ctypes.addressof(code))
        listener = kernel.call("seccomp", 1, _NEW_LISTENER, ctypes.byref(described))
        socket.send_fds(theirs, [b"x"], [listener])
        os.close(listener)
        theirs.close()
        return
    theirs.close()
    _, (listener,), _, _ = socket.recv_fds(ours, 1, 1)
    answering = os.fork()
    if answering == 0:
        _answer_all(listener, version)
    os.close(listener)
    status = os.waitpid(child, 0)[1]
    os.kill(answering, signal.SIGKILL)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _answer_all(listener: int, version: int) -> NoReturn:
    while True:
        asked = bytearray(80)
        try:
            fcntl.ioctl(listener, _RECEIVE, asked)
        except OSError:
            os._exit(0)
        number, pid = struct.unpack_from("QI", asked)
        address, size, flags = struct.unpack_from("QQQ", asked, 32)
        if flags & 1:
            answer = struct.pack("QqiI", number, version, 0, 0)
        else:
            error = _objection(pid, address, size, version)
            answer = struct.pack("QqiI", number, 0, -error, 0 if error else _GO_ON)
        try:
            fcntl.ioctl(listener, _ANSWER, bytearray(answer))
        except FileNotFoundError:  # whoever asked is dead
            continue


def _objection(pid: int, address: int, size: int, version: int) -> int:
    """The error with which a kernel of this version answers these attributes; 0 where it takes them."""
    with open(f"/proc/{pid}/mem", "rb") as memory:
        memory.seek(address)
        files, ports, scopes = struct.unpack("QQQ", memory.read(min(size, 24)).ljust(24, b"\0"))
    if (size > 8 and version < _PORTS_SINCE and ports) or (size > 16 and version < _SCOPES_SINCE and scopes):
        return errno.E2BIG
    if files >> _BITS.get(version, 16) or ports >> 2 or scopes >> 2:
        return errno.EINVAL
    return 0
