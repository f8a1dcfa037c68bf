"""What the author of a tool is told where it fails."""

from __future__ import annotations

import json
import logging

import pytest

from codeact import Session


def send(to: str) -> str:
    """Send a letter."""
    raise LookupError("no such person")


def test_where_a_tool_failed_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    async def fetch(city: str) -> str:
        """Fetches."""
        return {"Oslo": "rain"}[city]

    def read(text: str) -> int:
        """Reads."""
        return len(json.loads(text))

    caplog.set_level("INFO", "codeact.tools")
    with Session(tools=[fetch, read]) as session:
        session.run("fetch.map(['Rome', 'Oslo'])")
        session.run("read('{')")
        session.run("read(text=[])")  # it is not entered
    places = [fetch.__code__.co_firstlineno + 2, read.__code__.co_firstlineno + 2]
    assert [record.getMessage() for record in caplog.records] == [
        f"fetch() raised KeyError in {__file__}, line {places[0]}",
        f"read() raised JSONDecodeError in {__file__}, line {places[1]}",
    ]
    assert all(record.exc_info for record in caplog.records)


def test_a_handler_that_fails_ends_no_call(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(logging.Handler):
        def handle(self, record: logging.LogRecord) -> bool:
            raise OSError("full")

    caplog.set_level("INFO", "codeact.tools")
    logger, broken = logging.getLogger("codeact.tools"), Broken()
    logger.addHandler(broken)
    try:
        with Session(tools=[send]) as session:
            failure = session.run("send('Ben')").failure
    finally:
        logger.removeHandler(broken)
    assert failure is not None
    assert (failure.kind, failure.message) == ("tool", "no such person")
