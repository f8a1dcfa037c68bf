"""A state that is lost, and built again by living what led to it once more."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from codeact import Limits, Session
from codeact.errors import Diverged
from codeact.testing import raw_session

# each frozen state takes a descriptor
STATES = "import os\nfree = os.dup(0)\nos.close(free)\nfrees = [*globals().get('frees', []), free]"


def frees_of(session: Session) -> list[int]:
    """What the steps have found, asked without a step."""
    found: list[int] = ast.literal_eval(session.variables()["frees"].text)
    return found


def lost(session: Session, path: Path) -> Session:
    """The session, with its worker gone."""
    session._life._link.close()
    return session


def resumed(session: Session, path: Path) -> Session:
    """A session built again from what this one has saved."""
    session.save(path)
    session.close()
    return type(session).resume(path, limits=session.limits)


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
