"""Finding the skills that fit a request: BM25 over their words, how much of the request they cover, how well they did.

A request that no skill fits gets none: coverage is the share of the request's words, each weighted by how rare it is,
that a skill knows. Below the threshold a skill is not offered, however high it ranks among the others.
"""

from __future__ import annotations

import math

from codeact.skills.cards import Card
from codeact.skills.index import Index
from codeact.skills.terms import GENERAL_TERMS, proper_names, terms
from codeact.skills.usage import expected_success

THRESHOLD = 0.22
ALONE = 0.40  # one word in common may be chance where the request is about something no skill knows
CANDIDATES = 60
_WORDS = 24
_UNKNOWN = 0.5  # a word no skill knows weighs less: it is as often an aside as the matter itself
_NAME = 0.15  # Lyon, Marseille: what a skill is called with, not what it does
_GENERAL = 0.3  # a verb that stands in every other request
_FEW = 50  # what a small library is treated as, so that its first skills' words are not all equally rare
_COMMON = 0.15  # a word in more of the skills than this is left out of the query where rarer ones are there


def search(index: Index, text: str, k: int) -> list[tuple[Card, float]]:
    """The at most `k` cards that fit, best first."""
    words = list(dict.fromkeys(terms(text)))[:_WORDS]
    if not words or k <= 0:
        return []
    total, counts = index.count(words)
    names = proper_names(text) - counts.keys()
    weights = {word: _weight(word, total, counts) * (_NAME if word in names else 1.0) for word in words}
    known = [word for word in words if word in counts]
    rare = [word for word in known if counts[word] <= max(_FEW, _COMMON * total)]
    if not known:
        return []
    strangers = len([word for word in words if word not in counts and word not in names]) > 1
    ranked = []
    for hit in index.match(rare if len(rare) > 1 else known, max(CANDIDATES, 3 * k)):
        held = [word for word in words if word in hit.words]
        covered = sum(weights[word] for word in held) / sum(weights.values())
        alone = len(held) == 1 and len(words) > 2
        if covered >= (ALONE if alone and strangers else THRESHOLD):
            ranked.append((hit.card, hit.score * covered * (0.5 + expected_success(hit.usage))))
    ranked.sort(key=lambda pair: (-pair[1], pair[0].name))
    return ranked[:k]


def _weight(word: str, total: int, counts: dict[str, int]) -> float:
    rarity = math.log(1 + (total + _FEW) / (counts.get(word, 0) + 0.5))
    if word in GENERAL_TERMS:
        return rarity * _GENERAL
    return rarity if word in counts else rarity * _UNKNOWN
