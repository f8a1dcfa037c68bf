"""The generators of numpy: they are set up, and what is read of them next is inside of them.

A state says how many of the numbers worked out in advance are used up, and numpy believes it: with -50 the next numbers
are what the memory before the generator holds.
"""

from __future__ import annotations

import operator
import sys
from typing import Any

from codeact.snippet import library_texts, ownership, special
from codeact.snippet.patches import put_on
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
