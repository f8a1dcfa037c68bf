"""Sessions kept ready: handed out once, as asked for, gone when nobody asks."""

from __future__ import annotations

import os
import resource
import threading
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from codeact.limits import Limits, Policy
from codeact.sandbox import launch, zygotes
from codeact.sandbox import reserve as reserve_
from codeact.sandbox.reserve import Reserve
from tests.sandbox.conftest import until

pytestmark = pytest.mark.slow


@dataclass
class Counted:
    """Something to keep, and whether it was ended."""

    kind: str
    fit: bool = True
    closed: threading.Event = field(default_factory=threading.Event)

    def close(self) -> None:
        self.closed.set()


class Shop:
    """Makes what a reserve asks for, and says when."""

    def __init__(self) -> None:
        self.made: list[Counted] = []
        self.enough = threading.Semaphore(0)

    def make(self, kind: str) -> Counted:
        self.made.append(Counted(kind))
        self.enough.release()
        return self.made[-1]


@pytest.fixture
def shop() -> Shop:
    return Shop()


def taken(reserve: Reserve[str, Counted], kind: str) -> Counted:
    found = until(lambda: reserve.take(kind))
    assert found is not None
    return found


def test_nothing_is_kept_for_a_program_that_asks_once(shop):
    reserve = Reserve(shop.make, most=2)

    assert reserve.take("a") is None
    assert shop.made == []


def test_what_is_asked_for_again_is_kept_ready_and_handed_out_once(shop):
    reserve = Reserve(shop.make, most=2)
    found = [taken(reserve, "a") for _ in range(5)]

    assert len({id(one) for one in found}) == 5


def test_the_one_made_last_is_handed_out_first(shop):
    reserve = Reserve(shop.make, most=0)
    earlier, later = Counted("a"), Counted("a")
    reserve._shelves["a"] = reserve_._Shelf([earlier, later])

    assert reserve.take("a") is later
    assert reserve.take("a") is earlier


def test_one_that_died_while_it_waited_is_not_handed_out(shop):
    reserve = Reserve(shop.make, most=1)
    taken(reserve, "a")
    shop.enough.acquire()
    assert shop.enough.acquire(timeout=10)
    dead = shop.made[-1]
    dead.fit = False

    assert taken(reserve, "a") is not dead


def test_kinds_asked_for_long_ago_are_ended(shop):
    reserve = Reserve(shop.make, most=1)
    taken(reserve, "old")
    for number in range(5):
        reserve.take(str(number))

    assert all(one.closed.wait(10) for one in shop.made[1:] if one.kind == "old")


@pytest.mark.parametrize(("misses", "kept"), [(2, 3), (3, 4), (20, 6)])
def test_more_are_kept_of_what_is_asked_for_faster_than_it_is_made(shop, misses, kept):
    may_make = threading.Semaphore(0)

    def make(kind: str) -> Counted:
        may_make.acquire()
        return shop.make(kind)

    reserve = Reserve(make, most=6)
    for _ in range(misses):
        assert reserve.take("a") is None
    may_make.release(100)
    for _ in range(kept):
        assert shop.enough.acquire(timeout=10)

    assert not shop.enough.acquire(timeout=0.05)


def test_the_next_is_not_made_at_once_unless_none_is_left(shop, monkeypatch):
    monkeypatch.setattr(reserve_, "_HEAD_START_SECONDS", 60.0)
    reserve = Reserve(shop.make, most=2)
    taken(reserve, "a")
    for _ in range(2):
        assert shop.enough.acquire(timeout=10)
    assert not shop.enough.acquire(timeout=0.05)

    taken(reserve, "a")
    assert shop.enough.acquire(timeout=10)


def test_those_that_wait_are_ended_where_no_more_can_be_made(shop):
    allowed = threading.Semaphore(1)
    reserve = Reserve(lambda kind: shop.make(kind) if allowed.acquire(blocking=False) else None, most=3)
    reserve.take("a")
    with reserve._changed:
        reserve._shelves["a"].missed = 3
    reserve.take("a")
    assert shop.enough.acquire(timeout=10)

    assert shop.made[0].closed.wait(10)


def test_emptying_it_ends_all_that_wait(shop):
    reserve = Reserve(shop.make, most=1)
    taken(reserve, "a")
    shop.enough.acquire()
    assert shop.enough.acquire(timeout=10)
    reserve.most = 0
    reserve.empty()

    assert shop.made[-1].closed.wait(10)


def test_a_session_out_of_the_reserve_has_the_limits_it_was_asked_for_with(below):
    launch.keep_ready(1)
    kinds = [Limits(memory_bytes=64 << 20), Limits(memory_bytes=96 << 20)]
    for limits in kinds * 4:
        with launch.start(policy=Policy(), limits=limits) as worker:
            detail = next(wall.detail for wall in worker.walls if wall.name == "limits")
            most = next(wall.detail for wall in worker.walls if wall.name == "processes")
            assert most == "3 at most"
            assert detail.startswith("13 rlimits")
    launch.keep_ready(0)


def test_those_kept_ready_give_way_where_nothing_else_is_left():
    launch.keep_ready(0)
    launch.start(policy=Policy(), limits=Limits()).close()  # has a zygote started
    kind = launch._Kind(Policy(), frozenset(), checked=True, memory_bytes=64 << 20, folder_bytes=1 << 20, checkpoints=1)
    kept = [ready for _ in range(2) if (ready := launch._made_ready(kind))]
    launch._reserve._shelves[kind] = reserve_._Shelf(kept)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard))
    used_up: list[int] = []
    try:
        with suppress(OSError):
            while True:
                used_up.append(os.dup(0))
        launch.start(policy=Policy(), limits=Limits()).close()
    finally:
        for descriptor in used_up:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert [worker.socket.fileno() for worker in kept] == [-1, -1]


def test_a_zygote_that_dies_takes_its_ready_sessions_with_it_and_nobody_notices(has_ended):
    launch.keep_ready(1)
    for _ in range(4):
        launch.start(policy=Policy(), limits=Limits()).close()
    zygote = zygotes.for_policy(Policy(), frozenset())
    zygote._kill()
    assert has_ended(zygote.pid)

    with launch.start(policy=Policy(), limits=Limits()) as worker:
        assert worker.fit
