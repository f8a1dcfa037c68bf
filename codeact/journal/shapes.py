"""What the lines of a run's journal hold: a line that was changed by hand is named before anything goes by it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, get_args

from codeact.records import Effect
from codeact.snippet.describe import describe

_NUMBER = (int, float)
_COST = {...: _NUMBER}
_FAILURE = {"type": str, "message": str}
_IMAGE = {"name": str, "media_type": str, "content": object}
_CALL = {
    "step": int,
    "number": str,
    "tool": str,
    "arguments": dict,
    "said": dict,
    "error": (str, type(None)),
    "error_type": str,
    "seconds": _NUMBER,
}
_REPLY = {
    "text": str,
    "calls": [str],
    "prompt_tokens": int,
    "completion_tokens": int,
    "cost_usd": _NUMBER,
    "truncated": bool,
    "model": str,
}
_FILE = {"name": str, "path": str, "sha256": str}
_BYTES = {"name": str, "content": bytes}
_INT = range(-(1 << 63), 1 << 64)
_KINDS = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD")  # of parameters
_PARAMETER = {"name": str, "kind": frozenset(_KINDS), "required": bool, "annotation": str, None: {"default": str}}
_TOOL = {"name": str, "parameters": [_PARAMETER], "returns": str, "doc": str, "effect": frozenset(get_args(Effect))}
SKILL = {"name": str, "code": str, "imports": [str], "tools": [str], "skills": [str]}
# kind → field → the types it may have: in brackets those of a list's items, in braces what a dict has at least (`...`
# is all it has, None what it may have besides), in a frozenset the words it may be. Whoever needs a field misses it.
_TYPES: Mapping[str, Mapping[str, Any]] = {
    "header": {
        "task": str,
        "id": str,
        "inputs": dict,
        "files": [(_FILE, _BYTES)],
        "tools": [_TOOL],
        "skills": [SKILL],
        "offered": [str],
        "imports": [str],
        "limits": dict,
        "budget": dict,
        "seed": int,
        "dry_run": bool,
        "approve": bool,
        "deterministic": bool,
        "model": str,
        "replies": str,
    },
    "reply": {**_REPLY, "step": int},
    "candidate": {**_REPLY, "step": int},
    "plan": _REPLY,
    "call_started": _CALL,
    "call": {**_CALL, "happened": bool, "inner": [str], "withheld": [{"tool": str, "arguments": dict}]},
    "misfit": {**_CALL, "by_position": int, "error": str, "error_type": frozenset(("TypeError", "ValueError"))},
    "entered": {**_CALL, "inside": str},
    "waiting": {**_CALL, "inside": str, "at": str},
    "decided": _CALL,
    "step": {
        "index": int,
        "code": str,
        "ok": bool,
        "stdout": str,
        "text": str,
        "failure": (_FAILURE, type(None)),
        "operations": int,
        "counted": bool,
        "images": [(_IMAGE, str)],
        "files": [str],
        "skills": [str],
    },
    "clock": {"step": int, "readings": [int]},
    "answer": {},
    "asked_back": {"step": int, "message": str},
    "refused": {"step": int, "message": str},
    "charged": {"cost": _COST},
    "noted": {"step": int, "what": str},
    "ready": {},
    "kept": {},
    "undoing": {},
    "undone": {},
    "end": {"ended": str, "reason": str, "cost": _COST},
}
NO_SUCH_LINE = "no such line is known here, and what it says would be lost"
# what each item of a list in the header holds
_ITEMS: Mapping[str, Mapping[str, Any]] = {"files": {"name": str}, "tools": _TOOL, "skills": SKILL}


def of_another_type(types_of: Mapping[str, Any], fields: Mapping[str, Any]) -> str:
    """Say which field of a line is of another type than it may have; empty where none is."""
    for name, types in types_of.items():
        if name in fields and not _is_of(types, fields[name]):
            return f"its {name!r} is {describe(fields[name], 80)}"
    return ""


def _is_of(types: Any, value: Any) -> bool:
    if isinstance(types, list):
        return isinstance(value, list | tuple) and all(_is_of(types[0], item) for item in value)
    if isinstance(types, dict):
        named: dict[Any, Any] = dict.fromkeys(value, types[...]) if ... in types and isinstance(value, dict) else types
        return isinstance(value, dict) and all(
            not of_another_type(kinds, value) if name is None else name in value and _is_of(kinds, value[name])
            for name, kinds in named.items()
        )
    if isinstance(types, tuple):
        return any(_is_of(one, value) for one in types)
    if isinstance(types, frozenset):
        return isinstance(value, str) and value in types
    if types is int:
        return isinstance(value, int) and not isinstance(value, bool) and value in _INT
    return isinstance(value, types) and not (types is float and not math.isfinite(value))


def wrong_with(kind: str, fields: Mapping[str, Any]) -> str:
    """Say what is wrong with a line of a run; empty where nothing is."""
    for name, keys in _ITEMS.items() if kind == "header" else ():
        items = fields.get(name, [])
        if not isinstance(items, list):
            break
        for item in items:
            missing = [key for key in keys if not isinstance(item, dict) or key not in item]
            if missing:
                return f"one of its {name!r} has no {missing[0]!r}"
    return of_another_type(_TYPES[kind], fields) if kind in _TYPES else NO_SUCH_LINE
