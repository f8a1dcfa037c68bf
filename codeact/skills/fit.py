"""How well a skill fits a request: the words they share, the meanings, and what both are about.

A request that no skill fits gets none. What tells the two apart was fitted to recorded requests with a logistic
curve and then rounded: above 0 a skill more likely fits than not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from codeact.skills.lexicon import NOTHING, Senses, lexicon
from codeact.skills.talk import asks_a_person
from codeact.skills.terms import GENERAL, proper_names, terms

WORDS = 24  # of a request; what follows is no longer the request
_FEW = 50  # what a small library is treated as, so that its first skills' words are not all equally rare
_UNKNOWN = 3.5  # the rarity of a word that no skill has: as of one that few have, for it may be an aside
_FACTORS = {"general": 0.35, "action": 0.6, "name": 0.2}  # how much of a word counts where it is one of these
_MEANING, _KIND = 0.8, 0.6  # what another word of the same meaning, or of the same kind, counts beside the word itself
_ALONE = 0.6  # what a word of several senses counts where nothing else in the request is about the same
_SENSES = 3  # so many make a word ambiguous

# what a skill has of a request → how much it speaks for the skill
WEIGHTS = {
    "words": 1.6,  # the share of the request that stands in the skill word for word
    "meanings": 3.1,  # … or by words of the same meaning: as good as the word, and rarer by chance
    "actions": 1.9,  # the share that says only what is done
    "name": 1.9,  # the share of the skill's name that the request speaks of
    "several": 1.4,  # whether one word speaks for it, two, or more; those that say only what is done do not count
    "telling": 1.2,  # the rarest word they share, where it has few senses: `palindrome` needs no other beside it
    "strange": -2.9,  # the share of the request no skill of the library knows anything of
    "person": -2.5,  # whether it is asked of a person: then sharing a word is chance more often than not
    "subject": 4.0,  # whether both are about the same
    "values": 0.5,  # whether the request holds a number: what is asked of a function often does
}
BIAS = -3.0


@dataclass(frozen=True, slots=True)
class Profile:
    """What a skill is about, from the words the index holds of it."""

    name: tuple[tuple[str, Senses], ...]
    words: frozenset[str]
    meanings: frozenset[str]
    kinds: frozenset[str]
    subjects: Mapping[str, float]  # of length 1


@lru_cache(maxsize=4096)
def profile(name: str, words: str) -> Profile:
    """The profile of a skill with these terms in its name and in the rest of it."""
    table, named, other = lexicon(), name.split(), words.split()
    senses = {word: table.senses(word) for word in (*named, *other)}
    about: dict[str, float] = {}
    for word, found in senses.items():
        part = (2.5 if word in named else 1.0) / math.sqrt(len(found.subjects) or 1)
        for subject in found.subjects:
            about[subject] = about.get(subject, 0.0) + part
    length = math.sqrt(sum(part * part for part in about.values())) or 1.0
    return Profile(
        tuple((word, senses[word]) for word in dict.fromkeys(named)),
        frozenset(senses),
        frozenset().union(*(found.meanings for found in senses.values())),
        frozenset().union(*(found.kinds for found in senses.values())),
        {subject: part / length for subject, part in about.items()},
    )


class Request:
    """A request as its words, each with its senses; `rare` tells how rare words and senses are among the skills."""

    def __init__(self, text: str) -> None:
        table = lexicon()
        self.words = list(dict.fromkeys(terms(text)))[:WORDS]
        self.senses = {word: table.senses(word) for word in self.words}
        self._names = proper_names(text)
        self._person = asks_a_person(text)
        self._values = float(any(letter.isdecimal() for letter in text))
        self._weights: dict[str, float] = {}
        self._subjects: dict[str, float] = {}
        self._length = 1.0
        self._strange = 0.0

    def features(self) -> list[str]:
        """All the words and senses by which a skill may be found."""
        found = [*self.words]
        for senses in self.senses.values():
            found += [*senses.meanings, *senses.kinds, *senses.subjects]
        return list(dict.fromkeys(found))

    def weigh(self, total: int, counts: Mapping[str, int]) -> None:
        """Takes in how many skills there are, and in how many of them each feature stands."""

        def rarity(feature: str) -> float:
            return math.log(1 + (total + _FEW) / (counts.get(feature, 0) + 0.5))

        strange = 0.0
        for word, senses in self.senses.items():
            part = 1.0
            if word in GENERAL:
                part = _FACTORS["general"]
            elif senses.action:
                part = _FACTORS["action"]
            if word in self._names and word not in counts and senses is NOTHING:
                part *= _FACTORS["name"]
            self._weights[word] = part * (rarity(word) if word in counts else _UNKNOWN)
            for subject in senses.subjects:
                share = rarity(subject) / math.sqrt(len(senses.subjects))
                self._subjects[subject] = self._subjects.get(subject, 0.0) + share
            if counts.keys().isdisjoint((word, *senses.meanings, *senses.kinds, *senses.subjects)):
                self._strange += self._weights[word]
            if not senses.subjects and word not in counts:
                strange += (part * _UNKNOWN) ** 2
        self._length = math.sqrt(sum(part * part for part in self._subjects.values()) + strange) or 1.0

    def evidence(self, skill: Profile) -> dict[str, float]:
        """What of the request a skill has, by the names of `WEIGHTS`."""
        shares, hits = {"words": 0.0, "meanings": 0.0, "actions": 0.0}, self._hits(skill)
        telling = 0.0
        for word, hit in hits.items():
            weight = hit * self._weights[word]
            telling = max(telling, weight / max(2, self.senses[word].count))
            if self.senses[word].count >= _SENSES and not self._supported(word, hits, skill):
                weight *= _ALONE
            shares[self._place(word, skill)] += weight
        total = sum(self._weights.values()) or 1.0
        about = sum(part * skill.subjects.get(name, 0.0) for name, part in self._subjects.items())
        return {
            **{place: share / total for place, share in shares.items()},
            "name": self._named(skill),
            "several": min(3, sum(self._place(word, skill) != "actions" for word in hits)) / 3,
            "telling": telling / 3,
            "strange": self._strange / total,
            "person": float(self._person),
            "values": self._values,
            "subject": about / self._length,
        }

    def _place(self, word: str, skill: Profile) -> str:
        if self.senses[word].action or word in GENERAL:
            return "actions"
        return "words" if word in skill.words else "meanings"

    def fit(self, skill: Profile) -> float:
        """How well a skill fits: above 0 more likely than not."""
        evidence = self.evidence(skill)
        return BIAS + sum(WEIGHTS[name] * part for name, part in evidence.items())

    def _hits(self, skill: Profile) -> dict[str, float]:
        hits = {}
        for word, senses in self.senses.items():
            if word in skill.words:
                hits[word] = 1.0
            elif not senses.meanings.isdisjoint(skill.meanings):
                hits[word] = _MEANING
            elif not senses.kinds.isdisjoint(skill.kinds):
                hits[word] = _KIND
        return hits

    def _supported(self, word: str, hits: Mapping[str, float], skill: Profile) -> bool:
        """True where something else in the request speaks for the skill too."""
        return any(
            other != word and ((other in hits and other not in GENERAL) or not skill.subjects.keys().isdisjoint(about))
            for other, about in ((other, senses.subjects) for other, senses in self.senses.items())
        )

    def _named(self, skill: Profile) -> float:
        """The share of the skill's name that the request speaks of."""
        share = total = 0.0
        for word, senses in skill.name:
            part = _FACTORS["general"] if word in GENERAL else _FACTORS["action"] if senses.action else 1.0
            total += part
            if word in self.senses:
                share += part
            elif any(not senses.meanings.isdisjoint(mine.meanings) for mine in self.senses.values()):
                share += 0.85 * part
            elif any(not senses.subjects.isdisjoint(mine.subjects) for mine in self.senses.values()):
                share += 0.4 * part
        return share / total if total else 0.0
