"""A small assembler for seccomp filters: a table of rules in, the bytes the kernel loads out.

Rule("kill", clauses=(), otherwise=deny)                →  every call is answered with an error
Rule("mmap", (Clause(deny, (Test(2, 6, 6),)),), ALLOW)  →  writable and executable at once: refused, else allowed
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass

ALLOW, KILL = 0x7FFF0000, 0x80000000
_LOAD_WORD, _AND, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_X32_BIT = 0x40000000

Line = tuple[int, int, int, int]


def error(number: int) -> int:
    """The verdict that makes a call fail with this error number."""
    return 0x00050000 | number


@dataclass(frozen=True, slots=True)
class Test:
    """True where `argument & mask == value`, over all 64 bits of the argument."""

    argument: int
    mask: int
    value: int


@dataclass(frozen=True, slots=True)
class Clause:
    """The verdict where every one of the tests is true."""

    verdict: int
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """What becomes of one system call: the first clause that fits, else `otherwise`."""

    number: int
    clauses: tuple[Clause, ...]
    otherwise: int


def assemble(rules: Iterable[Rule], *, architecture: int, first_unknown: int, unknown: int, default: int) -> bytes:
    """A filter as an array of `struct sock_filter`.

    A call of a foreign kind (32-bit, x32) kills; a number from `first_unknown` on gets `unknown`; a number without a
    rule gets `default`.
    """
    lines: list[Line] = [
        (_LOAD_WORD, 0, 0, _ARCHITECTURE_AT),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, KILL),
        (_LOAD_WORD, 0, 0, _NUMBER_AT),
        (_JUMP_AT_LEAST, 0, 1, _X32_BIT),
        (_RETURN, 0, 0, KILL),
        (_JUMP_AT_LEAST, 0, 1, first_unknown),
        (_RETURN, 0, 0, unknown),
    ]
    for rule in rules:
        body = _body(rule)
        lines.append((_JUMP_EQUAL, 0, len(body), rule.number))
        lines += body
    lines.append((_RETURN, 0, 0, default))
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def _body(rule: Rule) -> list[Line]:
    lines: list[Line] = []
    for clause in rule.clauses:
        lines += _clause(clause)
    lines.append((_RETURN, 0, 0, rule.otherwise))
    return lines


def _clause(clause: Clause) -> list[Line]:
    halves = [half for test in clause.tests for half in _halves(test)]
    lines: list[Line] = []
    for index, (offset, mask, value) in enumerate(halves):
        left_after_this = 3 * (len(halves) - index - 1) + 1  # a false test jumps over the rest and the verdict
        lines += [(_LOAD_WORD, 0, 0, offset), (_AND, 0, 0, mask), (_JUMP_EQUAL, 0, left_after_this, value)]
    lines.append((_RETURN, 0, 0, clause.verdict))
    return lines


def _halves(test: Test) -> list[tuple[int, int, int]]:
    low = _ARGUMENTS_AT + 8 * test.argument  # both machines keep the low half first
    parts = [(low, test.mask & 0xFFFFFFFF, test.value & 0xFFFFFFFF), (low + 4, test.mask >> 32, test.value >> 32)]
    return [part for part in parts if part[1] or part[2]]
