"""Triangles between points, by which compiled code of scipy goes: they name points that there are, and each other.

`tri.simplices[0] = 10**8`, or another array in its place, was where the next call read. What a snippet has never been
given is looked through once; where it has been given a part, each time.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.modules import sparse
from codeact.snippet.modules.shapes import shape_of
from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet
from codeact.snippet.words import words

_PARTS = words("simplices neighbors equations min_bound max_bound")
_WORKED_OUT = words("transform vertex_to_simplex vertex_neighbor_vertices convex_hull")
_OF_AN_INTERPOLATOR = words("tri values grad")

_CALLING = "codeact.snippet.modules.borrowed"  # what calls the methods of libraries, and gives none of these on

#: Triangles that were looked through → the form that their points had then; None where a snippet has been given a part.
_seen: dict[int, tuple[weakref.ref[Any], Any]] = {}


def guard() -> None:
    """Put the guards in place for what is loaded by now; more calls do nothing."""
    hulls: Any = sys.modules.get("scipy.spatial._qhull")
    if hulls is not None and "simplices" not in vars(hulls.Delaunay):
        for name in _PARTS:
            setattr(hulls.Delaunay, name, _part(name))
        for name in ("points", *_WORKED_OUT):
            real = vars(hulls.Delaunay)[name].fget
            setattr(
                hulls.Delaunay, name, property(_given(real if name == "points" else _looking(real)), doc=real.__doc__)
            )
        for name in ("__init__", "add_points"):
            patch(hulls.Delaunay, name, _made)
        for name in ("find_simplex", "plane_distance", "lift_points"):
            patch(hulls.Delaunay, name, _placing)
    between: Any = sys.modules.get("scipy.interpolate._interpnd")
    if between is not None:
        patch(between, "estimate_gradients_2d_global", _sloping)
        for cls in (between.LinearNDInterpolator, between.CloughTocher2DInterpolator):
            patch(cls, "_evaluate_double", _between)
            patch(cls, "_evaluate_complex", _between)


def _note(triangles: Any, form: Any) -> None:
    at = id(triangles)
    _seen[at] = weakref.ref(triangles, lambda _: _seen.pop(at, None)), form


def _is_inside() -> bool:
    """Whether a library or a function of ours here asks, and none of a snippet's."""
    asks = sys._getframe(2)
    names = asks.f_globals
    return names is globals() or names is vars(sys.modules[_CALLING]) or sparse.is_of_a_library(asks)


def _made(real: Callable[..., None]) -> Callable[..., None]:
    def make(triangles: Any, *given: Any, **named: Any) -> None:
        real(triangles, *given, **named)
        if not any(map(ownership.is_own_class, ownership.mro_of(type(triangles)))):
            _seen.pop(id(triangles), None)  # the parts are new, and nobody has been given one

    return make


def _part(name: str) -> property:
    def found(triangles: Any) -> Any:
        if not _is_inside():
            _note(triangles, None)
        try:
            return triangles.__dict__[name]
        except KeyError:
            raise AttributeError(f"{type(triangles).__name__!r} object has no attribute {name!r}") from None

    def put(triangles: Any, value: Any) -> None:
        _note(triangles, None)
        triangles.__dict__[name] = value

    return property(found, put)


def _given(real: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def found(triangles: Any) -> Any:
        value = real(triangles)
        if not _is_inside():
            _note(triangles, None)
        return value

    return found


def _looking(real: Callable[..., Any]) -> Callable[..., Any]:
    def call(triangles: Any, *given: Any, **named: Any) -> Any:
        if in_a_snippet():
            _look(triangles)
        return real(triangles, *given, **named)

    return call


def _placing(real: Callable[..., Any]) -> Callable[..., Any]:
    """What places points among the triangles: they are asked for theirs before anything is looked at."""

    def call(triangles: Any, xi: Any, *given: Any, **named: Any) -> Any:
        if in_a_snippet():
            xi = sys.modules["numpy"].asarray(xi, float)
            given, named = tuple(map(_plain, given)), {name: _plain(value) for name, value in named.items()}
            _look(triangles)
        return real(triangles, xi, *given, **named)

    return call


def _plain(setting: Any) -> Any:
    return float(setting) if ownership.is_own_class(type(setting)) else setting


def _sloping(real: Callable[..., Any]) -> Callable[..., Any]:
    def estimate(triangles: Any, values: Any, *given: Any, **named: Any) -> Any:
        if in_a_snippet():
            _look(triangles)
            _fit(shape_of(values)[:1] == shape_of(triangles.__dict__["_points"])[:1])
        return real(triangles, values, *given, **named)

    return estimate


def _between(real: Callable[..., Any]) -> Callable[..., Any]:
    def evaluate(self: Any, xi: Any, *given: Any, **named: Any) -> Any:
        if in_a_snippet():
            given, named = tuple(map(_plain, given)), {name: _plain(value) for name, value in named.items()}
            _fit(_tells_itself(self, _OF_AN_INTERPOLATOR))
            triangles, values, slopes = (self.__dict__.get(name) for name in _OF_AN_INTERPOLATOR)
            _look(triangles)
            sizes, many = shape_of(values), shape_of(triangles.__dict__["_points"])[:1]
            _fit(sizes[:-1] == many and (slopes is None or shape_of(slopes) == (*sizes, 2)))
        return real(self, xi, *given, **named)

    return evaluate


def _tells_itself(subject: Any, names: list[str]) -> bool:
    """Whether no class of a snippet's says something of these names."""
    above = [ownership.class_dict(base) for base in ownership.mro_of(type(subject)) if ownership.is_own_class(base)]
    return not any(name in known for known in above for name in (*names, "__getattribute__"))


def _look(triangles: Any) -> None:
    _, form = _seen.get(id(triangles), (None, None))
    points = triangles.__dict__["_points"]
    if form is not None and shape_of(points) == form:
        return
    is_lent = id(triangles) in _seen and form is None
    _fit(_tells_itself(triangles, [*_PARTS, *_WORKED_OUT, "points"]) and _are_there(triangles.__dict__, points))
    if not is_lent:
        _note(triangles, shape_of(points))


def _are_there(names: dict[str, Any], points: Any) -> bool:
    kind = sys.modules["numpy"].ndarray
    if any(type(part) is not kind for part in (points, *(names[name] for name in _PARTS))):
        return False
    corners, beside, planes, low, high = (names[name] for name in _PARTS)
    many, wide = corners.shape
    around = names.get("_vertex_neighbor_vertices")
    return bool(
        points.shape[1:] == low.shape == high.shape == (wide - 1,)
        and beside.shape == corners.shape
        and planes.shape == (many, wide + 1)
        and _lie_within(corners, 0, len(points))
        and _lie_within(beside, -1, many)
        and (names.get("_transform") is None or names["_transform"].shape == (many, wide, wide - 1))
        and (names.get("_vertex_to_simplex") is None or names["_vertex_to_simplex"].shape == points.shape[:1])
        and (names.get("_vertex_to_simplex") is None or _lie_within(names["_vertex_to_simplex"], -1, many))
        and (around is None or _are_parted(len(points), *around))
    )


def _are_parted(many: int, starts: Any, held: Any) -> bool:
    fit = starts.shape == (many + 1,) and _lie_within(starts, 0, len(held) + 1) and _lie_within(held, 0, many)
    return bool(fit and (starts[1:] >= starts[:-1]).all())


def _lie_within(places: Any, least: int, end: int) -> bool:
    return not places.size or bool(places.min() >= least and places.max() < end)


def _fit(fits: bool) -> None:
    if not fits:
        raise ValueError("these triangles, their points and the numbers for them do not fit each other")
