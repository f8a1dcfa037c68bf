"""Numbers with settings of one session alone: decimal contexts, a random generator."""

from __future__ import annotations

from typing import Any

from codeact.snippet.modules.row import Room
from codeact.snippet.words import words

_DRAWS = words(
    """
    random uniform triangular randint choice randrange sample shuffle choices normalvariate lognormvariate
    expovariate vonmisesvariate gammavariate gauss betavariate binomialvariate paretovariate weibullvariate getstate
    setstate getrandbits randbytes seed
    """
)


def contexts(room: Room) -> dict[str, Any]:
    """Give the session its own decimal contexts; steps run in a `contextvars` context that keeps the one set here."""
    import decimal

    decimal.setcontext(decimal.Context(prec=28))
    named = ("BasicContext", "DefaultContext", "ExtendedContext")
    return {name: getattr(decimal, name).copy() for name in named}


def generator(room: Room) -> dict[str, Any]:
    """Draw from a generator of this session, seeded by the session's seed where it has one."""
    import random

    own = random.Random(room.settings.get("seed"))  # noqa: S311  # what the module random is for
    return {name: getattr(own, name) for name in _DRAWS if hasattr(own, name)}
