"""A worker spoken to directly, without a session, and ways to count processes."""

from __future__ import annotations

import gc
import os
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

import msgspec
import pytest

from codeact.limits import Limits, Policy
from codeact.sandbox import launch, zygotes
from codeact.wire import messages
from codeact.wire.frames import host_channel
from codeact.wire.values import unpack

STEP = messages.StepLimits(10_000_000, 10_000, 0, 1_000, 1 << 20)
SECONDS = 20.0
RUNS = b"\x03" + msgspec.msgpack.encode(messages.Output("it runs"))


Found = TypeVar("Found")


class Spoken:
    """A raw worker and its channel."""

    def __init__(self, worker: launch.Worker, *, define: bool = True) -> None:
        self.worker = worker
        self.channel = host_channel(worker.socket)
        if define:
            self.channel.send(messages.Define([], []))

    def begin(self, source: str) -> None:
        self.worker.before_step()
        self.channel.send(messages.Step(source, STEP, backup=True))

    def run_on(self, source: str) -> None:
        """Begin a step that does not end, and wait until it is past its beginning: a state from before it is frozen."""
        self.begin(f"import os\nos.write(3, {RUNS!r})\n{source}")
        while self.channel.receive(SECONDS) != messages.Output("it runs"):
            pass

    def answer(self) -> object:
        while True:
            said = self.channel.receive(SECONDS)
            if not isinstance(said, messages.Output):
                return said

    def run(self, source: str) -> object:
        """The step's value, or what else the worker said."""
        self.begin(source)
        said = self.answer()
        if not isinstance(said, messages.Finished):
            return type(said).__name__
        return said.failure.message if said.failure else unpack(said.value) if said.value is not None else None

    def rewind(self, steps: int) -> object:
        self.channel.send(messages.Rewind(steps))
        return self.answer()

    def fork(self, seed: int | None = None) -> Spoken:
        copy = Spoken(self.worker.fork(lambda: self.channel.send(messages.Fork(seed))), define=False)
        assert isinstance(self.answer(), messages.Done)
        return copy


def until(look: Callable[[], Found]) -> Found:
    """Wait for something that comes soon, and give it."""
    deadline = time.monotonic() + SECONDS
    while not (found := look()):
        assert time.monotonic() < deadline
        time.sleep(0)
    return found


def end_forgotten() -> None:
    """End the sessions nobody holds any more; what is left, above all of libraries, is not gone through next time."""
    gc.collect()
    gc.freeze()


@contextmanager
def none_ready() -> Iterator[None]:
    """Within the block no session is kept ready; the one that was being made is ended too."""
    launch.keep_ready(0)
    reserve = launch._reserve
    until(lambda: not reserve._filling or reserve._changed._waiters)  # type: ignore[attr-defined]  # of a Condition
    try:
        yield
    finally:
        launch.keep_ready(launch.KEPT_READY)


@pytest.fixture(autouse=True)
def none_in_reserve() -> Iterator[None]:
    """Processes are counted here: there are none but those a test asks for, nor any of sessions that were forgotten."""
    end_forgotten()
    with none_ready():
        yield


@pytest.fixture
def speak() -> Iterator[Callable[..., Spoken]]:
    """Start raw workers that are closed at the end; unless it is to be `fresh`, one has run its unprotected first step."""
    started: list[Spoken] = []

    def start(*, policy: Policy | None = None, fresh: bool = False, **options: object) -> Spoken:
        limits = Limits(**{"memory_bytes": 128 << 20, "folder_bytes": 8 << 20, **options})
        spoken = Spoken(launch.start(policy=policy or Policy(), limits=limits, checked=False))
        started.append(spoken)
        if not fresh:
            spoken.run("None")
        return spoken

    yield start
    for spoken in started:
        spoken.worker.close()


def descendants(pid: int) -> list[int]:
    """The living processes below one, zombies not counted."""
    found = []
    children: list[int] = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with (
            suppress(FileNotFoundError, ProcessLookupError),  # a thread that ended meanwhile
            open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file,
        ):
            children += map(int, file.read().split())
    for child in children:
        try:
            with open(f"/proc/{child}/stat", encoding="ascii") as file:
                state = file.read().rpartition(")")[2].split()[0]
            found += ([child] if state != "Z" else []) + descendants(child)
        except (FileNotFoundError, ProcessLookupError):  # gone before it was opened, or before it was read
            continue
    return found


def ended(pid: int, seconds: float = 10.0) -> bool:
    """Whether a process ends within the time."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    waiting = select.poll()
    waiting.register(handle, select.POLLIN)
    try:
        return bool(waiting.poll(seconds * 1000))
    finally:
        os.close(handle)


@pytest.fixture
def zygote_pid() -> Callable[[], int]:
    """The process number of the zygote for the default policy."""
    return lambda: zygotes.for_policy(Policy(), frozenset()).pid


@pytest.fixture
def below() -> Callable[[int], list[int]]:
    return descendants


@pytest.fixture
def has_ended() -> Callable[..., bool]:
    return ended
