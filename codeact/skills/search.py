"""Finding the skills that fit a request: BM25 finds the candidates, `fit` ranks them, measured success moves them.

A request that no skill fits gets none: where even the best candidate does not fit, nothing is offered.
"""

from __future__ import annotations

from collections.abc import Mapping

from codeact.errors import UsageError
from codeact.skills.cards import Card
from codeact.skills.fit import Request, profile
from codeact.skills.index import Index
from codeact.skills.usage import expected_success, proven

CANDIDATES = 40
_NEAR = -2.5  # where one skill fits, so far below may the others stay that are offered with it
_DOCUMENTS = 1_200  # so many skills are ranked for a request at most: its commonest words are left out beyond them
_SAID = 0.5  # how well a skill fits at least in whose words all of a request stands: a name, or a word of what it does
_SUCCESS = 2.0  # what always succeeding, as against never, adds to the fit


def search(index: Index, text: str, k: int, *, only_proven: bool = False) -> list[Card]:
    """The at most `k` cards that fit, best first; with `only_proven`, of skills that checked answers speak for."""
    if not isinstance(text, str) or not isinstance(k, int):
        raise UsageError(f"search({text!r:.80}, k={k!r:.80}): a text and a number of skills are needed")
    request = Request(text)
    if not request.words or k <= 0:
        return []
    total, counts = index.count(request.features())
    request.weigh(total, counts)
    wanted = _rarest(counts)
    ranked = []
    for hit in index.match(wanted, max(CANDIDATES, 2 * k)) if wanted else ():
        if only_proven and not proven(hit.usage):
            continue
        skill = profile(hit.name_words, hit.other_words)
        fit = request.fit(skill)
        if skill.words.issuperset(request.words):
            fit = max(fit, _SAID)
        ranked.append((fit + _SUCCESS * expected_success(hit.usage), fit, hit))
    if not ranked or max(fit for _, fit, _ in ranked) <= 0:
        return []
    ranked.sort(key=lambda row: (-row[0], row[2].name_words))
    return [hit.card() for _, fit, hit in ranked if fit > _NEAR][:k]


def _rarest(counts: Mapping[str, int]) -> list[str]:
    """The rarest features, as long as not too many skills hold them; the rarest of all in any case."""
    found: list[str] = []
    left = _DOCUMENTS
    for feature, count in sorted(counts.items(), key=lambda pair: pair[1]):
        left -= count
        if found and left < 0:
            break
        found.append(feature)
    return found
