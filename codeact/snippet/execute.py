"""Runs a compiled snippet on its names, under an event loop where it awaits something."""

from __future__ import annotations

from inspect import CO_COROUTINE
from typing import Any

from codeact.snippet.modules import loops
from codeact.snippet.program import Program


def executed(program: Program, names: dict[str, Any]) -> object:
    """Run a program's statements, then its last expression."""
    body, last = program.body, program.value
    if not (body.co_flags | (0 if last is None else last.co_flags)) & CO_COROUTINE:
        eval(body, names)  # noqa: S307  # it was checked and rewritten
        return None if last is None else eval(last, names)  # noqa: S307  # as above
    import asyncio

    async def awaited() -> object:
        value = None
        for code in (body,) if last is None else (body, last):
            value = eval(code, names)  # noqa: S307  # as above
            if code.co_flags & CO_COROUTINE:
                value = await value
        return value if last is not None else None

    with asyncio.Runner(loop_factory=loops.make) as runner:
        return runner.run(awaited())
