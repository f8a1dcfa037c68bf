"""Asking a person at the terminal whether a call may be made."""

from __future__ import annotations

import os
import sys
from typing import Any, Literal

from codeact.snippet.places import printable

ARGUMENT_CHARS = 1_000  # who decides has to see what is decided about
ANSWERS: dict[str, bool | Literal["pause"]] = {"y": True, "n": False, "later": "pause", "": False}


def asked(tool: str, arguments: dict[str, Any]) -> bool | Literal["pause"]:
    """Ask at the terminal whether a call may be made; where nobody is there, the run waits for `codeact resume`."""
    if not sys.stdin.isatty():
        return "pause"
    question = f"May it call {_call(tool, arguments)}? (y, n, later) [n]: "
    while True:
        print(question, end="", file=sys.stderr, flush=True)
        if not (said := _line()):
            print(file=sys.stderr)
            return "pause"
        if (answer := ANSWERS.get(said.decode(errors="replace").strip().lower())) is not None:
            return answer
        print("y makes the call, n does not, later pauses the run", file=sys.stderr)


def _line() -> bytes:
    """A line from the terminal, nothing at its end; past sys.stdin, which a call left at Ctrl-C would keep locked."""
    line = b""
    while not line.endswith(b"\n"):
        if not (piece := os.read(sys.stdin.fileno(), 4096)):
            return b""
        line += piece
    return line


def _call(tool: str, arguments: dict[str, Any]) -> str:
    """The call on one line, as it is: what a model wrote is text here, whatever it is."""
    from codeact.snippet.toolcalls import as_called

    return printable(as_called(tool, arguments, ARGUMENT_CHARS)).replace("\n", " ")
