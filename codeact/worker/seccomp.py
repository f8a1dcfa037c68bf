"""The system calls a session may make: what is not in these tables is answered with "not permitted".

The filter is assembled once, in the zygote, and loaded by each session with one call.
"""

from __future__ import annotations

import ctypes
import errno
import os

import msgspec

from codeact.worker import bpf, kernel, syscalls
from codeact.worker.bpf import ALLOW, Clause, Rule, Test
from codeact.worker.landlock import LOGS_SINCE, UNLOGGED

_REFUSED = bpf.error(errno.EPERM)
_ABSENT = bpf.error(errno.ENOSYS)
_WORD = (1 << 64) - 1
_SECCOMP_SET_MODE_FILTER = 1

# Each row: why these are harmless in a process whose files, identity and numbers are bounded by the other walls.
_ALLOWED = {
    "bytes in and out of descriptors it already has": """
        read write readv writev pread64 pwrite64 preadv pwritev pwritev2 lseek close close_range
        dup dup2 dup3 pipe copy_file_range sendfile ftruncate fallocate""",
    "files by name: Landlock and the mounts decide which": """
        stat fstat lstat newfstatat statx access faccessat faccessat2 getdents64 getcwd chdir fchdir
        readlink readlinkat mkdir mkdirat rmdir unlink unlinkat rename renameat umask
        statfs fstatfs""",
    "its own memory, bounded by rlimits": "brk munmap mremap msync membarrier",
    "its own threads and children, bounded by the number of processes": """
        set_robust_list set_tid_address rseq sched_yield wait4 waitid exit exit_group restart_syscall""",
    "its own signals; sending any is not possible": """
        rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack pause""",
    "time, chance and its own numbers": """
        nanosleep gettimeofday time times getrusage getrandom getcpu uname sysinfo
        getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp
        getrlimit""",
    "the one socket it was given, and waiting for it": """
        recvfrom recvmsg shutdown getsockname getpeername select pselect6 poll ppoll
        epoll_create1 epoll_create epoll_ctl epoll_wait epoll_pwait eventfd2""",
}

# Asked by copying helpers of the standard library, which go on where a file system keeps no attributes.
_NOT_SUPPORTED = """listxattr llistxattr flistxattr getxattr lgetxattr fgetxattr setxattr lsetxattr fsetxattr"""
# Who is told that these are absent does without: the C library by older calls, whose arguments a filter can see, and
# libraries without whole-file locks, which would hold up the host's own use of a file a session can merely read.
_DOES_NOT_EXIST = "clone3 flock"
# What is written to the folder is in memory, or goes with the session. Asked of one of Python's own files, which can be
# read alone, it would have the host's disk write out its cache all the same, thousands of times a second.
_SAID_TO_BE_DONE = "fsync fdatasync"

_FORK_FLAGS = 0x01000000 | 0x00200000  # where to write and clear the child's number
_SIGCHLD = 17  # at its end; another would do what sending signals may not, such as stop the parent for good
_THREAD_FLAGS = 0x003D0F00
_SHARED_ANONYMOUS, _HUGE_PAGES, _ANONYMOUS, _GROWS_DOWN = 0x21, 0x40000, 0x20, 0x100
_WRITABLE_AND_EXECUTABLE, _EXECUTABLE = 6, 4
_AF_UNIX, _SOL_SOCKET = 1, 1
_NEITHER = 3  # an access mode for neither reading nor writing, which Landlock lets pass for any file there is
_ACCESS_AND_TRUNCATE, _READ_AND_TRUNCATE = 0o1003, 0o1000
# How memory will be used, given back, copied by forks, dumped; not: merged with that of others, poisoned, paged out.
_MADVISE = (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19)
_FADVISE = (0, 1, 2, 3, 5)
# Kind, error, the size of buffers, protocol, family; not: who is at the other end, nor a handle of it.
_SOCKET_OPTIONS = (3, 4, 7, 8, 38, 39)
_SEND_FLAGS = 0x4040  # not to wait for room, and to have no signal where nobody listens
# Copies of descriptors, their flags, who holds locks; not: who gets SIGIO, leases, the size of pipes.
_FCNTL = (0, 1, 2, 3, 4, 5, 36, 1030)
# Locks on parts of a file are said to be taken, as nobody else uses the folder. If they were, those on Python's own
# files would hold up the host, and no limit counts their memory.
_LOCKS = (6, 7, 37, 38)
_DONE = bpf.error(0)
_BEYOND_CLOCKS = 0xFFFFFFF0  # of the machine and of the process itself; others are of other processes and of devices
# To wait and to wake. The others, for locks that lend their holder priority, look up the process a number belongs to.
_FUTEX, _FUTEX_FLAGS = (0, 1, 3, 4, 5, 9, 10), 0x180  # for this process alone; by the clock of the day
_SET_FLAGS, _WHITEOUT = 4, 4
# Is it a terminal and how wide, bytes waiting, blocking or not, close on exec.
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# The thread's name, and reading: dumpable, seccomp, bounding capabilities, no new privileges.
_PRCTL = (3, 15, 16, 21, 23, 39)
_SET_DEATH_SIGNAL, _SIGKILL = 1, 9


