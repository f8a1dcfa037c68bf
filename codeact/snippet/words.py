"""Writes a list of names as one text, which is how tables are read best."""

from __future__ import annotations


def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


def word_set(text: str) -> frozenset[str]:
    """The same as a set."""
    return frozenset(text.split())


def dunders(text: str) -> list[str]:
    """The words of a text, each between double underscores."""
    return [f"__{word}__" for word in text.split()]
