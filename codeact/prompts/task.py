"""The first message of a run: the task, its inputs by type and shape, its files by name and size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from codeact.records import File

_LONGEST_KEYS = 8
_LONGEST_TEXT = 60

DRY_RUN = (
    "This is a dry run: tools that change something are not called, and give a placeholder. Do the task as far as that "
    "goes; the calls you make are shown to the user as a plan."
)

PLAN = "First write a short numbered plan of how you will do this, and no code yet."
GO_BY_PLAN = "Now do it, step by step; change the plan where what you see says so."


def task_message(
    task: str,
    *,
    inputs: Mapping[str, Any] | None = None,
    files: Sequence[File] = (),
    dry_run: bool = False,
    answer: str = "",
) -> str:
    """Give the task as the model reads it, and what its `answer` is to be; a value is never pasted, only what it is."""
    parts = [task.strip()]
    if inputs:
        lines = [f"- {name}: {shape(value)}" for name, value in sorted(inputs.items())]
        parts.append("These variables are defined:\n" + "\n".join(lines))
    if files:
        lines = [f"- {file.name} ({file.size_bytes:,} bytes)" for file in sorted(files, key=lambda file: file.name)]
        parts.append("These files are in the working folder:\n" + "\n".join(lines))
    if answer:
        parts.append(f"The value for final_answer: {answer}")
    if dry_run:
        parts.append(DRY_RUN)
    return "\n\n".join(parts)


def shape(value: Any) -> str:
    """Say what a value is: its type, its size, what its parts are called; small scalars by their value."""
    kind = type(value).__name__
    if value is None or isinstance(value, bool | int | float):
        return f"{kind} = {value!r}" if value is not None else "None"
    if isinstance(value, str):
        return f"str = {value!r}" if len(value) <= _LONGEST_TEXT else f"str of {len(value):,} characters"
    if isinstance(value, bytes):
        return f"bytes, {len(value):,} long"
    if hasattr(value, "columns") and hasattr(value, "shape"):
        return f"{kind} of {value.shape[0]:,} rows, columns {_listed([str(name) for name in value.columns])}"
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{kind} of shape {tuple(value.shape)}, {value.dtype}"
    return _container(value, kind)


def _container(value: Any, kind: str) -> str:
    if isinstance(value, Mapping):
        keys = _listed([repr(key) if len(repr(key)) <= _LONGEST_TEXT else "…" for key in value])
        return f"{kind} of {len(value):,}, keys {keys}" if value else f"{kind}, empty"
    if isinstance(value, list | tuple | set | frozenset):
        if not value:
            return f"{kind}, empty"
        first = next(iter(value))
        inner = "" if isinstance(first, list | tuple | set | frozenset) else shape(first)
        return f"{kind} of {len(value):,}, the first: {inner or _container(first, type(first).__name__)}"
    return kind


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_LONGEST_KEYS])
    return shown if len(names) <= _LONGEST_KEYS else f"{shown}, … ({len(names):,} in all)"