class _Bounded(msgspec.Struct, frozen=True):
    """A call allowed or refused by its arguments, and why."""

    name: str
    clauses: tuple[Clause, ...]
    otherwise: int
    why: str


def _allow(*tests: Test) -> Clause:
    return Clause(ALLOW, tests)


def _refuse(*tests: Test) -> Clause:
    return Clause(_REFUSED, tests)


def _only(argument: int, values: tuple[int, ...], verdict: int = ALLOW) -> tuple[Clause, ...]:
    return tuple(Clause(verdict, (Test(argument, 0xFFFFFFFF, value),)) for value in values)


def _own_clocks(name: str) -> _Bounded:
    return _Bounded(name, (_allow(Test(0, _BEYOND_CLOCKS, 0)),), _REFUSED, "none of another process")


def _without_set_id(mode: int) -> tuple[Clause, ...]:
    return _refuse(Test(mode, 0o4000, 0o4000)), _refuse(Test(mode, 0o2000, 0o2000))


def _opening(name: str, flags: int) -> _Bounded:
    emptied = _refuse(Test(flags, _ACCESS_AND_TRUNCATE, _READ_AND_TRUNCATE))
    neither = _refuse(Test(flags, _NEITHER, _NEITHER))
    why = "no set-id bits; what is not opened for writing is not emptied; no reading past the host's cache"
    return _Bounded(name, (*_without_set_id(flags + 1), emptied, neither, _past_the_cache(flags)), ALLOW, why)


def _past_the_cache(flags: int, *tests: Test) -> Clause:
    return _refuse(*tests, Test(flags, os.O_DIRECT, os.O_DIRECT))


def _mode_of(name: str, mode: int) -> _Bounded:
    return _Bounded(name, _without_set_id(mode), ALLOW, "no file may carry a set-id bit")


_BOUNDED = (
    _Bounded(
        "clone",
        (_allow(Test(0, _WORD & ~_FORK_FLAGS, _SIGCHLD)), _allow(Test(0, _WORD, _THREAD_FLAGS))),
        _REFUSED,
        "a fork for the backup or a thread; no namespaces, no shared memory with a child",
    ),
    _Bounded(
        "mmap",
        (
            _refuse(Test(3, _SHARED_ANONYMOUS, _SHARED_ANONYMOUS)),
            _refuse(Test(3, _HUGE_PAGES, _HUGE_PAGES)),
            _refuse(Test(3, _GROWS_DOWN, _GROWS_DOWN)),
            _refuse(Test(2, _WRITABLE_AND_EXECUTABLE, _WRITABLE_AND_EXECUTABLE)),
            _refuse(Test(2, _EXECUTABLE, _EXECUTABLE), Test(3, _ANONYMOUS, _ANONYMOUS)),
        ),
        ALLOW,
        "what escapes the memory limit; machine code comes from the installation's files alone",
    ),
    _Bounded("mprotect", (_refuse(Test(2, _EXECUTABLE, _EXECUTABLE)),), ALLOW, "written memory never becomes code"),
    _Bounded("madvise", _only(2, _MADVISE), _REFUSED, "merged pages tell one session what another one holds"),
    _Bounded("fadvise64", _only(3, _FADVISE), _REFUSED, "the host's cache of files is not to be emptied"),
    _opening("open", 1),
    _opening("openat", 2),
    _Bounded(
        "fcntl",
        (
            _past_the_cache(2, Test(1, 0xFFFFFFFF, _SET_FLAGS)),
            *_only(1, _FCNTL),
            *_only(1, _LOCKS, _DONE),
        ),
        _REFUSED,
        "no signals through descriptors, no leases, no larger pipes, no locks that others would notice",
    ),
    _Bounded("pipe2", (_refuse(Test(1, os.O_EXCL, os.O_EXCL)),), ALLOW, "none that the kernel's notices come through"),
    _Bounded("ioctl", _only(1, _IOCTL), _REFUSED, "only what opening a file and polling need"),
    _Bounded(
        "prctl",
        (*_only(0, _PRCTL), _allow(Test(0, 0xFFFFFFFF, _SET_DEATH_SIGNAL), Test(1, _WORD, _SIGKILL))),
        _REFUSED,
        "nothing that changes a wall; to die with the parent may be asked for, not to outlive it",
    ),
    _Bounded(
        "prlimit64",
        (_allow(Test(0, 0xFFFFFFFF, 0), Test(2, _WORD, 0)),),
        _REFUSED,
        "limits may be read, of itself, and never set",
    ),
    _Bounded(
        "preadv2",
        (_allow(Test(5, 0xFFFFFFFF, 0)),),
        bpf.error(errno.ENOTSUP),
        "what is read stays in the host's cache, to be read from the disk once, and nothing tells whether it was there",
    ),
    _Bounded("renameat2", (_refuse(Test(4, _WHITEOUT, _WHITEOUT)),), ALLOW, "no device in a moved file's place"),
    _own_clocks("clock_gettime"),
    _own_clocks("clock_getres"),
    _own_clocks("clock_nanosleep"),
    _Bounded(
        "futex",
        tuple(_allow(Test(1, 0xFFFFFFFF & ~_FUTEX_FLAGS, kind)) for kind in _FUTEX),
        _REFUSED,
        "no locks that name the process that holds them",
    ),
    _Bounded("sched_getaffinity", _only(0, (0,)), _REFUSED, "of itself"),
    _Bounded("getpgid", _only(0, (0,)), _REFUSED, "of itself"),
    _Bounded("getsid", _only(0, (0,)), _REFUSED, "of itself"),
    _Bounded(
        "sendto",
        (_allow(Test(4, _WORD, 0), Test(3, 0xFFFFFFFF & ~_SEND_FLAGS, 0)),),
        _REFUSED,
        "to the socket's peer, to no address, in line: what is sent ahead has been a way into kernels",
    ),
    _Bounded(
        "getsockopt",
        tuple(_allow(Test(1, 0xFFFFFFFF, _SOL_SOCKET), Test(2, 0xFFFFFFFF, option)) for option in _SOCKET_OPTIONS),
        _REFUSED,
        "nothing about the host's end",
    ),
    _Bounded("socketpair", _only(0, (_AF_UNIX,)), _REFUSED, "an event loop wakes itself through a pair of its own"),
)


