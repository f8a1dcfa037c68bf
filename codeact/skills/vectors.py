"""What skills are about as vectors of an embedding model, kept in a file of their own that can be deleted."""

from __future__ import annotations

import hashlib
import math
import sqlite3
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from operator import mul
from pathlib import Path
from typing import Any

from codeact.errors import ModelError, SkillError, UsageError
from codeact.models import AnyModel
from codeact.skills.cards import Card

NAME = "vectors.sqlite"
_RANKS = 60  # of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): how little the first places stand out
_BUSY_SECONDS = 60.0
_CANDIDATES = 40
Warn = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class SkillModels:
    """The models a library may ask; it asks none unless one is named.

    `embeddings` is an embedding model as litellm knows it, asked with `settings`; a skill less alike to the request
    than `alike` (a cosine) is not found by it. `wording` may propose the name and the sentence of a new skill.
    """

    embeddings: str | None = None
    alike: float = 0.45
    wording: AnyModel | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        named = self.embeddings is None or (isinstance(self.embeddings, str) and self.embeddings != "")
        likeness = isinstance(self.alike, int | float) and -1 <= self.alike <= 1
        for name, will_do, needed in (
            ("embeddings", named, "the name of a model"),
            ("alike", likeness, "a number from -1 to 1"),
            ("settings", isinstance(self.settings, Mapping), "a mapping of settings by name"),
        ):
            if not will_do:
                raise UsageError(f"SkillModels({name}={getattr(self, name)!r:.80}): {needed} is needed")


class Vectors:
    """The vectors of skills by one model, in the file at `path`; where that cannot be written, in memory alone."""

    def __init__(self, path: Path, models: SkillModels) -> None:
        self.path, self.models = path, models
        self._known: dict[str, array[float]] = {}

    def fuse(self, text: str, found: Sequence[Card], offered: Sequence[Card], warn: Warn) -> list[Card]:
        """The cards that words found and those of the offered ones alike to the text, ranked as one.

        Where the model gives no vectors `warn` is told, and words alone decide.
        """
        try:
            return fused(found, self.nearest(text, offered)[:_CANDIDATES])
        except (ModelError, SkillError) as error:
            warn(f"skills were found by words alone: {error}")
            return [*found]

    def nearest(self, text: str, cards: Sequence[Card]) -> list[Card]:
        """The cards alike to a text, the most alike first; raises a `ModelError` where the model gives no vectors."""
        texts = {card.name: f"{card.name.replace('_', ' ')}: {card.description}" for card in cards}
        marks = {name: _mark(self.models.embeddings or "", about) for name, about in texts.items()}
        missing = {marks[name]: about for name, about in texts.items() if marks[name] not in self._known}
        if missing:
            self._read()
            missing = {mark: about for mark, about in missing.items() if mark not in self._known}
        asked = self._embed([text, *missing.values()])
        self._keep(dict(zip(missing, asked[1:], strict=True)))
        wanted = asked[0]
        if any(len(self._known[mark]) != len(wanted) for mark in marks.values()):
            raise SkillError(f"the vectors in {self.path} are of another length than the model's; delete the file")
        likeness = {card.name: sum(map(mul, wanted, self._known[marks[card.name]])) for card in cards}
        fitting = [card for card in cards if likeness[card.name] >= self.models.alike]
        return sorted(fitting, key=lambda card: (-likeness[card.name], card.name))

    def _embed(self, texts: list[str]) -> list[array[float]]:
        from codeact.models.embeddings import embed  # a client for the net comes with it, which few libraries need

        vectors = embed(self.models.embeddings or "", texts, self.models.settings)
        lengths = [math.sqrt(sum(part * part for part in vector)) or 1.0 for vector in vectors]
        return [array("f", [part / length for part in vector]) for vector, length in zip(vectors, lengths, strict=True)]

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
        database.execute("CREATE TABLE IF NOT EXISTS vectors (mark TEXT PRIMARY KEY, vector BLOB)")
        return database

    def _read(self) -> None:
        try:
            with closing(self._open()) as database:
                for mark, content in database.execute("SELECT mark, vector FROM vectors"):
                    self._known[mark] = array("f", content)
        except sqlite3.OperationalError:  # a read-only library: the vectors then live in memory
            return
        except sqlite3.DatabaseError as error:
            raise SkillError(f"{self.path} cannot be read: {error}. Delete it; it is made again") from error

    def _keep(self, vectors: Mapping[str, array[float]]) -> None:
        self._known.update(vectors)
        if not vectors:
            return
        try:
            with closing(self._open()) as database:
                rows = [(mark, vector.tobytes()) for mark, vector in vectors.items()]
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
        except sqlite3.OperationalError:  # a read-only library: the vectors then live in memory
            return


def fused(*ranked: Sequence[Card]) -> list[Card]:
    """Several rankings as one: a card counts by its places, not by scores that cannot be compared."""
    scores: dict[str, float] = {}
    for cards in ranked:
        for place, card in enumerate(cards, 1):
            scores[card.name] = scores.get(card.name, 0.0) + 1 / (_RANKS + place)
    known = {card.name: card for cards in ranked for card in cards}
    return [known[name] for name in sorted(scores, key=lambda name: (-scores[name], name))]


def _mark(model: str, text: str) -> str:
    return hashlib.sha256(f"{model}\n{text}".encode()).hexdigest()
