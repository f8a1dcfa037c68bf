"""The pictures among a task's files: shown to models that see, named with their size to all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from codeact.records import Image

_MEDIA = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp"}
_LARGEST_BYTES = 5 << 20  # what the large providers take of one picture
_MOST = 20


def pictures_in(files: Mapping[str, Path]) -> tuple[Image, ...]:
    """Give the pictures that can be sent to a model; the others are files like any other."""
    found = [(name, path) for name, path in sorted(files.items()) if Path(name).suffix.lower() in _MEDIA]
    fitting = [(name, path) for name, path in found if path.stat().st_size <= _LARGEST_BYTES]
    return tuple(Image(name, _MEDIA[Path(name).suffix.lower()], path.read_bytes()) for name, path in fitting[:_MOST])
