"""What is consumed whole is charged by its length before, or counted in C item by item while it is."""

from __future__ import annotations

import array
import collections
import itertools
import operator
import re
import types
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet.consumed import COUNTABLE, IN_C, SIZED, consumed_how, consumes, iterated, taken
from codeact.snippet.meter import Meter
from codeact.snippet.words import word_set

#: Characters or bytes that make one element where nobody looks at them one by one.
CHARS = 8

#: Bits of an integer that are worked on at once.
WORD = 64

#: Characters up to which a width is not charged.
FREE_WIDTH = 1_000

#: More than any machine has room for: CPython asks for all of it at once, and raises before it does anything.
BEYOND = 1 << 48

_SHORT = 100_000  # numbers of a range that are gone through in no time

#: Characters of a separator that are not charged again for each item.
FREE_SEPARATOR = 10

_GROWING = (list, bytearray, array.array)  # which may grow while they are gone through
_UNCHANGING = (*(set, frozenset, dict, str, bytes, tuple, int, float, type(None), type), types.ModuleType, re.Pattern)
#: What is no function of C by which a list may grow: a snippet's own counts itself, and others have no list to add to.
_HARMLESS = SIZED.union(IN_C, _UNCHANGING, (types.FunctionType, types.GeneratorType, types.MethodDescriptorType))
_BOUND: tuple[type, ...] = (types.BuiltinFunctionType, type([].__iadd__))

_TAKING = frozenset((list, collections.deque))  # what `+=` and a slice put all the items into

_SETS = frozenset((set, frozenset))
_FEW = 32  # items that are charged whether they are gone through or not

#: Methods of sets that go through the smaller of two.
BY_THE_SMALLER = word_set("intersection intersection_update difference difference_update issubset isdisjoint")

#: Functions that take an argument of the name `iterable`; to others it is a name like any.
_NAMING = frozenset(
    (
        *(collections.deque, itertools.permutations),
        *(itertools.combinations, itertools.combinations_with_replacement),
    )
)


def cost_of_product(bits: int) -> int:
    """What it takes to compute an integer of that many bits by multiplying, in operations (fitted, ± a factor of 3)."""
    words = bits // WORD
    return words if words < 64 else int(min(words, 1 << 60) ** 1.6) // 8


def _is_long(subject: Any) -> bool:
    """True for a range that takes a while to go through, as what is in C may pass all its numbers by."""
    return type(subject) is range and not -_SHORT < subject.stop - subject.start < _SHORT


def may_let_grow(given: Any) -> bool:
    """True for what C may call without end as it goes through a list that grows by it: `filter(x.append, x)`."""
    kind = type(given)
    if kind in _BOUND:
        return type(given.__self__) not in _UNCHANGING
    return type(given.__func__) is not types.FunctionType if kind is types.MethodType else kind not in _HARMLESS


class Searched:
    """Stands for a range to the right of `in`."""

    __slots__ = ("_numbers", "_stream")

    def __init__(self, numbers: range, stream: Iterator[bool]) -> None:
        self._numbers, self._stream = numbers, stream

    def __contains__(self, sought: Any) -> bool:
        if type(sought) is int or type(sought) is bool:
            return sought in self._numbers
        return sought in itertools.compress(self._numbers, self._stream)


