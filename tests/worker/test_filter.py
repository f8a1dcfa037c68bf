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


Line = tuple[int, int, int, int]


def lines_of(code: bytes) -> list[Line]:
    return list(struct.iter_unpack("HBBI", code))


def run(lines: list[Line], number: int, arguments: tuple[int, ...], architecture: int) -> tuple[int, int]:
    """What the kernel's machine comes to with a filter, and in how many steps: loads, a mask, jumps, a verdict."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *arguments)
    held = place = steps = 0
    while True:
        kind, if_true, if_false, operand = lines[place]
        place, steps = place + 1, steps + 1
        if kind == 0x06:
            return operand, steps
        if kind == 0x20:
            held = int.from_bytes(data[operand : operand + 4], "little")
        elif kind == 0x54:
            held &= operand
        else:
            jumps = {0x05: operand, 0x15: if_true if held == operand else if_false,
                     0x35: if_true if held >= operand else if_false}  # fmt: skip
            place += jumps[kind]


def said(rules: dict[int, bpf.Rule], number: int, arguments: tuple[int, ...]) -> int:
    """What a table says of a call."""
    rule = rules.get(number)
    if number >= 0x40000000:
        return bpf.KILL
    if rule is None:
        return ABSENT if number >= syscalls.FIRST_UNKNOWN else REFUSED
    for clause in rule.clauses:
        if all(arguments[test.argument] & test.mask == test.value for test in clause.tests):
            return clause.verdict
    return rule.otherwise


REFUSED, ABSENT = bpf.error(1), bpf.error(38)
HERE = syscalls.audit_architecture()


@pytest.mark.parametrize(("small_root", "landlock_version"), [(True, 7), (False, 6)])
def test_the_filter_says_of_every_call_what_the_table_says(small_root, landlock_version, monkeypatch):
    tables = []
    assemble = bpf.assemble
    monkeypatch.setattr(bpf, "assemble", lambda rules, **given: (tables.append(rules), assemble(rules, **given))[1])
    code = lines_of(seccomp.program(small_root=small_root, landlock_version=landlock_version))
    rules = {rule.number: rule for rule in tables[0]}
    values = {test.value for rule in rules.values() for clause in rule.clauses for test in clause.tests}
    values |= {0, (1 << 64) - 1, *(1 << bit for bit in range(64))}
    numbers = [*range(syscalls.FIRST_UNKNOWN + 200), 0x3FFFFFFF, 0x40000000, 0x40000001, 0xFFFFFFFF]
    wrong = []
    for number in numbers:
        for value in sorted(values) if number in rules and rules[number].clauses else (0, 7):
            for arguments in ((value,) * 6, (0, value, 0, value, 0, 0), (value, 0, value, 0x22, 0, 0)):
                if run(code, number, arguments, HERE)[0] != said(rules, number, arguments):
                    wrong.append((number, arguments))

    assert len(rules) > 100
    assert wrong == []


def test_a_call_of_another_kind_of_machine_ends_the_process():
    code = lines_of(seccomp.program(small_root=True, landlock_version=7))

    assert {run(code, number, (0,) * 6, HERE ^ 1)[0] for number in range(600)} == {bpf.KILL}


def test_a_call_judged_by_its_number_alone_is_judged_in_a_dozen_steps():
    code = lines_of(seccomp.program(small_root=True, landlock_version=7))
    read, write, unknown = (run(code, number, (0,) * 6, HERE) for number in (0, 1, syscalls.FIRST_UNKNOWN))

    assert max(steps for _, steps in (read, write, unknown)) <= 16


def test_a_rule_for_a_number_alone_leaves_its_neighbours_to_the_default():
    rule = bpf.Rule(7, (bpf.Clause(bpf.ALLOW, (bpf.Test(0, 0xFFFFFFFF, 5),)),), bpf.KILL)
    code = lines_of(bpf.assemble([rule], architecture=1, first_unknown=100, unknown=2, default=3))

    found = [run(code, number, (5,) * 6, 1)[0] for number in (0, 6, 7, 8, 99, 100, 101)]
    assert found == [3, 3, bpf.ALLOW, 3, 3, 2, 2]
    assert run(code, 7, (4,) * 6, 1)[0] == bpf.KILL
