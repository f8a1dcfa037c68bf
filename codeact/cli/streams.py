"""The three streams, whatever the shell gave: closed ones, other encodings, and a reader or a disk that is gone."""

from __future__ import annotations

import io
import os
import sys


def make_ready() -> None:
    """Stand in for streams that are closed; what an encoding has no sign for is written as its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # in this order each takes the descriptor that is free, so that no file gets it
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # lives as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def written() -> bool:
    """Whether all that was printed got out; what did not is dropped, or the interpreter would fail over it."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True
