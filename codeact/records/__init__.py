"""What travels between the rooms: frozen records, nothing that runs.

Each kind is loaded when it is first asked for: to define one takes longer than to read it, and a worker needs none of
what a step or a run comes to.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from codeact.records.runs import Message, Reply, Run, RunCost, Step, whole
    from codeact.records.shared import Described, Failure, Parameter, SkillSource, ToolSpec, Variable, Violation, Wall
    from codeact.records.steps import Cost, File, Image, Observation, ToolCall

__all__ = [
    "FINAL_ANSWER",
    "MEDIA_TYPES",
    "REPEATABLE",
    "Cost",
    "Described",
    "Effect",
    "Ending",
    "Failure",
    "FailureKind",
    "File",
    "Image",
    "Isolation",
    "Message",
    "Observation",
    "Parameter",
    "Reply",
    "Run",
    "RunCost",
    "SkillSource",
    "Step",
    "ToolCall",
    "ToolSpec",
    "Variable",
    "Violation",
    "Wall",
    "whole",
]

Effect = Literal["read", "idempotent", "write", "irreversible"]
REPEATABLE: tuple[Effect, ...] = ("read", "idempotent")  # a second call of such a tool does no harm
Ending = Literal["answered", "budget", "failed", "interrupted", "paused"]
FailureKind = Literal["syntax", "refused", "raised", "limit", "crash", "tool"]
Isolation = Literal["caged", "inline"]
FINAL_ANSWER = "final_answer"  # what a snippet calls to end the run

# What a picture is, by the end of its name.
MEDIA_TYPES = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
    ".svg": "image/svg+xml",
}  # fmt: skip

_KINDS = {
    "shared": ("Violation", "Failure", "Described", "Variable", "Wall", "SkillSource", "Parameter", "ToolSpec"),
    "steps": ("Cost", "ToolCall", "Image", "File", "Observation"),
    "runs": ("Message", "Reply", "whole", "Step", "RunCost", "Run"),
}
_HOMES = {name: f"codeact.records.{kind}" for kind, names in _KINDS.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found
