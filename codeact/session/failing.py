"""What a tool raised: the snippet and the record have its message, its author can have the place from `logging`."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from types import FrameType

from codeact.snippet.classes import class_name, is_a
from codeact.wire.raised import key_said

LOGGER = "codeact.tools"
_LONGEST_MESSAGE = 2_000
_MEMBERS, _DEPTH = 5, 3  # of a group, that are told
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_PYTHONS = os.path.dirname(os.__file__) + os.sep


def message_of(error: BaseException, *, named: bool = False, depth: int = 0) -> str:
    """The text of an error, bounded; that of a group says what is in it, as a TaskGroup's says nothing else."""
    try:
        single = error.args[0] if len(error.args) == 1 and type(error.args[0]) is str else None
        text = str.__str__(str(error)) if single is None else key_said(single) if is_a(error, KeyError) else single
    except BaseException:  # an error whose own text cannot be made, or tries to end the program
        text = ""
    name = class_name(type(error))
    text = (f"{name}: {text}" if named else text) if text else name
    if is_a(error, BaseExceptionGroup) and depth < _DEPTH:
        members = vars(BaseExceptionGroup)["exceptions"].__get__(error)
        inside = [message_of(member, named=True, depth=depth + 1) for member in members[:_MEMBERS]]
        text = f"{text}: {'; '.join(inside)}{'; …' if len(members) > _MEMBERS else ''}"
    if len(text) <= _LONGEST_MESSAGE:
        return text
    cut = f"… ({len(text):,} characters)"
    return text[: _LONGEST_MESSAGE - len(cut)] + cut  # not longer, or it would be cut again when it is told again


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
