"""What counts as the same where something is lived again: values that cross alike, texts but for addresses in memory.

Texts name an address where nothing better is known; it differs each time, and says nothing.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import msgspec

from codeact.wire.parts import Uncrossable
from codeact.wire.values import DEPTH, UNBOUNDED, pack

_ALL = UNBOUNDED._replace(depth=2 * DEPTH, parts=UNBOUNDED.nodes)  # each value was counted when it came
_ADDRESS = re.compile(r"(?<= at )0x[0-9a-f]+|0x[0-9a-f]{6,}")  # the end of a bounded text may be in the middle of one


def without_addresses(text: str) -> str:
    """Give a text without the addresses in it."""
    return _ADDRESS.sub("0x…", text) if "0x" in text else text


def are_alike(one: Any, other: Any) -> bool:
    """Whether two recorded values are equal or cross as the same, as two NaN do."""
    with suppress(Exception):  # arrays and tables do not say whether they are equal
        if one == other:
            return True
    with suppress(Uncrossable):  # no honest worker sends such a value
        return _crossing(one) == _crossing(other)
    return False


def are_said_again(recorded: Any, made: Any) -> bool:
    """Whether arguments are those of a recorded call: alike but for addresses in memory, as texts of functions have."""
    if are_alike(recorded, made):
        return True
    with suppress(Uncrossable):
        here, there = (_crossing(value).decode("latin-1") for value in (made, recorded))
        return without_addresses(here) == without_addresses(there)
    return False


def _crossing(value: Any) -> bytes:
    return msgspec.msgpack.encode(pack(value, _ALL))
