"""The built-in exceptions a tool's error may arrive as: those that one message makes."""

from __future__ import annotations

import ast
import re
from typing import Any

CATCHABLE: dict[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (
        ArithmeticError, AssertionError, AttributeError, BlockingIOError, BrokenPipeError, BufferError,
        ConnectionAbortedError, ConnectionError, ConnectionRefusedError, ConnectionResetError, EOFError,
        FileExistsError, FileNotFoundError, FloatingPointError, ImportError, IndexError, InterruptedError,
        IsADirectoryError, KeyError, LookupError, ModuleNotFoundError, NameError, NotADirectoryError,
        NotImplementedError, OSError, OverflowError, PermissionError, ProcessLookupError, RecursionError,
        ReferenceError, RuntimeError, TimeoutError, TypeError, UnboundLocalError, ValueError, ZeroDivisionError,
    )
}  # fmt: skip
_SAID = re.compile(r"\[Errno (?P<number>-?\d{1,9})\] (?P<words>[^:]*)(?:: (?P<about>.*))?", re.DOTALL)
_NAMES = {kind: name for name, kind in CATCHABLE.items()}


def nearest(line: tuple[type, ...]) -> str:
    """Give the name of the first of these classes that is one of them; empty where none is."""
    return next((_NAMES[kind] for kind in line if kind in _NAMES), "")


def key_said(key: str) -> str:
    """Give the message of a KeyError about a text: the text, unless `key_of` would take it for something else."""
    return key if key_of(key) == key else repr(key)


def arguments_of(name: str, message: str) -> tuple[Any, ...]:
    """Give what the exception of this name is raised with for its message.

    A KeyError shows its key as it is, and what the system said its number, its words, and the files it was about.
    """
    if name == KeyError.__name__:
        return (key_of(message),)
    kind = CATCHABLE.get(name, Exception)
    if issubclass(kind, OSError) and (said := _SAID.fullmatch(message)):
        found = _said_with(int(said["number"]), said["words"], said["about"])
        made = kind(*found)
        if type(made) is kind and str(made) == message:
            return found
    return (message,)


def _said_with(number: int, words: str, about: str | None) -> tuple[Any, ...]:
    """Give a number, its words and one or two names of files; a name that is no text is left among the words."""
    if about is None:
        return number, words
    names = [key_of(name) for name in about.split(" -> ")]
    if len(names) > 2 or any(repr(name) not in about for name in names):
        return number, f"{words}: {about}"
    return number, words, names[0], None, *names[1:]


def key_of(message: str) -> Any:
    """Give the key that the message of a KeyError names: a plain value where it reads as one, else a text."""
    try:
        return ast.literal_eval(message)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return message
