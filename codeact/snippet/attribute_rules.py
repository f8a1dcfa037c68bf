"""Decides by its name alone how an attribute may be read, stored, defined or matched."""

from __future__ import annotations

import functools
from typing import Literal

from codeact.snippet import lent_memory, library_methods, names, ownership, sparse_places
from codeact.snippet.endings import AttributeRefused
from codeact.snippet.words import words

Kind = Literal["free", "private", "special", "walked", "refused"]

_EVALUATED = words("evaluate_value evaluate_bound evaluate_constraints evaluate_default")  # from Python 3.14 on

#: Public names with an answer of their own, and why.
SPECIAL_NAMES: dict[str, str] = {
    "format": "the text may name attributes: they follow the same rules",
    "format_map": "the text may name attributes: they follow the same rules",
    "mro": "only of a class of your own",
    "obj": "of an exception it can be an object of a library's inside",
    "raw": "of an open file it is the unguarded file below",
    "detach": "of an open file it is the unguarded file below",
    **dict.fromkeys(("parser", "ntpath"), "of a path it is a module"),
    **dict.fromkeys(("content_manager", "header_factory"), "of a policy of email it is one for all messages"),
    "zip": "of an archive of arrays it is an unguarded archive",
    "fields": "a copy of the table of numpy's dtypes",
    "metadata": "a copy of the table of a dataclass's field, or of numpy's dtypes",
    "groupindex": "a copy of the table of a compiled pattern",
    **dict.fromkeys(("cssclasses", "cssclasses_weekday_head"), "a copy of the list of a library's class"),
    "unicode_whitespace_trans": "a copy of the table of a library's class",
    **dict.fromkeys(("funcs", "ordering"), "of what sympy chooses a function by, a copy"),
    "default_assumptions": "a copy of the table of a class of sympy's",
    "_field_defaults": "a copy of the table of a library's named tuple",
    **dict.fromkeys(("fget", "fset", "fdel"), "of a library's property it takes instances of the class it is of"),
    **dict.fromkeys(_EVALUATED, "of a type alias or variable it works out what may be withheld"),
    **dict.fromkeys(("utcoffset", "dst", "tzname"), "of a zone it takes a time, and reads anything else as one"),
    "get_stack": "of a task they are frames",
    "print_stack": "of a task it writes to the host's standard error",
    "get_loop": "an event loop reaches the network",
    "validator": "of an adapter of pydantic it sets up any object",
    "core_schema": "of an adapter of pydantic it is what machine code believes",
    **library_methods.NAMES,
    **lent_memory.NAMES,
}


@functools.lru_cache(maxsize=4096)
def attribute_kind(name: str) -> Kind:
    """How `x.name` is decided: before the program runs, or by which of the hooks while it runs."""
    if name in sparse_places.NAMES:
        sparse_places.say()
    if name in names.REFUSED_NAMES:
        return "refused"
    if name == "__mro__":
        return "walked"
    if name in names.GUARDED_DUNDERS or name in SPECIAL_NAMES:
        return "special"
    if not name.startswith("_") or name in names.FREE_DUNDERS:
        return "free"
    if name.startswith("__") and name.endswith("__"):
        return "refused"
    return "private"


def refused_attribute(name: str) -> str | None:
    """Why `x.name` is refused whatever `x` is; None where it may be said."""
    if attribute_kind(name) != "refused":
        return None
    return names.REFUSED_NAMES.get(name, "it leads into the interpreter")


@functools.lru_cache(maxsize=4096)
def refused_store(name: str) -> str | None:
    """Why `x.name = …` and `del x.name` are refused whatever `x` is; None where they may be said."""
    if not name.startswith("__") or not name.endswith("__"):
        return refused_attribute(name)
    return None if name in names.STORED_DUNDERS else "a special name may not be assigned from outside its class"


def exactly(name: object) -> str:
    """A computed name as a `str` and nothing else: one of a class built on it could answer for itself."""
    if type(name) is str:
        return name
    line = ownership.mro_of(type(name))
    if str not in line:
        raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
    for asked in ("__hash__", "__eq__"):
        if next(base for base in line if asked in ownership.class_dict(base)) is not str:
            raise TypeError(f"attribute name must be exactly a string, not a {type(name).__name__!r} with an {asked}")
    return str.__str__(name)


def refused_definition(name: str) -> str | None:
    """Why a class body may not define `name`; None where it may."""
    if name in names.REFUSED_DEFINITIONS:
        return names.REFUSED_DEFINITIONS[name]
    if not name.startswith("__") or not name.endswith("__") or name in names.DEFINABLE:
        return None
    return "it is not among the special methods of the language"


def refused_pattern(name: str) -> str | None:
    """Why `case Class(name=…)` is refused; None where it may be said."""
    if attribute_kind(name) == "free":
        return None
    return refused_attribute(name) or f"a pattern cannot ask for it; match the object and then read .{name}"


def refusal(subject: object, name: str, why: str) -> AttributeRefused:
    """The error a refused attribute raises; it does not carry the object."""
    kind = ownership.class_of(subject).__name__
    return AttributeRefused(f"{kind}.{name} is refused: {why}")
