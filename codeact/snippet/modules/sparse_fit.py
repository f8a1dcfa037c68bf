"""Whether the places of a sparse array fit its shape and its numbers; ValueError where not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

Check = Callable[[dict[str, Any], Any], None]


def compressed(names: dict[str, Any], matrix: Any) -> None:
    """Look through rows, or columns, or rows of blocks."""
    indptr, indices, data = (_array(names, name, matrix) for name in ("indptr", "indices", "data"))
    rows, columns = (1, names["_shape"][0]) if len(names["_shape"]) == 1 else names["_shape"]
    if matrix.format == "csc":
        rows, columns = columns, rows
    elif matrix.format == "bsr":
        _fit(data.ndim == 3, "data", matrix)
        rows, columns = rows // max(data.shape[1], 1), columns // max(data.shape[2], 1)
    _fit(len(indptr) == rows + 1 and indptr[0] == 0, "indptr", matrix)
    many = int(indptr[-1])
    _fit(0 <= many <= min(len(indices), len(data)), "indptr", matrix)
    if many:
        _fit((indptr[1:] >= indptr[:-1]).all(), "indptr", matrix)
        held = indices[:many]
        _fit(_highest(held) < columns, "indices", matrix)


def places(names: dict[str, Any], matrix: Any) -> None:
    """Look through places in pairs."""
    coords, shape = names["coords"], names["_shape"]
    _array(names, "data", matrix)
    _fit(type(coords) is tuple and len(coords) == len(shape), "coords", matrix)
    for at, size in enumerate(shape):
        found = _array(dict(enumerate(coords)), at, matrix)
        if len(found):
            _fit(_highest(found) < size, "coords", matrix)


def diagonals(names: dict[str, Any], matrix: Any) -> None:
    """Look whether there are numbers for each diagonal."""
    data, offsets = _array(names, "data", matrix), _array(names, "offsets", matrix)
    _fit(data.ndim == 2 and len(offsets) <= data.shape[0], "offsets", matrix)


def _array(names: dict[Any, Any], name: Any, matrix: Any) -> Any:
    """A part that is numpy's own array, of whole numbers in one dimension where it says places."""
    part: Any = names.get(name)
    _fit(type(part) is sys.modules["numpy"].ndarray, name, matrix)
    _fit(name == "data" or (part.ndim == 1 and part.dtype.kind in "iu" and part.dtype.isnative), name, matrix)
    return part


def _highest(places: Any) -> Any:
    """The highest of these numbers; what is below zero counts as high."""
    return places.view(f"u{places.dtype.itemsize}").max()


def _fit(fits: Any, name: Any, matrix: Any) -> None:
    if not fits:
        raise ValueError(f"the {name} of this {type(matrix).__name__} do not fit its shape and its data")
