"""Whether arrays fit each other, by the shapes that compiled code finds; ValueError where not."""

from __future__ import annotations

import sys
from typing import Any

from codeact.snippet import ownership


def fit(fits: bool, what: str) -> None:
    """Raise where these do not fit each other."""
    if not fits:
        raise ValueError(f"{what} do not fit each other")


def shape_of(part: Any) -> Any:
    """The shape that compiled code finds, whatever a class of the snippet's says of its own."""
    kind = sys.modules["numpy"].ndarray
    if kind in ownership.mro_of(type(part)):
        return kind.shape.__get__(part)
    fit(not ownership.is_own_class(type(part)), "an object of your own and arrays")
    return part.shape


def are_parted(given: dict[str, Any], many: int) -> bool:
    """Whether the numbers of sparse rows are there, each below so many."""
    numpy = sys.modules["numpy"]
    numbers, places, starts = (numpy.asarray(given[f"X_{name}"]) for name in ("data", "indices", "indptr"))
    held = (
        starts.size
        and starts[0] == 0
        and (starts[1:] >= starts[:-1]).all()
        and starts[-1] <= min(places.size, numbers.size)
    )
    return bool(held and (not places.size or (places.min() >= 0 and places.max() < many)))
