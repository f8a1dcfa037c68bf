"""Makes programs from the grammar, each from a number, so that what was found can be made again."""

from __future__ import annotations

import functools
import random
import re
import sys

from codeact.snippet.words import words
from tests.fidelity.grammar import RULES

_HOLE = re.compile(r"‹(\w+)((?: [-+=][\w,]+)*)›")
_CONDITION = re.compile(r"(\w+(?:\.\d+)?)\? ")
_VERSIONS = {f"3.{minor}" for minor in range(11, sys.version_info.minor + 1)}
_FAR = 1_000


@functools.cache
def _forms(rule: str) -> tuple[tuple[str, str], ...]:
    """The forms of a rule, each with the condition under which it may be taken."""
    found = []
    for part in RULES[rule].split("||"):
        form = part.strip(" ").removesuffix("\n").strip(" ")
        form = re.sub(r"\n {8}$", "", form)
        condition = _CONDITION.match(form)
        found.append((condition[1], form[condition.end() :]) if condition else ("", form))
    return tuple(found)


@functools.cache
def _depths() -> dict[tuple[str, str], int]:
    """How deep each form is at least, so that a program can be brought to an end."""
    depths = {(rule, form): _FAR for rule in RULES for _, form in _forms(rule)}
    for _ in range(30):
        least = {rule: min(depths[rule, form] for _, form in _forms(rule)) for rule in RULES}
        least.update(n=0, same=0, block=least["statement"], same_special=0)
        for rule, form in depths:
            depths[rule, form] = 1 + max((least[hole[1]] for hole in _HOLE.finditer(form)), default=0)
    return depths


class _Maker:
    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._number = 0
        self._special = ""

    def block(self, around: frozenset[str], left: int, most: int = 3) -> str:
        count = self._chance.randint(1, most if left > 3 else 1)
        return "\n".join(self.expand("statement", around, left) for _ in range(count))

    def expand(self, rule: str, around: frozenset[str], left: int) -> str:
        """One expansion of a rule, at most about `left` levels deep."""
        depths = _depths()
        fitting = [(depths[rule, form], form) for needs, form in _forms(rule) if self._holds(needs, around)]
        near = [form for depth, form in fitting if depth <= left] or [min(fitting)[1]]
        form = self._chance.choice(near)
        made, at = "", 0
        for hole in _HOLE.finditer(form):
            made += form[at : hole.start()]
            indent = re.search(r"[^\n]*$", made)
            margin = " " * (len(indent[0]) - len(indent[0].lstrip())) if indent else ""
            made += self._filled(hole, around, left - 1).replace("\n", f"\n{margin}")
            at = hole.end()
        return made + form[at:]

    def _filled(self, hole: re.Match[str], around: frozenset[str], left: int) -> str:
        match hole[1]:
            case "n":
                self._number += 1
                return str(self._number)
            case "same":
                return str(self._number)
            case "same_special":
                return self._special
            case "block":
                return self.block(_changed(around, hole[2]), left)
        made = self.expand(hole[1], around, left)
        if hole[1] == "special":
            self._special = made
        return made

    @staticmethod
    def _holds(needs: str, around: frozenset[str]) -> bool:
        if needs == "noclass":
            return "class" not in around
        return not needs or needs in around or needs in _VERSIONS


def _changed(around: frozenset[str], changes: str) -> frozenset[str]:
    for change in changes.split():
        words = frozenset(change[1:].split(","))
        around = words if change[0] == "=" else around | words if change[0] == "+" else around - words
        if change == "-func":
            around -= {"plain", "gen", "generator", "coroutine"}
    return around


def program(seed: int, depth: int = 7) -> str:
    """The program of a number."""
    maker = _Maker(seed)
    parts = [_GUARDED.format(maker.block(frozenset(), depth, most=2).replace("\n", "\n    ")) for _ in range(3)]
    last = maker.block(frozenset(), depth, most=1)
    return "\n".join([PRELUDE, *parts, last, "print(a, b, c, d, e, s)", "t('value', a)"])


# the lines of all frames of the program are part of the output
_GUARDED = """\
try:
    {}
except Exception as error:
    print(type(error).__name__, error, re.findall(r'File "<.*?", line (\\d+)', traceback.format_exc()))
    print(a, b, c, d, e)"""


_OPERATORS = words(
    """add sub mul truediv floordiv mod pow lshift rshift and or xor matmul radd rsub rmul rmod rpow rlshift iadd imul ipow
    ilshift neg invert lt le gt ge getitem setitem delitem contains"""
)

