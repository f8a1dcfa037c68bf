"""Memory of a session is bounded over all its processes, and none of them outlives the step that made it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from codeact import Limits, Policy
from codeact.testing import raw_session
from tests.attacks.cage.conftest import PRELUDE, STEAL
from tests.sandbox.conftest import descendants, none_ready

pytestmark = pytest.mark.slow

BOUND = 128 << 20
SLACK = 64 << 20  # the interpreter's own memory, stacks, and what is taken between two looks
DEADLINE_SECONDS = 20

WRITE = "for n in range(0, len(held), 4096): held[n] = {value}"


@pytest.fixture(autouse=True)
def none_in_reserve() -> Iterator[None]:
    """Processes are counted here: there are none but those a test asks for."""
    with none_ready():
        yield


def taken(pids: list[int]) -> int:
    """Memory of these processes that no file stands behind; what they share counts once."""
    total = 0
    for pid in pids:
        with suppress(OSError), open(f"/proc/{pid}/smaps_rollup") as lines:
            total += sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss_Anon"))
    return total


@pytest.fixture
def taken_here() -> Callable[[], int]:
    """How much all processes below this one have taken since the test began."""
    before = taken(descendants(os.getpid()))
    return lambda: taken(descendants(os.getpid())) - before


def comes_to_hold(claim: Callable[[], bool]) -> bool:
    """Whether something is so, soon."""
    until = time.monotonic() + DEADLINE_SECONDS
    while not (held := claim()) and time.monotonic() < until:
        threading.Event().wait(0.02)
    return held


@pytest.mark.parametrize("checkpoints", [1, 6])
def test_a_session_that_rewrites_its_memory_in_every_step_keeps_to_the_bound(checkpoints, taken_here):
    with raw_session(limits=Limits(memory_bytes=BOUND, checkpoints=checkpoints)) as session:
        assert session.run("held = bytearray(110 << 20)").ok
        for value in range(8):
            seen = session.run(f"import time\nbegan = time.monotonic()\n{WRITE.format(value=value)}\ntime.sleep(0.15)")
            assert seen.ok, seen.failure
        assert comes_to_hold(lambda: taken_here() < BOUND + SLACK)
        assert session.run("held[4096]").value == 7


def test_a_session_that_gave_up_its_states_still_goes_back_by_living_again():
    with raw_session(limits=Limits(memory_bytes=BOUND)) as session:
        session.run("held = bytearray(110 << 20); kept = 'here'")
        seen = session.run(f"{WRITE.format(value=1)}\nimport os, time\ntime.sleep(0.6)\nos._exit(1)")

        assert seen.rolled_back, seen.failure
        assert session.run("kept, held[0]").value == ("here", 0)


def test_memory_hidden_from_the_limits_of_one_process_ends_the_step(attack, taken_here):
    seen = attack(
        "pages = []\n"
        "while True:\n"
        "    page = syscall(mmap, 0, 64 << 20, 3, 0x22, -1, 0)\n"
        "    if page < 0: break\n"
        "    ctypes.memset(page, 1, 64 << 20)\n"
        "    syscall(mprotect, page, 64 << 20, 1)\n"
        "    pages.append(page)\n"
        "time.sleep(3)\n"
        "len(pages)"
    )

    assert seen.rolled_back, seen
    assert taken_here() < BOUND + SLACK


def test_pages_that_lie_far_apart_are_counted_with_the_tables_they_are_found_by():
    # of a zygote of its own: a look at so many places puts off the next one
    limits, apart = Limits(memory_bytes=BOUND), Policy(["colorsys"])
    with raw_session(limits=limits, policy=apart) as session:
        for called in ("python", "RssAnon: 0 kB", "x\\nVmPTE: 0 kB"):
            seen = session.run(
                f"{PRELUDE}libc.prctl(15, b'{called}', 0, 0, 0)\n"
                "for place in range(1 << 33, 1 << 46, 1 << 30):\n"
                "    if syscall(mmap, place, 4096, 1, 0x32, -1, 0) == place: ctypes.string_at(place, 1)\n"
                "time.sleep(3)"
            )

            assert seen.failure is not None, called
            assert seen.failure.kind == "crash", called


def test_a_process_gained_by_burying_the_dead_dies_soon_after_a_step_that_ended_well():
    with raw_session(limits=Limits(memory_bytes=BOUND)) as session:
        for _ in range(2):  # from the second step on there are frozen states
            session.run("1")
        before = len(descendants(os.getpid()))
        seen = session.run(PRELUDE + STEAL.format(child="time.sleep(60)") + "time.sleep(0.5)\n'done'")

        assert seen.value == "done"
        assert session.run("import time; time.sleep(0.3); 'again'").value == "again"
        assert comes_to_hold(lambda: len(descendants(os.getpid())) <= before)
