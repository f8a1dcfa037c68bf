"""Words as a search compares them: small words gone, forms taken back to the one the tables know.

"What's the mean price of the biggest orders?"  →  mean price big order
"""

from __future__ import annotations

import re
from functools import lru_cache

from codeact.skills.lexicon import lexicon
from codeact.snippet.words import word_set

_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][a-z]+")
_CAMEL = re.compile(r"(?<=[a-z]{2})(?=[A-Z])")  # not NaN, iPhone
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019](?=\w)")
_LONGEST = 4  # words of a phrase

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
# what people say around a request, and what stands in any of them
_FILLER = word_set(
    """
    ask asked asking tell told want wanted like hello hi ok okay please thanks thank help maybe perhaps whatever
    good great nice really actually already soon later own whose another around across along above below sake able
    sure lot lots bit us someone anyone anything nothing first second third fourth fifth whole various several certain
    ll ve re don doesn didn isn aren wasn weren couldn wouldn shouldn won im id ive here there ourselves myself
    """
)
# what is done in so many skills, or asked in so many requests, that it says little about any: it counts for less
GENERAL = word_set(
    """
    compute find list write create read count show convert check filter run estimate make look_up look_for work_out
    figure_out how_many how_much how_long how_often value total plan suggest name rank group compare number day time
    year month week
    """
)


def terms(text: str) -> list[str]:
    """The terms of a text in its order; numbers and small words do not count, a phrase the tables know is one term."""
    plain = _APOSTROPHE.sub("", _CAMEL.sub(" ", text)) if "'" in text or "\u2019" in text else _CAMEL.sub(" ", text)
    words = [word.lower() for word in _WORD.findall(plain)]
    found, at = [], 0
    while at < len(words):
        phrase, length = _phrase(words, at)
        found += [phrase] if phrase else []
        parts = [term(word) for word in words[at : at + length] if not _small(word)]
        found += [part for part in parts if not phrase or lexicon().knows(part)]  # std dev says no more than std_dev
        at += length
    return [word for word in found if word not in _FILLER]


def _phrase(words: list[str], at: int) -> tuple[str, int]:
    """The longest phrase that begins here with its number of words; "" and 1 where there is none."""
    phrases = lexicon().phrases
    for length in range(min(_LONGEST, len(words) - at), 1, -1):
        rest = words[at + 1 : at + length]
        for first in (words[at], term(words[at])):
            phrase = "_".join([first, *rest])
            if phrase in phrases:
                return phrase, length
    return "", 1


def _small(word: str) -> bool:
    value = not word.isalpha() and word[0].isdecimal()  # 2024, 3x, 10am: unless the tables know it
    return word in STOP or word in _FILLER or len(word) < 2 or (value and not lexicon().knows(word))


@lru_cache(maxsize=20_000)
def term(word: str) -> str:
    """One word in lower case as the tables have it, or without its ending."""
    return lexicon().base(word)


def proper_names(text: str) -> set[str]:
    """The terms of the words written with a capital that begin no sentence: Lyon, not what is done there."""
    return {term(word.lower()) for word in _NAME.findall(text)}
