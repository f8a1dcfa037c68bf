"""Numbers with settings of one session alone: decimal contexts, a random generator."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from codeact.snippet import asked_classes
from codeact.snippet.modules import decimals
from codeact.snippet.modules.row import Room
from codeact.snippet.patches import guarded
from codeact.snippet.rules import COUNTED
from codeact.snippet.words import words

DRAWS = words(
    """
    random uniform triangular randint choice randrange sample shuffle choices normalvariate lognormvariate
    expovariate vonmisesvariate gammavariate gauss betavariate binomialvariate paretovariate weibullvariate getstate
    setstate getrandbits randbytes seed
    """
)
#: Functions of statistics that tell of which class the numbers are.
TELLING = words("_sum _ss")

CONTEXTS = words("BasicContext DefaultContext ExtendedContext")
SURROUNDING = "localcontext"

SEED = "seed"
_GENERATORS = "generators"


def reseed(settings: dict[str, Any], seed: int) -> None:
    """Let all that draws from a session's seed draw from this one."""
    settings[SEED] = seed
    for place, own in enumerate(settings.get(_GENERATORS, ())):
        own.seed(seed + place)


def contexts(room: Room) -> dict[str, Any]:
    """Give the session its own decimal contexts; steps run in a `contextvars` context that keeps the one set here."""
    import decimal

    decimals.guard()
    decimal.setcontext(decimal.Context(prec=28))
    bounded = guarded(decimal.localcontext, decimals.surrounding)
    return {SURROUNDING: bounded, **{name: getattr(decimal, name).copy() for name in CONTEXTS}}


def generator(room: Room) -> dict[str, Any]:
    """Draw from a generator of this session, seeded by the session's seed where it has one."""
    import random

    seed, others = room.settings.get(SEED), room.settings.setdefault(_GENERATORS, [])
    own = random.Random(None if seed is None else seed + len(others))  # noqa: S311  # what the module random is for
    others.append(own)  # a skill draws from one of its own
    return {name: getattr(own, name) for name in DRAWS if hasattr(own, name)}


def totals(room: Room) -> dict[str, Any]:
    """Sums, with what stands for the class of what was added up: a class may say that it is a number."""
    import statistics

    return {name: _telling(getattr(statistics, name)) for name in TELLING}


def _telling(function: Callable[..., Any]) -> Callable[..., Any]:
    def total(*arguments: Any, **keywords: Any) -> Any:
        kind, *rest = function(*arguments, **keywords)
        return (asked_classes.shown(kind), *rest)

    functools.update_wrapper(total, function, updated=())
    del total.__wrapped__  # type: ignore[attr-defined]  # what update_wrapper leaves, and nobody may ask for
    setattr(total, COUNTED, function)
    return total
