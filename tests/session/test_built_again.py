"""A state that is lost, and built again by living what led to it once more."""

from __future__ import annotations

import ast
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeact import Limits, Observation, Session
from codeact.errors import Diverged, SessionError
from codeact.session.serving import Serving
from codeact.session.state import State
from codeact.testing import raw_session
from codeact.wire import messages as say
from tests.session.parts import FINDS_ITS_SERVER, UNRECORDED, lost, resumed, with_hours

# each frozen state takes a descriptor
STATES = "import os\nfree = os.dup(0)\nos.close(free)\nfrees = [*globals().get('frees', []), free]"


def frees_of(session: Session) -> list[int]:
    """What the steps have found, asked without a step."""
    found: list[int] = ast.literal_eval(session.variables()["frees"].text)
    return found


@pytest.mark.parametrize("again", [lost, resumed])
@pytest.mark.parametrize("checkpoints", [1, 2])
def test_no_state_is_frozen_that_is_not_kept(
    checkpoints: int, again: Callable[[Session, Path], Session], tmp_path: Path
) -> None:
    first = raw_session(limits=Limits(checkpoints=checkpoints))
    for _ in range(6):
        first.run(STATES)
    with again(first, tmp_path / "saved") as session:
        none, *frees = frees_of(session)

        assert [free - none for free in frees] == [0] * (5 - checkpoints) + [checkpoints] * checkpoints
        session.rewind(checkpoints)
        assert len(frees_of(session)) == 6 - checkpoints


@pytest.mark.parametrize("again", [lost, resumed])
def test_a_step_that_is_undone_leaves_the_files_of_all_steps_before(
    again: Callable[[Session, Path], Session], tmp_path: Path
) -> None:
    first = raw_session()
    for name in "abcd":
        first.run(f"open({name!r}, 'w').write({name!r})")
    with again(first, tmp_path / "saved") as session:
        assert session.run("import os\nfor name in os.listdir(): os.remove(name)\nos._exit(1)").rolled_back

        assert session.run("import os\n[open(name).read() for name in sorted(os.listdir())]").value == [*"abcd"]


@pytest.mark.parametrize("again", [lost, resumed])
def test_an_error_whose_name_reads_like_an_address_is_the_same_again(
    again: Callable[[Session, Path], Session], tmp_path: Path
) -> None:
    with Session() as session:
        session.run("class Result0x80004005(Exception): pass")
        session.run("x = 1\nraise Result0x80004005('why')")
        with again(session, tmp_path / "saved") as same:
            assert same.run("x").value == 1


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_step_that_does_not_end_any_more_does_something_else_than_was_recorded(step: int, tmp_path: Path) -> None:
    path = tmp_path / "saved"
    with Session() as session:
        for number in (1, 2, 3):
            session.run(f"x = {number}")
        session.save(path)
    path.write_text(path.read_text().replace(f'"x = {step}"', '"while True: pass"'))

    with pytest.raises(Diverged, match=f"step {step} does something else"):
        Session.resume(path, limits=Limits(operations=1 << 60, wall_seconds=0.5))


def test_a_step_that_takes_longer_when_it_is_lived_again_loses_nothing(tmp_path: Path) -> None:
    with Session() as session:
        session.run("import time\ntime.sleep(0.5)\nkept = [1]")
        session.save(tmp_path / "saved")

    with Session.resume(tmp_path / "saved", limits=Limits(wall_seconds=0.4)) as session:
        assert session.run("kept").value == [1]


TELLS_THE_TIME = f"{UNRECORDED}moment = time.time_ns()\nkept = [1]\nmoment"
FAILS_WITH_THE_TIME = f"{UNRECORDED}kept = [1]\nraise ValueError(time.time_ns())"


@pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")
@pytest.mark.parametrize("source", [TELLS_THE_TIME, FAILS_WITH_THE_TIME])
@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_what_shows_otherwise_when_it_is_built_again_loses_nothing_and_is_told(isolation: str, source: str) -> None:
    limits = Limits(checkpoints=0, operations=100_000)
    with Session(isolation=isolation, limits=limits) as session:
        session.run(source)
        seen = session.run("kept.append(2)\nwhile True: pass")

        assert seen.rolled_back
        assert seen.failure is not None
        assert "not all came to the same: step 1: it comes to '" in seen.failure.hint
        assert session.run("kept").value == [1]


def test_what_shows_otherwise_in_a_state_built_again_for_a_step_is_warned_of_once(tmp_path: Path) -> None:
    with Session() as session:
        session.run("kept = [1]")
        for _ in range(5):
            session.run(f"{UNRECORDED}time.time_ns()")
        lost(session, tmp_path)

        with pytest.warns(RuntimeWarning, match=r"step 2: it comes .*step 4: it comes .* where .*; and 2 more") as told:
            assert session.run("kept").value == [1]
        assert len(told) == 1
        with warnings.catch_warnings(action="error"):
            assert session.run("kept").value == [1]


