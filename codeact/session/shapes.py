"""What the lines of a session's journal hold, as `journal.shapes` says it of a run's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeact.journal import Recording
from codeact.journal.shapes import of_another_type

_CALL = {"number": int, "tool": str, "arguments": dict}
_TYPES: Mapping[str, Mapping[str, Any]] = {
    "header": {
        "imports": [str],
        "check_first": bool,
        "limits": dict,
        "skills": [dict],
        "files": dict,
        "seed": int,
        "deterministic": bool,
        "tools": [str],
    },
    "begin": {"code": str},
    "step": {"code": str, "outcome": str, "rolled_back": bool},
    "calling": _CALL,
    "call": {**_CALL, "seconds": (int, float), "error": (str, type(None)), "message": str, "begun": int},
    "held": {**_CALL, "reason": (str, type(None))},
    "assign": {"variables": dict},
    "reseed": {"seed": int},
    "rewind": {"steps": int},
}


def wrong_in(recording: Recording) -> str:
    """Say which line of a session's recording is off, and how; empty where none is."""
    if missing := [name for name in _TYPES["header"] if name not in recording.header]:
        return f"line 1: its header has no {missing[0]!r}"
    lines = [("header", recording.header), *((entry.kind, entry.fields) for entry in recording.entries)]
    for number, (kind, fields) in enumerate(lines, 1):
        if wrong := of_another_type(_TYPES.get(kind, {}), fields):
            return f"line {number}: not a {kind!r} line of a session: {wrong}"
    return ""
