"""Which snippets come to the same whenever they run on the same state: no clock, chance, file or address is in reach.

A session that has run nothing else, and lives on in a copy frozen earlier, can run its last steps again instead of
having been copied after them. What is left out here costs a copy, and what is let in wrongly would cost the state: so
a snippet counts only where that is plain to see.
"""

from __future__ import annotations

import ast
import re

from codeact.snippet.bindings import Survey
from codeact.snippet.words import words

#: Modules in which nothing depends on when, where or how often it is asked.
MODULES = frozenset(
    words("""
    base64 binascii bisect cmath collections collections.abc copy csv decimal difflib fractions functools hashlib heapq
    html html.entities html.parser itertools json json.decoder json.encoder math numbers operator re statistics string
    textwrap typing unicodedata urllib urllib.parse
    """)
)

# What tells addresses, or has an order that comes of them; what any name can be said by; files.
_NAMES = frozenset(
    words("""
    frozenset hash id object set type
    __import__ compile delattr eval exec getattr globals locals setattr vars
    open
    """)
)
_KINDS = frozenset((ast.Set, ast.SetComp, ast.ClassDef, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await))
# attributes that Python itself reads, and the clocks of dates and times, which may come from a tool
_ATTRIBUTES = re.compile(r"\.\s*(?:__|(?:now|today|utcnow)\b)")


def is_steady(source: str, survey: Survey) -> bool:
    """Whether a snippet comes to the same each time, given that what it calls does, and the modules it imports."""
    plain = survey.read.isdisjoint(_NAMES) and survey.kinds.isdisjoint(_KINDS)
    return plain and _ATTRIBUTES.search(source) is None
