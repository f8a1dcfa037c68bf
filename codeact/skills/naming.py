"""Names, types and words for a skill, as a person would choose them; the same run always gives the same ones."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from codeact.skills.terms import STOP
from codeact.snippet.words import word_set

_VERBS = word_set(
    """
    add analyse analyze assign average balance book build calculate categorise chart check classify clean
    combine compare compute convert count create decide decode describe detect determine download draw encode
    estimate evaluate export extract fetch filter find fix flag forecast format generate get group identify
    join label list load look make match measure merge move normalise notify order organise parse pick plan
    plot predict prepare price print process project rank read reconcile remove rename replace report return
    reverse round schedule score search select send show simulate solve sort split sum summarise summarize
    tabulate tell test total transform translate turn update upload validate verify work write
    """
)
_QUESTIONS = (
    (r"how many\s+", "count", "Count "),
    (r"how much\s+(?:is|are|does|do|did|was|were)?\s*", "compute", "Compute how much "),
    (r"what(?:'s| is| are| was| were)\s+", "find", "Find "),
    (r"which\s+", "find", "Find which "),
    (r"who\s+", "find", "Find who "),
    (r"when\s+", "find", "Find when "),
    (r"where\s+", "find", "Find where "),
)
_POLITE = re.compile(
    r"^(?:please|can you|could you|would you|i want you to|i need you to|help me|let us|let's)[, ]+", re.I
)
_BREAKS = word_set("and then but so while whose which that by using with given only where if when")
_SMALL = word_set("a an the of in on at for from to is are was were be my our your their its this these those")
# words before a value that do not say what it is: "longer than 3", "equal to 5", "bought ABC"
LINKS = word_set(
    """
    above below under beyond exceed exceeds exceeding equal equals least most than about around between against
    larger smaller longer shorter higher lower more fewer greater bigger warmer colder older younger cheaper contain
    contains containing mention mentions called named are were with without into onto per times days hours minutes
    find count list add sum give show tell sort rank name convert compute calculate draw keep drop
    """
)
_NAME_WORDS = 4
_OF_SESSIONS = word_set("final_answer search_skills show_skill")
LETTER = r"[^\W\u2e80-\uffef]"  # what may not stand beside a value; in 大于100的 no space sets it apart
NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
                "twelve")  # fmt: skip
NAME_CHARS = 48


def sentence(task: str) -> str:
    """The first sentence of a task, without what politeness adds and what cannot be shown."""
    line = next((line.strip() for line in task.strip().splitlines() if line.strip()), "")
    first = re.split(r"(?<=[.?!])\s+", line, maxsplit=1)[0].rstrip(".?!: ")
    return "".join(letter if letter.isprintable() else " " for letter in _POLITE.sub("", first))


def function_name(task: str, values: Iterable[Any], taken: Collection[str]) -> str:
    """A verb and what it is done to: convert_orders; never one that is taken or means something in Python."""
    text = re.sub(r"^how (\w+) (?:is|are|was|were) it\b", r"find how \1", sentence(task), flags=re.I)
    verb, _, text = _question(text)
    for value in sorted((str(value) for value in _flat(values)), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(value)}(?:st|nd|rd|th)?(?!\w)", " ", text, flags=re.I)
    head = re.split(r"[,;:(]", text, maxsplit=1)[0]
    text = head if len(head.split()) > 1 else text
    words = re.findall(r"[a-z]+", ascii_text(re.sub(r"'s\b", "", text)).lower())
    if not verb:
        verb, words = _verb(words)
    objects: list[str] = []
    for word in words:
        if word in _BREAKS and objects:
            break
        if word not in _SMALL and word not in STOP and word != verb and len(word) > 1:
            objects.append(word)
        if len(objects) == _NAME_WORDS:
            break
    name = "_".join([verb, *objects])[:NAME_CHARS].strip("_") if objects else f"{verb}_answer"
    return free_name([name], taken)


def _question(text: str) -> tuple[str, str, str]:
    """A question as an order: the verb, how its sentence begins, and what was asked for; an order is left as it is."""
    for pattern, verb, start in _QUESTIONS:
        rest = re.sub(f"^{pattern}", "", text, flags=re.I)
        if rest != text:
            return verb, start, rest
    return "", "", text


def _verb(words: list[str]) -> tuple[str, list[str]]:
    """What is done: the first word of an order, else the first verb there is."""
    if words and words[0] not in STOP and words[0] not in _SMALL:
        return words[0], words[1:]
    for at, word in enumerate(words[:6]):
        if word in _VERBS:
            return word, words[at + 1 :]
    return "compute", words


def describe(task: str, parameters: Mapping[str, Any]) -> str:
    """One sentence in the imperative, with the parameters where their values stood in the task."""
    _, start, text = _question(sentence(task))
    if start:
        text = start + text
    else:
        text = re.sub(r"^how (\w+) (is|are|was|were) it\b", r"Find how \1 it \2", text, flags=re.I)
    for name, value in parameters.items():
        if isinstance(value, tuple):
            between = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)"
            text = re.sub(between.join(re.escape(str(item)) for item in value), f"`{name}`", text)
    for name, value in sorted(parameters.items(), key=lambda pair: -len(str(pair[1]))):
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value):
            form = re.compile(said(value), re.I)
            if isinstance(value, str) or len(form.findall(text)) == 1:  # of "3 over 3" one is another number
                text = form.sub(f"`{name}`", text)
    text = re.sub(r"(['\"])(`\w+`)\1", r"\2", text)
    text = re.sub(r"\s+", " ", text).replace("\\", "").replace('"', "'").strip()
    return (text[:1].upper() + text[1:])[:300] + "." if text else "Compute the answer of a recorded run."


def said(value: object) -> str:
    """The pattern of a value as a task may say it: 250000 as 250,000, 3 as three, 0.05 as 5%."""
    forms = [re.escape(str(value))]
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
    if isinstance(number, float) and number.is_integer():
        forms.append(str(int(number)))
    if isinstance(number, int) and number >= 1000:
        forms.append(f"{number:,}")
    if isinstance(number, int) and 1 < number < len(NUMBER_WORDS):
        forms.append(NUMBER_WORDS[number])
    share = percent(value)
    if share:
        forms.append(rf"{re.escape(share)}(?:\s*%|\s+percent(?!\w))")
    return rf"(?<!\d[.,])(?<![`-])(?<!{LETTER})(?:{'|'.join(forms)})(?!{LETTER}|[`-]|[.,]\d)"


def percent(value: object) -> str:
    """The number of percent that a share is, 0.05 and "0.05" alike; empty for what is none."""
    share = re.fullmatch(r"0\.\d+", str(value)) if isinstance(value, float | str) else None
    return f"{float(share[0]) * 100:g}" if share is not None else ""


def free_name(wanted: Iterable[str], taken: Collection[str]) -> str:
    """The first of the wanted names that is free, made a Python name; else the first with a number."""
    fitting = [name for name in map(identifier, wanted) if name]
    for name in fitting:
        if name not in taken and usable(name):
            return name
    first = fitting[0] if fitting else "value"
    number = 2
    while f"{first}_{number}" in taken:
        number += 1
    return f"{first}_{number}"


def usable(name: str) -> bool:
    """True where a name means nothing else in Python, nor in each session of an agent."""
    python = keyword.iskeyword(name) or hasattr(builtins, name) or keyword.issoftkeyword(name)
    return not python and name not in _OF_SESSIONS


def identifier(text: str) -> str:
    """A text as a lower-case ASCII name; empty where nothing of it can be kept."""
    words = re.findall(r"[a-z0-9]+", ascii_text(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text)).lower())
    name = "_".join(words)
    return name if name[:1].isalpha() else ""


def ascii_text(text: str) -> str:
    """The text without its accents."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


