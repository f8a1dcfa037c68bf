"""From a word as it stands in a text to the form a table has: `converted` → convert, `cities` → city, `ran` → run."""

from __future__ import annotations

from collections.abc import Iterator

_IRREGULAR_TEXT = """
children:child people:person men:man women:woman feet:foot teeth:tooth mice:mouse lives:life wives:wife
geese:goose knives:knife shelves:shelf halves:half wolves:wolf indices:index analyses:analysis
criteria:criterion bought:buy sold:sell paid:pay sent:send built:build drew:draw drawn:draw ran:run
wrote:write written:write spent:spend lent:lend taught:teach flew:fly flown:fly drove:drive driven:drive
grew:grow grown:grow ate:eat eaten:eat drank:drink broke:break broken:break kept:keep lost:lose won:win
wore:wear swam:swim slept:sleep fed:feed hid:hide hidden:hide threw:throw thrown:throw caught:catch found:find
chose:choose chosen:choose rose:rise fell:fall fallen:fall sung:sing sang:sing stole:steal stolen:steal
better:best goods:goods
"""
_IRREGULAR = dict(pair.split(":") for pair in _IRREGULAR_TEXT.split())
# endings that leave the word, or the word with an e, or with its last letter once
_ENDINGS = (
    "ings", "ing", "ify", "ers", "ors", "est", "ed", "er", "or", "able", "ments", "ment", "ness", "ally", "al", "ly",
    "ful", "y",
)  # fmt: skip
_SWAPS = (("ications", "y"), ("ication", "y"), ("isation", "ise"), ("ization", "ise"), ("ations", "ate"),
          ("ation", "ate"), ("ations", "e"), ("ation", "e"), ("ation", ""), ("ctions", "ct"), ("ction", "ct"),
          ("izing", "ise"), ("ized", "ise"), ("izer", "ise"), ("izes", "ise"), ("ize", "ise"))  # fmt: skip
_ROUGH = (*_SWAPS[2:6], ("ness", ""), ("ments", ""), ("ment", ""), ("ings", ""), ("ing", ""), ("ied", "y"),
          ("ies", "y"), ("ers", ""), ("er", ""), ("ed", ""), ("es", "e"), ("ly", ""), ("ize", "ise"),
          ("s", ""))  # fmt: skip
_LEAST = 3  # letters that must be left


def base_forms(word: str) -> Iterator[str]:
    """What the word may be a form of, the likeliest first; the caller knows which of them there are."""
    if word in _IRREGULAR:
        yield _IRREGULAR[word]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) >= _LEAST:
        if word.endswith("ies"):
            yield f"{word[:-3]}y"
        yield word[:-1]
        if word.endswith("es"):
            yield word[:-2]
    yield word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            left = word[: -len(ending)]
            yield left
            yield f"{left}e"
            if left[-1] == left[-2]:
                yield left[:-1]
            if left.endswith("i"):
                yield f"{left[:-1]}y"
    for ending, instead in _SWAPS:
        if word.endswith(ending):
            yield word[: -len(ending)] + instead


def rough(word: str) -> str:
    """A word no table has, without its ending: crude on purpose, and the same for skills and for requests."""
    for ending, instead in _ROUGH:
        if word.endswith(ending) and not word.endswith(("ss", "us", "is")) and len(word) - len(ending) >= _LEAST:
            word = word[: -len(ending)] + instead
            break
    if len(word) > _LEAST and word[-1] == word[-2] and word[-1] not in "aelosz":
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > _LEAST + 1 else word