def _more_rules(landlock_version: int) -> _Bounded:
    flags = (UNLOGGED,) if landlock_version >= LOGS_SINCE else (0, UNLOGGED)
    why = "a copy of a session binds itself to its own folder, by rules it is handed; what they refuse fills no log"
    return _Bounded("landlock_restrict_self", _only(1, flags), _REFUSED, why)


# What Landlock does not rule: where all of the user's files can be named, these would change them; and where they are
# open to be read alone, as Python's own are.
_WHERE_MOUNTS_DECIDE = (
    _mode_of("chmod", 1),
    _mode_of("fchmod", 1),
    _mode_of("fchmodat", 2),
    _Bounded("truncate", (), ALLOW, "the mounts decide"),
    _Bounded("utimensat", (), ALLOW, "the mounts decide"),
)


def program(*, small_root: bool, landlock_version: int) -> bytes:
    """The filter for this machine, ready to load; `small_root`: none but harmless files can be named at all."""
    numbers = syscalls.numbers()
    bounded = (*_BOUNDED, _more_rules(landlock_version), *(_WHERE_MOUNTS_DECIDE if small_root else ()))
    rules = [Rule(numbers[name], (), verdict) for name, verdict in _plain().items() if name in numbers]
    rules += [Rule(numbers[row.name], row.clauses, row.otherwise) for row in bounded if row.name in numbers]
    return bpf.assemble(
        rules,
        architecture=syscalls.audit_architecture(),
        first_unknown=syscalls.FIRST_UNKNOWN,
        unknown=_ABSENT,
        default=_REFUSED,
    )


def _plain() -> dict[str, int]:
    verdicts = {name: ALLOW for names in _ALLOWED.values() for name in names.split()}
    verdicts.update({name: bpf.error(errno.ENOTSUP) for name in _NOT_SUPPORTED.split()})
    verdicts.update(dict.fromkeys(_DOES_NOT_EXIST.split(), _ABSENT))
    verdicts.update(dict.fromkeys(_SAID_TO_BE_DONE.split(), _DONE))
    return verdicts


class _SockFprog(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def load(filter_program: bytes) -> None:
    """Put the filter on this process and all it will ever start; it cannot be taken off."""
    code = ctypes.create_string_buffer(filter_program, len(filter_program))
    described = _SockFprog(len(filter_program) // 8, ctypes.addressof(code))
    kernel.call("seccomp", _SECCOMP_SET_MODE_FILTER, 0, ctypes.byref(described))
