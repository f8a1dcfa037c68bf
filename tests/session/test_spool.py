"""The log of a long session does not fill the host's memory, and nothing of it is lost."""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Callable, ItemsView
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from codeact import Session
from codeact.journal import Entry
from codeact.records import Described
from codeact.session.spool import Spool
from codeact.wire.parts import CONTAINER, PARTS
from codeact.wire.values import DEPTH, pack, unpack
from tests.full_disk import room_for

SMALL = 4_000

VALUES = (
    1,
    "text \ud83d",
    b"bytes",
    (1, [2.5, None]),
    {"a": {3, 4}},
    dt.date(2024, 2, 29),
    Decimal("1.50"),
    float("inf"),
)


def entries(first: int, last: int) -> list[Entry]:
    return [Entry("call", {"number": number, "result": VALUES[number % len(VALUES)]}) for number in range(first, last)]


def filled(spool: Spool, first: int, last: int) -> None:
    for entry in entries(first, last):
        spool.add(entry)


def test_what_was_moved_to_the_file_comes_back_in_order_and_as_it_was() -> None:
    spool = Spool()
    filled(spool, 0, 50)
    spool.relieve(1 << 30)
    filled(spool, 50, 60)
    assert spool._recent == entries(50, 60)
    assert list(spool) == entries(0, 60)
    spool.relieve(1 << 40)
    filled(spool, 60, 61)
    assert list(spool) == entries(0, 61)
    spool.close()


def test_a_copy_of_a_spool_goes_its_own_way() -> None:
    spool = Spool()
    filled(spool, 0, 10)
    spool.relieve(1 << 30)
    copy = spool.copied()
    filled(copy, 10, 12)
    copy.relieve(1 << 31)
    filled(spool, 10, 11)
    assert (list(spool), list(copy)) == (entries(0, 11), entries(0, 12))
    spool.close()
    assert list(copy) == entries(0, 12)
    copy.close()


def test_where_the_disk_is_full_nothing_is_lost() -> None:
    spool = Spool()
    filled(spool, 0, 40)
    with room_for(SMALL):
        spool.relieve(1 << 30)
        assert not spool._recent
        filled(spool, 40, 400)
        spool.relieve(1 << 40)
        assert spool._recent == entries(40, 400)
    with room_for(SMALL // 2):
        copy = spool.copied()
        assert copy._file is None
    filled(spool, 400, 401)
    filled(copy, 400, 402)
    assert (list(spool), list(copy)) == (entries(0, 401), entries(0, 402))
    spool.relieve(1 << 50)
    assert not spool._recent
    assert list(spool) == entries(0, 401)
    spool.close()


def test_without_a_place_for_files_the_log_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    spool = Spool()
    filled(spool, 0, 10)
    spool.relieve(1 << 30)
    assert list(spool) == entries(0, 10)


def test_reading_that_is_given_up_half_way_loses_nothing_that_is_moved_later() -> None:
    spool = Spool()
    filled(spool, 0, 10)
    spool.relieve(1 << 30)
    reading = iter(spool)
    assert next(reading) == entries(0, 1)[0]
    reading.close()
    filled(spool, 10, 20)
    spool.relieve(1 << 40)
    assert list(spool) == entries(0, 20)
    spool.close()


class Interrupted(dict[str, int]):
    """The fields of an entry, at the first reading of which Ctrl-C comes."""

    come = False

    def items(self) -> ItemsView[str, int]:  # type: ignore[override]  # that of a dict has a type of its own
        if not self.come:
            self.come = True
            raise KeyboardInterrupt
        return dict(self).items()


def test_moving_that_is_interrupted_leaves_each_entry_there_once() -> None:
    spool = Spool()
    filled(spool, 0, 10)
    spool.add(Entry("call", Interrupted(number=10)))
    with pytest.raises(KeyboardInterrupt):
        spool.relieve(1 << 30)
    assert [entry.kind for entry in spool] == ["call"] * 11
    spool.relieve(1 << 40)
    assert list(spool) == [*entries(0, 10), Entry("call", {"number": 10})]
    spool.close()


def test_little_stays_in_memory() -> None:
    spool = Spool()
    filled(spool, 0, 10)
    spool.relieve(1000)
    assert spool._file is None


@dataclass
class Order:
    """What a tool may return."""

    number: int


def test_what_was_moved_to_the_file_keeps_its_type() -> None:
    spool = Spool()
    values = [Order(1), dt.timedelta.max, dt.datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1)]
    spool.add(Entry("call", {"result": values}))
    spool.relieve(1 << 30)
    assert not spool._recent
    order, *times = next(iter(spool))["result"]
    assert repr([order, *times]) == repr(values)
    spool.close()


def of_all_the_depth_there_is() -> Any:
    value: Any = 1
    for _ in range(DEPTH + 1):
        value = [value]
    return unpack(value)


def of_all_the_parts_there_are() -> Any:
    return unpack(pack([1.5] * (PARTS - CONTAINER)))


@pytest.mark.parametrize("make", [of_all_the_depth_there_is, of_all_the_parts_there_are])
def test_what_just_so_crossed_is_moved_to_the_file_as_it_is(make: Callable[[], Any]) -> None:
    spool = Spool()
    arguments = {"x": make()}
    spool.add(Entry("call", {"arguments": arguments}))
    spool.relieve(1 << 30)
    assert not spool._recent
    assert next(iter(spool))["arguments"] == arguments
    spool.close()


def test_what_cannot_cross_again_keeps_nothing_in_memory() -> None:
    spool = Spool()
    spool.add(Entry("call", {"result": slice(1), "arguments": {"a": object(), "b": 1}}))
    filled(spool, 0, 10)
    spool.relieve(1 << 30)
    assert not spool._recent
    first, *others = spool
    assert (type(first["result"]), type(first["arguments"]["a"]), first["arguments"]["b"]) == (Described, Described, 1)
    assert others == entries(0, 10)
    spool.close()


def test_a_session_whose_log_was_moved_out_is_saved_and_built_again(tmp_path: Path) -> None:
    def load(n: int) -> str:
        """Gives much text."""
        return str(n) * (6 << 20)

    with Session(tools=[load]) as session:
        for step in range(4):
            session.run(f"x{step} = len(load({step}))")
        assert session._life.log._entries._file is not None
        session.save(tmp_path / "large.session")
    with Session.resume(tmp_path / "large.session", tools=[load]) as again:
        assert again.run("x0 + x1 + x2 + x3").value == 4 * (6 << 20)
