"""What a session is started with, and started again with where its worker has died."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from codeact.errors import UsageError
from codeact.limits import Limits, Policy
from codeact.paths import whole_path
from codeact.records import Isolation, SkillSource, ToolCall, ToolSpec
from codeact.sandbox.files import open_file
from codeact.snippet.describe import describe
from codeact.snippet.refused_modules import REFUSED
from codeact.toolbox.handed import takes
from codeact.warned import warn
from codeact.wire.parts import sayable

_SEEDS = 1 << 63
_NAME_BYTES, _PATH_BYTES = 255, 3_000  # Linux takes 4,096 with the folder it lies in


class Listener(msgspec.Struct, frozen=True):
    """What wants to hear of a step while it runs; each is called on a thread of the session."""

    output: Callable[[str], object] | None = None
    call_started: Callable[[str, dict[str, object]], object] | None = None
    call_ended: Callable[[ToolCall], object] | None = None
    clocks_read: Callable[[list[int]], object] | None = None  # nanoseconds, as `Life.run` takes them

    def __post_init__(self) -> None:
        """Refuse what cannot be called so, or only begins something."""
        for name, count in (("output", 1), ("call_started", 2), ("call_ended", 1), ("clocks_read", 1)):
            if (given := getattr(self, name)) is not None and not takes(given, count):
                needed = f"a function of {count} argument{'s' if count > 1 else ''}, not async, is needed"
                raise UsageError(f"Listener({name}={given!r:.80}): {needed}")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker is started with."""

    policy: Policy
    limits: Limits
    tools: tuple[ToolSpec, ...]
    skills: tuple[SkillSource, ...]
    files: Mapping[str, Path | bytes]
    isolation: Isolation
    without: frozenset[str]
    checked: bool
    seed: int
    deterministic: bool

    def __post_init__(self) -> None:
        """Refuse what is of another type, before a worker is started that could make nothing of it."""
        if self.isolation not in ("caged", "inline"):
            raise UsageError(f'isolation={self.isolation!r:.80}: "caged" or "inline" is needed')
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or abs(self.seed) >= _SEEDS:
            raise UsageError(f"seed={describe(self.seed, 50)}: a whole number of at most 63 bits is needed")
        if not isinstance(self.deterministic, bool):
            raise UsageError(f"deterministic={describe(self.deterministic, 50)}: True or False is needed")
        skills = (("skills", skill, SkillSource) for skill in self.skills)
        for name, given, kind in (("policy", self.policy, Policy), ("limits", self.limits, Limits), *skills):
            if not isinstance(given, kind):
                raise UsageError(f"{name}={given!r:.100}: a {kind.__name__} is needed")
        if missing := self.policy.missing:
            warn(f"Policy(imports=…): {missing}; a snippet that imports it fails")
        for name in filter(REFUSED.__contains__, self.policy.imports):
            warn(f"Policy(imports=…): no policy can allow {name}: {REFUSED[name]}")
        if self.limits.atomic and self.isolation == "inline":
            raise UsageError('Limits(atomic=True) with isolation="inline": only a caged session can go back')


def listed(option: str, given: Iterable[Any]) -> tuple[Any, ...]:
    """Give the items of an option that is a list; UsageError where it is none."""
    if not isinstance(given, Iterable):
        raise UsageError(f"{option}={describe(given, 80)}: a list is needed")
    return tuple(given)


def as_given(files: Mapping[str, str | os.PathLike[str] | bytes]) -> dict[str, Path | bytes]:
    """Give the files to hand in, as whole paths or bytes; UsageError where a name or a content is none."""
    if not isinstance(files, Mapping):
        raise UsageError(
            f"files={describe(files, 80)}: a mapping of name in the working folder to a path or bytes is needed"
        )
    given: dict[str, Path | bytes] = {}
    for name, content in files.items():
        if not isinstance(name, str) or any(part in ("", ".", "..") for part in name.split("/")):
            told = "a name below the working folder is needed, such as 'orders.csv'"
            raise UsageError(f"files={{{describe(name, 80)}: …}}: {told}")
        if _is_no_text(name):
            told = "this name is no text. Hand the file in under another one, such as files={'orders.csv': path}"
            raise UsageError(f"files={{{describe(name, 80)}: …}}: {told}")
        path = name.encode()
        if len(path) > _PATH_BYTES or max(map(len, path.split(b"/"))) > _NAME_BYTES:
            told = f"a name has {_NAME_BYTES} bytes at most, with its folders {_PATH_BYTES}"
            raise UsageError(f"files={{{describe(name, 80)}: …}}: {told}")
        if above := [folder for folder in _folders(name) if folder in files]:
            raise UsageError(f"files={{{name!r}: …}}: {above[0]!r} is a file, nothing can lie below it")
        given[name] = content if isinstance(content, bytes) else whole_path("files={{…: {}}}", content)
    return given


def content_of(name: str, given: Path | bytes) -> bytes:
    """Give what a file that is handed in holds; UsageError where it cannot be read."""
    if isinstance(given, bytes):
        return given
    with open(open_file(name, given), "rb") as file:
        return file.read()


def changed_as(given: Path | bytes) -> tuple[int, int] | None:
    """Give what changes with a file: its size and its time; None where there is none to be looked at."""
    if isinstance(given, bytes):
        return None
    try:
        found = given.stat()
    except OSError:  # whoever opens it says so
        return None
    return found.st_size, found.st_mtime_ns


def _is_no_text(name: str) -> bool:
    """Whether no snippet can say this name: it holds a NUL, or what UTF-8 cannot say."""
    return "\0" in name or not sayable((name,))


def _folders(name: str) -> list[str]:
    parts = name.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]
