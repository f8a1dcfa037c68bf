"""Landlock: which files, ports, signals and sockets a session reaches, as far as this kernel's version can say."""

from __future__ import annotations

import ctypes
import errno
import os
import stat
from collections.abc import Iterable

import msgspec

from codeact.worker import kernel

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _REMOVE_DIR, _REMOVE_FILE = (1 << bit for bit in range(6))
_MAKE_CHAR, _MAKE_DIR, _MAKE_REG, _MAKE_SOCK, _MAKE_FIFO, _MAKE_BLOCK, _MAKE_SYM = (1 << bit for bit in range(6, 13))
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ALL_OF_VERSION_1 = (1 << 13) - 1
_READ = _READ_FILE | _READ_DIR
# Not here: making links, sockets, pipes and devices; running files.
_WRITE = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER | _TRUNCATE
_OF_A_FILE = _READ_FILE | _WRITE_FILE | _TRUNCATE
_BIND_AND_CONNECT_TCP = 3
_ABSTRACT_SOCKETS_AND_SIGNALS = 3
_RULE_PATH_BENEATH = 1
UNLOGGED, LOGS_SINCE = 1, 7  # a flag, and the version that knows it and would log


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # what `_pack_` meant all along; from Python 3.14 on it has to be said
    _fields_ = (("rights", ctypes.c_uint64), ("place", ctypes.c_int32))


class Reach(msgspec.Struct, frozen=True):
    """The places a session may read, and those where it may also write."""

    read: tuple[str, ...]
    write: tuple[str, ...]


def version() -> int:
    """The version of Landlock this kernel offers; 0 where there is none."""
    try:
        return kernel.call("landlock_create_ruleset", None, 0, 1)
    except OSError:
        return 0


def missing(abi: int) -> str:
    """What a Landlock of this version cannot hold back, in words; empty where nothing is missing."""
    gaps = ((3, "truncating files"), (4, "TCP ports"), (5, "device controls"), (6, "signals and abstract sockets"))
    return ", ".join(what for since, what in gaps if abi < since)


def _handled(abi: int) -> tuple[int, int, int]:
    files = _ALL_OF_VERSION_1
    files |= _REFER if abi >= 2 else 0
    files |= _TRUNCATE if abi >= 3 else 0
    files |= _IOCTL_DEV if abi >= 5 else 0
    return files, _BIND_AND_CONNECT_TCP if abi >= 4 else 0, _ABSTRACT_SOCKETS_AND_SIGNALS if abi >= 6 else 0


def ruleset(reach: Reach, abi: int) -> int:
    """A descriptor of the rules, for `enforce`; the places are looked up now, with the rights this process has now."""
    files, ports, scopes = _handled(abi)
    attributes = (ctypes.c_uint64 * 3)(files, ports, scopes)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    rules = kernel.call("landlock_create_ruleset", attributes, size, 0)
    try:
        _add(rules, reach.read, _READ)
        _add(rules, reach.write, _WRITE & files)
    except OSError:
        os.close(rules)
        raise
    return rules


def _add(rules: int, places: Iterable[str], rights: int) -> None:
    """Grant rights on each place and all below it."""
    for place in places:
        descriptor = os.open(place, os.O_PATH | os.O_CLOEXEC)
        try:
            granted = rights if stat.S_ISDIR(os.fstat(descriptor).st_mode) else rights & _OF_A_FILE
            rule = _PathBeneath(granted, descriptor)
            kernel.call("landlock_add_rule", rules, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
        finally:
            os.close(descriptor)


def enforce(rules: int) -> None:
    """Bind this process and its children to the rules, for good, on top of what it was bound to before.

    What they are refused is not written to the host's log: code could fill that.
    """
    try:
        kernel.call("landlock_restrict_self", rules, UNLOGGED)
    except OSError as error:
        if error.errno != errno.EINVAL:  # an older version
            raise
        kernel.call("landlock_restrict_self", rules, 0)
    os.close(rules)
