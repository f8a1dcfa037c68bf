"""What a reply and a step are written as in the journal of a run."""

from __future__ import annotations

import dataclasses
from typing import Any

from codeact.records import Observation, Reply


def reply_fields(reply: Reply) -> dict[str, Any]:
    """Give what is written of a reply."""
    return {**dataclasses.asdict(reply), "calls": list(reply.calls)}


def seen_fields(seen: Observation) -> dict[str, Any]:
    """Give what is written of what a step came to."""
    return {
        "ok": seen.ok,
        "stdout": seen.stdout,
        "text": seen.text,
        "failure": None if seen.failure is None else dataclasses.asdict(seen.failure),
        "operations": seen.cost.operations,
        "counted": seen.cost.counted,
        "wall_seconds": seen.cost.wall_seconds,
        "rolled_back": seen.rolled_back,
        "answered": seen.answered,
        "files": [file.name for file in seen.files],
        "images": [
            {"name": image.name, "media_type": image.media_type, "content": image.data} for image in seen.images
        ],
    }
