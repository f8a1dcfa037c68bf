"""The built-in exceptions a tool's error may arrive as: those that one message makes."""

from __future__ import annotations

import ast
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
_NAMES = {kind: name for name, kind in CATCHABLE.items()}


def nearest(line: tuple[type, ...]) -> str:
    """Give the name of the first of these classes that is one of them; empty where none is."""
    return next((_NAMES[kind] for kind in line if kind in _NAMES), "")


def key_said(key: str) -> str:
    """Give the message of a KeyError about a text: the text, unless `key_of` would take it for something else."""
    return key if key_of(key) == key else repr(key)


def argument_of(name: str, message: str) -> Any:
    """Give what the exception of this name is raised with for its message: a KeyError shows its key as it is."""
    return key_of(message) if name == KeyError.__name__ else message


def key_of(message: str) -> Any:
    """Give the key that the message of a KeyError names: a plain value where it reads as one, else a text."""
    try:
        return ast.literal_eval(message)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return message
