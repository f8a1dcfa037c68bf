"""Numbers by which compiled code of scipy makes room, as far as there is some: degrees of splines, sizes of filters."""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet

_LONG = 1 << 40  # more bytes than there are, and few enough to be counted

_SPLINES = {"splev": (2, 0, 19), **dict.fromkeys(("splder", "splint"), (2, 0, 5)), "spalde": (2, 1, 6)}

#: Module, and what it calls its compiled code → function of that → at which place a number is, and where it may lie.
_ROOM: dict[tuple[str, str], dict[str, tuple[int, int, int]]] = {
    ("scipy.interpolate._fitpack_impl", "dfitpack"): _SPLINES,
    ("scipy.interpolate._fitpack_impl", "_fitpack"): _SPLINES,  # from scipy 1.18 on
    ("scipy.ndimage._filters", "_nd_image"): {
        **dict.fromkeys(("uniform_filter1d", "min_or_max_filter1d"), (1, 0, _LONG)),
        "generic_filter1d": (2, 0, _LONG),
    },
}


def guard() -> None:
    """Put the guards in place for what is loaded by now; more calls do nothing."""
    for (module, name), functions in _ROOM.items():
        if (compiled := getattr(sys.modules.get(module), name, None)) is not None:
            for function in functions.keys() & vars(compiled).keys():
                patch(compiled, function, functools.partial(_within, functions[function]))
    for module, name, function, wrapper in (
        ("scipy.interpolate._fitpack_impl", "_fitpack", "_insert", _inserted),
        ("scipy.interpolate._fitpack_impl", "_fitpack", "insert", _inserted),  # from scipy 1.18 on
        ("scipy.ndimage._filters", "_nd_image", "value_indices", _counted),
    ):
        compiled = getattr(sys.modules.get(module), name, None)
        if compiled is not None and function in vars(compiled):  # other versions have others
            patch(compiled, function, wrapper)


def _within(row: tuple[int, int, int], real: Callable[..., Any]) -> Callable[..., Any]:
    at, least, most = row

    def call(*given: Any) -> Any:
        if in_a_snippet():
            number = operator.index(given[at])
            if not least <= number <= most:
                raise ValueError(f"a number from {least} to {most} is needed for there to be room, not {number}")
            given = (*given[:at], number, *given[at + 1 :])
        return real(*given)

    return call


def _inserted(real: Callable[..., Any]) -> Callable[..., Any]:
    """What puts knots among those of a spline: it goes by the degree alone."""

    def _insert(periodic: Any, knots: Any, numbers: Any, degree: Any, *more: Any) -> Any:
        if in_a_snippet():
            numpy, degree = sys.modules["numpy"], operator.index(degree)
            knots, numbers = numpy.array(knots, float, ndmin=1), numpy.array(numbers, float, ndmin=1)
            if not (0 <= degree <= (len(knots) - 2) // 2 and len(numbers) >= len(knots) - degree - 1):
                raise ValueError(f"{len(knots)} knots and {len(numbers)} numbers are no spline of degree {degree}")
        return real(periodic, knots, numbers, degree, *more)

    return _insert


def _counted(real: Callable[..., Any]) -> Callable[..., Any]:
    """What lists where each number is: it makes room from the lowest to the highest."""

    def value_indices(array: Any, *more: Any) -> Any:
        if in_a_snippet() and array.size and int(array.max()) - int(array.min()) >= _LONG:
            raise MemoryError("the lowest and the highest number are too far apart")
        return real(array, *more)

    return value_indices