def type_of(value: object, modules: Mapping[str, str], depth: int = 0) -> str:  # noqa: PLR0911  # one row for each kind
    """The annotation of a value: `list[dict]`, `dict[str, float]`, `pd.DataFrame` where pandas is imported."""
    kind = type(value)
    if value is None:
        return "None"
    if kind in (str, int, float, bool, bytes, complex):
        return kind.__name__
    if kind in (list, set, frozenset):
        inner = _inner(value, modules, depth)  # type: ignore[arg-type]  # the three iterate
        return f"{kind.__name__}[{inner}]" if inner else kind.__name__
    if kind is tuple:
        inner = _inner(value, modules, depth)  # type: ignore[arg-type]  # it is a tuple
        return f"tuple[{inner}, ...]" if inner and depth < 2 else "tuple"
    if kind is dict:
        if depth:
            return "dict"
        keys = _inner(value.keys(), modules, 1)  # type: ignore[attr-defined]  # it is a dict
        items = _inner(value.values(), modules, 1)  # type: ignore[attr-defined]  # it is a dict
        return f"dict[{keys}, {items}]" if keys and items else "dict"
    for name, module in modules.items():
        if module == kind.__module__.partition(".")[0] and kind.__name__ in ("DataFrame", "Series", "ndarray"):
            return f"{name}.{kind.__name__}"
        if module == f"{kind.__module__}.{kind.__name__}":
            return name
    return "object"


def _inner(values: Iterable[Any], modules: Mapping[str, str], depth: int) -> str:
    kinds = {type_of(value, modules, depth + 1) for value in values}
    if kinds == {"int", "float"}:
        return "float"
    found = kinds.pop() if len(kinds) == 1 else ""
    return "" if found in ("object", "None") else found


def _flat(values: Iterable[Any]) -> list[Any]:
    return [item for value in values for item in (value if isinstance(value, tuple) else (value,))]