def test_a_saved_session_that_shows_otherwise_is_resumed_where_that_is_asked_for(tmp_path: Path) -> None:
    with Session() as session:
        session.run(TELLS_THE_TIME)
        session.save(tmp_path / "saved")

    with pytest.raises(Diverged, match="step 1 does something else than was recorded: it comes to"):
        Session.resume(tmp_path / "saved")
    with Session.resume(tmp_path / "saved", exact=False) as session, pytest.warns(RuntimeWarning, match="step 1: it"):
        assert session.run("kept").value == [1]


def test_a_saved_session_that_makes_another_call_is_never_resumed(tmp_path: Path) -> None:
    def note(moment: int) -> None:
        """Note a moment."""

    with Session(tools=[note]) as session:
        session.run(f"{UNRECORDED}note(time.time_ns())")
        session.save(tmp_path / "saved")

    with pytest.raises(Diverged, match=r"step 1 does something else than was recorded: .* where it called"):
        Session.resume(tmp_path / "saved", tools=[note], exact=False)


def test_a_killed_step_whose_past_makes_other_calls_costs_what_comes_from_there_on_and_says_so() -> None:
    def note(moment: int) -> None:
        """Note a moment."""

    with with_hours(note, limits=Limits(checkpoints=0)) as session:
        session.assign({"given": 1})
        session.run("import time\nkept = 2")
        session.run(f"{UNRECORDED}moment = time.time_ns()\nnote(moment)")
        session.run("later = kept")
        session.assign({"later_still": 3})
        seen = session.run("hour()\ntime.sleep(60)")
        assert seen.failure is not None
        assert "lost with it: the session is what it was before step 2: step 2 does something else" in seen.failure.hint
        assert not seen.rolled_back
        assert session.variables().keys() == {"given", "kept"}
        assert session.run("given + kept").value == 3


def test_a_killed_step_whose_past_cannot_begin_again_costs_what_was_bound_by_steps() -> None:
    def note(moment: int) -> None:
        """Note a moment."""

    with with_hours(note, limits=Limits(checkpoints=0)) as session:
        session.assign({"given": 1})
        session.run(f"{UNRECORDED}kept = time.time_ns()\nnote(kept)")
        seen = session.run("hour()\ntime.sleep(60)")
        assert seen.failure is not None
        assert "before step 1" in seen.failure.hint
        assert session.variables() == {"given": session.variables()["given"]}
        assert session.run("given").value == 1


@pytest.mark.parametrize("given", ["[1, 'a'] * 600_000", "nested"])
def test_a_call_that_an_honest_worker_could_not_make_is_another_call_when_the_step_is_lived_again(given: str) -> None:
    def note(x: Any) -> None:
        """Notes."""

    says = f"""
import msgspec, os, time
given = 1
for _ in range(101): given = [given]
if {given!r} != "nested": given = {given if given != "nested" else "0"}
if time.time() < {time.time() + 1}:
    note([1])
else:
    said = msgspec.msgpack.encode(["call", server.owed + 1, "note", [given], {{}}, False])
    for start in range(0, len(said), 60_000):
        flags = (start == 0) + 2 * (start + 60_000 >= len(said))
        os.write(3, bytes([flags]) + said[start : start + 60_000])
    server.receive()
"""
    with raw_session(tools=[note]) as session:
        assert session.run(FINDS_ITS_SERVER + says).ok
        time.sleep(1.1)
        session._life._link.close()
        with pytest.raises(SessionError, match="does something else"):
            session.run("1")
        assert session.run("2").value == 2


_TAKES_IT_AND_DIES = (
    FINDS_ITS_SERVER + "import os\nserver.answers = {kind: lambda message: os._exit(1) for kind in server.answers}"
)


@pytest.mark.parametrize("checkpoints", [0, 1])
@pytest.mark.parametrize("which", [lambda session: session, Session.fork], ids=["a session", "a copy"])
def test_a_step_that_a_worker_took_in_as_it_was_killed_is_run_by_the_next_one(
    which: Callable[[Session], Session], checkpoints: int
) -> None:
    with raw_session(limits=Limits(checkpoints=checkpoints)) as original, which(original) as session:
        session.run("x = 40")
        channel = session._life._link.channel
        channel.send(say.Step(_TAKES_IT_AND_DIES, say.StepLimits(10_000, 0, 0, 0, 0), backup=False))  # nor in the log
        assert isinstance(channel.receive(20), say.Finished)

        assert session.run("x + 2").value == 42


def test_a_worker_that_says_of_a_step_it_ran_that_it_had_not_begun_gains_no_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given, real = [], State._served

    def served(self: State, serving: Serving, source: str) -> Observation:
        given.append(serving.seconds)
        return real(self, serving, source)

    with with_hours(kind=raw_session, limits=Limits(checkpoints=0, wall_seconds=4_000)) as session:
        session.run("x = 40")
        monkeypatch.setattr(State, "_served", served)
        lies = "hour()\nimport os\nserver.checkpoints._page.note_step(0)\nos._exit(1)"
        seen = session.run(FINDS_ITS_SERVER + lies)

        assert seen.failure is not None
        assert (seen.failure.kind, session.run("x").value) == ("crash", 40)
        assert given[0] == 4_000
        assert max(given[2::2][:2]) <= 400, given
