"""A session that has used up its memory is told so, keeps its state, and can let go of what it holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import msgspec
import pytest

from codeact import Limits, Session
from codeact.errors import UsageError

MIB = 1 << 20


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(limits=Limits(memory_bytes=64 * MIB, checkpoints=3)) as opened:
        opened.run("import time\nbegan, held = time.time_ns(), []\nopen('small', 'w').write('here')")
        yield opened


def test_a_small_file_is_read_where_little_memory_is_left(session: Session) -> None:
    assert session.run(f"held = bytes({20 * MIB})").ok

    assert session.read_file("small") == b"here"


def test_a_file_or_a_value_there_is_no_memory_for_is_said_to_be_that_and_costs_no_state(session: Session) -> None:
    began = session.run("began").value
    session.run(f"open('large', 'w').truncate({30 * MIB})\nheld = bytes({20 * MIB})")

    with pytest.raises(UsageError, match=r"memory_bytes"):
        session.read_file("large")
    with pytest.raises(UsageError, match=r"cannot be bound: .*memory_bytes"):
        session.assign({"more": "x" * (30 * MIB)})

    assert session.run("began").value == began


def test_many_values_are_printed_whose_texts_together_there_is_no_memory_for(session: Session) -> None:
    seen = session.run("line = 'x' * 100_000\nprint(*[line] * 2_000, sep='\\n')\nlen(line)")

    assert seen.value == 100_000
    assert seen.stdout.startswith("x" * 50_000 + "\n… ")


def test_many_values_are_printed_as_they_are_one_by_one(session: Session) -> None:
    printed = session.run("import io\nlines = io.StringIO()\nprint(*range(1_000), sep=', ', end='.', file=lines)")

    assert printed.ok
    assert session.run("lines.getvalue() == ', '.join(map(str, range(1_000))) + '.'").value is True


def test_a_session_with_next_to_no_memory_left_takes_a_step_that_lets_go_of_some(session: Session) -> None:
    for size in (32 * MIB >> halved for halved in range(11)):
        session.run(f"held.append(bytearray({size}))")
    kept = session.run("len(held)").value

    assert isinstance(kept, int)
    assert session.run("held.pop(0)\nlen(held)").value == kept - 1


def test_a_session_that_cannot_even_be_asked_any_more_goes_back(session: Session) -> None:
    while session.run(f"held.append(bytearray({MIB}))").ok:
        pass
    while session.run(f"held.append(bytearray({MIB >> 4}))").ok:
        pass

    session.rewind(3)

    assert session.run("len(held) > 40").value


def test_a_state_that_leaves_next_to_no_memory_is_built_again_where_it_takes_a_little_more(session: Session) -> None:
    while session.run(f"held.append(bytearray({MIB}))").ok:
        pass
    session.assign({"more": "x" * (MIB >> 1)})
    kept = session.run("len(held)").value
    life, limits = session._life, session._life.settings.limits
    less = dataclasses.replace(limits, memory_bytes=limits.memory_bytes - 2 * MIB)
    life.settings = msgspec.structs.replace(life.settings, limits=less)

    life._link.close()

    assert session.run("len(held)").value == kept
    assert session.run(f"held.clear()\nheld.append(bytearray({MIB}))\nlen(more)").value == MIB >> 1
