"""Workers and zygotes that die while a session begins."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from codeact import Limits, Policy, Session
from codeact.errors import CageError
from codeact.sandbox import launch, zygotes

KIND = Policy(imports=["colorsys"])  # a zygote of its own


@pytest.fixture
def zygote() -> Iterator[int]:
    """A zygote that keeps no session ready."""
    launch.keep_ready(0)
    with Session(policy=KIND):
        pass
    yield zygotes.for_policy(KIND, frozenset()).pid
    launch.keep_ready(launch.KEPT_READY)


def kill_children(zygote: int, most: int, over: threading.Event) -> None:
    """Kill so many of its children, each as soon as it is there."""
    killed: set[int] = set()
    while len(killed) < most and not over.is_set():
        with suppress(OSError), open(f"/proc/{zygote}/task/{zygote}/children", encoding="ascii") as children:
            for child in {int(word) for word in children.read().split()} - killed:
                os.kill(child, signal.SIGKILL)
                killed.add(child)


@pytest.fixture
def killed(zygote: int) -> Iterator[Callable[[int], None]]:
    """Have the next sessions of this zygote killed while they begin."""
    over, killers = threading.Event(), []

    def kill(most: int) -> None:
        killers.append(threading.Thread(target=kill_children, args=(zygote, most, over)))
        killers[-1].start()

    yield kill
    over.set()
    for killer in killers:
        killer.join()


def test_a_worker_killed_while_it_is_caged_is_replaced_and_loses_no_file(killed: Callable[[int], None]) -> None:
    content = os.urandom(5 << 20)
    killed(2)
    with Session(policy=KIND, files={"a.bin": content}, limits=Limits(value_bytes=8 << 20)) as session:
        assert session.read_file("a.bin") == content


def test_where_each_worker_is_killed_it_is_said_at_last(zygote: int, killed: Callable[[int], None]) -> None:
    killed(1_000)
    with pytest.raises(CageError, match=r"the worker died while its cage was put on.*the last of 4 tries"):
        Session(policy=KIND)

    assert zygotes.for_policy(KIND, frozenset()).pid == zygote
