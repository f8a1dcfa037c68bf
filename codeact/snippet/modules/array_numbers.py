"""Numbers by which numpy's compiled code goes, as far as there is something: each past these it takes for another.

An offset before the beginning of what is lent, the lowest of all diagonals, a number that is the highest there is, and
more items than can be counted: numpy reads and writes elsewhere by them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from codeact.snippet.patches import guarded, put_on
from codeact.snippet.running import in_a_snippet

_LOWEST = -(2**31)  # of the numbers that are counted so: there is none as high
_HIGHEST = 2**63 - 1
_FIRST = 0
_kind_of = type  # not by its name, which methods that make others of their kind say
_MANY = 2**36  # items in a row, of a view alone: a list of such views that cannot be counted has no room itself


def guard(numpy: Any) -> None:
    """Put the guards in place; more calls do nothing."""
    kind: Any = numpy.ndarray
    for name, guards in (("diagonal", _beside), ("trace", _beside), ("repeat", _times)):
        put_on(kind, name, guarded(vars(kind)[name], guards))
    put_in(numpy, "bincount", _counted, lambda x, /, weights=None, minlength=0: (x, weights))


def put_in(numpy: Any, name: str, guards: Callable[[Any], Callable[..., Any]], asks: Callable[..., Any]) -> None:
    """Guard a function of C that numpy gives to objects with a protocol: what they are given is guarded as well.

    `asks` gives of its arguments those that may have the protocol.
    """
    real = vars(numpy)[name]._implementation
    if (made := guarded(real, guards)) is not real:
        from numpy._core import multiarray, overrides

        dispatched = overrides.array_function_dispatch(asks, module="numpy", verify=False)(made)
        for module in (numpy, multiarray):
            setattr(module, name, dispatched)


def _beside(real: Callable[..., Any]) -> Callable[..., Any]:
    def diagonal(array: Any, offset: Any = _FIRST, *more: Any, **named: Any) -> Any:
        if offset is not _FIRST and in_a_snippet():
            offset = max(operator.index(offset), _LOWEST + 1)
        return real(array, offset, *more, **named)

    return diagonal


def _times(real: Callable[..., Any]) -> Callable[..., Any]:
    def repeat(array: Any, repeats: Any, axis: Any = None) -> Any:
        many: Any = repeats
        if _kind_of(repeats) is not int:
            repeats, many = _how_often(repeats) if in_a_snippet() else (repeats, 0)
        if many * array.size > _HIGHEST and in_a_snippet():
            raise ValueError("there are too many items to be counted")
        return real(array, repeats, axis)

    return repeat


def _how_often(repeats: Any) -> tuple[Any, int]:
    """What says how often, asked once, and how often that is at most."""
    import numpy as np

    holds = hasattr(_kind_of(repeats), "__array__") and not isinstance(repeats, np.generic)
    repeats = np.asarray(repeats, None if holds else np.intp)  # numpy casts numbers, and no arrays
    return repeats, int(repeats.max()) if repeats.size and repeats.dtype.kind in "iu" else 0


def _counted(real: Callable[..., Any]) -> Callable[..., Any]:
    def bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> Any:
        if in_a_snippet():
            import numpy as np

            given, x = x, np.asarray(x)
            if not isinstance(given, np.ndarray) and (not x.size or x.dtype.kind == "O"):
                x = np.asarray(given if x.size else x, np.intp)
            if x.dtype.itemsize == 8 and x.dtype.kind in "iu" and x.size and x.max() == _HIGHEST:
                raise MemoryError("there is no room for as many numbers")
        return real(x, weights, minlength)

    return bincount


def of_a_size(real: Callable[..., Any]) -> Callable[..., Any]:
    """What makes an array of memory: it lies within that."""

    def __new__(cls: Any, shape: Any, dtype: Any = float, buffer: Any = None, *more: Any, **named: Any) -> Any:
        if buffer is None or not in_a_snippet():
            return real(cls, shape, dtype, buffer, *more, **named)
        import numpy as np

        offset, *others = more or (named.pop("offset", 0),)
        strides = others[0] if others else named.get("strides")
        dtype, offset, shape = np.dtype(dtype), operator.index(offset), sizes(shape)
        if not dtype.itemsize:  # numpy divides by it, to see how many there are
            raise ValueError("itemsize cannot be zero in type")
        room = buffer.nbytes if isinstance(buffer, np.ndarray) else memoryview(buffer).nbytes
        if not 0 <= offset <= room or (strides is None and offset + math.prod(shape) * dtype.itemsize > room):
            raise TypeError("buffer is too small for requested array")
        return real(cls, shape, dtype, buffer, offset, *others, **named)

    return __new__


def sizes(shape: Any) -> tuple[int, ...]:
    """A shape as numbers, none of which is past what is counted."""
    try:
        made: tuple[int, ...] = (operator.index(shape),)
    except TypeError:
        made = tuple(map(operator.index, shape))
    if any(size > _MANY for size in made):
        raise ValueError(f"a view has {_MANY:,} items in a row at most")
    return made
