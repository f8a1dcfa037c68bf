"""Where a tool failed: its author can have that from `logging`, the snippet and the record have the message alone."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from types import FrameType

from codeact.snippet.classes import class_name

LOGGER = "codeact.tools"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_PYTHONS = os.path.dirname(os.__file__) + os.sep


def log(tool: str, error: BaseException) -> None:
    """Log what a tool raised, with its traceback; nothing where the tool's code was not entered, or nobody logs."""
    logging = sys.modules.get("logging")  # who wants to hear has imported it
    if logging is None or (place := _place(error)) is None:
        return
    frame, line = place
    said = f"{tool}() raised {class_name(type(error))} in {frame.f_code.co_filename}, line {line}"
    with suppress(Exception):  # a handler of the user's
        logging.getLogger(LOGGER).info("%s", said, exc_info=error)


def _place(error: BaseException) -> tuple[FrameType, int] | None:
    """The line of the tool's own that an error came through: the outermost that is neither codeact's nor Python's."""
    frames = [place for place in traceback.walk_tb(error.__traceback__) if not _is_in(place[0], _PACKAGE)]
    return next((place for place in frames if not _is_in(place[0], _PYTHONS)), frames[-1] if frames else None)


def _is_in(frame: FrameType, folder: str) -> bool:
    return frame.f_code.co_filename.startswith(folder)
