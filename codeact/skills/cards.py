"""What the index takes in and gives out: skills without their code."""

from __future__ import annotations

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
    """A card with how well it fits: `score` from the index, `words` what the skill is about, `usage` how it did."""

    card: Card
    score: float
    words: frozenset[str]
    usage: Usage


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
