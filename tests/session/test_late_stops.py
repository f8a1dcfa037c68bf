"""A step that ends while it is being stopped: either it has happened, or it has not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from codeact import Limits, Session
from tests.session.parts import until

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")


@contextmanager
def stopped_late(isolation: str, checkpoints: int) -> Iterator[Session]:
    """A session whose tool interrupts the step, and where that gets through only once the step has ended."""
    seen = threading.Event()

    def stop() -> None:
        """Interrupt the step, and let it end as soon as that is seen."""
        session.interrupt()
        assert seen.wait(20)

    limits = Limits(checkpoints=checkpoints)
    with Session([stop], limits=limits, isolation=isolation) as session:  # type: ignore[arg-type]  # one of the two
        link = session._life._link
        call_off = link.call_off

        def late(serving: object) -> None:
            seen.set()
            until(lambda: session._life._serving is None or session._life._serving.end == "finished")
            call_off(serving)  # type: ignore[arg-type]  # as it came

        link.call_off = late  # type: ignore[method-assign]  # a moment that is rarely met otherwise
        yield session


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("checkpoints", [0, 1])
def test_a_caged_step_that_is_killed_as_it_ends_has_not_happened(checkpoints: int, first: bool) -> None:
    with stopped_late("caged", checkpoints) as session:
        if not first:
            session.run("x = 1")
        seen = session.run("stop()\nx = 2")

        assert seen.failure is not None
        assert seen.failure.type == "Interrupted"
        assert seen.rolled_back
        assert session.run("globals().get('x')" if first else "x").value == (None if first else 1)


def test_an_inline_step_that_ends_before_it_sees_that_it_is_to_stop_has_happened() -> None:
    with stopped_late("inline", 0) as session:
        seen = session.run("stop()\nx = 2\nx")
        session._life._link.close()

        assert seen.value == 2
        assert session.run("x").value == 2
