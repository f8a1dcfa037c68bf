"""Words as a search compares them: small words gone, endings cut, words of one meaning made one.

"What's the mean price of the biggest orders?"  →  average price large order
"""

from __future__ import annotations

import re
from functools import lru_cache

from codeact.skills.thesaurus import GROUPS
from codeact.skills.wordlist import word_set

_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][a-z]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

STOP = word_set(
    """
    a about after again all also always am an and any are as at be because been before between both but by
    came can come could did do does doing don done down during each either else every everybody everything few
    following for from get getting give given go goes going gone got had has have having he her here hers him
    his how i if in into is isn it its itself just know last less let like ll made make makes many may me mean
    might more most much must my need needs new next no nor not now of off often on once one only or other
    others our out over own per please put re really said same say says see seem shall she should show since
    so some somebody something still such t take taken takes than that the their them then there these they
    thing things this those through to together too took two three four five six seven eight nine ten twelve
    hundred under until up upon us use used using ve very via want wants was way we well went work works were
    what when where whether which while who whom whose why will with within without would you your
    """
)

# what is done in so many skills that it says little about any: it counts for less
GENERAL = ("compute", "find", "list", "write", "create", "read", "count", "show", "convert", "check", "filter", "run")


def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in GROUPS.split("\n"):
        words = [word for word in line.split() if "_" not in word]
        for word in words:
            table.setdefault(stem(word), stem(words[0]))
    return table


# words whose ending is none: cut, they would be taken for others
_WHOLE = frozenset(
    ["folder", "meaning", "number", "letter", "paper", "order", "user", "server", "driver", "flower", "customer"]
)

_ENDINGS = (
    ("ational", "ate"), ("isation", "ise"), ("ization", "ise"), ("ations", "ate"), ("ation", "ate"), ("nesses", ""),
    ("ness", ""), ("ments", ""), ("ment", ""), ("ingly", ""), ("ings", ""), ("ing", ""), ("edly", ""), ("ied", "y"),
    ("ies", "y"), ("ers", ""), ("er", ""), ("est", ""), ("ed", ""), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"),
    ("xes", "x"), ("ly", ""), ("ize", "ise"), ("s", ""),
)  # fmt: skip


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without its ending: crude on purpose, and the same for skills and for requests."""
    if word in _WHOLE or word[:-1] in _WHOLE:
        return word if word in _WHOLE else word[:-1]
    if len(word) > 3 and not word.endswith(("ss", "us", "is")):
        for ending, instead in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                word = word[: len(word) - len(ending)] + instead
                break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeolsz":
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word


_MEANING = _table()


@lru_cache(maxsize=20_000)
def _term(word: str) -> str:
    found = stem(word)
    return _MEANING.get(found, found)


def terms(text: str) -> list[str]:
    """The terms of a text in its order; numbers and small words do not count."""
    words = [word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text))]
    return [_term(word) for word in words if word not in STOP and not word.isdecimal() and len(word) > 1]


def proper_names(text: str) -> set[str]:
    """The terms of the words written with a capital that begin no sentence: Lyon, not what is done there."""
    return {_term(word.lower()) for word in _NAME.findall(text)}


GENERAL_TERMS = frozenset(_term(word) for word in GENERAL)
