"""Exact numbers, charged by the digits they have, or would have written out."""

from __future__ import annotations

import decimal
import fractions
import math
import re
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet.consumed import SIZED
from codeact.snippet.elements import FREE_WIDTH, WORD, Elements, cost_of_product
from codeact.snippet.endings import CallRefused
from codeact.snippet.whole import settled, whole

#: The precision of a context: a division to as many digits takes half a second.
MOST_DIGITS = 1_000_000

#: Zeros between a number's digits and its point: written out, twice as many as default contexts give take two minutes.
MOST_ZEROS = 2_000_000

_FREE_ZEROS = 100_000
_FREE_DIGITS = 100
_FREE_FACTORS = 500
_A_WORD = 1 << 64
_ZEROS = 20_000  # zeros, squared, that make one operation
_ROOT = 2_000  # digits, squared, that make one operation of a root; of a logarithm it is one
_MULTIPLIED = 40  # likewise words of an integer, multiplied one by one
DIVIDED = 8  # likewise words that are divided and multiplied
ROOTED = 32  # words of an integer, squared, that make one operation of a root or a greatest divisor
_FEW = 32  # factors that are not looked at
_EXPONENT = re.compile(r"[eE]([-+]?\d[\d_]*)\s*$")

#: Methods of numbers and contexts whose work grows with the square of the precision.
BY_PRECISION: dict[str, int] = {"sqrt": _ROOT, "exp": 1, "ln": 1, "log10": 1}


def check_precision(digits: object) -> None:
    """Raise for a precision with which a single operation takes seconds, that nothing stops."""
    if whole(digits) > MOST_DIGITS:
        raise CallRefused(f"a decimal context may have {MOST_DIGITS:,} digits at most (prec), not {whole(digits):,}")


class Settings:
    """Stands for a context where an attribute of it is set."""

    __slots__ = ("_context",)

    def __init__(self, context: decimal.Context) -> None:
        object.__setattr__(self, "_context", context)

    def __getattr__(self, name: str) -> Any:
        """What the context has, for `context.prec += 2`."""
        return getattr(self._context, name)

    def __setattr__(self, name: str, value: object) -> None:
        check_precision(value)
        setattr(self._context, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._context, name)


def settings_of(subject: object) -> object:
    """The object itself, to store its `prec`, or what stands for it where it is a context."""
    return Settings(subject) if isinstance(subject, decimal.Context) else subject


def _bits_of(exponent: Any) -> int | None:
    """How many bits a whole number has; None of any other."""
    if type(exponent) is not decimal.Decimal:
        return whole(exponent).bit_length()
    if not exponent.is_finite() or exponent != exponent.to_integral_value():
        return None
    return max(exponent.adjusted(), 0) * 4


