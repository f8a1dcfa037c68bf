"""Ours and the peers behind one contract: each as its own documentation says it is used.

This file runs under other interpreters too (pyeryx wants Python 3.12): at import it needs the standard library only.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import version
from typing import Any, Protocol

MEMORY_BYTES = 256 << 20
OPERATIONS = 2_000_000_000
ENDLESS = 10**15
IMPORTS = [
    "asyncio",
    "collections",
    "contextlib",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
    "json",
    "math",
    "re",
]
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
    """A caged session of ours, with a backup before each step."""

    call = "double(i)"
    slow = False
    options: Mapping[str, Any] = {}

    def version(self) -> str:
        return version("codeact")

    def start(self, tools: Tools, *, seconds: float) -> Running:
        from codeact import Limits, Session

        limits = Limits(
            operations=OPERATIONS, wall_seconds=seconds, memory_bytes=MEMORY_BYTES, tool_calls=10**6, **self.options
        )
        return _CodeactSession(Session(tools, limits=limits))

    def close(self) -> None: ...


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


class Monty:
    """pydantic-monty: an interpreter of its own for a part of Python, in a process of a pool."""

    call = "double(i)"
    slow = False

    def __init__(self) -> None:
        self._module = import_module("pydantic_monty")
        self._pool = self._module.Monty()
        self._pool.__enter__()

    def version(self) -> str:
        return version("pydantic-monty")

    def start(self, tools: Tools, *, seconds: float) -> Running:
        limits = {"max_suspensions": 10**9, "max_feed_duration_secs": seconds, "max_memory": MEMORY_BYTES}
        return _MontySession(self._pool.checkout(limits=limits), tools, self._module.CollectString)

    def close(self) -> None:
        self._pool.__exit__(None, None, None)


class _MontySession:
    def __init__(self, lease: Any, tools: Tools, collect: Callable[[], Any]) -> None:
        self._lease, self._tools, self._collect = lease, dict(tools) or None, collect
        self._session = lease.__enter__()

    def run(self, source: str) -> Any:
        return self._session.feed_run(source, external_lookup=self._tools, print_callback=self._collect())

    def close(self) -> None:
        self._lease.__exit__(None, None, None)


class Smolagents:
    """smolagents' own interpreter of the syntax tree, in this process."""

    call = "double(i)"
    slow = True

    def __init__(self) -> None:
        self._module = import_module("smolagents.local_python_executor")

    def version(self) -> str:
        return version("smolagents")

    def start(self, tools: Tools, *, seconds: float) -> Running:
        self._module.MAX_OPERATIONS = self._module.MAX_WHILE_ITERATIONS = ENDLESS  # or no kernel would end
        executor = self._module.LocalPythonExecutor(additional_authorized_imports=IMPORTS, timeout_seconds=seconds)
        executor.send_tools(dict(tools))
        return _SmolagentsSession(executor)

    def close(self) -> None: ...


class _SmolagentsSession:
    def __init__(self, executor: Any) -> None:
        self._executor = executor

    def run(self, source: str) -> Any:
        return self._executor(source).output

    def close(self) -> None: ...


class Eryx:
    """pyeryx: CPython compiled to WebAssembly, in this process."""

    call = "await double(i=i)"
    slow = False

    def __init__(self) -> None:
        self._module = import_module("eryx")

    def version(self) -> str:
        return version("pyeryx")

    def start(self, tools: Tools, *, seconds: float) -> Running:
        described = [{"name": name, "fn": _as_json(tool), "description": name} for name, tool in tools.items()]
        milliseconds = int(seconds * 1000)
        session = self._module.Session(callbacks=described, execution_timeout_ms=milliseconds, result_variable="answer")
        return _EryxSession(session)

    def close(self) -> None: ...


def _as_json(tool: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    def answer(i: int) -> dict[str, Any]:
        return {"value": tool(i)}

    return answer


class _EryxSession:
    """Hands out no expression's value, but that of the variable `answer`."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def run(self, source: str) -> Any:
        return self._session.execute(source).result

    def close(self) -> None: ...


LOOP = """
import json, sys, traceback
names = {"__name__": "__main__"}
for line in sys.stdin:
    try:
        answer = {"value": run_plainly(json.loads(line), names)}
    except BaseException as error:
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
"""


class Docker:
    """A container for each session, without a network, with a Python that reads texts from its standard input."""

    call = ""
    slow = False
    image = "python:3.11-slim"

    def __init__(self) -> None:
        try:
            command = ["docker", "image", "inspect", self.image]
            asked = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise Unavailable("docker is not installed") from None
        if asked.returncode:
            raise Unavailable(asked.stderr.strip().splitlines()[-1])

    def version(self) -> str:
        command = ["docker", "version", "--format", "{{.Server.Version}}"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def start(self, tools: Tools, *, seconds: float) -> Running:
        return _Container(self.image)

    def close(self) -> None: ...


class _Container:
    def __init__(self, image: str) -> None:
        import inspect

        limits = ["--network", "none", "--memory", str(MEMORY_BYTES), "--pids-limit", "64"]
        command = ["docker", "run", "--rm", "--interactive", *limits, image, "python3", "-c"]
        program = inspect.getsource(run_plainly).replace("-> Any", "").replace(": dict[str, Any]", "") + LOOP
        self._process = subprocess.Popen(
            [*command, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def run(self, source: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(source) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the container ended")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["value"]

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


EXECUTORS: dict[str, Callable[[], Executor]] = {
    "codeact": Codeact,
    "codeact, no backup": CodeactUnprotected,
    "plain exec": Plain,
    "pydantic-monty": Monty,
    "smolagents": Smolagents,
    "pyeryx": Eryx,
    "docker": Docker,
}
