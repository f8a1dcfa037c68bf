"""The generators of numpy: they are set up, and what is read of them next is inside of them.

A state says how many of the numbers worked out in advance are used up, and numpy believes it: with -50 the next numbers
are what the memory before the generator holds. So it is with what a sequence of seeds gives: where that is shorter than
asked for, the numbers are made of what lies behind it. And where it is given what is no source of numbers, it lets go
of the one it has before it says so, and draws from it all the same.
"""

from __future__ import annotations

import functools
import operator
import sys
import types
import weakref
from typing import Any

from codeact.snippet import library_texts, ownership, special
from codeact.snippet.defects import INIT, put
from codeact.snippet.endings import CallRefused
from codeact.snippet.patches import patch, put_on
from codeact.snippet.running import in_a_snippet

#: Generator → where its state says how many numbers are used up, and how many there are at most.
_USED: dict[str, tuple[tuple[str, ...], int]] = {"MT19937": (("state", "pos"), 624), "Philox": (("buffer_pos",), 4)}

#: What numpy takes its numbers from: made past its own `__init__`, it has none, and nobody looks.
_EMPTY = ("BitGenerator", "MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")


def close() -> None:
    """Have generators look at the states that snippets give them, where numpy.random is there by now."""
    if (numbers := sys.modules.get("numpy.random")) is None:
        return
    special.final.update(getattr(numbers, name) for name in _EMPTY)
    for name in _USED:
        cls = getattr(numbers, name)
        if type(state := ownership.class_dict(cls)["state"]) is not property:
            put_on(cls, "state", _checked(state, name))
    patch(numbers, "set_bit_generator", _drawing)
    if type(real := ownership.class_dict(numbers.BitGenerator)["__init__"]) is types.WrapperDescriptorType:
        put_on(numbers.BitGenerator, "__init__", _seeded(real, numbers.SeedSequence))
        for cls, told in ((numbers.Generator, _source), (numbers.RandomState, _source_or_seed)):
            put(cls, {"__init__": _set_up(ownership.class_dict(cls)["__init__"], told)}, INIT)


def _source(given: Any) -> Any:
    if special.is_final(type(given)) and ownership.module_of(type(given)).startswith("numpy.random."):
        return given
    raise ValueError("Invalid bit generator. The bit generator must be instantiated.")  # in numpy's words


def _source_or_seed(given: Any) -> Any:
    """What numpy tells by an attribute, which an object of a snippet's may come to have."""
    cls = type(given)
    if cls in weakref.ProxyTypes or ownership.is_own_class(cls):
        return operator.index(given) if hasattr(cls, "__index__") else list(given)
    return _source(given) if hasattr(given, "capsule") else given


def _drawing(real: Any) -> Any:
    def set_bit_generator(bitgen: Any) -> None:
        real(_source(bitgen))

    return set_bit_generator


def _set_up(real: Any, told: Any) -> Any:
    @functools.wraps(real)
    def __init__(generator: Any, /, *given: Any, **named: Any) -> None:
        real(generator, *map(told, given), **{name: told(each) for name, each in named.items()})

    return __init__


def _seeded(real: Any, sequence: Any) -> Any:
    """What sets a generator up: it asks a sequence for numbers and reads as many as it asked for."""

    every = sys.modules[sequence.__module__].ISeedSequence

    @functools.wraps(real)
    def __init__(generator: Any, seed: Any = None) -> None:
        if in_a_snippet() and ownership.module_of(type(seed)) != sequence.__module__:
            if isinstance(seed, every):
                raise CallRefused("a generator takes no sequence of seeds of your own; use np.random.SeedSequence(…)")
            seed = sequence(seed)
        real(generator, seed)

    return __init__


def _checked(real: Any, name: str) -> property:
    def state(generator: Any, value: Any) -> None:
        real.__set__(generator, _inside(value, name) if in_a_snippet() else value)

    return property(real.__get__, state, doc=real.__doc__)


def _inside(value: Any, name: str) -> Any:
    """The state in plain containers, which say the same each time; ValueError where it is none."""
    plain = holder = _plain(value)
    (*outer, last), most = _USED[name]
    for key in outer:
        holder = holder.get(key) if type(holder) is dict else None
    if type(holder) is dict and last in holder:
        holder[last] = used = operator.index(holder[last])
        if not 0 <= used <= most:
            raise ValueError(f"{last} of a {name} is from 0 to {most}, not {used}")
    return plain


def _plain(value: Any) -> Any:
    if dict not in ownership.mro_of(type(value)):
        return value
    return {library_texts.exact(key, "the name of a part"): _plain(part) for key, part in dict.items(value)}
