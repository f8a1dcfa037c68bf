"""What a reply and a step are written as in the journal of a run."""

from __future__ import annotations

import dataclasses
from typing import Any

from codeact.records import Observation, Reply


def reply_fields(reply: Reply) -> dict[str, Any]:
    """Give what is written of a reply."""
    return {
        "text": reply.text,
        "calls": list(reply.calls),
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "cost_usd": reply.cost_usd,
        "truncated": reply.truncated,
        "model": reply.model,
    }


def seen_fields(seen: Observation) -> dict[str, Any]:
    """Give what is written of what a step came to."""
    failure = seen.failure
    return {
        "ok": seen.ok,
        "stdout": seen.stdout,
        "text": seen.text,
        "failure": None
        if failure is None
        else {field.name: getattr(failure, field.name) for field in dataclasses.fields(failure)},
        "operations": seen.cost.operations,
        "wall_seconds": seen.cost.wall_seconds,
        "rolled_back": seen.rolled_back,
        "answered": seen.answered,
        "files": [file.name for file in seen.files],
        "images": [
            {"name": image.name, "media_type": image.media_type, "content": image.data} for image in seen.images
        ],
    }
