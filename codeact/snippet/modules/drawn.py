"""How charts look: settings and colour maps that hold lists and cycles, changed in place, each for itself alone."""

from __future__ import annotations

import importlib
import operator
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet
from codeact.snippet.words import words

_DEEP = 20  # cycles of cycles, beyond which one is a snippet's own
_CYCLE = "axes.prop_cycle"
_RADIUS = 1000  # of filters, in pixels
_FAR, _PIXELS = 1 << 23, 1 << 29  # compiled code counts places and bytes by 31 bits


def looks(settings: Any) -> dict[str, Any]:
    """The settings with lists and cycles that are nobody else's; what is in them is asked nothing."""
    return {name: value.copy() if type(value) is list else _cycle(value) for name, value in dict.items(settings)}


def looks_at_first(settings: Any) -> Any:
    """A copy of matplotlib's settings that shares none of them."""
    copied = settings.copy()
    dict.update(copied, looks(settings))
    return copied


def look_as_at_first(matplotlib: Any) -> None:
    """Let the settings be what they are when nobody has changed them; charts are drawn as ever."""
    settings, backend = matplotlib.rcParams, dict.get(matplotlib.rcParams, "backend")
    dict.clear(settings)
    dict.update(settings, {**looks(matplotlib.rcParamsDefault), "backend": backend})


def with_own_colours(colours: Any) -> Any:
    """The copy of a colour map, whose rows of colours are its own as well."""
    for name, part in list(getattr(colours, "__dict__", {}).items()):
        if type(part) is list:
            vars(colours)[name] = [each.copy() if type(each) is list else each for each in part]
    return colours


def guard() -> None:
    """Let settings take copies of cycles, which may be those of a style, and colour maps give whole copies.

    Filters of images have a size that there is room for, and what is drawn and copied is as large as it says.
    """
    validators = importlib.import_module("matplotlib.rcsetup")._validators
    if not isinstance(validators[_CYCLE], _OfItsOwn):
        validators[_CYCLE] = _OfItsOwn(validators[_CYCLE])
    patch(importlib.import_module("matplotlib.colors").Colormap, "__copy__", _copied)
    patch(importlib.import_module("matplotlib.image")._ImageBase, "set_filterrad", _bounded)
    compiled = importlib.import_module("matplotlib.backends._backend_agg").RendererAgg
    for name, row in _DRAWING.items():
        patch(compiled, name, _looking(*row))


def _copied(real: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda colours: with_own_colours(real(colours))


def _bounded(real: Callable[..., None]) -> Callable[..., None]:
    def set_filterrad(image: Any, filterrad: Any) -> None:
        radius = float(filterrad)
        if in_a_snippet() and not 0 < radius <= _RADIUS:  # compiled code makes room for as many, and looks at nothing
            raise ValueError(f"The filter radius must be a positive number, of {_RADIUS} at the most")
        real(image, radius)

    return set_filterrad


def _looking(names: str, change: Callable[[dict[str, Any]], None]) -> Callable[[Any], Any]:
    """What has a compiled function be given what fits; its first parameters have these names."""
    known = words(names)

    def guard(real: Callable[..., Any]) -> Callable[..., Any]:
        def draw(renderer: Any, *given: Any, **named: Any) -> Any:
            if in_a_snippet():
                named.update(zip(known, given, strict=False))
                change(named)
                given = (*(named.pop(name) for name in known if name in named), *given[len(known) :])
            return real(renderer, *given, **named)

        return draw

    return guard


def _smooth(given: dict[str, Any]) -> None:
    """Whether each line is smooth is taken in turn from as many as there are, by which it is divided."""
    given["antialiaseds"] = smooth = sys.modules["numpy"].array(given.get("antialiaseds"), "u1")
    if not smooth.size:
        raise ValueError("the antialiaseds of a collection are empty: set one at least")


def _meshed(given: dict[str, Any]) -> None:
    given["coordinates"] = corners = sys.modules["numpy"].array(given.get("coordinates"), float, ndmin=2)
    high, wide = corners.shape[:2]
    for name, most in (("mesh_width", wide), ("mesh_height", high)):
        given[name] = operator.index(given.get(name, -1))
        if not 0 <= given[name] < most:
            raise ValueError(f"{name} of {given[name]} does not fit the {high} by {wide} corners of this mesh")


def _near(given: dict[str, Any]) -> None:
    given["bbox"] = sys.modules["numpy"].array(given.get("bbox"), float)
    left, bottom, right, top = given["bbox"].ravel()
    inside = -_FAR < left <= right < _FAR and -_FAR < bottom <= top < _FAR
    if not inside or (right - left) * (top - bottom) >= _PIXELS:
        raise ValueError("a part of a figure that is copied lies in it, and goes from its left to its right")


#: Function → its first parameters, and what looks at them.
_DRAWING: dict[str, tuple[str, Callable[[dict[str, Any]], None]]] = {
    "draw_path_collection": (
        "gc master_transform paths transforms offsets offset_trans facecolors edgecolors linewidths dashes "
        "antialiaseds",
        _smooth,
    ),
    "draw_quad_mesh": ("gc master_transform mesh_width mesh_height coordinates", _meshed),
    "copy_from_bbox": ("bbox", _near),
}


def _cycle(value: Any, depth: int = _DEEP) -> Any:
    """A copy of a cycle, and of the cycles it is made of; anything else as it is."""
    kind = getattr(sys.modules.get("cycler"), "Cycler", None)
    if type(value) is not kind or not depth:
        return value
    copied = object.__new__(kind)
    for name, part in vars(value).items():
        rows = type(part) is list
        vars(copied)[name] = [dict.copy(row) for row in part] if rows else _cycle(part, depth - 1)
    copied._keys = set(value._keys)
    return copied


class _OfItsOwn:
    """What looks at a cycle that becomes a setting, of a copy of it."""

    __slots__ = ("_real",)

    def __init__(self, real: Callable[[Any], Any]) -> None:
        self._real = real

    def __call__(self, given: Any) -> Any:
        return self._real(_cycle(given))
