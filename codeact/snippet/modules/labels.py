"""Texts by which libraries write numbers and names name no refused attribute; fonts and zones, no file elsewhere."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet import formatting, library_files, library_texts, ownership
from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet


def check_labels() -> None:
    """Let the texts matplotlib fills in name no attribute that may not be said."""
    formatter = importlib.import_module("matplotlib.ticker").StrMethodFormatter
    patch(formatter, "__call__", functools.partial(_checked_formatter, formatter))
    patch(importlib.import_module("matplotlib.cbook"), "_auto_format_str", _checked_label)
    _check_first(importlib.import_module("matplotlib.axes").Axes, "pie_label", 2)


def _checked_formatter(formatter: Any, real: Callable[..., Any]) -> Callable[..., Any]:
    def __call__(self: Any, x: Any, pos: Any = None) -> Any:
        return real(formatter(formatting.check(str(self.fmt))), x, pos) if in_a_snippet() else real(self, x, pos)

    return __call__


def _checked_label(real: Callable[..., Any]) -> Callable[..., Any]:
    def _auto_format_str(fmt: str, value: Any) -> Any:
        return real(formatting.check(str(fmt)) if in_a_snippet() else fmt, value)

    return _auto_format_str


def check_fonts() -> None:
    """Let a font that is named by a file be one of the working folder: the library opens it by itself."""
    patch(importlib.import_module("matplotlib.font_manager").FontProperties, "set_file", _checked_font)


def _checked_font(real: Callable[..., Any]) -> Callable[..., Any]:
    def set_file(self: Any, file: Any) -> None:
        real(self, library_files.inside(file) if in_a_snippet() else file)

    return set_file


def check_zones() -> None:
    """Let a time zone that pandas and matplotlib ask dateutil for go by its name: a path it opens by itself."""
    patch(type(importlib.import_module("dateutil.tz").gettz), "__call__", _checked_zone)


def _checked_zone(real: Callable[..., Any]) -> Callable[..., Any]:
    def __call__(self: Any, name: Any = None) -> Any:
        if name is not None and in_a_snippet():
            name = library_texts.exact(name, "the name of a time zone")
            if name.startswith((":", os.sep)) or os.pardir in name.split(os.sep):
                raise PermissionError(f"{name!r} is a path: a time zone goes by its name, such as 'Europe/Paris'")
        return real(self, name)

    return __call__


def check_columns() -> None:
    """Let the text by which scikit-learn names columns name no such attribute."""
    if columns := sys.modules.get("sklearn.compose._column_transformer"):
        _check_first(columns, "_feature_names_out_with_str_format", 2)


def check_numbers() -> None:
    """Let the texts by which pandas writes numbers name no attribute that may not be said."""
    formatter = importlib.import_module("pandas.io.formats.format").DataFrameFormatter
    _check_first(formatter, "_validate_float_format", 1)
    if importlib.util.find_spec("jinja2") is not None:  # what writes LaTeX needs it
        _check_first(importlib.import_module("pandas.io.formats.style_render"), "_maybe_wrap_formatter", 0)


def _check_first(owner: Any, name: str, at: int) -> None:
    """Let the text a function is given at one place, its first parameter, name no such attribute."""
    if name in vars(owner):  # not in every version
        patch(owner, name, functools.partial(_checked_at, at))


def _checked_at(at: int, real: Callable[..., Any]) -> Callable[..., Any]:
    key = list(inspect.signature(real).parameters)[at]

    def call(*arguments: Any, **keywords: Any) -> Any:
        if in_a_snippet():
            arguments = (*arguments[:at], *map(_checked, arguments[at : at + 1]), *arguments[at + 1 :])
            keywords.update({key: _checked(keywords[key])} if key in keywords else {})
        return real(*arguments, **keywords)

    return call


def _checked(form: Any) -> Any:
    return formatting.check(str.__str__(form)) if str in ownership.mro_of(type(form)) else form