class Elements:
    """The hooks of one session that charge for elements."""

    def __init__(self, meter: Meter) -> None:
        self._charge = meter.charge
        self._stream = meter.elements.stream

    def each(self, subject: Any) -> Any:
        """What will be consumed whole: a container is charged by its length, an iterator in C item by item."""
        kind: Any = type(subject)
        if kind in COUNTABLE:
            self._charge(len(subject))
            return subject
        how = consumed_how(kind)
        if how is taken:
            return itertools.compress(subject, self._stream)
        if how is None or how is iterated:
            return subject
        try:
            self._charge(how(subject))
        except OverflowError:  # a range with more numbers than `len` can say; `any` of it may yet end with the first
            return itertools.compress(subject, self._stream)
        return subject

    def each_item(self, subject: Any, let_go: None = None) -> Any:
        """The same for what is iterated and not looked at otherwise: a method of the snippet may give the iterator.

        The second argument is where the caller forgets what it held.
        """
        kind: Any = type(subject)
        if kind in COUNTABLE:
            self._charge(len(subject))
            return subject
        how = consumed_how(kind)
        if how is None:
            return subject
        return self.yielded(subject) if how is iterated else self.each(subject)

    def each_listed(self, subject: Any) -> Any:
        """The same for what becomes a list, which asks for a length when it has the iterator."""
        kind: Any = type(subject)
        if kind in SIZED:
            self._charge(len(subject))
            return subject
        if kind in IN_C:
            return itertools.compress(subject, self._stream)
        found = self.each_item(subject)
        if found is not subject:
            operator.length_hint(subject)
        return found

    def given_to(self, owner: Any, word: str, subject: Any, let_go: None = None) -> Any:
        """The same for what a method of that name is given, if it is one of a container or a text.

        The fourth argument is where the caller forgets the owner it held.
        """
        kind, given = type(owner), type(subject)
        if kind in SIZED and given in COUNTABLE:
            size = len(subject)
            if kind is str:
                if len(owner) > FREE_SEPARATOR:
                    self._wide(size * len(owner))
            elif size > _FEW and word in BY_THE_SMALLER and given in _SETS and kind in _SETS:
                size = min(size, len(owner))
            elif kind is bytearray and given in (bytes, bytearray):  # copied in one piece
                size //= CHARS
            self._charge(size)
            return subject
        if kind is str:
            return self.each_item(subject)
        return self.each(subject) if kind in SIZED or owner is dict or consumes(owner, word) else subject

    def added(self, subject: Any, owner: Any) -> Any:
        """The same for `owner += subject` and `owner[a:b] = subject`, where the owner takes what can be iterated."""
        return self.each(subject) if type(owner) in _TAKING else subject

    def yielded(self, subject: Any) -> Any:
        """What `yield from` takes: generators and iterators of the snippet count themselves."""
        kind: Any = type(subject)
        if kind not in SIZED:
            how = consumed_how(kind)
            if how is iterated:
                return self.yielded(iter(subject))
            if how is None:
                return subject
        return itertools.compress(subject, self._stream)

    def drip(self, subject: Any) -> Any:
        """What will be consumed as far as somebody asks: an iterator in C, and a long range, item by item."""
        return itertools.compress(subject, self._stream) if type(subject) in IN_C or _is_long(subject) else subject

    def drip_grown(self, subject: Any) -> Any:
        """The same for what may grow meanwhile."""
        grows = isinstance(subject, _GROWING) and not callable(subject)
        return itertools.compress(subject, self._stream) if grows else self.drip(subject)

    def searched(self, subject: Any, let_go: None = None) -> Any:
        """The same for `x in subject`: a long range is gone through for what is not exactly an integer.

        The second argument is where the caller forgets what it seeks.
        """
        if type(subject) in COUNTABLE:
            return subject
        return Searched(subject, self._stream) if _is_long(subject) else self.drip(subject)

    def until(self, function: Callable[[Any], bool]) -> Callable[[Any], bool]:
        """`any` or `all`, charged for the items it has asked for when it stops."""

        def stopping(subject: Any, let_go: None = None) -> bool:
            kind: Any = type(subject)
            if kind not in COUNTABLE:
                return function(itertools.compress(subject, self._stream) if kind is range else self.each_item(subject))
            size = len(subject)
            if size <= _FEW:
                self._charge(size)
                return function(subject)
            passed = iter(subject)
            try:
                return function(passed)
            finally:
                self._charge(size - operator.length_hint(passed))

        return stopping

    def _until(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        is_one = len(arguments) == 1 and not keywords
        return self.until(function)(*arguments) if is_one else function(*arguments, **keywords)

    def _consuming(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        if len(arguments) == 1 and not keywords:  # as nearly always, and twice as fast
            return function(self.each(arguments[0]))
        if "iterable" in keywords and function in _NAMING:
            keywords["iterable"] = self.each(keywords["iterable"])
        if COUNTABLE.issuperset(map(type, arguments)):
            self._charge(sum(map(len, arguments)))
            return function(*arguments, **keywords)
        return function(*map(self.each, arguments), **keywords)

    def _of_a_set(self, method: Any, /, *arguments: Any, **keywords: Any) -> Any:
        given = [self.given_to(method.__self__, method.__name__, argument) for argument in arguments]
        return method(*given, **keywords)

    def _dripping(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        drip = self.drip
        if len(arguments) == 2 and not keywords:  # as nearly always
            first, second = arguments
            harmless = type(first) in _HARMLESS or not may_let_grow(first)
            if harmless and (type(second) in _HARMLESS or not may_let_grow(second)):
                return function(drip(first), drip(second))
        if any(map(may_let_grow, (*arguments, *keywords.values()))):
            drip = self.drip_grown
        return function(*map(drip, arguments), **{name: drip(value) for name, value in keywords.items()})

    def _most(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        """`min` or `max`: of what one argument gives, or of several."""
        if len(arguments) == 1:
            subject = self.drip_grown(arguments[0]) if may_let_grow(keywords.get("key")) else arguments[0]
            arguments = (self.each_item(subject),)
        return function(*arguments, **keywords)

    def _wide(self, chars: int) -> None:
        if chars > FREE_WIDTH:
            self._charge(chars // CHARS)
