"""What `logging.basicConfig` is told: what goes together, and what a root logger becomes by it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from codeact.snippet.words import words

_KNOWN = frozenset(words("filename filemode format datefmt style level stream handlers force encoding errors"))


def set_up(root: Any, classes: dict[str, Any], formatter: Callable[..., Any], settings: dict[str, Any]) -> None:
    """Give a root logger that has none its handlers; ValueError, in CPython's words, where the settings will not do."""
    told = settings.get
    made, style, where = told("handlers"), told("style", "%"), {"stream", "filename"} & settings.keys()
    if made is None and len(where) == 2:
        raise ValueError("'stream' and 'filename' should not be specified together")
    if made is not None and where:
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    if style not in logging._STYLES:
        raise ValueError(f"Style must be one of: {','.join(logging._STYLES)}")
    dressed = formatter(told("format", logging._STYLES[style][1]), told("datefmt"), style)
    for each in [_handler(classes, settings)] if made is None else made:
        if each.formatter is None:
            each.setFormatter(dressed)
        root.addHandler(each)
    if told("level") is not None:
        root.setLevel(told("level"))
    if unknown := [key for key in settings if key not in _KNOWN]:
        raise ValueError(f"Unrecognised argument(s): {', '.join(unknown)}")


def _handler(classes: dict[str, Any], settings: dict[str, Any]) -> Any:
    """The handler that basicConfig makes by itself."""
    if not settings.get("filename"):
        return classes["StreamHandler"](settings.get("stream"))
    errors, mode = settings.get("errors", "backslashreplace"), settings.get("filemode", "a")
    return classes["FileHandler"](settings["filename"], mode, encoding=settings.get("encoding"), errors=errors)
