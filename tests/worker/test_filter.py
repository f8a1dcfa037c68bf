"""The filter of system calls: its numbers and the code assembled from its table."""

from __future__ import annotations

import struct

import pytest

from codeact.errors import CageError
from codeact.worker import bpf, seccomp, syscalls


@pytest.mark.parametrize(("machine", "column"), [("X86_64", 1), ("AARCH64", 2)])
def test_the_numbers_are_those_libseccomp_knows(machine, column):
    reason = "libseccomp is what the numbers are compared with"
    pyseccomp = pytest.importorskip("pyseccomp", reason=reason, exc_type=Exception)
    table = {row[0]: row[column] for row in map(str.split, syscalls._TABLE.strip().splitlines())}
    known = {name: pyseccomp.resolve_syscall(getattr(pyseccomp.Arch, machine), name) for name in table}

    assert {name: table[name] for name, number in known.items() if number >= 0} == {
        name: str(number) for name, number in known.items() if number >= 0
    }


def test_an_unknown_machine_is_refused_by_name(monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "sparc64")

    with pytest.raises(CageError, match="no table of system calls for sparc64"):
        syscalls.numbers()


@pytest.mark.parametrize("small_root", [True, False])
def test_every_jump_lands_inside_the_program(small_root):
    code = list(struct.iter_unpack("HBBI", seccomp.program(small_root=small_root)))
    jumps = [(place, line) for place, line in enumerate(code) if line[0] in (0x15, 0x35)]

    assert all(place + 1 + max(line[1], line[2]) < len(code) for place, line in jumps)
    assert code[-1] == (0x06, 0, 0, bpf.error(1))


def test_a_call_without_a_rule_gets_the_default():
    rule = bpf.Rule(7, (bpf.Clause(bpf.ALLOW, (bpf.Test(0, 0xFFFFFFFF, 5),)),), bpf.KILL)
    code = bpf.assemble([rule], architecture=1, first_unknown=100, unknown=2, default=3)

    assert struct.unpack("HBBI", code[-8:]) == (0x06, 0, 0, 3)
    assert len(code) // 8 == 8 + 1 + 3 + 1 + 1 + 1
