"""What the filter of system calls refuses, tried by number and by name."""

from __future__ import annotations

import pytest

BY_NUMBER = {
    "start a program": "59, b'/bin/true', None, None",
    "start a program from a descriptor": "322, 3, b'', None, None, 0x1000",
    "make an internet socket": "41, 2, 1, 0",
    "make a packet socket": "41, 17, 3, 0",
    "make a netlink socket": "41, 16, 3, 0",
    "make a vsock socket": "41, 40, 1, 0",
    "make a pair of internet sockets": "53, 2, 1, 0, (ctypes.c_int * 2)()",
    "connect": "42, 3, None, 0",
    "send descriptors": "46, 3, None, 0",
    "trace a process": "101, 0, 0, 0, 0",
    "read another process's memory": "310, os.getppid(), None, 0, None, 0, 0",
    "write another process's memory": "311, os.getppid(), None, 0, None, 0, 0",
    "compare processes": "312, 1, 1, 0, 0, 0",
    "signal itself": "62, os.getpid(), 0",
    "signal its zygote": "62, 1, 15",
    "signal everybody": "62, -1, 15",
    "signal a thread": "234, os.getpid(), os.getpid(), 0",
    "queue a signal": "129, os.getpid(), 0, None",
    "take a handle of a process": "434, os.getpid(), 0",
    "mount": "165, b'x', b'/', b'tmpfs', 0, None",
    "unmount": "166, b'/session', 2",
    "open a file system": "430, b'tmpfs', 0",
    "copy a mount": "428, -100, b'/', 1",
    "change the root": "161, b'.'",
    "swap the root": "155, b'.', b'.'",
    "make namespaces": "272, 0x10000000",
    "enter namespaces": "308, 3, 0",
    "load a filter over the filter": "317, 1, 0, None",
    "load a program into the kernel": "321, 0, None, 0",
    "read a key": "250, 0, -3, 0",
    "add a key": "248, b'user', b'n', b'v', 1, -2",
    "ring of requests": "425, 8, None",
    "fault handling by user": "323, 0",
    "performance counters": "298, None, 0, -1, -1, 0",
    "hidden memory file": "319, b'm', 0",
    "secret memory": "447, 0",
    "System V memory": "29, 0, 4096, 0o1600",
    "System V messages": "68, 0, 0o1600",
    "System V semaphores": "64, 0, 1, 0o1600",
    "message queue": "240, b'q', 0o102, 0o600, None",
    "another personality": "135, 0x0040000",
    "own session": "112",
    "own process group": "109, 0, 0",
    "set a limit of itself": "302, 0, 7, (ctypes.c_uint64 * 2)(8, 8), None",
    "read a limit of another": "302, 1, 7, None, (ctypes.c_uint64 * 2)()",
    "niceness": "141, 0, 0, 0",
    "processor choice": "203, 0, 8, (ctypes.c_uint64 * 1)(1)",
    "timer that signals": "222, 0, None, (ctypes.c_int * 1)()",
    "interval timer": "38, 0, None, None",
    "watch files": "294, 0",
    "watch all files": "300, 0, 0",
    "file by handle": "304, -100, None, 0",
    "make a device": "133, b'dev', 0o20666, 0x103",
    "link": "86, b'a', b'b'",
    "symbolic link": "88, b'/', b'l'",
    "give a file away": "92, b'.', 0, 0",
    "kernel log": "103, 10, None, 0",
    "kernel module": "313, 3, b'', 0",
    "clock": "227, 0, None",
    "host name": "170, b'x', 1",
    "swap": "167, b'x', 0",
    "reboot": "169, 0, 0, 0, None",
    "become root": "105, 0",
    "become another group": "106, 0",
    "capabilities": "126, None, None",
    "lock memory": "149, None, 4096",
    "protection keys": "330, 0, 0",
    "local descriptor table": "154, 0, None, 0",
    "in and out ports": "172, 3",
}


@pytest.mark.parametrize("what", BY_NUMBER)
def test_a_call_off_the_list_is_refused(attack, what):
    seen = attack(f"[syscall({BY_NUMBER[what]}), errno.EPERM]")

    assert seen.value == [-1, 1], f"{what}: {seen}"


@pytest.mark.parametrize("flag", ["0x00000100", "0x00020000", "0x10000000", "0x20000000", "0x40000000", "0x02000000"])
def test_a_fork_takes_no_namespace_and_shares_no_memory(attack, flag):
    seen = attack(f"syscall(56, 17 | {flag}, 0, 0, 0, 0)")

    assert seen.value == -1


def test_the_newer_fork_call_is_absent(attack):
    assert attack("-syscall(435, None, 0) == errno.ENOSYS").value is True


def test_calls_unknown_to_this_version_are_absent(attack):
    assert attack("-syscall(500, 0, 0) == errno.ENOSYS").value is True


def test_a_call_of_another_kind_of_machine_ends_the_process_and_the_step_is_rolled_back(attack):
    seen = attack("syscall(0x40000000 | 39)")

    assert seen.rolled_back
    assert seen.failure.kind == "crash"


@pytest.mark.parametrize(
    ("what", "protection", "flags"),
    [
        ("writable and executable", 7, 0x22),
        ("executable without a file", 5, 0x22),
        ("shared without a file", 3, 0x21),
        ("huge pages", 3, 0x40022),
    ],
)
def test_memory_off_the_list_is_refused(attack, what, protection, flags):
    seen = attack(f"syscall(9, 0, 4096, {protection}, {flags}, -1, 0)")

    assert seen.value == -1, what


def test_written_memory_never_becomes_code(attack):
    seen = attack("page = syscall(9, 0, 4096, 3, 0x22, -1, 0)\n[page > 0, syscall(10, page, 4096, 5)]")

    assert seen.value == [True, -1]


def test_no_file_gets_a_set_id_bit(attack):
    seen = attack(
        "open('f', 'w').close()\n"
        "[refused(lambda: os.chmod('f', 0o4755)), refused(lambda: os.open('g', os.O_CREAT, 0o2755)),\n"
        " os.path.exists('g')]"
    )

    assert seen.value == ["PermissionError", "PermissionError", False]


def test_descriptors_do_not_send_signals(attack):
    assert attack("import fcntl\nrefused(lambda: fcntl.fcntl(3, fcntl.F_SETOWN, 1))").value == "PermissionError"


def test_a_terminal_cannot_be_typed_into(attack):
    assert attack("import fcntl\nrefused(lambda: fcntl.ioctl(0, 0x5412, b'x'))").value == "PermissionError"
