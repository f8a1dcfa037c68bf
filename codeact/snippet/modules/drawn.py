"""How charts look: settings and colour maps that hold lists and cycles, changed in place, each for itself alone."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet

_DEEP = 20  # cycles of cycles, beyond which one is a snippet's own
_CYCLE = "axes.prop_cycle"
_RADIUS = 1000  # of filters, in pixels


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

    Filters of images have a size that there is room for.
    """
    validators = importlib.import_module("matplotlib.rcsetup")._validators
    if not isinstance(validators[_CYCLE], _OfItsOwn):
        validators[_CYCLE] = _OfItsOwn(validators[_CYCLE])
    patch(importlib.import_module("matplotlib.colors").Colormap, "__copy__", _copied)
    patch(importlib.import_module("matplotlib.image")._ImageBase, "set_filterrad", _bounded)


def _copied(real: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda colours: with_own_colours(real(colours))


def _bounded(real: Callable[..., None]) -> Callable[..., None]:
    def set_filterrad(image: Any, filterrad: Any) -> None:
        radius = float(filterrad)
        if in_a_snippet() and not 0 < radius <= _RADIUS:  # compiled code makes room for as many, and looks at nothing
            raise ValueError(f"The filter radius must be a positive number, of {_RADIUS} at the most")
        real(image, radius)

    return set_filterrad


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
