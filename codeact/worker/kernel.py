"""The few kernel calls Python does not offer, each raising `OSError` as Python's own would."""

from __future__ import annotations

import _thread
import ctypes
import errno
import mmap
import os

from codeact.worker import syscalls

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP = 1, 4, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS = 36, 38, 39
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_MOVE, MS_REC, MS_PRIVATE, MS_SLAVE, MS_SHARED = 4096, 8192, 16384, 1 << 18, 1 << 19, 1 << 20
MNT_DETACH, _NOT_THROUGH_LINKS = 2, 8
_RECURSIVE = 0x8000

_LAST_CAPABILITY = 40
_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_libc.poll.argtypes = (ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int)
_signal = _libc.signal  # looked up here, once: in each session that would take a hundred pages of its own
_python = ctypes.PyDLL(None, use_errno=True)  # its calls keep the interpreter's lock, as `os.fork` does
_NUMBERS = syscalls.numbers()


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def call(name: str, *arguments: object) -> int:
    """Make a system call by name; whole numbers are passed as machine words."""
    words = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    return _checked(int(_libc.syscall(ctypes.c_long(_NUMBERS[name]), *words)), name)


def fork() -> int:
    """Fork as `os.fork` does, but leave out what Python's modules hook in, where this process has but one thread.

    They would write to some two hundred pages to have new locks, which nobody holds here, and to reseed `random`.
    """
    return os.fork() if _thread._count() else _checked(_python.fork(), "fork")


def default_action(number: int) -> None:
    """Have a signal do what it does without a handler, and Python believe what it likes.

    `signal.signal` would look up enumerations, pages of them.
    """
    _signal(number, None)


def prctl(option: int, *arguments: object) -> int:
    """Set or ask something of this process."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    return call("prctl", option, *padded)


def unshare(flags: int) -> None:
    """Leave the namespaces named for new ones."""
    call("unshare", flags)


def mount(source: str, target: str, kind: str, *, flags: int, options: str = "") -> None:
    """Mount a file system or bind one place to another."""
    call("mount", os.fsencode(source), os.fsencode(target), kind.encode(), flags, options.encode() or None)


def make_read_only(target: str, *, below: bool = False) -> None:
    """Forbid writing, set-uid and devices on a mount, or on it and all `below` it; the latter takes Linux 5.12."""
    attributes = (ctypes.c_uint64 * 4)(MS_RDONLY | MS_NOSUID | MS_NODEV, 0, 0, 0)
    path, flags = os.fsencode(target), _RECURSIVE if below else 0
    try:
        call("mount_setattr", -100, path, flags, attributes, ctypes.sizeof(attributes))
    except OSError as error:
        if below or error.errno not in (errno.ENOSYS, errno.EPERM):
            raise
        remount_read_only(target)


def remount_read_only(target: str) -> None:
    """Forbid writing, set-uid and devices on one mount, as every kernel can."""
    kept = os.statvfs(target).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)
    flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | kept
    mount("none", target, "", flags=flags)


def unmount(target: str) -> None:
    """Take a mount out of sight at once; it goes for good when nobody uses it."""
    _checked(_libc.umount2(os.fsencode(target), MNT_DETACH), "umount2")


def unmount_unused(target: str) -> bool:
    """Unmount what nobody uses; whether it is no mount any more."""
    try:
        _checked(_libc.umount2(os.fsencode(target), _NOT_THROUGH_LINKS), "umount2")
    except OSError as error:
        return error.errno != errno.EBUSY
    return True


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root; what was the root is found at `old`."""
    call("pivot_root", os.fsencode(new), os.fsencode(old))


def drop_bounding_capabilities() -> None:
    """See to it that no program this process could ever start gains a capability."""
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # not ours to drop (no CAP_SETPCAP) or beyond the last one this kernel knows


def drop_capabilities() -> None:
    """Give up every capability, for good: bounding, ambient, inheritable, permitted and effective."""
    drop_bounding_capabilities()
    try:
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    except OSError as error:
        if error.errno != errno.EINVAL:  # kernels before 4.3 have no ambient set
            raise
    call("capset", (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0), (ctypes.c_uint32 * 6)())


def capabilities() -> int:
    """The capabilities this process has in effect or could take back, as a bit set."""
    sets = (ctypes.c_uint32 * 6)()
    call("capget", (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0), sets)
    effective, permitted = sets[0] | sets[3] << 32, sets[1] | sets[4] << 32
    return effective | permitted


def set_no_core_files() -> None:
    """Set a limit to what it already is, by a call whose refusal is an `OSError`."""
    call("prlimit64", 0, 4, (ctypes.c_uint64 * 2)(0, 0), None)


def map_shared_page(descriptor: int) -> int:
    """The address of one page shared with others: a new one for descriptor -1, else the first of a file's."""
    anonymous = mmap.MAP_ANONYMOUS if descriptor < 0 else 0
    protection, flags = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED | anonymous
    return call("mmap", 0, mmap.PAGESIZE, protection, flags, descriptor, 0)


def unmap_page(address: int) -> None:
    """Take one page out of this process's memory."""
    call("munmap", address, mmap.PAGESIZE)
