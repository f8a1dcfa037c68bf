"""The built-in exceptions a tool's error may arrive as: those that one message makes."""

from __future__ import annotations

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
