"""What words mean, as far as a search needs it: three tables that anyone can read and add a line to.

`words/meanings.txt` holds words of one meaning, `words/kinds.txt` what is a kind of what, `words/subjects.txt` what a
word is about. Two words that share a meaning stand for each other, two of a kind nearly, two of a subject are near.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from codeact.skills.inflection import base_forms, rough

_FOLDER = Path(__file__).parent / "words"
_ACTIONS = "# what is done"  # the part of meanings.txt that holds verbs


@dataclass(frozen=True, slots=True)
class Senses:
    """What one word may stand for; `action` is true where it only says what is done, not to what."""

    meanings: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    action: bool = False

    @property
    def count(self) -> int:
        """How many things the word may stand for: a word of many says less."""
        return len(self.meanings) + len(self.subjects)


NOTHING = Senses()


class Lexicon:
    """The three tables, read once."""

    def __init__(self) -> None:
        texts = [(_FOLDER / name).read_text(encoding="utf-8") for name in ("meanings.txt", "kinds.txt", "subjects.txt")]
        self.mark = f"{zlib.crc32(''.join(texts).encode()):08x}"  # an index made with other tables is built again
        self._actions: set[str] = set()
        meanings, kinds, subjects = self._meanings(texts[0]), _named(texts[1], "k", head=True), _named(texts[2], "s")
        self._known = {
            word: Senses(
                frozenset(found := meanings.get(word, ())),
                frozenset(kinds.get(word, ())),
                frozenset(subjects.get(word, ())),
                action=bool(found) and self._actions.issuperset(found),
            )
            for word in {*meanings, *kinds, *subjects}
        }

    def _meanings(self, text: str) -> dict[str, list[str]]:
        table: dict[str, list[str]] = {}
        actions = False
        for number, line in enumerate(text.split("\n")):
            if line.startswith("#"):
                actions = line == _ACTIONS
            elif line:
                if actions:
                    self._actions.add(f"m:{number}")
                for word in dict.fromkeys(line.split()):
                    table.setdefault(word, []).append(f"m:{number}")
        return table

    @cached_property
    def phrases(self) -> frozenset[str]:
        """The entries of several words: `how_far`."""
        return frozenset(word for word in self._known if "_" in word)

    def senses(self, word: str) -> Senses:
        """What a base form may stand for."""
        return self._known.get(word, NOTHING)

    def knows(self, word: str) -> bool:
        """True for an entry of the tables."""
        return word in self._known

    def expanded(self, words: Iterable[str]) -> Iterator[str]:
        """The words, each followed by what it may stand for: what the index holds of a text."""
        for word in words:
            senses = self.senses(word)
            yield from (word, *sorted(senses.meanings), *sorted(senses.kinds), *sorted(senses.subjects))

    def base(self, word: str) -> str:
        """The form of a word that the tables know, else the word without its ending."""
        return next((form for form in base_forms(word) if form in self._known), None) or rough(word)


def _named(text: str, letter: str, *, head: bool = False) -> dict[str, list[str]]:
    """The lines `name: word word …`; with `head` the name is one of the words."""
    table: dict[str, list[str]] = {}
    for line in text.split("\n"):
        name, colon, rest = line.partition(":")
        if colon and not line.startswith("#"):
            for word in dict.fromkeys([name, *rest.split()] if head else rest.split()):
                table.setdefault(word, []).append(f"{letter}:{name}")
    return table


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The tables, read when the first word is looked up."""
    return Lexicon()
