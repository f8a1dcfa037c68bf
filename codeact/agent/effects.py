"""What a tool declares to do to the world, and what follows: approval, dry runs, repeated reads, cached reads."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import json
import queue
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from codeact.errors import UsageError
from codeact.journal.values import as_read, encode
from codeact.models import Stop
from codeact.records import REPEATABLE, ToolCall
from codeact.session.alike import are_alike
from codeact.toolbox import BadCall, Tool
from codeact.toolbox.handed import NOT_AWAITED, is_begun

Decision = bool | Mapping[str, Any]
Approve = Callable[[str, dict[str, Any]], "Decision | Literal['pause']"]
Result = TypeVar("Result")

_WAITS_SECONDS = (0.2, 0.8)  # before a read that did not get through is made again
_PLACEHOLDERS: dict[str, Any] = {"bool": True, "int": 0, "float": 0.0, "list": [], "dict": {}, "None": None}


class RunPaused(RuntimeError):
    """The run pauses here, until somebody has decided about the call."""


def changes(tool: Tool) -> bool:
    """Tell whether a call of the tool changes something that a second call would change again."""
    return tool.spec.effect not in REPEATABLE


def is_agent(tool: Tool) -> bool:
    """Tell whether the tool is an agent: what it changes, it changes by calls that are looked at one by one."""
    return hasattr(tool.function, "undo_run")


@dataclass(slots=True)
class Effects:
    """What a run may do to the world: `approve` is asked first, `dry_run` lists what would change something.

    `decision` is what somebody said about the call that a paused run waits at: `waiting`, a tool and its arguments.
    An answer that takes longer than `seconds` is not waited for: the run pauses.
    """

    approve: Approve | Literal["pause"] | None = None
    dry_run: bool = False
    waiting: tuple[str, Mapping[str, Any]] | None = None
    decision: Decision | None = None
    seconds: float | None = None
    withheld: list[ToolCall] = field(default_factory=list)
    instead: str = ""  # the tool that is called with other arguments than those that were decided about
    _cached: dict[str, Any] = field(default_factory=dict)
    questions: threading.RLock = field(default_factory=threading.RLock)  # one at a time
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def asks(self, tool: Tool) -> bool:
        """Tell whether somebody is asked before a call of the tool."""
        if tool.name in (self.instead, self.waiting and self.waiting[0]):
            return True
        return self._asks_always(tool)

    def _asks_always(self, tool: Tool) -> bool:
        if tool.approve is not None:
            return tool.approve is not False
        return self.approve is not None and changes(tool) and not is_agent(tool)

    def withholds(self, tool: Tool) -> bool:
        """Tell whether a call of the tool is listed instead of made; an agent runs dry by itself."""
        return self.dry_run and changes(tool) and not is_agent(tool)

    def decide(self, tool: Tool, arguments: Mapping[str, Any]) -> Decision | Literal["pause"]:
        """Ask about a call, one question at a time."""
        with self.questions:
            if self.is_waiting(tool, arguments):
                self.waiting, decision = None, self.decision
                if decision is not None:
                    return decision
            elif not self._asks_always(tool):
                return "pause" if tool.name == self.instead and not is_agent(tool) else True
            if callable(own := tool.approve):
                return self._answer_of(lambda: own(dict(arguments)), f"@tool(approve=…) of {tool.name}")
            if callable(approve := self.approve):
                return self._answer_of(lambda: approve(tool.name, dict(arguments)), "Agent(approve=…)")
            return "pause"

    def let_go(self) -> None:
        """Give up the call that was decided about: it does not come any more, and what comes instead is asked about."""
        with self.questions:
            if self.waiting is not None:
                self.instead, self.waiting = self.waiting[0], None

    def is_waiting(self, tool: Tool, arguments: Mapping[str, Any]) -> bool:
        """Tell whether this is the call a paused run waits at."""
        if self.waiting is None or self.waiting[0] != tool.name:
            return False
        return are_alike(self.waiting[1], as_read(dict(arguments)))

    def _answer_of(self, ask: Callable[[], Any], whose: str) -> Decision | Literal["pause"]:
        """Give what a function of the user's says; UsageError where it fails, or says what is no answer."""
        try:
            said = ask() if self.seconds is None else _within(self.seconds, ask)
        except Exception as error:
            raise UsageError(f"{whose} failed: {type(error).__name__}: {error}") from error
        if said is None or isinstance(said, bool | Mapping) or said == "pause":
            return said if said is not None else False
        if is_begun(said):
            raise UsageError(f"{whose} said {said!r:.80}: {NOT_AWAITED}")
        raise UsageError(f'{whose} said {said!r:.80}: True, False, other arguments as a mapping, or "pause" is needed')

    def withhold(self, tool: Tool, arguments: dict[str, Any]) -> ToolCall:
        """Give the call that a dry run does not make, with what the snippet goes on with as its result."""
        kind = tool.spec.returns.split("[")[0]
        said = f"(dry run: {tool.name} was not called)"
        result = _PLACEHOLDERS.get(kind, said if kind == "str" else None)
        return ToolCall(tool.name, arguments, result)

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


def changed(tool: Tool, arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Give the arguments somebody wants a call to be made with instead; UsageError where they do not fit the tool."""
    try:
        return tool.bind(*_as_called(tool, arguments))
    except (BadCall, TypeError) as error:
        raise UsageError(f"{tool.name}() cannot be called with the changed arguments: {error}") from error


def _as_called(tool: Tool, arguments: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Give arguments by position and by name; TypeError where what stars take is no list, or no mapping."""
    signature = inspect.signature(tool.function)
    known = {name: arguments[name] for name in signature.parameters if name in arguments}
    call = inspect.BoundArguments(signature, known)
    return [*call.args], {**call.kwargs, **{name: arguments[name] for name in arguments if name not in known}}


def _within(seconds: float, ask: Callable[[], Any]) -> Any:
    """Give the answer, or "pause" where it does not come in time; who asks is left to itself then."""
    answers: queue.SimpleQueue[tuple[Any, Exception | None]] = queue.SimpleQueue()

    def work() -> None:
        try:
            answers.put((ask(), None))
        except Exception as error:  # carried to whoever waits
            answers.put((None, error))

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(work,), name="codeact-approval", daemon=True).start()
    try:
        said, error = answers.get(timeout=min(seconds, threading.TIMEOUT_MAX))
    except queue.Empty:
        return "pause"
    if error is not None:
        raise error
    return said


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
    return f"{tool.name} {json.dumps(encode(dict(arguments)), sort_keys=True)}"
