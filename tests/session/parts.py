"""What tests of sessions share: waiting until something is so, Ctrl-C, steps that are out of time, and steps that pause."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from codeact import Session
from codeact.toolbox import Pause

STEP = "before = note('before')\nsaid = approve('order 7')\nafter = note('after')\n(before, said, after)"

#: Reads the clock as often as a recording keeps what it said.
UNRECORDED = "import time\nfor _ in range(10_000): time.time_ns()\n"

# In a session without the language: what serves it in its worker.
FINDS_ITS_SERVER = """
import sys
frame = sys._getframe()
while type(frame.f_locals.get("self")).__name__ != "_Server":
    frame = frame.f_back
server = frame.f_locals["self"]
"""

# Likewise: forks, as soon as there is room for one process more.
FORKS = """
import ctypes, os
libc = ctypes.PyDLL(None)
forked, runner = -1, os.getpid()
while forked < 0:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]: pass
    except OSError: pass
    forked = libc.fork()
"""


def lost(session: Session, path: Path) -> Session:
    """The session, with its worker gone."""
    session._life._link.close()
    return session


def resumed(session: Session, path: Path) -> Session:
    """A session built again from what this one has saved."""
    session.save(path)
    session.close()
    return type(session).resume(path, list(session.toolbox.tools.values()), limits=session.limits)


def until(done: Callable[[], object]) -> None:
    """Wait for something that comes soon."""
    deadline = time.monotonic() + 20
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0)


def an_hour_passes(session: Session) -> None:
    """Move the time on that the steps of a session are counted by."""
    session.clock._stood -= 3600


@contextmanager
def with_hours(*tools: Callable[..., Any], kind: Callable[..., Session] = Session, **options: Any) -> Iterator[Session]:
    """A session with a tool `hour`, which takes an hour at once: the step that calls it is out of time."""

    def hour() -> None:
        """Takes an hour."""
        an_hour_passes(session)

    with kind(tools=[*tools, hour], **options) as session:
        yield session


def interrupted_once(target: Any, name: str) -> None:
    """Have Ctrl-C come in place of the next call of a method."""
    method = getattr(target, name)

    def ctrl_c(*arguments: Any, **options: Any) -> Any:
        setattr(target, name, method)
        raise KeyboardInterrupt

    setattr(target, name, ctrl_c)


class World:
    """What the tools did, and what `approve` says when it can answer."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.verdict: str | None = None

    def tools(self) -> list[Callable[..., str]]:
        def note(text: str) -> str:
            """Writes it down."""
            self.notes.append(text)
            return text.upper()

        def approve(what: str) -> str:
            """Asks somebody."""
            if self.verdict is None:
                raise Pause(f"somebody has to look at {what}")
            self.notes.append(self.verdict)
            return self.verdict

        return [note, approve]
