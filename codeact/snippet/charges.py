"""What the rewritten operators and calls do while running: charge for the work, then have the work done as ever."""

from __future__ import annotations

import array
import collections
import functools
import hashlib
import heapq
import itertools
import math
import operator
import re
import types
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

from codeact.snippet.consumed import SIZED, consumes
from codeact.snippet.elements import CHARS, FREE_SEPARATOR, FREE_WIDTH, Elements
from codeact.snippet.endings import CallRefused
from codeact.snippet.formatting import str_format, str_format_map, widths
from codeact.snippet.meter import Meter
from codeact.snippet.ownership import is_own_function
from codeact.snippet.rules import WRITING_METHODS
from codeact.snippet.types_ import REPEATED
from codeact.snippet.words import words

_WORD = 64  # bits of an integer that are worked on at once
_FREE_BITS = 4096
_FREE_POW_BITS = 256
_NUMBERS = re.compile(rb"\d{4,}|\*")

_LETTERS = (str, bytes, bytearray)

#: The types of functions and methods written in C: a method may be told the class that defines it.
_IN_C: tuple[type, ...] = (types.BuiltinFunctionType, type(array.array("b").extend))


def _cost_of_product(bits: int) -> int:
    """What it takes to compute an integer of that many bits by multiplying, in operations (fitted, ± a factor of 3)."""
    words = bits // _WORD
    return words if words < 64 else int(min(words, 1 << 60) ** 1.6) // 8


