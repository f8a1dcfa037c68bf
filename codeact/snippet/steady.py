"""Which snippets come to the same whenever they run on the same state: no file or address is in reach, and no wait.

A session that has run nothing else, and lives on in a copy frozen earlier, can run its last steps again instead of
having been copied after them. Chance may be in reach, for it is part of the state (`codeact/worker/chance.py`), and
so may clocks, which say again what they said (`modules/readings.py`).
What is left out here costs a copy, and what is let in wrongly would cost the state: so a snippet counts only where
that is plain to see.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from codeact.snippet import class_statements, ownership
from codeact.snippet.bindings import Survey, last_name, walk
from codeact.snippet.words import word_set

#: Modules in which nothing but the attributes below depends on when or where it is asked.
MODULES = word_set("""
    abc base64 binascii bisect calendar cmath collections collections.abc contextlib copy csv dataclasses datetime
    decimal difflib enum fractions functools hashlib heapq html html.entities html.parser itertools json json.decoder
    json.encoder math numbers operator random re secrets statistics string textwrap time typing unicodedata urllib
    urllib.parse zoneinfo
    """)

# What an address can be seen by: itself, or the order it gives to a set; what any name can be said by; files.
_NAMES = word_set("""
    frozenset hash id set
    __import__ compile delattr eval exec getattr globals locals setattr vars
    open
    """)
_KINDS = frozenset((ast.Set, ast.SetComp, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await))
# What addresses are seen by, as by what objects say whose class leaves that to Python, and what takes away by any name
# what a class says, also where a text names it (`methodcaller("__hash__")`); sets of the keys of dictionaries; a wait,
# which would be waited again.
_ATTRIBUTES = re.compile(
    r"[.'\"][\s\\]*(?:__hash__|__repr__|__str__|__format__|__setattr__|__delattr__)\b"
    r"|\b(?:attrgetter|methodcaller)\s+as\b|\bsleep\b"
    r"|\.(?:keys|items)\(\)\s*[-&|^]|[-&|^]=?\s*[\w.]+\.(?:keys|items)\(\)"
)

_READERS = word_set("attrgetter methodcaller")  # of what their first arguments name

_MOST_CLASSES = 100  # made by one step, and looked at when it has ended

_TEXTS = word_set("str repr ascii format")  # of what says nothing of itself, they name its address


def is_steady(source: str, survey: Survey) -> bool:
    """Whether a snippet comes to the same each time, given that what it calls does, and the modules it imports."""
    if not survey.read.isdisjoint(_NAMES) or not survey.kinds.isdisjoint(_KINDS) or _ATTRIBUTES.search(source):
        return False
    return not any(_computes_a_name(call) or _orders_by_text(call) or _makes_a_class(call) for call in survey.calls)


def _computes_a_name(call: ast.Call) -> bool:
    """Whether a call makes what reads an attribute whose name does not stand there."""
    word = last_name(call.func)
    named = call.args if word == "attrgetter" else call.args[:1]
    return word in _READERS and not all(isinstance(part, ast.Constant) for part in named)


def _orders_by_text(call: ast.Call) -> bool:
    """Whether a call is given a `key=` that makes texts: what is put in order may have none but its address."""
    keys = [part for keyword in call.keywords if keyword.arg == "key" for part in walk(keyword.value)]
    return any(isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Name) and part.id in _TEXTS) for part in keys)


def _makes_a_class(call: ast.Call) -> bool:
    """Whether a class is made without a class statement."""
    return getattr(call.func, "id", None) == "type" and len(call.args) + len(call.keywords) > 1


class Classes:
    """The classes that statements of a session make, and whether all their objects say something of themselves.

    Of an object that does not, any text tells its address: a key made of it, a hash, a part of a text, an order.
    """

    def __init__(self) -> None:
        self._made: list[type] = []  # and not looked at: decorators such as `dataclass` may yet add to them
        self._told = True

    def build(self, body: Callable[..., Any], name: str, /, *bases: Any, **keywords: Any) -> Any:
        """What a class statement calls."""
        made = class_statements.build_class(body, name, *bases, **keywords)
        if self._told and ownership.is_class(made) and not _says_what_it_is(made):
            if len(self._made) < _MOST_CLASSES:
                self._made.append(made)
            else:
                self._told = False
        return made

    def tell(self) -> bool:
        """Whether no class made so far leaves it to Python what its objects say."""
        made, self._made = self._made, []
        self._told = self._told and all(map(_says_what_it_is, made))
        return self._told


def _says_what_it_is(cls: type) -> bool:
    line = ownership.mro_of(cls)
    return next((base for base in line if "__repr__" in ownership.class_dict(base)), object) is not object
