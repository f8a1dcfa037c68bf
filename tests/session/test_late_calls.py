"""Calls whose step is over: none is begun, and none is taken for one of the next step."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from codeact import Session
from codeact.records import Isolation
from codeact.session.past import read_past
from codeact.toolbox import Pause
from tests.session.parts import until

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_a_pause_that_comes_when_its_step_is_over_is_none_of_the_next_step(
    isolation: Isolation, tmp_path: Path
) -> None:
    late, done = threading.Event(), threading.Event()

    def ask() -> int:
        """Finds nobody, when nobody waits for it any more."""
        session.interrupt()
        late.wait(20)
        raise Pause("nobody is there")

    def see() -> int:
        """Lets the earlier call end, and what a host leaves behind that is killed then."""
        late.set()
        assert done.wait(20)
        (tmp_path / "cut off").write_bytes((tmp_path / "live").read_bytes())
        return 1

    with Session([ask, see], isolation=isolation, journal=tmp_path / "live") as session:
        assert session.run("ask()").failure is not None
        over = session._life._serving_last
        hold = over._hold
        over._hold = lambda *call: (hold(*call), done.set())  # type: ignore[assignment,func-returns-value]  # to see it
        assert session.run("see()").value == 1
    step = read_past(tmp_path / "cut off").unfinished
    assert step is not None
    assert not step.held


@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_no_call_that_waits_for_a_place_is_made_when_the_step_is_over(isolation: Isolation) -> None:
    made, full, free = list[int](), threading.Event(), threading.Event()

    def slow(n: int) -> int:
        """Takes until it may end."""
        made.append(n)
        if len(made) == 32:
            full.set()
        free.wait(20)
        return n

    with Session([slow], isolation=isolation) as session:

        def stop() -> None:
            assert full.wait(20)
            until(lambda: session._life._serving is not None and len(session._life._serving.begun) == 33)
            session.interrupt()

        stopper = threading.Thread(target=stop)
        stopper.start()
        seen = session.run("slow.map(range(40))")
        stopper.join()
        serving = session._life._serving_last
        assert len(seen.calls) == 33
        free.set()
        until(lambda: serving._slots._value == 32)
    assert len(made) == 32
