"""The texts by which matplotlib and pandas write numbers name no refused attribute, and the fonts no file elsewhere."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from codeact.snippet import formatting, library_files, ownership
from codeact.snippet.running import CHECKED, in_a_snippet


def check_labels() -> None:
    """Let the texts matplotlib fills in name no attribute that may not be said."""
    formatter = importlib.import_module("matplotlib.ticker").StrMethodFormatter
    cbook: Any = importlib.import_module("matplotlib.cbook")
    if not hasattr(formatter.__call__, CHECKED):
        formatter.__call__ = _checked_formatter(formatter, formatter.__call__)
        cbook._auto_format_str = _checked_label(cbook._auto_format_str)


def _checked_formatter(formatter: Any, real: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(real)
    def __call__(self: Any, x: Any, pos: Any = None) -> Any:
        return real(formatter(formatting.check(str(self.fmt))), x, pos) if in_a_snippet() else real(self, x, pos)

    setattr(__call__, CHECKED, True)
    return __call__


def _checked_label(real: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(real)
    def _auto_format_str(fmt: str, value: Any) -> Any:
        return real(formatting.check(str(fmt)) if in_a_snippet() else fmt, value)

    return _auto_format_str


def check_fonts() -> None:
    """Let a font that is named by a file be one of the working folder: the library opens it by itself."""
    properties = importlib.import_module("matplotlib.font_manager").FontProperties
    real = properties.set_file
    if hasattr(real, CHECKED):
        return

    @functools.wraps(real)
    def set_file(self: Any, file: Any) -> None:
        real(self, library_files.inside(file) if in_a_snippet() else file)

    setattr(set_file, CHECKED, True)
    properties.set_file = set_file


def check_numbers() -> None:
    """Let the texts by which pandas writes numbers name no attribute that may not be said."""
    formatter = importlib.import_module("pandas.io.formats.format").DataFrameFormatter
    real = vars(formatter).get("_validate_float_format")  # not in every version
    if real is None or hasattr(real, CHECKED):
        return

    @functools.wraps(real)
    def _validate_float_format(self: Any, fmt: Any) -> Any:
        is_text = in_a_snippet() and str in ownership.mro_of(type(fmt))
        return real(self, formatting.check(str.__str__(fmt)) if is_text else fmt)

    setattr(_validate_float_format, CHECKED, True)
    formatter._validate_float_format = _validate_float_format