class Digits(Elements):
    """The hooks of one session that charge for exact numbers."""

    def of_exact_numbers(self) -> dict[Any, Callable[..., Any]]:
        """Functions of `decimal`, `fractions` and `math`, and what charges for them."""
        return {
            fractions.Fraction: self._fraction,
            math.factorial: self._factorial,
            math.comb: self._choice,
            math.perm: self._choice,
            math.prod: self._product,
            math.lcm: self._multiple,
            **dict.fromkeys((math.isqrt, math.gcd), self._rooted),
        }

    def made(self, number: Any) -> Any:
        """What `Decimal(…)` gives: the zeros it would be written out with are charged, and refused past a bound."""
        if type(number) is decimal.Decimal and not -_FREE_ZEROS < number.adjusted() < _FREE_ZEROS and number:
            exponent = number.as_tuple().exponent
            zeros = max(whole(exponent), -number.adjusted())
            if zeros > MOST_ZEROS:
                raise CallRefused(
                    f"a Decimal may be written out with {MOST_ZEROS:,} zeros at most, not {zeros:,}: as an int, a "
                    "fraction or a text it would take all time and memory"
                )
            self._charge(zeros**2 // _ZEROS if zeros > _FREE_ZEROS else 0)
        return number

    def exact_power(self, exponent: Any) -> None:
        """Charge for a power of a Decimal, by the digits of the context."""
        digits = decimal.getcontext().prec
        if digits > _FREE_DIGITS:
            size = _bits_of(exponent)
            self._charge(digits**2 if size is None else digits * size // 10)

    def by_precision(self, method: Any, /, *arguments: Any, **keywords: Any) -> Any:
        """`x.sqrt()` and its like, charged by the digits of the context they are worked out to."""
        if not arguments and not keywords and type(method.__self__) is decimal.Decimal:  # as nearly always
            digits = decimal.getcontext().prec
            if digits > _FREE_DIGITS:
                self._charge(digits**2 // BY_PRECISION[method.__name__])
            return method()
        owners = (method.__self__, *arguments, *keywords.values(), decimal.getcontext())
        digits = next(one.prec for one in owners if isinstance(one, decimal.Context))
        if digits > _FREE_DIGITS:
            self._charge(digits**2 // BY_PRECISION[method.__name__])
        return method(*arguments, **keywords)

    def _fraction(self, kind: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if arguments and issubclass(type(arguments[0]), str) and (told := _EXPONENT.search(str.__str__(arguments[0]))):
            zeros = abs(int(told[1])) if len(told[1]) < 20 else 1 << 60
            self._charge(cost_of_product(zeros * 10 // 3) if zeros > FREE_WIDTH else 0)
        return kind(*arguments, **keywords)

    def _product(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        arguments = (*map(self.each, arguments[:1]), *arguments[1:])  # first, as a range may have no end
        if arguments and type(arguments[0]) in SIZED and len(arguments[0]) > _FEW:
            self._charge((_bits_in(arguments[0]) // WORD) ** 2 // _MULTIPLIED)
        return function(*arguments, **keywords)

    def _multiple(self, function: Any, /, *arguments: Any) -> Any:
        """The least multiple of numbers up to n has no more than 3/2 n bits."""
        arguments = tuple(map(settled, arguments))
        size = min(_bits_in(arguments), max(map(abs, map(whole, arguments)), default=0) * 3 // 2)
        self._charge(len(arguments) * (size // WORD) // DIVIDED)
        return function(*arguments)

    def _rooted(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        arguments = tuple(map(settled, arguments))
        sizes = sorted(whole(argument).bit_length() // WORD for argument in arguments)
        self._charge(sum(size**2 for size in sizes[: -1 if function is math.gcd else None]) // ROOTED)
        return function(*arguments, **keywords)

    def _factorial(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if len(arguments) == 1 and type(arguments[0]) is int and arguments[0] < _FREE_FACTORS and not keywords:
            return function(arguments[0])
        arguments = tuple(map(settled, arguments))
        if len(arguments) == 1 and 0 < (number := whole(arguments[0])) <= sys.maxsize:  # of more there is none
            self._charge(cost_of_product(number * number.bit_length()))
        return function(*arguments, **keywords)

    def _choice(self, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if len(arguments) == 2 and type(arguments[0]) is type(arguments[1]) is int:
            total, taken = arguments
            if total < _FREE_FACTORS or (taken < _FEW and total < _A_WORD):
                return function(*arguments, **keywords)
        arguments = tuple(map(settled, arguments))
        total, taken = map(whole, arguments) if len(arguments) == 2 else (0, 0)
        if function is math.perm and len(arguments) == 1:
            total = taken = whole(arguments[0])
        if total > 0 and taken > 0:
            taken = min(taken, abs(total - taken)) if function is math.comb else taken
            self._charge(cost_of_product(taken * total.bit_length()))
        return function(*arguments, **keywords)


def _bits_in(numbers: Any) -> int:
    try:
        return sum(map(int.bit_length, numbers))
    except TypeError:
        return 0  # there are others among them
