"""Finding the skills that fit a request: BM25 over their words, how much of the request they cover, how well they did.

A request that no skill fits gets none: coverage is the share of the request's words, each weighted by how rare it is,
that a skill knows. Below the threshold a skill is not offered, however high it ranks among the others.
"""

from __future__ import annotations

import math

from codeact.skills.index import Card, Index
from codeact.skills.terms import terms
from codeact.skills.usage import expected_success

THRESHOLD = 0.42
CANDIDATES = 60
_WORDS = 24
_UNKNOWN = 0.6  # a word no skill knows weighs less: it is as often a name or an aside as the matter itself
_FEW = 50  # what a small library is treated as, so that its first skills' words are not all equally rare
_COMMON = 0.15  # a word in more of the skills than this is left out of the query where rarer ones are there


def search(index: Index, text: str, k: int) -> list[tuple[Card, float]]:
    """The at most `k` cards that fit, best first."""
    words = list(dict.fromkeys(terms(text)))[:_WORDS]
    if not words or k <= 0:
        return []
    total, counts = index.count(words)
    weights = {word: _weight(word, total, counts) for word in words}
    known = [word for word in words if word in counts]
    rare = [word for word in known if counts[word] <= max(_FEW, _COMMON * total)]
    if not known:
        return []
    ranked = []
    for hit in index.match(rare if len(rare) > 1 else known, max(CANDIDATES, 3 * k)):
        covered = sum(weight for word, weight in weights.items() if word in hit.words) / sum(weights.values())
        if covered >= THRESHOLD:
            ranked.append((hit.card, hit.score * covered * (0.5 + expected_success(hit.usage))))
    ranked.sort(key=lambda pair: (-pair[1], pair[0].name))
    return ranked[:k]


def _weight(word: str, total: int, counts: dict[str, int]) -> float:
    rarity = math.log(1 + (total + _FEW) / (counts.get(word, 0) + 0.5))
    return rarity if word in counts else rarity * _UNKNOWN
