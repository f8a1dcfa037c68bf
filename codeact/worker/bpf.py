"""A small assembler for seccomp filters: a table of rules in, the bytes the kernel loads out.

Rule("kill", clauses=(), otherwise=deny)                →  every call is answered with an error
Rule("mmap", (Clause(deny, (Test(2, 6, 6),)),), ALLOW)  →  writable and executable at once: refused, else allowed

The filter finds a number's verdict by halving, in some eight comparisons. When it is loaded, the kernel runs it for
each call there is, to learn which it need not ask about again; one comparison after the other, that took 0.1 ms.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

import msgspec

ALLOW, KILL = 0x7FFF0000, 0x80000000
_LOAD_WORD, _AND, _JUMP, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x54, 0x05, 0x15, 0x35, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_X32_BIT = 0x40000000
_FARTHEST = 255  # lines a conditional jump may pass over

Line = tuple[int, int, int, int]
Range = tuple[int, list[Line]]


def error(number: int) -> int:
    """The verdict that makes a call fail with this error number."""
    return 0x00050000 | number


class Test(msgspec.Struct, frozen=True):
    """True where `argument & mask == value`, over all 64 bits of the argument."""

    argument: int
    mask: int
    value: int


class Clause(msgspec.Struct, frozen=True):
    """The verdict where every one of the tests is true."""

    verdict: int
    tests: tuple[Test, ...]


class Rule(msgspec.Struct, frozen=True):
    """What becomes of one system call: the first clause that fits, else `otherwise`."""

    number: int
    clauses: tuple[Clause, ...]
    otherwise: int


def assemble(rules: Iterable[Rule], *, architecture: int, first_unknown: int, unknown: int, default: int) -> bytes:
    """A filter as an array of `struct sock_filter`; the rules are for numbers below `first_unknown`.

    A call of a foreign kind (32-bit, x32) kills; a number from `first_unknown` on gets `unknown`; a number without a
    rule gets `default`.
    """
    lines: list[Line] = [
        (_LOAD_WORD, 0, 0, _ARCHITECTURE_AT),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, KILL),
        (_LOAD_WORD, 0, 0, _NUMBER_AT),
    ]
    begins = {0: _verdict(default), first_unknown: _verdict(unknown), _X32_BIT: _verdict(KILL)}
    for rule in sorted(rules, key=lambda rule: rule.number):
        begins[rule.number] = _body(rule)
        begins.setdefault(rule.number + 1, _verdict(default))
    return b"".join(struct.pack("HBBI", *line) for line in lines + _search(_ranges(begins)))


def _ranges(begins: dict[int, list[Line]]) -> list[Range]:
    """The first numbers in order, each with what becomes of all up to the next; of equal neighbours, the first."""
    ranges: list[Range] = []
    for first in sorted(begins):
        if not ranges or ranges[-1][1] != begins[first]:
            ranges.append((first, begins[first]))
    return ranges


def _search(ranges: Sequence[Range]) -> list[Line]:
    """Find the range the number lies in, and go on with its lines."""
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    lower, first = _search(ranges[:middle]), ranges[middle][0]
    if len(lower) <= _FARTHEST:
        begin: list[Line] = [(_JUMP_AT_LEAST, len(lower), 0, first)]
    else:
        begin = [(_JUMP_AT_LEAST, 0, 1, first), (_JUMP, 0, 0, len(lower))]
    return begin + lower + _search(ranges[middle:])


def _verdict(verdict: int) -> list[Line]:
    return [(_RETURN, 0, 0, verdict)]


def _body(rule: Rule) -> list[Line]:
    return [line for clause in rule.clauses for line in _clause(clause)] + _verdict(rule.otherwise)


def _clause(clause: Clause) -> list[Line]:
    halves = [half for test in clause.tests for half in _halves(test)]
    lines: list[Line] = []
    for index, (offset, mask, value) in enumerate(halves):
        left_after_this = 3 * (len(halves) - index - 1) + 1  # a false test jumps over the rest and the verdict
        lines += [(_LOAD_WORD, 0, 0, offset), (_AND, 0, 0, mask), (_JUMP_EQUAL, 0, left_after_this, value)]
    return lines + _verdict(clause.verdict)


def _halves(test: Test) -> list[tuple[int, int, int]]:
    low = _ARGUMENTS_AT + 8 * test.argument  # both machines keep the low half first
    parts = [(low, test.mask & 0xFFFFFFFF, test.value & 0xFFFFFFFF), (low + 4, test.mask >> 32, test.value >> 32)]
    return [part for part in parts if part[1] or part[2]]