PRELUDE = (
    """\
import asyncio
import re
import traceback
from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import wraps
from typing import Generic, TypeVar

class E(Exception): pass
class F(ValueError): pass

def t(number, value=None):
    print(number, end=' ')
    return value

def r(number):
    print('r', number)
    raise E(number)

fuel = [200]
def tick():
    fuel[0] -= 1
    return fuel[0] > 0

class Spy:
    x = 1
    def __init__(self, n=0): self.n = n
    def __repr__(self): return f'Spy({self.n})'
    def __eq__(self, other): print('eq', end=' '); return self is other
    def __hash__(self): print('hash', end=' '); return 7
    def __bool__(self): print('bool', end=' '); return self.n % 2 == 0
    def __len__(self): print('len', end=' '); return 2
    def __iter__(self): print('iter', end=' '); return iter([self.n, 8])
    def __getattr__(self, name): print('getattr', name, end=' '); raise AttributeError(name)
    def __setattr__(self, name, value): print('setattr', name, end=' '); super().__setattr__(name, value)
    def __delattr__(self, name): print('delattr', name, end=' '); super().__delattr__(name)
    def __call__(self, *a, **k): print('call', len(a), sorted(k), end=' '); return self
    def __format__(self, spec): print('format', spec, end=' '); return f'S{spec}'
    def __index__(self): print('index', end=' '); return self.n % 5
    def __enter__(self): print('enter', end=' '); return self
    def __exit__(self, *a): print('exit', a[0], end=' '); return self.n % 3 == 0
    def keys(self): print('keys', end=' '); return ['kk']
"""
    + "".join(f"    def __{word}__(self, *a): print('{word}', len(a), end=' '); return self\n" for word in _OPERATORS)
    + """\

class Rows:
    def __getitem__(self, i):
        print('row', i, end=' ')
        if i > 2: raise IndexError
        return i, i + 1

class Turns:
    def __init__(self, n): self.left = n % 5
    def __iter__(self): return self
    def __length_hint__(self): print('hint', end=' '); return 3
    def __next__(self):
        print('next', end=' ')
        if not self.left: raise StopIteration
        self.left -= 1
        return self.left

class K:
    tag = 1
    __match_args__ = ('a', 'b')
    def __init__(self, a=0, *b): self.a, self.b, self.x = a, b, 5
    def __repr__(self): return f'K({self.a})'
    def m(self, *a, **k): return len(a), k
    def __iter__(self):
        for i in range(2):
            yield self.a, i

class Ctx:
    def __init__(self, n, stop=False): self.n, self.stop = n, stop
    def __enter__(self): print('in', self.n, end=' '); return 1, 2
    def __exit__(self, kind, error, trace):
        print('out', self.n, kind.__name__ if kind else None, error, end=' ')
        return self.stop

class ACtx:
    def __init__(self, n, stop=False): self.n, self.stop = n, stop
    async def __aenter__(self): print('in', self.n, end=' '); return 1, 2
    async def __aexit__(self, kind, error, trace):
        print('out', kind.__name__ if kind else None, error, end=' ')
        return self.stop

class Desc:
    def __init__(self, n): self.n = n
    def __set_name__(self, owner, name): print('name', name, end=' '); self.name = name
    def __get__(self, owned, owner): print('get', end=' '); return self.n
    def __set__(self, owned, value): print('set', value, end=' '); self.n = value
    def __delete__(self, owned): print('delete', end=' ')

class Meta(type):
    def __new__(meta, name, bases, space, flag=None):
        print('meta', name, flag, sorted(k for k in space if k[0] != '_'))
        return super().__new__(meta, name, bases, space)
    def __init__(cls, *a, flag=None): super().__init__(*a); cls.tag = 'tagged'
    def __call__(cls, *a): print('made', end=' '); return super().__call__(*a)

V = TypeVar('V')
class Gen(Generic[V]): pass

def deco(f):
    @wraps(f)
    def inner(*a, **k):
        print('deco', len(a), end=' ')
        return f(*a, **k)
    return inner

def f(*a, **k): return a, k
def counted(n):
    while n:
        n -= 1
        yield n
def h(it=()):
    total = yield from it
    return total
g = h

def drive(it):
    for send in (None, 'sent', E('thrown'), None):
        try:
            print(it.throw(send) if isinstance(send, E) else it.send(send))
        except StopIteration as stop:
            print('stop', stop.value)
        except Exception as error:
            print('drive', type(error).__name__, error)
    it.close()

async def back(value):
    await asyncio.sleep(0)
    return value
async def later(it):
    for one in it:
        await asyncio.sleep(0)
        yield one
async def gather(*a): return await asyncio.gather(*a)
def run(co): return asyncio.run(co)

a, b, c, d, e, s = 1, 'two', [3, 4, 5], {'k': 6}, Spy(4), K(9)
"""
)
