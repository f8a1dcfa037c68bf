"""The peers: Monty, smolagents, pyeryx and Docker, each as its own documentation says it is used.

This file runs under other interpreters too (pyeryx wants Python 3.12): at import it needs the standard library only.
"""

from __future__ import annotations

import inspect
import json
import subprocess
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from typing import Any

from benchmarks.beside.executors import (
    MEMORY_BYTES,
    Codeact,
    CodeactOneEach,
    CodeactUnprotected,
    Executor,
    Plain,
    Running,
    Tools,
    Unavailable,
    run_plainly,
)

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
    "codeact, a backup each": CodeactOneEach,
    "codeact, no backup": CodeactUnprotected,
    "plain exec": Plain,
    "pydantic-monty": Monty,
    "smolagents": Smolagents,
    "pyeryx": Eryx,
    "docker": Docker,
}
