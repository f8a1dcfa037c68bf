"""Which of two ways to wait for a message is kept: looking before sleeping, or sleeping at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeact.wire.looking import NEVER, Looking

MICROSECOND = 1e-6


def waited(looking: Looking, *, look: float, sleep: float, messages: int) -> list[bool]:
    """Wait for so many messages, of which each way takes so many microseconds; which way it was each time."""
    ways = []
    for _ in range(messages):
        ways.append(looking.looks)
        if looking.kept:
            looking.kept -= 1
        else:
            looking.took((look if looking.looks else sleep) * MICROSECOND)
    return ways


@pytest.mark.parametrize("begins_by_looking", [True, False])
@pytest.mark.parametrize(("look", "sleep", "kept"), [(20, 40, True), (40, 20, False)])
def test_the_quicker_way_is_kept_whichever_was_first(
    begins_by_looking: bool, look: float, sleep: float, kept: bool
) -> None:
    ways = waited(Looking(looks=begins_by_looking), look=look, sleep=sleep, messages=1000)
    before = 192 if begins_by_looking else 0

    assert ways[: before + 128] == [begins_by_looking] * (before + 64) + [not begins_by_looking] * 64
    assert set(ways[before + 128 :]) == {kept}


def test_two_sides_that_each_gain_by_looking_both_look_before_long() -> None:
    host, worker = Looking(looks=False), Looking(looks=True)
    for _ in range(1_000):
        woken = 8 * (not host.looks) + 8 * (not worker.looks)
        waited(host, look=10 + woken, sleep=10 + woken, messages=1)
        waited(worker, look=20 + woken, sleep=20 + woken, messages=1)

    assert (host.looks, worker.looks) == (True, True)


def test_looking_has_to_be_quicker_by_a_tenth() -> None:
    assert waited(Looking(looks=False), look=37, sleep=40, messages=200)[-1] is False
    assert waited(Looking(looks=False), look=35, sleep=40, messages=200)[-1] is True


def test_for_what_takes_long_it_sleeps() -> None:
    assert waited(Looking(looks=False), look=5_000, sleep=9_000, messages=200)[-1] is False


def test_what_has_changed_is_found_out_before_long() -> None:
    looking = Looking(looks=False)
    waited(looking, look=20, sleep=40, messages=1_000)
    later = waited(looking, look=40, sleep=20, messages=2_000)

    assert (later[0], later[-1]) == (True, False)


def found(looking: Looking, comes: Iterator[bool]) -> list[str]:
    """Receive once for each, which says whether what comes is there to be found by looking; how it was each time."""
    ways = []
    for is_there in comes:

        def look(is_there: bool = is_there) -> str:
            if is_there:
                return "looked"
            raise BlockingIOError

        ways.append(looking.receive(look, lambda: "slept"))
    return ways


def test_what_was_looked_for_in_vain_again_and_again_is_slept_for_a_while() -> None:
    looking = Looking(looks=True, times=3, tries=10, in_vain=4)

    assert found(looking, iter([True, False, False, False, True])) == ["looked", *["slept"] * 3, "looked"]
    assert looking.looks  # three times in a row are not often
    assert found(looking, iter([False] * 4)) == ["slept"] * 4
    assert found(looking, iter([True] * 23)) == [*["slept"] * 20, *["looked"] * 3]  # a while, and a trial
    assert found(looking, iter([False] * 4)) == ["slept"] * 4
    assert found(looking, iter([True] * 33)) == [*["slept"] * 30, *["looked"] * 3]  # twice the while, and a trial


def test_it_is_looked_for_as_often_as_was_said() -> None:
    looks = []

    def look() -> str:
        looks.append(1)
        raise BlockingIOError

    assert Looking(looks=True, times=7).receive(look, lambda: "slept") == "slept"
    assert len(looks) == 7


def test_some_is_never_looked_for() -> None:
    assert found(NEVER, iter([True] * 5_000)) == ["slept"] * 5_000
