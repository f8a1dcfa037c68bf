"""What the lines of a run's journal hold: a line that was changed by hand is named before anything goes by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_NUMBER = (int, float)
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
# kind → field → the types it may have: in brackets those of a list's items, in braces what a dict has at least.
# Whoever needs a field misses it.
_TYPES: Mapping[str, Mapping[str, Any]] = {
    "header": {
        "task": str,
        "id": str,
        "inputs": dict,
        "files": list,
        "tools": list,
        "skills": list,
        "offered": [str],
        "imports": [str],
        "limits": dict,
        "budget": dict,
        "seed": int,
        "dry_run": bool,
        "deterministic": bool,
        "model": str,
        "replies": str,
    },
    "reply": {**_REPLY, "step": int},
    "candidate": {**_REPLY, "step": int},
    "plan": _REPLY,
    "call_started": _CALL,
    "call": {**_CALL, "happened": bool, "inner": [str], "withheld": [{"tool": str, "arguments": dict}]},
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
        "images": [(_IMAGE, str)],
        "files": [str],
        "skills": [str],
    },
    "asked_back": {"step": int, "message": str},
    "refused": {"step": int, "message": str},
    "charged": {"cost": dict},
    "noted": {"step": int, "what": str},
    "end": {"ended": str, "reason": str, "cost": dict},
}
# what each item of a list in the header holds
_ITEMS = {
    "files": ("name", "path", "sha256"),
    "tools": ("name", "parameters", "returns", "doc", "effect"),
    "skills": ("name", "code", "imports", "tools", "skills"),
}


def of_another_type(types_of: Mapping[str, Any], fields: Mapping[str, Any]) -> str:
    """Say which field of a line is of another type than it may have; empty where none is."""
    for name, types in types_of.items():
        if name in fields and not _is_of(types, fields[name]):
            return f"its {name!r} is {fields[name]!r:.80}"
    return ""


def _is_of(types: Any, value: Any) -> bool:
    if isinstance(types, list):
        return isinstance(value, list) and all(_is_of(types[0], item) for item in value)
    if isinstance(types, dict):
        return isinstance(value, dict) and all(name in value and _is_of(types[name], value[name]) for name in types)
    if isinstance(types, tuple):
        return any(_is_of(one, value) for one in types)
    return isinstance(value, types) and not (types is int and isinstance(value, bool))


def wrong_with(kind: str, fields: Mapping[str, Any]) -> str:
    """Say what is wrong with a line of a run; empty where nothing is."""
    wrong = of_another_type(_TYPES.get(kind, {}), fields)
    if wrong or kind != "header":
        return wrong
    for name, keys in _ITEMS.items():
        for item in fields.get(name, ()):
            missing = [key for key in keys if not isinstance(item, dict) or key not in item]
            if missing:
                return f"one of its {name!r} has no {missing[0]!r}"
    return ""
