"""A program may give all its sockets a time-out. Those of sessions wait all the same, on both sides."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from codeact import Limits, Policy, Session
from codeact.session import Isolation
from codeact.wire.pairs import socket_pair


@pytest.fixture(autouse=True)
def at_once() -> Iterator[None]:
    """All sockets of this program time out at once."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(1e-9)
    yield
    socket.setdefaulttimeout(before)


def test_both_ends_of_a_pair_wait() -> None:
    ours, theirs = socket_pair()
    with ours, theirs:
        assert [(end.gettimeout(), end.getblocking()) for end in (ours, theirs)] == [(None, True)] * 2


@pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")
@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_a_session_of_a_program_whose_sockets_time_out_waits_for_its_steps(isolation: Isolation) -> None:
    def add(a: int, b: int) -> int:
        """Adds."""
        return a + b

    policy, limits = (
        Policy(imports=["colorsys"]),
        Limits(tool_calls=2_001),
    )  # for which none is kept ready, nor a zygote
    with Session(tools=[add], policy=policy, limits=limits, isolation=isolation) as session:
        assert session.run("for n in range(2_000): total = add(n, 1)\nn = [*range(100_000)]\ntotal").value == 2_000
        if isolation == "caged":
            with session.fork() as copy:
                assert copy.run("n += [add(1, 2)]\nlen(n)").value == 100_001
        assert session.run("len(n)").value == 100_000
