"""Whatever a worker says, the host survives, and the step ends with an observation that says how."""

from __future__ import annotations

import random

import pytest

from tests.session.hostile import PACKETS, heard, packets


def listened_to(workers: int) -> set[str]:
    """The ends of so many workers' steps; each has one, and a reason where it was not a proper one."""
    ends = set()
    for number in range(workers):
        serving, seen = heard(packets(random.Random(number)))
        assert serving.error is None, (number, serving.error)
        assert serving.end is not None, number
        assert seen.ok or seen.failure is not None, number
        if serving.end == "broke the protocol":
            assert seen.failure is not None, number
            assert "broke the protocol" in seen.failure.message, number
        ends.add(serving.end)
    return ends


def test_twenty_thousand_packets_of_a_hostile_worker() -> None:
    assert listened_to(20_000 // PACKETS) == {"finished", "rolled back", "died", "broke the protocol"}


@pytest.mark.slow
def test_a_million_packets_of_a_hostile_worker() -> None:
    listened_to(1_000_000 // PACKETS)
