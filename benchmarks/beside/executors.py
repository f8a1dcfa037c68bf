"""What all executors have in common, ours, and Python's own `exec`.

This file runs under other interpreters too (pyeryx wants Python 3.12): at import it needs the standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, Protocol

MEMORY_BYTES = 256 << 20
OPERATIONS = 2_000_000_000
Tools = Mapping[str, Callable[..., Any]]


class Unavailable(Exception):
    """The executor cannot run here; says why."""


class Running(Protocol):
    """A session: state stays from one text to the next."""

    def run(self, source: str) -> Any:
        """Run a text, give its last expression's value, or raise what stopped it."""

    def close(self) -> None: ...


class Executor(Protocol):
    """Somebody's way of running Python.

    `call` is what a text writes for a tool call; `slow` are those that get the smaller kernels.
    """

    call: str
    slow: bool

    def version(self) -> str: ...
    def start(self, tools: Tools, *, seconds: float) -> Running: ...
    def close(self) -> None: ...


class Codeact:
    """A caged session of ours, its steps protected by backups; short ones that come to the same each time share one."""

    call = "double(i)"
    slow = False
    options: Mapping[str, Any] = {}
    first = ""

    def version(self) -> str:
        return version("codeact")

    def start(self, tools: Tools, *, seconds: float) -> Running:
        from codeact import Limits, Session

        limits = Limits(
            operations=OPERATIONS, wall_seconds=seconds, memory_bytes=MEMORY_BYTES, tool_calls=10**6, **self.options
        )
        session = Session(tools, limits=limits)
        if self.first:
            session.run(self.first)
        return _CodeactSession(session)

    def close(self) -> None: ...


class CodeactOneEach(Codeact):
    """The same with a backup before each step, as what such a session has in reach differs from time to time."""

    first = "import os"


class CodeactUnprotected(Codeact):
    """The same without backups."""

    options: Mapping[str, Any] = {"checkpoints": 0}


class _CodeactSession:
    def __init__(self, session: Any) -> None:
        self._session = session
        self.close = session.close

    def run(self, source: str) -> Any:
        seen = self._session.run(source)
        if not seen.ok:
            raise RuntimeError(str(seen.failure))
        return seen.value


class Plain:
    """Python's own `exec`, in this process, with no wall at all: what the others are compared with."""

    call = "double(i)"
    slow = False

    def version(self) -> str:
        import platform

        return platform.python_version()

    def start(self, tools: Tools, *, seconds: float) -> Running:
        return _PlainSession(dict(tools))

    def close(self) -> None: ...


class _PlainSession:
    def __init__(self, names: dict[str, Any]) -> None:
        self._names = {"__name__": "__main__", **names}

    def run(self, source: str) -> Any:
        return run_plainly(source, self._names)

    def close(self) -> None:
        self._names.clear()


def run_plainly(source: str, names: dict[str, Any]) -> Any:
    """Run a text as a notebook would: all of it, then give the last expression's value."""
    import ast

    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<text>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<text>", "eval"), names) if isinstance(last, ast.Expr) else None
