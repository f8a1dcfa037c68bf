"""What a tool declares to do to the world, and what follows: approval, dry runs, repeated reads, cached reads."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from codeact.journal.values import decode, encode
from codeact.models import Stop
from codeact.records import ToolCall
from codeact.toolbox import Tool

Decision = bool | Mapping[str, Any]
Approve = Callable[[str, dict[str, Any]], "Decision | Literal['pause']"]
Result = TypeVar("Result")

REPEATABLE = ("read", "idempotent")
_WAITS_SECONDS = (0.2, 0.8)  # before a read that did not get through is made again
_PLACEHOLDERS: dict[str, Any] = {"bool": True, "int": 0, "float": 0.0, "list": [], "dict": {}, "None": None}


class Paused(RuntimeError):
    """The run pauses here, until somebody has decided about the call."""


def changes(tool: Tool) -> bool:
    """Tell whether a call of the tool changes something that a second call would change again."""
    return tool.spec.effect not in REPEATABLE


@dataclass(slots=True)
class Effects:
    """What a run may do to the world: `approve` is asked first, `dry_run` lists what would change something.

    `decision` is what somebody said about the call that a paused run waits at: `waiting`, a tool and its arguments.
    """

    approve: Approve | Literal["pause"] | None = None
    dry_run: bool = False
    waiting: tuple[str, Mapping[str, Any]] | None = None
    decision: Decision | None = None
    withheld: list[ToolCall] = field(default_factory=list)
    _cached: dict[str, Any] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def asks(self, tool: Tool) -> bool:
        """Tell whether somebody is asked before a call of the tool."""
        if self.waiting is not None and self.waiting[0] == tool.name:
            return True
        return self._asks_always(tool)

    def _asks_always(self, tool: Tool) -> bool:
        if tool.approve is not None:
            return tool.approve is not False
        return self.approve is not None and changes(tool)

    def decide(self, tool: Tool, arguments: Mapping[str, Any]) -> Decision | Literal["pause"]:
        """Ask about a call, one question at a time."""
        with self._lock:
            if self.waiting == (tool.name, decode(encode(dict(arguments), str))):
                self.waiting, decision = None, self.decision
                if decision is not None:
                    return decision
            elif not self._asks_always(tool):
                return True
            if callable(tool.approve):
                said: Decision | Literal["pause"] = tool.approve(dict(arguments))
                return said
            if self.approve is None or self.approve == "pause":
                return "pause"
            return self.approve(tool.name, dict(arguments))

    def withhold(self, tool: Tool, arguments: dict[str, Any]) -> Any:
        """Note a call that a dry run does not make, and give what the snippet goes on with."""
        kind = tool.spec.returns.split("[")[0]
        said = f"(dry run: {tool.name} was not called)"
        result = _PLACEHOLDERS.get(kind, said if kind == "str" else None)
        self.withheld.append(ToolCall(tool.name, arguments, result))
        return result

    def cached(self, tool: Tool, arguments: Mapping[str, Any]) -> tuple[Any] | None:
        """Give what the same read came to before, since nothing was changed in between."""
        if not tool.cache:
            return None
        with self._lock:
            found = self._cached.get(_key(tool, arguments), self)
            return None if found is self else (found,)

    def happened(self, tool: Tool, arguments: Mapping[str, Any], result: Any) -> None:
        """Take note of a call: a read may be kept, anything else makes what was read before old."""
        with self._lock:
            if tool.spec.effect != "read":
                self._cached.clear()
            elif tool.cache:
                self._cached[_key(tool, arguments)] = result


def repeated(tool: Tool, call: Callable[[], Result], stop: Stop) -> Result:
    """Make a call; one that may be repeated is made again where it did not get through."""
    for seconds in _waits(tool):
        try:
            return call()
        except Exception as error:
            if not _did_not_get_through(error):
                raise
        stop.wait(seconds)
    return call()


async def repeated_async(tool: Tool, call: Callable[[], Awaitable[Result]]) -> Result:
    """Make a call of an async tool in the same way."""
    for seconds in _waits(tool):
        try:
            return await call()
        except Exception as error:
            if not _did_not_get_through(error):
                raise
        await asyncio.sleep(seconds)
    return await call()


def _waits(tool: Tool) -> Iterator[float]:
    return iter(() if changes(tool) else _WAITS_SECONDS)


def _did_not_get_through(error: Exception) -> bool:
    """Tell whether the connection failed, and not what was asked over it."""
    httpx = sys.modules.get("httpx")  # a tool that has not imported it raises none of its errors
    kinds = (ConnectionError, TimeoutError) + ((httpx.TransportError,) if httpx is not None else ())
    return isinstance(error, kinds)


def _key(tool: Tool, arguments: Mapping[str, Any]) -> str:
    return f"{tool.name} {json.dumps(encode(dict(arguments), str), sort_keys=True)}"
