"""A step that has used up all memory is told as that, with the line, and not as one whose process died."""

from __future__ import annotations

import pytest

from codeact import Limits, Session

TAKERS = [
    "while True: held.append('x' * 1000)",
    "for n in count(): mapped[n] = 'x' * 1000",
    "while True: queued.append('x' * 1000)",
    "while True: error.add_note('x' * 1000)",
    "while True: held = [held, [0] * 100]",
]
BEFORE = "import collections\nfrom itertools import count\nheld, mapped, queued, error = [], {}, collections.deque(), Exception()\n"


@pytest.mark.parametrize("source", TAKERS)
def test_a_step_that_uses_up_all_memory_in_small_pieces_is_told_as_that(source: str) -> None:
    with Session(limits=Limits(memory_bytes=64 << 20, operations=1 << 60)) as session:
        session.run("kept = 41")
        seen = session.run(BEFORE + source)

        assert seen.failure is not None
        assert (seen.failure.kind, seen.failure.type) == ("limit", "MemoryError")
        assert seen.failure.line in (4, 0)  # 0 where CPython itself found no room for a note of where it was
        assert seen.rolled_back
        assert session.run("kept + 1").value == 42


def test_steps_that_fill_a_session_bit_by_bit_are_told_so_and_it_can_be_read_and_emptied() -> None:
    with Session(limits=Limits(memory_bytes=64 << 20)) as session:
        session.run(f"kept, held, large = 41, [], bytes({44 << 20})")
        steps = 0
        while (seen := session.run("held.append([n for n in range(300, 3000)])\nlen(held)")).ok:
            steps += 1

        assert seen.failure is not None
        assert (seen.failure.kind, seen.failure.type, seen.rolled_back) == ("limit", "MemoryError", True)
        assert session.run("kept, len(held)").value == (41, steps)
        assert session.run("del large\nheld.append([n for n in range(300, 3000)])\nlen(held)").value == steps + 1


def test_a_step_that_goes_on_without_any_memory_is_told_so_where_what_it_left_cannot_even_be_looked_at() -> None:
    with Session(limits=Limits(memory_bytes=32 << 20)) as session:
        session.run("kept = 41\nfor n in range(3000): open(f'{n}', 'w').close()")
        seen = session.run("held = []\ntry:\n    while True: held.append('x' * 1000)\nexcept MemoryError:\n    pass")

        assert seen.failure is not None
        assert (seen.failure.kind, seen.failure.type, seen.rolled_back) == ("limit", "MemoryError", True)
        assert session.run("kept").value == 41


def test_files_are_not_remembered_by_what_the_worker_keeps_for_itself() -> None:
    with Session(limits=Limits(memory_bytes=64 << 20, folder_bytes=64 << 20)) as session:
        session.run("kept = 41")
        seen = session.run("with open('full', 'wb') as file:\n    while True: file.write(bytes(1 << 20))")

        assert seen.failure is not None
        assert (seen.failure.kind, seen.rolled_back) == ("limit", True)
        assert session.run("kept").value == 41


def test_a_session_that_many_small_files_fill_goes_back_to_the_very_state_it_was_in() -> None:
    with Session(limits=Limits(memory_bytes=24 << 20)) as session:
        session.run(f"import time\nbegan, number, large = time.time_ns(), 0, b'x' * {8 << 20}")
        began = session.run("began").value
        write = "for _ in range(1000):\n    number += 1\n    open(f'{number}', 'w').write('x' * 300)"
        while (seen := session.run(write)).ok:
            pass

        assert seen.failure is not None
        assert (seen.failure.kind, seen.rolled_back) == ("limit", True)
        assert session.run("began").value == began
