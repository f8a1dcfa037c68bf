"""What tests of sessions share: waiting until something is so, and steps that are out of time on any machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from codeact import Session


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
