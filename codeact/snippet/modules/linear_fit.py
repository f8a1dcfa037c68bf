"""Rows, results and coefficients of linear models of scikit-learn, whose compiled code goes by the sizes of some."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codeact.snippet.modules.shapes import are_parted, fit, shape_of
from codeact.snippet.running import in_a_snippet
from codeact.snippet.words import words

_OF_A_LINE = frozenset(words("w W X Q q y Y sample_weight X_data X_indices X_indptr X_mean"))


_IN_ORDER = {"dense": "w alpha beta X y", "gram": "w alpha beta Q q y", "sparse": "", "tasks": "W alpha beta X Y"}


def descending(kind: str) -> Callable[[Any], Callable[..., Any]]:
    """What looks at the parts of a line, which are given in this order or by name."""
    names = words(_IN_ORDER[kind])

    def wrapper(real: Callable[..., Any]) -> Callable[..., Any]:
        def descend(*given: Any, **named: Any) -> Any:
            if in_a_snippet():
                fit(_are_of_one_size(kind, {**dict(zip(names, given, strict=False)), **named}), "the parts of a line")
            return real(*given, **named)

        return descend

    return wrapper


def _are_of_one_size(kind: str, given: dict[str, Any]) -> bool:
    sizes = {name: shape_of(part) for name, part in given.items() if name in _OF_A_LINE and part is not None}
    lines, results = sizes.get("w") or sizes.get("W", ()), sizes.get("y") or sizes.get("Y", ())
    if kind == "gram":
        return bool(sizes["Q"] == lines * 2 and sizes["q"] == lines)
    if (
        len(results) != len(lines)
        or results[1:] != lines[:-1]
        or sizes.get("sample_weight", results[:1]) != results[:1]
    ):
        return False
    if "X" in sizes:
        return bool(sizes["X"] == (results[0], lines[-1]))
    is_wide = sizes["X_indptr"] == (lines[-1] + 1,) and sizes["X_mean"] == lines[-1:]
    return bool(is_wide and are_parted(given, results[0]))


_made: list[Any] = []  # of the rows that a line is drawn through next: what compiled code has of them, and how wide


def noted(real: Callable[..., Any]) -> Callable[..., Any]:
    """What makes rows for compiled code, noting them."""

    def make_dataset(X: Any, *given: Any, **named: Any) -> Any:
        made = real(X, *given, **named)
        if in_a_snippet():
            _made[:] = made[0], shape_of(X)[1]
        return made

    return make_dataset


def as_wide(real: Callable[..., Any]) -> Callable[..., Any]:
    """What draws a line through rows: it has a number for each feature."""

    def sgd(weights: Any, *given: Any, **named: Any) -> Any:
        if in_a_snippet():
            made, wide = _made
            _made.clear()
            average = given[1]
            sizes = {shape_of(each) for each in (weights, average) if each is not None}
            fit(
                any(each is made for each in given) and sizes == {(wide,)},
                "the coefficients and the features of the data",
            )
        return real(weights, *given, **named)

    return sgd
