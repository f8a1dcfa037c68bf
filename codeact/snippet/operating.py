"""What the rewritten operators do while running: charge for the result, then have it computed as ever."""

from __future__ import annotations

import collections
import decimal
import fractions
import functools
import operator
from collections.abc import Callable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.digits import DIVIDED, ROOTED, Digits
from codeact.snippet.elements import BEYOND, CHARS, FREE_WIDTH, WORD, cost_of_product
from codeact.snippet.ownership import class_dict, is_own_class, mro_of
from codeact.snippet.types_ import REPEATED
from codeact.snippet.whole import counts_as, found, is_factor, numbers_in, settled, whole

_FREE_BITS = 4096
_FREE_POW_BITS = 256
_FREE_PRODUCT = 1 << 17  # bits
_LETTERS = (str, bytes, bytearray)
_REPEATED = frozenset(REPEATED)
_WRAPPING = frozenset((collections.UserList, collections.UserString))


class Operating(Digits):
    """The hooks of one session that stand for operators."""

    # ------------------------------------------------------------------------------------------------ powers

    def power(self, base: Any, exponent: Any) -> Any:
        """`base ** exponent`."""
        if type(base) is not float and type(exponent) is not float:
            self._power(base, exponent)
        return self.made(base**exponent) if type(base) is decimal.Decimal else base**exponent

    def _power(self, base: Any, exponent: Any) -> None:
        if type(base) is not int or type(exponent) is not int:
            if type(base) is fractions.Fraction:
                base, exponent = max(abs(base.numerator), base.denominator), abs(whole(exponent))
            if type(base) is decimal.Decimal:
                self.exact_power(exponent)
            if not counts_as(type(base), "__pow__") or not counts_as(type(exponent), "__rpow__"):
                return
            base, exponent = whole(base), whole(exponent)
        if exponent > 3 and (size := base.bit_length()) > 1 and size * exponent > _FREE_BITS:
            self._charge(cost_of_product(size * exponent))

    def pow(self, /, *arguments: Any, **keywords: Any) -> Any:
        """`pow(base, exp)` and `pow(base, exp, mod)`."""
        if len(arguments) == 2 and not keywords:
            return self.power(*arguments)
        base, exponent, modulus = (*arguments, None, None, None)[:3]  # what is one too few, or too many, `pow` says
        if keywords:
            base, exponent = keywords.get("base", base), keywords.get("exp", exponent)
            modulus = keywords.get("mod", modulus)
        if modulus is None:
            self._power(base, exponent)
        elif (size := whole(modulus).bit_length()) > _FREE_POW_BITS:
            self._charge(whole(exponent).bit_length() * cost_of_product(2 * size) // 8)
            self._charge((size // WORD) ** 2 // ROOTED if whole(exponent) < 0 else 0)
        return self.made(pow(*arguments, **keywords))

    def shift(self, number: Any, places: Any) -> Any:
        """`number << places`."""
        return number << self.places(places, number)

    def places(self, places: Any, number: Any) -> Any:
        """The places something is shifted by, charged where it is a number other than 0."""
        if int in mro_of(type(places)) and int in mro_of(type(number)) and int.__bool__(number):
            size = whole(places)
            self._charge(size // WORD if size > _FREE_BITS else 0)
        return places

    # ------------------------------------------------------------------------------------------------ products

    def times(self, left: Any, right: Any, let_go: None = None) -> Any:
        """`left * right`; the third argument is where the caller forgets a factor it held."""
        return self._multiplied(operator.mul, left, right)

    def _multiplied(self, multiply: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
        kind: Any = type(left)
        other: Any = type(right)
        if kind is int:
            if other is int and (size := left.bit_length() + right.bit_length()) > _FREE_PRODUCT:
                self._charge(cost_of_product(size))
            self._times(right, left)
        elif other is int:
            self._times(left, right)
        elif _is_plain_factor(kind) or _is_plain_factor(other):
            pass
        elif _repeats(kind) and is_factor(other):
            answer, number = _asked_first(right, "__rmul__", left)
            return answer if number is None else self._multiplied(multiply, left, number)
        elif _repeats(other) and is_factor(kind) and (multiply is operator.mul or not is_own_class(kind)):
            # in place, a factor of the snippet's own repeats nothing
            answer, number = _asked_first(left, "__mul__", right)
            return answer if number is None else self._multiplied(multiply, number, right)
        return multiply(left, right)

    def _times(self, sequence: Any, factor: int) -> None:
        if _is_plain_factor(type(sequence)):
            return
        while factor > FREE_WIDTH and not _WRAPPING.isdisjoint(mro_of(type(sequence))):
            sequence = sequence.data
        if factor > FREE_WIDTH and (base := _sequence(type(sequence))) is not None:
            size = base.__len__(sequence) * factor
            if size < BEYOND or base is collections.deque:  # which grows piece by piece
                self._charge(size // CHARS if base in _LETTERS else size)

    # ------------------------------------------------------------------------------------------------ divisions

    def quotient(self, left: Any, right: Any) -> Any:
        """`left // right`, of integers charged by the length of both."""
        self._divided(left, right)
        return left // right

    def divmod(self, left: Any, right: Any, /) -> Any:
        """The builtin of that name."""
        self._divided(left, right)
        return divmod(left, right)

    def round(self, number: Any, digits: Any, /) -> Any:
        """`round(number, digits)`: an integer is divided by a power of ten, however short it is."""
        digits = settled(digits) if int in mro_of(type(number)) else digits
        if (zeros := -whole(digits)) > _FREE_BITS and int in mro_of(type(number)):
            self._charge(cost_of_product(zeros * 10 // 3))
            self._divided(number, 1 << zeros * 10 // 3)
        return round(number, digits)

    def _divided(self, left: Any, right: Any) -> None:
        size = whole(right).bit_length()
        if size > _FREE_BITS and (more := whole(left).bit_length() - size) > _FREE_BITS:
            self._charge(size // WORD * (more // WORD) // DIVIDED)

    # ------------------------------------------------------------------------------------------------ formats

    def remainder(self, left: Any, right: Any) -> Any:
        """`left % right`, where `left` may be a format."""
        if issubclass(type(left), _LETTERS):
            self._format(left, right)
        else:
            self._divided(left, right)
        return left % right

    def _format(self, text: Any, values: Any) -> None:
        plain = str.__str__(text) if issubclass(type(text), str) else b"".join([text]).decode("latin-1")
        widths = [*numbers_in(plain)]
        if "*" in plain and isinstance(values, tuple):
            widths += [abs(whole(value)) for value in tuple.__iter__(values)]
        self._wide(sum(widths))

    def width(self, spec: Any) -> Any:
        """A format specification, when it is worked out."""
        if issubclass(type(spec), str) and str.__len__(spec) > 3:
            self._wide(sum(numbers_in(str.__str__(spec))))
        return spec

    def in_place(self, name: str, left: Any, right: Any) -> Any:
        """`left op= right`, by the operator's name in the syntax tree."""
        if name == "Mult":
            return self._multiplied(operator.imul, left, right)
        if name == "Pow":
            self._power(left, right)
            return self.made(_IN_PLACE[name](left, right))
        if name == "LShift":
            self.places(right, left)
        elif name == "Mod" and issubclass(type(left), _LETTERS):
            self._format(left, right)
        elif name in ("Mod", "FloorDiv"):
            self._divided(left, right)
        return _IN_PLACE[name](left, right)


def _is_plain_factor(kind: type) -> bool:
    """True for a class whose instances neither repeat nor are repeated; from then on products ask the set alone."""
    if kind in ownership.plain_factors:
        return True
    if kind in _REPEATED or not _takes_no_part(kind):
        return False
    if len(ownership.plain_factors) < 10_000:
        ownership.plain_factors.add(kind)
    return True


@functools.lru_cache(maxsize=1024)
def _takes_no_part(kind: Any) -> bool:
    """True for what is no sequence, holds none that it repeats, and is no number that a sequence takes."""
    return _sequence(kind) is None and not is_factor(kind) and _WRAPPING.isdisjoint(mro_of(kind))


def _sequence(kind: type) -> Any:
    """The builtin sequence that a whole number repeats, among a class and those above it."""
    return next((base for base in mro_of(kind) if base in REPEATED), None)


@functools.lru_cache(maxsize=1024)
def _repeats(kind: Any) -> bool:
    """True for a sequence that is repeated in C, and has no say in it."""
    own = [class_dict(base) for base in mro_of(kind) if is_own_class(base)]
    return _sequence(kind) is not None and not any({"__mul__", "__rmul__", "__imul__"} & held.keys() for held in own)


def _asked_first(factor: Any, method: str, sequence: Any) -> tuple[Any, int | None]:
    """What a factor of the snippet's own makes of a sequence by itself; or how often it repeats it, asked once."""
    kind = type(factor)
    own = found(kind, method)
    if is_own_class(kind) and own is not None and own is not vars(int)[method]:
        answer = getattr(type(own), "__get__", lambda own, *_: own)(own, factor, kind)(sequence)
        if answer is not NotImplemented:
            return answer, None
    return None, whole(factor) if int in mro_of(kind) else settled(factor)


_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.iadd,
    "Sub": operator.isub,
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
