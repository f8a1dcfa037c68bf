"""The pictures among a task's files, and those a step makes: shown to models that see, named with their size to all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from codeact.records import MEDIA_TYPES, Image

_TAKEN = {ending: kind for ending, kind in MEDIA_TYPES.items() if ending != ".svg"}  # by the large providers
_LARGEST_BYTES = 5 << 20  # of one picture, by them
_MOST = 20


def pictures_in(files: Mapping[str, Path]) -> tuple[Image, ...]:
    """Give the pictures that can be sent to a model; the others are files like any other."""
    found = [(name, path) for name, path in sorted(files.items()) if Path(name).suffix.lower() in _TAKEN]
    fitting = [(name, path) for name, path in found if path.stat().st_size <= _LARGEST_BYTES]
    return tuple(Image(name, _TAKEN[Path(name).suffix.lower()], path.read_bytes()) for name, path in fitting[:_MOST])


def sendable(images: Iterable[Image]) -> tuple[Image, ...]:
    """Give those of a step's pictures that can be sent to a model."""
    return tuple(one for one in images if one.media_type in _TAKEN.values() and len(one.data) <= _LARGEST_BYTES)
