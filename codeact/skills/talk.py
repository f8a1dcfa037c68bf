"""Requests to a person, not to a function: to explain, to joke, to say what is right, to do something by hand.

Such a request may share words with a skill by chance (`feed the goldfish` and feeds of news), so `fit` asks for more.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

_TABLE = Path(__file__).parent / "words" / "talk.txt"
_ANYWHERE = "# wherever it stands in it"
_LONGEST = 4  # words of a phrase
_WORD = re.compile(r"[^\W_]+")
_MEANS = re.compile(r"^what (?:is|are) [^\W\d_]+\W*$")  # "what is love?": the word is asked about, and nothing of it
_POLITE = re.compile(r"^(?:(?:please|ok|okay|hey|hello|hi|now|so|well|(?:can|could|would|will) you)\b\W*)+")


def asks_a_person(text: str) -> bool:
    """True where a request begins as those to a person do, or is for a work that only a person makes."""
    begins, anywhere = _table()
    plain = _POLITE.sub("", re.sub(r"['\u2019]s\b", " is", text.lower()))
    if _MEANS.match(plain):
        return True
    words = _WORD.findall(plain)
    heads = {"_".join(words[:length]) for length in range(1, _LONGEST + 1)}
    if not begins.isdisjoint(heads):
        return True
    phrases = {"_".join(words[at : at + length]) for at in range(len(words)) for length in range(1, _LONGEST + 1)}
    return not anywhere.isdisjoint(phrases)


@lru_cache(maxsize=1)
def _table() -> tuple[frozenset[str], frozenset[str]]:
    """What such a request begins with, and what makes it one wherever it stands."""
    parts = _TABLE.read_text(encoding="utf-8").split(_ANYWHERE)
    lines = [[line for line in part.splitlines() if not line.startswith("#")] for part in parts]
    begins, anywhere = (frozenset(word for line in part for word in line.split()) for part in lines)
    return begins, anywhere
