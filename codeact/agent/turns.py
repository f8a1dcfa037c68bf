"""The turns that calls take which change something: one after the other, on threads and on a loop."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator

from codeact.agent.effects import changes
from codeact.toolbox import Tool

TURN_SECONDS = 0.005  # between two looks whether it is one's turn


class Turns:
    """Has one turn to give; `lock` is held by whoever has it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    @contextlib.contextmanager
    def taken(self, tool: Tool) -> Iterator[None]:
        """Let calls that change something happen one after the other."""
        if not _takes_turns(tool):
            yield
            return
        with self.lock:
            yield

    @contextlib.asynccontextmanager
    async def taken_async(self, tool: Tool) -> AsyncIterator[None]:
        """Do the same without holding up the loop."""
        if not _takes_turns(tool):
            yield
            return
        while not self.lock.acquire(blocking=False):
            await asyncio.sleep(TURN_SECONDS)
        try:
            yield
        finally:
            self.lock.release()


def _takes_turns(tool: Tool) -> bool:
    return changes(tool) if tool.parallel is None else not tool.parallel
