"""Warnings that point at a line of the user's, however far below it they arise."""

from __future__ import annotations

import sys
import warnings

_NOT_THE_USERS = ("codeact.", "contextlib")


def warn(text: str) -> None:
    """Warn of what the nearest line outside this package has brought about."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(_NOT_THE_USERS):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, RuntimeWarning, stacklevel=level)
