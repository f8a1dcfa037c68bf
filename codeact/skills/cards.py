"""What the index takes in and gives out: skills without their code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from codeact.skills.record import Skill, State, Usage


@dataclass(frozen=True, slots=True)
class Card:
    """A skill as the index knows it, without its code; `state` already counts edits and where it came from."""

    name: str
    folder: str
    description: str
    signature: str
    version: int
    state: State
    reason: str
    tools: tuple[tuple[str, str], ...] = ()
    skills: tuple[str, ...] = ()

    @property
    def stub(self) -> str:
        """What a model is shown of it: the signature and one line."""
        first = self.description.split("\n", 1)[0]
        return f'def {self.signature}:\n    """{first}"""'


@dataclass(frozen=True, slots=True)
class Hit:
    """A skill that may fit: the terms of its name and of the rest of it, how it did, and its card when it is wanted."""

    name_words: str
    other_words: str
    usage: Usage
    card: Callable[[], Card]


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be indexed of one folder: a skill with its state as it counts here, or why it is none."""

    folder: str
    stamp: str
    skill: Skill | None
    state: State = "active"
    reason: str = ""
    shape: str = ""
    tools: tuple[tuple[str, str], ...] = ()
