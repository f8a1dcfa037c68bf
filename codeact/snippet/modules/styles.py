"""Tables of pandas that have a look (`df.style`): what they are written by stays out of reach.

Their class holds the templates, which pandas reads from each table, so that these names are asked about where a snippet
says them (`library_methods.REFUSED`), and what reads templates, which is needed for those of one's own alone.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import formatting, library_methods, ownership, special
from codeact.snippet.endings import AttributeRefused, CallRefused
from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet

_HANDS_OUT = "it hands on functions of the library's inside; style both tables with the same function of your own"

#: Methods that are refused, and why.
_REFUSED = {
    "from_custom_template": "it runs text as a program; write the page around to_html()",
    "export": _HANDS_OUT,
    "use": _HANDS_OUT,
}

_METHODS = (types.FunctionType, classmethod, staticmethod, property)


class _Withheld:
    """What a class holds, for its library alone."""

    __slots__ = ("_name", "_value")

    def __init__(self, name: str, value: Any) -> None:
        self._name, self._value = name, value

    def __get__(self, subject: object, owner: object = None) -> Any:
        if in_a_snippet():
            raise AttributeRefused(f"{self._name} of a styled table is refused: it reaches files and runs templates")
        return self._value


def guard() -> None:
    """Hold it back, in the whole process; more calls do nothing."""
    if importlib.util.find_spec("jinja2") is None:  # then there are none
        return
    renderer = importlib.import_module("pandas.io.formats.style_render").StylerRenderer
    styler = importlib.import_module("pandas.io.formats.style").Styler
    if renderer in special.final:
        return
    special.final.update((renderer, styler))
    for cls in (renderer, styler):
        for name, value in list(vars(cls).items()):
            if not name.startswith("_") and not isinstance(value, _METHODS) and name not in library_methods.NAMES:
                setattr(cls, name, _Withheld(name, value))
    for name, why in _REFUSED.items():
        patch(styler, name, functools.partial(_refusing, name, why))
    patch(styler, "to_html", _without_more)
    patch(renderer, "relabel_index", _relabelling)


def _refusing(name: str, why: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **settings: Any) -> Any:
        if in_a_snippet():
            raise CallRefused(f"Styler.{name} is refused: {why}")
        return real(*arguments, **settings)

    return call


def _without_more(real: Callable[..., Any]) -> Callable[..., Any]:
    known = inspect.signature(real).parameters

    def to_html(self: Any, *arguments: Any, **settings: Any) -> Any:
        if in_a_snippet() and (more := sorted(settings.keys() - known)):
            raise TypeError(f"to_html() of a styled table takes no {', '.join(more)} here: its template is pandas' own")
        return real(self, *arguments, **settings)

    return to_html


def _relabelling(real: Callable[..., Any]) -> Callable[..., Any]:
    def relabel_index(self: Any, labels: Any, *arguments: Any, **settings: Any) -> Any:
        return real(self, list(map(_label, labels)) if in_a_snippet() else labels, *arguments, **settings)

    return relabel_index


def _label(label: Any) -> Any:
    """A label, or the labels of several levels; each is a text that is filled in."""
    if str in ownership.mro_of(type(label)):
        return formatting.check(str.__str__(label))
    several = ownership.is_own_class(type(label)) or hasattr(type(label), "__iter__")
    return tuple(map(_label, label)) if several else label
