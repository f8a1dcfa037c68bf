"""What pyarrow computes is asked for with what fits: its compiled code believes kinds that nobody looked at.

Options of one function that another was given were read as that function's own, a scalar as an array, and a column of
numbers among texts as the places of texts: each read memory that was somebody else's.
"""

from __future__ import annotations

import functools
import importlib
import operator
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet.library_texts import exact
from codeact.snippet.running import in_a_snippet

_DIGITS = 1000  # more than any number has


@functools.cache
def _classes() -> tuple[tuple[type, ...], tuple[type, ...], tuple[type, ...]]:
    """Those of columns and tables, of tables alone, and of scalars."""
    pa = importlib.import_module("pyarrow")
    tables = pa.Table, pa.RecordBatch
    return (pa.Array, pa.ChunkedArray, *tables), tables, (pa.Scalar,)


def _is(value: Any, kinds: tuple[type, ...]) -> bool:
    return issubclass(type(value), kinds)  # an object of the snippet's says it is of any class


def _is_scalar(value: Any) -> bool:
    return _is(value, _classes()[2])


def _arrow(value: Any) -> Any:
    """A value as pyarrow takes it, once: what an object of the snippet's gives for itself can change."""
    columns, _, scalars = _classes()
    if _is(value, columns + scalars):
        return value
    pa, np = sys.modules["pyarrow"], sys.modules.get("numpy")
    return pa.array(value) if _is(value, (list,) if np is None else (list, np.ndarray)) else pa.scalar(value)


def _columns(*places: int) -> Callable[[str, list[Any]], None]:
    def check(name: str, values: list[Any]) -> None:
        for at in places:
            if any(map(_is_scalar, values[at : at + 1])):
                raise TypeError(f"{name} takes an array, not a {type(values[at]).__name__}, at place {at + 1}")

    return check


def _condition(name: str, values: list[Any]) -> None:
    kind = getattr(values[0], "type", None) if values else None
    if kind is not None and str(kind) not in ("bool", "null"):
        raise TypeError(f"{name} takes a condition that is true or false first, not {kind}")


def _alternatives(name: str, values: list[Any]) -> None:
    types = sys.modules["pyarrow"].types
    first, *others = [getattr(value, "type", None) for value in values] or [None]
    if first is not None and not (types.is_integer(first) or types.is_null(first)):
        raise TypeError(f"{name} takes whole numbers first, not {first}")
    if any(kind != others[0] for kind in others):
        raise TypeError(
            f"{name} takes values of one type, not {' and '.join(map(str, dict.fromkeys(others)))}; use cast"
        )


def _element(name: str, values: list[Any]) -> None:
    if len(values) == 2 and _is_scalar(values[0]) and not _is_scalar(values[1]):
        raise TypeError(f"{name} takes one place in one list")


def _known(name: str, values: list[Any]) -> None:
    if any(_is(value, _classes()[1]) for value in values):
        raise TypeError(f"{name} takes arrays, no tables")


def _no_maps(name: str, values: list[Any]) -> None:
    if any(sys.modules["pyarrow"].types.is_map(value.type) for value in values if not _is(value, _classes()[1])):
        raise TypeError(f"{name} takes lists, no maps")


#: Function → what its arguments have to be, where pyarrow itself does not look.
_CHECKS: dict[str, Callable[[str, list[Any]], None]] = {
    **dict.fromkeys(("filter", "replace_with_mask", "array_sort_indices"), _columns(0)),
    **dict.fromkeys(("array_filter", "array_take"), _columns(0, 1)),
    **dict.fromkeys(("is_in_meta_binary", "index_in_meta_binary"), _known),
    "if_else": _condition,
    "choose": _alternatives,
    "list_element": _element,
    "list_parent_indices": _no_maps,
}


@functools.cache
def _options_of(*names: str) -> Any:
    """The class of the options of the first of these functions that has any; None where none has."""
    compute: Any = importlib.import_module("pyarrow.compute")
    there = compute.list_functions()
    known = [compute.get_function(name)._doc.options_class for name in names if name in there]
    return getattr(compute, max(known, key=bool)) if any(known) else None


def _check_options(options: Any, name: str, *names: str) -> None:
    wanted = _options_of(*names, name)
    if options is not None and (wanted is None or not _is(options, (wanted,))):
        kind = "no options" if wanted is None else f"{wanted.__name__} as its options"
        raise TypeError(f"{name} takes {kind}, not {type(options).__name__!r}")


def of_functions(real: Callable[..., Any]) -> Callable[..., Any]:
    """A guard for `Function.call`."""

    def call(function: Any, args: Any, options: Any = None, *others: Any, **settings: Any) -> Any:
        if in_a_snippet():
            name = function.name
            if options is not None:
                _check_options(options, name)
            if (check := _CHECKS.get(name)) is not None:
                args = [_arrow(value) for value in args]
                check(name, args)
        return real(function, args, options, *others, **settings)

    return call


def of_groups(real: Callable[..., Any]) -> Callable[..., Any]:
    """A guard for `TableGroupBy.aggregate`."""

    def aggregate(groups: Any, aggregations: Any) -> Any:
        return real(groups, [*map(_aggregation, aggregations)] if in_a_snippet() else aggregations)

    return aggregate


def _aggregation(given: Any) -> tuple[Any, ...]:
    columns, function, *options = given
    name = exact(function, "a function")
    if options:
        plain = name.removeprefix("hash_")
        _check_options(options[0], plain, f"hash_{plain}")
    return (columns, name, *options)


def of_expressions(real: Callable[..., Any]) -> Callable[..., Any]:
    """A guard for `Expression._call`, whose arguments have no type yet."""

    def _call(name: str, arguments: list[Any], *options: Any) -> Any:
        if in_a_snippet() and name in ("choose", "list_element"):
            raise TypeError(f"{name} is not there for expressions in a snippet; compute with columns, as in table['a']")
        if in_a_snippet() and name == "if_else":
            pa = sys.modules["pyarrow"]
            arguments = [arguments[0].cast(pa.bool_()), *arguments[1:]]
        return real(name, arguments, *options)

    return _call


def of_index(real: Callable[..., Any]) -> Callable[..., Any]:
    """A guard for `IndexOptions`."""

    def __init__(self: Any, value: Any) -> None:
        real(self, value if not in_a_snippet() or _is_scalar(value) else sys.modules["pyarrow"].scalar(value))

    return __init__


def of_rounding(real: Callable[..., Any]) -> Callable[..., Any]:
    """A guard for `RoundOptions`."""

    def __init__(self: Any, ndigits: Any = 0, round_mode: Any = "half_to_even") -> None:
        if in_a_snippet():
            ndigits = operator.index(ndigits)
            if abs(ndigits) > _DIGITS:
                raise ValueError(f"ndigits is {_DIGITS} at the most")
        real(self, ndigits, round_mode)

    return __init__


def of_times(real: Callable[..., Any]) -> Callable[..., Any]:
    """A guard for `RoundTemporalOptions`."""

    def __init__(self: Any, multiple: Any = 1, unit: Any = "day", **settings: Any) -> None:
        if in_a_snippet() and (multiple := operator.index(multiple)) == 0:
            raise ValueError("multiple is 1 at the least")
        real(self, multiple, unit, **settings)

    return __init__
