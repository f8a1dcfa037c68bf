"""Two recorded runs side by side: where they first differ."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from codeact.journal import Entry, Recording, read
from codeact.journal.values import encode

_SHOWN, _BEFORE = 200, 40  # characters of a value, and how many of them before the difference

# Line of a recording → what it is called, and what of it is compared: times and costs differ between any two runs.
_COMPARED = {
    "plan": ("the plan", ("text",)),
    "reply": ("the reply", ("text", "calls")),
    "call": ("a call", ("tool", "arguments", "result", "error")),
    "step": ("what the code did", ("code", "ok", "stdout", "text", "failure")),
    "asked_back": ("what was asked back", ("message",)),
    "refused": ("a refused answer", ("value", "message")),
    "answer": ("the answer", ("value",)),
}
_Told = tuple[str, dict[str, str]]  # where, and each thing as text
_OVER: _Told = ("nothing more", {})


def compare(one: str | Path, other: str | Path) -> str:
    """Say where two recorded runs first differ; empty where they did the same."""
    for left, right in itertools.zip_longest(_told(read(one)), _told(read(other)), fillvalue=_OVER):
        if left[0] != right[0]:
            return f"{left[0]} in {one}, {right[0]} in {other}"
        for name, value in left[1].items():
            if value != right[1][name]:
                first, second = _apart(value, right[1][name])
                return f"{left[0]}: its {name} is {first} in {one}, {second} in {other}"
    return ""


def _told(recording: Recording) -> list[_Told]:
    """Give what happened, in an order that does not depend on which of two calls side by side was faster."""
    header = {name: _text(recording.header.get(name)) for name in ("task", "inputs")}
    happened = sorted(recording.of(*_COMPARED), key=lambda entry: (entry.kind == "answer", _step(entry)))
    told: list[_Told] = [("what was asked", header)]
    for _, entries in itertools.groupby(happened, key=lambda entry: (_step(entry), entry.kind)):
        rows = [_row(entry) for entry in entries]
        told += sorted(rows, key=lambda row: _text(row[1])) if len(rows) > 1 else rows
    return told


def _step(entry: Entry) -> int:
    return int(entry.fields.get("index") or entry.fields.get("step") or 0)


def _row(entry: Entry) -> _Told:
    what, names = _COMPARED[entry.kind]
    step = _step(entry)
    return f"step {step}: {what}" if step else what, {name: _text(entry.fields.get(name)) for name in names}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(encode(value), sort_keys=True, ensure_ascii=False)


def _apart(one: str, other: str) -> tuple[str, str]:
    """Give both texts from shortly before they part."""
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    start = max(0, sum(1 for _ in same) - _BEFORE)
    return _cut(one, start), _cut(other, start)


def _cut(text: str, start: int) -> str:
    shown = text[start : start + _SHOWN]
    return f"{'…' if start else ''}{shown!r}{'…' if start + _SHOWN < len(text) else ''}"
