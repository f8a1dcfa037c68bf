"""The records of this room: a skill, its recorded uses, and what came of a promotion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from codeact.errors import SkillError, UsageError
from codeact.records import SkillSource, ToolCall, ToolSpec
from codeact.wire.parts import sayable

State = Literal["active", "quarantined", "retired"]
_NAME_BYTES = 255  # of a folder


def folder_of(name: str) -> str:
    """The folder of a skill, as the Agent Skills format names it: `sum_up` → sum-up; UsageError for no text.

    SkillError where no folder can be called so.
    """
    if not isinstance(name, str):
        raise UsageError(f"{name!r:.80}: the name of a skill is needed")
    if {*"/\0"} & {*name} or not sayable((name,)) or len(name.encode()) > _NAME_BYTES:
        raise SkillError(f"{name!r:.80} cannot name a skill")
    return name.replace("_", "-")


def name_of(folder: str) -> str:
    """The skill that belongs in a folder: `sum-up` → sum_up."""
    return folder.replace("-", "_")


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a skill came from."""

    task: str = ""
    model: str = ""
    run: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """One recorded use: the arguments, what the tools answered, and what came of it. The regression test of a skill.

    With `fixed_clock` the answer is the one of a deterministic session, whose clock starts at one moment.
    """

    arguments: Mapping[str, Any]
    calls: tuple[ToolCall, ...]
    answer: Any
    task: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    fixed_clock: bool = False


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill as it lies in the library. `tools` are the tools it may call, as they were when it was verified."""

    name: str
    code: str
    description: str
    signature: str
    version: int = 1
    state: State = "active"
    reason: str = ""
    tags: tuple[str, ...] = ()
    tools: tuple[ToolSpec, ...] = ()
    imports: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    meaning: str = ""
    tasks: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    provenance: Provenance = Provenance()

    @property
    def folder(self) -> str:
        """The name of the skill's folder."""
        return folder_of(self.name)

    @property
    def source(self) -> SkillSource:
        """What a session needs to run it."""
        tools = tuple(spec.name for spec in self.tools)
        return SkillSource(self.name, self.code, imports=self.imports, tools=tools, skills=self.skills)


@dataclass(frozen=True, slots=True)
class Promoted:
    """A run became a skill, a better version of one, or one more example of it."""

    skill: Skill
    how: Literal["new", "version", "example"] = "new"

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Declined:
    """A run did not become a skill: which check said no, why, and what it saw. Nothing was written."""

    reason: str
    check: str = ""
    evidence: str = ""

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Broken:
    """A folder that is no skill; the others load without it."""

    folder: str
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What verifying one skill found. `ok` is False where it may not be used; `reason` says why."""

    name: str
    ok: bool
    reason: str = ""
    examples: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """How a skill did so far. What nobody checked is neither a success nor a failure."""

    uses: int = 0
    successes: int = 0
    failures: int = 0
    operations: int = 0
    wall_seconds: float = 0.0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a skill's history."""

    when: str
    skill: str
    what: str
    detail: str = ""
