"""Numbers as recordings keep them: Python may be told to write and read no more than 640 decimal digits of one."""

from __future__ import annotations

from fractions import Fraction

_LONG_BITS = 2_000


def is_long(number: int) -> bool:
    """Whether a whole number has more digits than any Python writes."""
    return number.bit_length() > _LONG_BITS


def written_fraction(value: Fraction) -> str:
    """Give a fraction as text, as `str` does, with its long numbers in hexadecimal."""
    return "/".join(hex(part) if is_long(part) else str(part) for part in value.as_integer_ratio())


def read_fraction(text: str) -> Fraction:
    """Give the fraction a text stands for; `Fraction` itself would read 1e999999999 as well, and never be done."""
    return Fraction(*(int(part, 0) for part in text.split("/")))
