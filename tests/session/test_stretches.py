"""Short steps that come to the same each time share one frozen state: what is undone is run again from there."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from codeact import Limits, Policy, Session
from codeact.errors import UsageError
from codeact.records import SkillSource
from codeact.sandbox import zygotes
from codeact.session import stretch
from codeact.session.stretch import _MOST_STEPS
from tests.sandbox.conftest import descendants
from tests.session.parts import interrupted_once, until, with_hours
from tests.session.steadiness import STEADY, UNSTEADY

pytestmark = pytest.mark.usefixtures("nothing_in_reserve")

ENDLESS = Limits(operations=10**12, wall_seconds=20)


@pytest.fixture
def called() -> list[int]:
    return []


@pytest.fixture
def session(called: list[int]) -> Iterator[Session]:
    def double(number: int) -> int:
        """Twice the number."""
        called.append(number)
        return 2 * number

    with with_hours(double, limits=ENDLESS) as session:
        session.run("kept = [1]")
        yield session


def processes(session: Session) -> list[int]:
    """The living processes of the only session there is: who runs its steps, and its states."""
    return sorted(descendants(zygotes.for_policy(Policy(), frozenset()).pid))


def freezes(session: Session, code: str = "None") -> bool:
    """Whether a state is frozen before this step."""
    before = processes(session)
    session.run(code)
    return processes(session) != before


@pytest.mark.parametrize("code", STEADY.values(), ids=STEADY)
def test_a_steady_step_needs_no_state_after_it(session: Session, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretch, "_MOST_SECONDS", 60.0)  # a busy machine takes long over what is short
    assert not freezes(session, code)
    assert not freezes(session)


@pytest.mark.parametrize("code", UNSTEADY.values(), ids=UNSTEADY)
def test_before_the_step_after_any_other_one_a_state_is_frozen(session: Session, code: str) -> None:
    session.run(code)

    assert freezes(session)


def test_what_could_be_reached_once_is_in_reach_for_ever(session: Session) -> None:
    session.run("import os\nhere = os.getcwd")
    session.run("x = 1")

    assert freezes(session)


def test_after_so_many_steps_a_state_is_frozen(session: Session) -> None:
    frozen = [freezes(session) for _ in range(2 * _MOST_STEPS)]

    assert frozen.count(True) == 1


def test_a_bound_name_and_a_copy_are_known_to_the_next_state(session: Session) -> None:
    session.assign({"x": 1})
    assert freezes(session)
    session.run("None")
    with session.fork():
        before = processes(session)
        session.run("None")
        assert processes(session) != before


def test_a_step_that_is_undone_leaves_what_steps_before_it_did(session: Session, called: list[int]) -> None:
    for number in range(5):
        session.run(f"kept.append(double({number}))")
    seen = session.run("kept.clear()\nhour()\nwhile True: pass")

    assert seen.failure is not None
    assert (seen.failure.type, seen.rolled_back) == ("LimitReached", True)
    assert session.run("kept").value == [1, 0, 2, 4, 6, 8]
    assert called == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("states", [0, 1])
def test_a_step_undone_after_a_state_was_frozen_and_before(session: Session, states: int) -> None:
    """The first state of a session is frozen late: without one, another session takes its place."""
    steps = states * (_MOST_STEPS + 1)
    for _ in range(steps):
        session.run("kept.append(len(kept) + 1)")
    assert (len(processes(session)) > 1) == bool(states)
    session.run("x = kept[-1]")
    assert session.run("kept.clear(); x = 0\nhour()\nwhile True: pass").rolled_back

    assert session.run("kept, x").value == (list(range(1, steps + 2)), steps + 1)
    assert session.run("kept.clear(); x = 0\nhour()\nwhile True: pass").rolled_back
    assert session.run("kept, x").value == (list(range(1, steps + 2)), steps + 1)


def test_what_was_drawn_by_chance_is_drawn_again(session: Session) -> None:
    draw = "drawn = [random.random(), secrets.token_hex(), random.Random().random()]\ndrawn"
    session.run("import random, secrets\nrandom.seed()")
    for _ in range(_MOST_STEPS):  # past the first state
        seen = session.run(draw)
    assert len(processes(session)) > 1
    assert session.run("drawn = 0\nhour()\nwhile True: pass").rolled_back

    assert session.run("drawn").value == seen.value
    assert session.run(draw).value != seen.value


def test_an_atomic_step_is_undone_to_just_before_it() -> None:
    with Session(limits=Limits(atomic=True)) as session:
        session.run("kept = [1]")
        session.run("kept.append(2)")
        assert session.run("kept.append(3)\n1 / 0").rolled_back
        assert session.run("kept").value == [1, 2]


def test_a_text_that_comes_of_an_address_outlives_a_step_that_is_undone(session: Session) -> None:
    for _ in range(_MOST_STEPS):  # past the first state
        session.run("None")
    made = session.run("import hashlib\nclass A: pass\nkey = hashlib.md5(repr(A()).encode()).hexdigest()\nkey").value
    session.run("kept.append(2)")
    assert session.run("kept.clear()\nhour()\nwhile True: pass").rolled_back

    assert session.run("kept, key").value == ([1, 2], made)


@pytest.mark.parametrize("checkpoints", [1, 3])
def test_going_back_reaches_every_step_that_it_may(checkpoints: int) -> None:
    with Session(limits=Limits(checkpoints=checkpoints)) as session:
        session.run("kept = []")
        for number in range(50):
            session.run(f"kept.append({number})")
        for back in range(1, checkpoints + 1):
            session.run("kept.append('a')\nlast = kept[-1]")
            for _ in range(back - 1):
                session.run("kept.append('b')")
            session.rewind(back)
            assert session.run("kept").value == list(range(50))
            session.rewind(1)
        for _ in range(checkpoints):
            session.run("None")
        with pytest.raises(UsageError, match=f"{checkpoints} is the most"):
            session.rewind(checkpoints + 1)
        assert session.run("kept").value == list(range(50))


def test_ctrl_c_as_a_worker_that_died_is_replaced_leaves_no_reply_for_the_next_step() -> None:
    def die() -> None:
        """Kills the worker in the middle of a step that has no frozen state of its own."""
        interrupted_once(session._life._link.channel, "receive_within")
        os.kill(processes(session)[0], signal.SIGKILL)

    with Session(tools=[die]) as session:
        session.run("x = [1]")
        session.assign({"y": 2})  # so a state is frozen before the next step
        session.run("x.append(y)")
        with pytest.raises(KeyboardInterrupt):
            session.run("x.append(3)\ndie()")

        assert session.run("x").value == [1, 2]


def test_going_back_keeps_what_was_bound_in_between() -> None:
    with Session(limits=Limits(checkpoints=3)) as session:
        session.run("kept = []")
        session.run("kept.append(1)")
        session.assign({"x": 5})
        session.run("kept.append(x)")
        session.run("kept.append(x)")
        session.rewind(2)
        assert session.run("kept, x").value == ([1], 5)


def test_going_back_keeps_what_was_bound_where_the_state_from_after_that_has_died() -> None:
    with Session(limits=Limits(checkpoints=3)) as session:
        session.run("import os\nx = 1")
        session.run("x = 2")  # three states are frozen before it, of which one takes over
        session.rewind(1)
        session.assign({"x": 3})
        session.run("x = 4")
        newest = max(processes(session))
        os.kill(newest, signal.SIGKILL)
        until(lambda: newest not in processes(session))
        session.rewind(1)
        assert session.run("x").value == 3


def test_copies_made_in_between_go_their_own_ways(session: Session, called: list[int]) -> None:
    session.run("kept.append(double(2))")
    with session.fork() as copy:
        copy._life.clock = session._life.clock  # its hour passes too
        for each, number in ((session, 3), (copy, 4)):
            each.run(f"kept.append(double({number}))")
            each.run("x = kept[-1]")
        for each in (session, copy):
            assert each.run("kept.clear(); x = 0\nhour()\nwhile True: pass").rolled_back
        assert session.run("kept, x").value == ([1, 4, 6], 6)
        assert copy.run("kept, x").value == ([1, 4, 8], 8)
    assert called == [2, 3, 4]


def test_no_step_finds_a_place_to_fork_into(session: Session) -> None:
    """The limit of processes leaves a session exactly those there are, the unburied one included."""
    for _ in range(_MOST_STEPS + 5):
        session.run("None")
        runner, *states = processes(session)
        allowed = int(status(runner, "limits", "Max processes").split()[0])
        assert allowed == len(states) + 1 + len(unburied(runner))


def status(pid: int, file: str, name: str) -> str:
    """What the kernel says of a process by this name."""
    lines = Path(f"/proc/{pid}/{file}").read_text().splitlines()
    return next(line.removeprefix(name).strip(": \t") for line in lines if line.startswith(name))


def unburied(parent: int) -> list[int]:
    """The dead children of a process."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            state, above = Path(f"/proc/{name}/stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
            found += [int(name)] if state == "Z" and int(above) == parent else []
    return found


def test_a_session_that_was_saved_and_resumed_goes_on_so(session: Session, tmp_path: Path, called: list[int]) -> None:
    session.run("kept.append(double(2))")
    session.save(tmp_path / "saved")
    double = session._life.tools["double"].function
    session.close()
    with with_hours(double, kind=partial(Session.resume, tmp_path / "saved")) as again:
        again.run("kept.append(3)")
        assert not freezes(again, "x = kept[-1]")
        assert again.run("kept.clear()\nhour()\nwhile True: pass").rolled_back
        assert again.run("kept, x").value == ([1, 4, 3], 3)
    assert called == [2]


@pytest.mark.parametrize(("imported", "frozen"), [("math", False), ("os", True)])
def test_skills_are_steady_where_their_code_is(imported: str, frozen: bool) -> None:
    code = f"import {imported}\ndef add(n):\n    'Adds one.'\n    return n + 1"
    with Session(skills=[SkillSource("add", code, imports=(imported,))]) as session:
        session.run("x = add(1)")
        session.run("x = add(x)")
        assert freezes(session) == frozen
