"""What the filter of system calls refuses beyond the shipped table, by arguments and by name."""

from __future__ import annotations

import fcntl
import os
import struct

import pytest


@pytest.mark.parametrize("flag", ["0x00000100", "0x00020000", "0x10000000", "0x20000000", "0x40000000", "0x02000000"])
def test_a_fork_takes_no_namespace_and_shares_no_memory(attack, flag):
    seen = attack(f"syscall(clone, 17 | {flag}, 0, 0, 0, 0)")

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
    seen = attack(f"syscall(mmap, 0, 4096, {protection}, {flags}, -1, 0)")

    assert seen.value == -1, what


def test_written_memory_never_becomes_code(attack):
    seen = attack("page = syscall(mmap, 0, 4096, 3, 0x22, -1, 0)\n[page > 0, syscall(mprotect, page, 4096, 5)]")

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


def test_no_lock_is_held_on_a_file_of_the_hosts_and_programs_that_lock_their_own_work(attack):
    seen = attack("""
import fcntl, sqlite3
library, held = open(os.__file__), []
for lock in fcntl.F_SETLK, fcntl.F_SETLKW, 37, 38:
    held.append(fcntl.fcntl(library, lock, struct.pack('hhqqi4x', fcntl.F_RDLCK, 0, 0, 0, 0)))
with sqlite3.connect('table.db') as table:
    table.execute('create table t (n)')
    table.execute('insert into t values (7)')
sqlite3.connect('table.db').execute('select n from t').fetchall()
""")

    assert seen.value == [(7,)], seen.failure
    with open(os.__file__, "rb") as file:
        asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
        assert struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, asked))[0] == fcntl.F_UNLCK


def test_no_pipe_is_made_for_the_kernels_notices(attack):
    seen = attack("pair = (ctypes.c_int * 2)()\n[syscall(pipe2, pair, flags) for flags in (0x80, 0x80080, 0x80000)]")

    assert seen.value == [-1, -1, 0]
