"""What is packed at the greatest depth there is arrives, whatever it lies in; what is forged beyond it does not."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import msgspec
import pandas as pd
import pytest

from codeact import Session
from codeact.errors import ProtocolError
from codeact.wire.parts import TooMuch
from codeact.wire.plain import record_class
from codeact.wire.scan import refuse_costly
from codeact.wire.values import DEPTH, pack, unpack
from tests.wire.test_keys import Place

WRAPPINGS: dict[str, Callable[[Any], Any]] = {
    "lists": lambda inner: [inner],
    "tuples": lambda inner: (inner,),
    "dicts": lambda inner: {"a": inner},
    "dicts of numbers": lambda inner: {1: inner},
    "keys": lambda inner: frozenset([inner]),
    "rows": lambda inner: [{"a": inner}, *[{"a": 1}] * 40],
    "records": lambda inner: record_class("Made", ("a",))(a=inner),
    "frozen ones": lambda inner: Place(1, inner),
    "queues": lambda inner: collections.deque([inner]),
    "series": lambda inner: pd.Series([inner, 1], dtype=object, name=("a", 1)),
    "frames": lambda inner: pd.DataFrame({"a": pd.Series([inner, 1], dtype=object)}),
    "objects": lambda inner: pd.Series([inner, 1], dtype=object).to_numpy(),
}
LEAVES = [1, 1 << 70, pd.Timestamp("2020-01-01"), pd.Timedelta(1)]


@pytest.mark.parametrize("wrap", WRAPPINGS.values(), ids=WRAPPINGS)
@pytest.mark.parametrize("leaf", LEAVES, ids=repr)
def test_what_can_be_packed_is_not_too_deep_to_be_unpacked(wrap: Callable[[Any], Any], leaf: object) -> None:
    value = leaf
    for _ in range(2 * DEPTH):
        value, inner = wrap(value), value
        try:
            pack(value)
        except TooMuch:
            break
    frame = msgspec.msgpack.encode(pack(inner))
    refuse_costly(memoryview(frame))
    unpack(msgspec.msgpack.decode(frame))
    with pytest.raises(TooMuch, match="nested deeper"):
        pack(wrap(inner))


@pytest.mark.parametrize("tag", ["tuple", "series", "timestamp", "fraction", "record", "index", "rows"])
def test_what_is_forged_too_deep_is_refused(tag: str) -> None:
    tree: Any = 1
    for _ in range(DEPTH + 3):
        tree = {0: tag, 1: [tree] if tag in ("tuple", "rows") else tree, 2: [["a", tree]], 3: [tree]}
    with pytest.raises(ProtocolError):
        unpack(tree)


def test_a_tuple_in_a_hundred_others_costs_no_session() -> None:
    with Session() as session:
        seen = session.run("x = 1\nfor _ in range(100):\n    x = (x,)\nx")
        assert (seen.ok, str(seen.value)) == (True, "(" * 100 + "1" + ",)" * 100)
        assert session.run("x = (x,)\nx").ok
