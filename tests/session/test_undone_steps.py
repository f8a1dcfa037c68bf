"""A step that is stopped is undone, also where no state is frozen: there the steps before it are lived once more."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from codeact import Limits, Session
from codeact.session.settings import Listener
from tests.session.parts import an_hour_passes, interrupted_once

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")

KINDS: dict[str, dict[str, Any]] = {
    "inline": {"isolation": "inline", "limits": Limits(operations=100_000)},
    "frozen states": {"limits": Limits(operations=100_000)},
    "no checkpoints": {"limits": Limits(operations=100_000, checkpoints=0)},
}
HALF = "kept.append(2)\nnew = 1\nopen('kept.txt', 'w').write('half')\n"
STOPPED = {
    "its operations": HALF + "while True: pass",
    "its time": HALF + "hour()\nblock()",
    "somebody": HALF + "stop()\nblock()",
    "its operations, as a call is under way": HALF + "sent = block.submit()\nwhile True: pass",
    "a listener that fails": HALF + "fail()",
}
WHOLE = "import os\n(kept, given, 'new' in globals(), 'sent' in globals(), open('kept.txt').read(), os.getcwd())"


@pytest.fixture(params=[*KINDS.values()], ids=[*KINDS])
def options(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.param
    return found


@contextmanager
def stoppable(options: dict[str, Any]) -> Iterator[Session]:
    """A session with a state, and tools by which a step is stopped."""
    never = threading.Event()

    def hour() -> None:
        """Takes an hour."""
        an_hour_passes(session)

    def stop() -> None:
        """Interrupts the step."""
        session.interrupt()

    def block() -> None:
        """Never returns."""
        never.wait()

    def fail() -> None:
        """Its call makes the listener fail."""

    def called(tool: str, arguments: object) -> None:
        if tool == "fail":
            raise LookupError(tool)

    with Session([hour, stop, block, fail], listener=Listener(call_started=called), **options) as session:
        session.run("kept = [1]\nopen('kept.txt', 'w').write('whole')")
        session.assign({"given": 7})
        try:
            yield session
        finally:
            never.set()


def is_whole(session: Session) -> bool:
    """Whether the session is what it was before the step that was stopped."""
    return bool(session.run(WHOLE).value == ([1], 7, False, False, "whole", "/session"))


@pytest.mark.parametrize("step", STOPPED.values(), ids=STOPPED)
def test_a_step_that_is_stopped_has_not_happened(step: str, options: dict[str, Any], tmp_path: Path) -> None:
    with stoppable(options) as session:
        with suppress(LookupError):
            seen = session.run(step)
            assert (seen.rolled_back, seen.files) == (True, ())

        assert is_whole(session)
        session.save(tmp_path / "saved")
        with Session.resume(tmp_path / "saved", session.toolbox.tools, **options) as again:
            assert is_whole(again)


def test_a_step_at_which_ctrl_c_comes_has_not_happened(options: dict[str, Any]) -> None:
    with stoppable(options) as session:
        interrupted_once(session._life._link, "look")
        with pytest.raises(KeyboardInterrupt):
            session.run(HALF + "block()")

        assert is_whole(session)
