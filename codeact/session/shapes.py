"""What the lines of a session's journal hold, as `journal.shapes` says it of a run's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeact.journal import AS_IT_WAS, Recording
from codeact.journal.shapes import NO_SUCH_LINE, SKILL, of_another_type
from codeact.snippet.describe import describe

_CALL = {"number": int, "tool": str, "arguments": dict}
_TYPES: Mapping[str, Mapping[str, Any]] = {
    "header": {
        "imports": [str],
        "check_first": bool,
        "limits": dict,
        "skills": [SKILL],
        "files": dict,
        "seed": int,
        "deterministic": bool,
        "tools": [str],
    },
    "begin": {"code": str},
    "step": {"code": str, "outcome": str, "rolled_back": bool},
    "calling": _CALL,
    "call": {**_CALL, "seconds": (int, float), "error": (str, type(None)), "message": str, "begun": int},
    "clock": {"readings": [int]},
    "held": {**_CALL, "reason": (str, type(None))},
    "assign": {"variables": dict},
    "reseed": {"seed": int},
    "rewind": {"steps": int},
    "copied": {},
    "lost": {},
}


def wrong_in(recording: Recording) -> str:
    """Say where a session's recording is off, and how; empty where it is not."""
    header, first = recording.header, f"{recording.path}, line 1"
    if missing := [name for name in _TYPES["header"] if name not in header]:
        return f"{first}: its header has no {missing[0]!r}; {AS_IT_WAS}"
    lines = [(first, "header", header), *((entry.place, entry.kind, entry.fields) for entry in recording.entries)]
    for place, kind, fields in lines:
        wrong = of_another_type(_TYPES[kind], fields) if kind in _TYPES else NO_SUCH_LINE
        if wrong := wrong or _file_elsewhere(kind, fields):
            return f"{place}: not a {kind!r} line of a session: {wrong}; {AS_IT_WAS}"
        if "tool" in fields and fields["tool"] not in header["tools"]:
            return f"{place}: it names {fields['tool']!r}, which was no tool of the session; {AS_IT_WAS}"
    return ""


def _file_elsewhere(kind: str, fields: Mapping[str, Any]) -> str:
    """Say which file is named instead of being there: it would be one of this machine, whoever made the recording."""
    files = fields["files"] if kind == "header" else {}
    named = next((name for name, content in files.items() if not isinstance(content, bytes)), None)
    return "" if named is None else f"its file {named!r:.80} is {describe(files[named], 80)}, and not its bytes"