class Charges(Elements):
    """The hooks of one session that charge its meter."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(meter)
        self._functions: dict[object, Callable[..., Any]] = self._library()
        self._methods: dict[str, Callable[..., Any]] = self._of_methods()

    # ------------------------------------------------------------------------------------------------ operators

    def power(self, base: Any, exponent: Any) -> Any:
        """`base ** exponent`."""
        if type(base) is int and type(exponent) is int and exponent > 3 and base.bit_length() > 1:
            self._power(base, exponent)
        return base**exponent

    def _power(self, base: int, exponent: int) -> None:
        bits = base.bit_length() * exponent
        if bits > _FREE_BITS:
            self._charge(_cost_of_product(bits))

    def pow(self, /, *arguments: Any, **keywords: Any) -> Any:
        """`pow(base, exponent)` and `pow(base, exponent, modulus)`."""
        if len(arguments) == 3:
            _, exponent, modulus = arguments
            if type(exponent) is int and type(modulus) is int and (size := modulus.bit_length()) > _FREE_POW_BITS:
                self._charge(exponent.bit_length() * _cost_of_product(2 * size) // 8)
        elif len(arguments) == 2 and not keywords:
            return self.power(*arguments)
        return pow(*arguments, **keywords)

    def shift(self, number: Any, places: Any) -> Any:
        """`number << places`."""
        return number << self.places(places, number)

    def places(self, places: Any, number: Any) -> Any:
        """The places something is shifted by, charged where it is a number other than 0."""
        if issubclass(type(places), int) and issubclass(type(number), int) and int.__bool__(number):
            size = int.__index__(places)
            self._charge(size // _WORD if size > _FREE_BITS else 0)
        return places

    def times(self, left: Any, right: Any, let_go: None = None) -> Any:
        """`left * right`; the third argument is where the caller forgets a factor it held."""
        if type(left) is int or type(right) is int:
            self._times(left, right)
        return left * right

    def _times(self, left: Any, right: Any) -> None:
        factor, sequence = (left, right) if type(left) is int else (right, left)
        base: Any = factor > FREE_WIDTH and next((base for base in REPEATED if issubclass(type(sequence), base)), None)
        if base:
            size = base.__len__(sequence) * factor
            self._charge(size // CHARS if base in _LETTERS else size)

    def remainder(self, left: Any, right: Any) -> Any:
        """`left % right`, where `left` may be a format."""
        if issubclass(type(left), _LETTERS):
            self._format(left, right)
        return left % right

    def _format(self, text: Any, values: Any) -> None:
        plain = str.encode(text, errors="replace") if issubclass(type(text), str) else b"".join([text])
        found = _NUMBERS.findall(plain)
        widths = [int(number) for number in found if number != b"*" and len(number) < 20]
        if b"*" in found and isinstance(values, tuple):
            widths += [abs(value) for value in values if type(value) is int]
        self._wide(sum(widths))

    def width(self, part: Any) -> Any:
        """A computed part of a format specification."""
        if type(part) is int:
            self._wide(abs(part))
        elif type(part) is str:
            self._wide(sum(int(number[:20]) for number in re.findall(r"\d{4,}", part, re.ASCII)))
        return part

    def in_place(self, name: str, left: Any, right: Any) -> Any:
        """`left op= right`, by the operator's name in the syntax tree."""
        if name == "Pow" and type(left) is int and type(right) is int and right > 3:
            self._power(left, right)
        elif name == "LShift":
            self.places(right, left)
        elif name == "Mult" and (type(left) is int or type(right) is int):
            self._times(left, right)
        elif name == "Mod" and issubclass(type(left), _LETTERS):
            self._format(left, right)
        return _IN_PLACE[name](left, right)

    # ------------------------------------------------------------------------------------------------ calls

    def charged(self, function: Any) -> Any:
        """The function itself, or one that charges for its work first where its name only promised it."""
        kind = type(function)
        if kind in _IN_C:
            owner = function.__self__
            if type(owner) is types.ModuleType:
                return self._functions.get(function, function)
            known = type(owner) in SIZED or type(owner) is int or owner is dict or issubclass(type(owner), str)
            known = known or function.__name__ in WRITING_METHODS
            meant = self._methods.get(function.__name__) if known else None
        elif kind is type or kind is types.FunctionType:
            return self._functions.get(function, function)
        elif kind is types.MethodType and (_writes(function) or consumes(function.__self__, function.__name__)):
            meant = self._methods.get(function.__name__)
        elif kind is functools.partial and function.func in (str_format, str_format_map):
            meant = self._text_formatted
        else:
            return function
        return function if meant is None else functools.partial(meant, function)

    def _of_methods(self) -> dict[str, Callable[..., Any]]:
        consuming = words(
            """extend extendleft update union intersection difference symmetric_difference fromkeys subtract
        intersection_update difference_update symmetric_difference_update issubset issuperset isdisjoint"""
        )
        padding = words("ljust rjust center zfill to_bytes")
        return {
            **dict.fromkeys((*consuming, *WRITING_METHODS), self._consuming),
            **dict.fromkeys(padding, self._padded),
            "expandtabs": self._expanded,
            "join": self._joined,
        }

    def _library(self) -> dict[object, Callable[..., Any]]:
        consuming: list[object] = [
            *(collections.deque, collections.Counter, collections.OrderedDict, collections.defaultdict, array.array),
            *(math.fsum, math.prod, functools.reduce, operator.countOf, operator.indexOf),
            *(itertools.product, itertools.permutations),
            *(itertools.combinations, itertools.combinations_with_replacement),
        ]
        consuming.append(getattr(math, "sumprod", math.prod))  # from 3.12 on
        dripping: list[object] = [
            *(filter, itertools.islice, itertools.dropwhile, itertools.takewhile),
            *(itertools.filterfalse, itertools.compress, itertools.groupby),
        ]
        batched = getattr(itertools, "batched", None)  # from 3.12 on
        heaps = (heapq.heapify, getattr(heapq, "heapify_max", None))  # the latter from 3.14 on
        meant: dict[Any, Callable[..., Any]] = {
            **({batched: self._batched} if batched else {}),
            **dict.fromkeys(consuming, self._consuming),
            **dict.fromkeys(dripping, self._dripping),
            bytes: self._bytes,
            bytearray: self._bytes,
            format: self._formatted,
            operator.contains: self._searched,
            hashlib.pbkdf2_hmac: self._rounds,
            **dict.fromkeys(heaps, self._of_a_list),
            math.factorial: self._factorial,
            **dict.fromkeys((math.comb, math.perm), self._choice),
        }
        return {function: functools.partial(charging, function) for function, charging in meant.items()}

    def _padded(self, method: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        for width in (*arguments[:1], *keywords.values()):
            self._wide(width if type(width) is int else 0)
        return method(*arguments, **keywords)

    def _joined(self, method: Any, /, *arguments: Any, **keywords: Any) -> Any:
        separator = method.__self__
        if type(separator) is str and len(separator) > FREE_SEPARATOR and arguments and type(arguments[0]) in SIZED:
            self._wide(len(arguments[0]) * len(separator))
        return self._consuming(method, *arguments, **keywords)

    def _batched(self, kind: Any, /, *arguments: Any, **keywords: Any) -> Any:
        size = keywords.get("n", arguments[-1] if arguments else 0)
        if type(size) is int and size > FREE_WIDTH:
            self._charge(size)  # a batch has its room before its first item is asked for
        return self._dripping(kind, *arguments, **keywords)

    def _searched(self, function: Any, /, *arguments: Any) -> Any:
        return function(*[self.drip(argument) for argument in arguments[:1]], *arguments[1:])

    def _formatted(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        for part in arguments[1:]:
            self.width(part)
        return function(*arguments, **keywords)

    def _text_formatted(self, method: Any, /, *arguments: Any, **keywords: Any) -> Any:
        named = keywords if method.func is str_format else arguments[0] if arguments else {}
        if type(named) is dict:
            try:
                self._wide(widths(str.__str__(method.args[0]), arguments, named))
            except ValueError:
                return method(*arguments, **keywords)  # which says what is wrong with the text
        return method(*arguments, **keywords)

    def _expanded(self, method: Any, /, *arguments: Any, **keywords: Any) -> Any:
        size = (*arguments, *keywords.values(), 8)[0]
        if type(size) is int:
            self._wide(size * len(method.__self__))
        return method(*arguments, **keywords)

    def _bytes(self, kind: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if len(arguments) == 1 and type(arguments[0]) is int:
            self._wide(arguments[0])
            return kind(*arguments, **keywords)
        if kind is bytes and len(arguments) == 1 and type(arguments[0]) in weakref.ProxyTypes:
            return bytes(arguments[0])  # asks the object behind it for its `__bytes__`
        return self._consuming(kind, *arguments, **keywords)

    def _of_a_list(self, function: Any, /, *arguments: Any) -> Any:
        is_one = len(arguments) == 1 and issubclass(type(arguments[0]), list)
        return self._consuming(function, *arguments) if is_one else function(*arguments)

    def _rounds(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        rounds = keywords.get("iterations", arguments[3] if len(arguments) > 3 else 0)
        if type(rounds) is int:
            self._charge(rounds)
        return function(*arguments, **keywords)

    def _factorial(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if len(arguments) == 1 and type(arguments[0]) is int and arguments[0] > 0:
            self._charge(_cost_of_product(arguments[0] * arguments[0].bit_length()))
        return function(*arguments, **keywords)

    def _choice(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        total, taken = arguments if len(arguments) == 2 else (None, None)
        if type(total) is int and type(taken) is int and total > 0 and taken > 0:
            taken = min(taken, abs(total - taken)) if function is math.comb else taken
            self._charge(_cost_of_product(taken * total.bit_length()))
        return function(*arguments, **keywords)


def _writes(method: types.MethodType) -> bool:
    return method.__name__ in WRITING_METHODS and not is_own_function(method.__func__)


def same(subject: Any) -> Any:
    """The argument itself."""
    return subject


def other_range(*arguments: Any) -> NoReturn:
    """What a loop over `range` calls where that is not the builtin and a product was taken to be one of its numbers."""
    raise CallRefused(
        "range() is a name of your own here, and what the loop gives is multiplied: call your function something else"
    )


_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.iadd,
    "Sub": operator.isub,
    "Mult": operator.imul,
    "MatMult": operator.imatmul,
    "Div": operator.itruediv,
    "FloorDiv": operator.ifloordiv,
    "Mod": operator.imod,
    "Pow": operator.ipow,
    "LShift": operator.ilshift,
    "RShift": operator.irshift,
    "BitOr": operator.ior,
    "BitXor": operator.ixor,
    "BitAnd": operator.iand,
}
