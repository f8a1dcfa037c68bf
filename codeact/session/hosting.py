"""The host's side of tool calls: check, run, and say what came of it, whatever the tool does."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import suppress
from contextvars import ContextVar
from types import CoroutineType
from typing import TYPE_CHECKING, Any

import msgspec

from codeact.errors import UsageError
from codeact.records import ToolCall
from codeact.session.failing import log, message_of
from codeact.session.lanes import UsersCode
from codeact.snippet.classes import class_name, is_a
from codeact.snippet.endings import ToolFailed
from codeact.snippet.ownership import mro_of
from codeact.toolbox import BadCall, NotApproved, Pause
from codeact.wire.given import Unlisted, unpack_arguments
from codeact.wire.messages import Call, Raised, Returned
from codeact.wire.parts import Uncrossable
from codeact.wire.raised import nearest
from codeact.wire.values import NODES, Allowance, pack, unpack

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future

    from codeact.toolbox import Tool

_PLAIN = frozenset((str, int, float, bool, type(None)))
_WHOLE = Allowance()
_ENDINGS = (StopIteration, StopAsyncIteration)

given: ContextVar[dict[str, Any]] = ContextVar("given")  # to the call that is made now, as the snippet said it

Answer = Returned | Raised
# By position, by name, all by name for the record, how many items of each are not yet in a list, and what they come to.
Arguments = tuple[list[Any], dict[str, Any], dict[str, Any], Unlisted, int]


class AnsweredCall(msgspec.Struct, frozen=True):  # and no dataclass, which takes ten times as long to make
    """A tool call as it was answered: the record of it, and how its error crossed, if it was one.

    `begun` is how many calls of its step had begun by then, and waits were over while some were under way.
    """

    call: ToolCall
    error: str = ""
    message: str = ""
    begun: int = 0


def read_arguments(call: Call, tool: Tool) -> Arguments:
    """Give a call's arguments for the tool, by position and by name, and a copy of them all for the record."""
    arguments, named, unlisted, parts = unpack_arguments(call.arguments, call.named)
    names = tool.positional
    if arguments is call.arguments and len(arguments) <= len(names):  # plain values, given by position
        return arguments, named, dict(zip(names, arguments, strict=False)), unlisted, parts
    recorded = dict(zip(names, map(_copy, call.arguments, arguments), strict=False))
    if len(arguments) > len(names):
        recorded["*"] = [_copy(tree, unpack(tree)) for tree in call.arguments[len(names) :]]
    for name, value in named.items():
        recorded[name] = _copy(call.named[name], value)
    return arguments, named, recorded, unlisted, parts


def answer_again(call: Call, answered: AnsweredCall, allowance: Allowance) -> Answer:
    """Give the answer a recorded call had; the tool is not called."""
    if answered.call.error is not None:
        return Raised(call.call, answered.error, answered.message)
    return Returned(call.call, pack(answered.call.result, allowance))


def given_answer(call: ToolCall, tool: Tool, answer: Any, error: Exception | None) -> AnsweredCall:
    """Give the answer to a call that was held open; UsageError where it is none the tool could give."""
    if error is not None:
        kind, message = said_of(error, tool)
        return AnsweredCall(ToolCall(call.tool, call.arguments, error=_told(error, kind, message)), kind, message)
    try:
        result = tool.check_result(answer)
        return AnsweredCall(ToolCall(call.tool, call.arguments, _copy(pack(result), result)))
    except (BadCall, Uncrossable) as problem:
        raise UsageError(f"this cannot be the answer to {call.tool}(): {problem}") from problem


def unknown_answer(tool: str, arguments: dict[str, Any]) -> AnsweredCall:
    """Give the answer to a call that had begun when all ended: done again, its effect might happen twice."""
    message = (
        f"{tool}() had begun with these arguments when the session was cut off; whether it happened is not "
        "known. Look before doing it again."
    )
    return AnsweredCall(ToolCall(tool, arguments, None, f"RuntimeError: {message}"), "RuntimeError", message)


def _copy(tree: Any, value: Any) -> Any:
    """A copy that neither the tool nor the caller can change later; plain values need none."""
    return value if type(value) in _PLAIN else unpack(copied(tree))


def copied(tree: Any) -> Any:
    """Give a tree that shares nothing with this one."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(tree))


def answer_call(
    call: Call, tool: Tool, allowance: Allowance, *, read: Arguments, result_of: Callable[[Any], Any]
) -> tuple[Answer, ToolCall]:
    """Run one call to its end and give the answer for the worker and the record of it; Pause where it has no end.

    `result_of` waits for what an async tool gives.
    """
    arguments, named, recorded, unlisted, _ = read
    began, users_code = time.perf_counter(), UsersCode()
    try:
        with users_code:
            given.set(recorded)
            args, kwargs = tool.bind(arguments, named, unlisted)
            result = tool.function(*args, **kwargs)
        if type(result) not in _PLAIN and (
            (later := awaited(result)) is not None or (tool.is_async and hasattr(result, "__await__"))
        ):
            result = result_of(later or result)
        with users_code:
            tree, result = returned(tool, result, allowance)
        seconds = time.perf_counter() - began
        return Returned(call.call, tree), ToolCall(call.tool, recorded, _copy(tree, result), None, seconds)
    except Pause:
        raise
    except BaseException as error:  # a tool may raise anything, also SystemExit; none of it is the host's
        kind, message = said_of(error, tool)
        log(tool.name, error)
        return Raised(call.call, kind, message), ToolCall(
            call.tool,
            recorded,
            None,
            _told(error, kind, message),
            time.perf_counter() - began,
            refused=is_a(error, NotApproved),
        )


class _Exit(msgspec.Struct, frozen=True):
    """A tool's attempt to end the program, as a value: raised on a loop, it would end that loop."""

    error: BaseException


class AsyncTools:
    """The async tools of one step: they run on a loop, are waited for on other threads, and are cancelled with it."""

    def __init__(self) -> None:
        self._running: set[Future[Any]] = set()
        self._called_off = False

    def result_of(self, awaitable: Any, loop: asyncio.AbstractEventLoop | None) -> Any:
        """Give what a tool comes to on a loop; what it raises is raised here."""
        import asyncio

        future = asyncio.run_coroutine_threadsafe(self._awaited(awaitable), loop or private_loop())
        self._running.add(future)
        if self._called_off:  # in the meantime: those that were there then have been cancelled
            future.cancel()
        try:
            result = future.result()
        finally:
            self._running.discard(future)
        if isinstance(result, _Exit):
            raise result.error
        return result

    async def _awaited(self, awaitable: Any) -> Any:
        if self._called_off and isinstance(awaitable, CoroutineType):
            return awaitable.close()  # it has not begun
        try:
            with UsersCode():
                return await awaitable
        except (SystemExit, KeyboardInterrupt) as error:
            return _Exit(error)

    def cancel(self) -> None:
        """Cancel those that run, and those yet to come."""
        self._called_off = True
        for future in tuple(self._running):
            future.cancel()


def awaited(result: Any) -> Coroutine[Any, Any, Any] | None:
    """Give what is to be awaited for a result: a coroutine, or all that comes of a generator that is async."""
    if type(result) is CoroutineType:
        return result
    return _listed(result) if hasattr(type(result), "__anext__") else None


async def _listed(items: AsyncIterator[Any]) -> Iterator[Any]:
    """Give what comes of a generator, as one that is not async gives it: `returned` refuses what is too much."""
    listed: list[Any] = []
    async for item in items:
        listed.append(item)
        if len(listed) > NODES:
            break
    return iter(listed)


def settled(tool: Tool, result: Any) -> Any:
    """Give what a tool returned as it is checked; what is to be awaited is passed on."""
    later = awaited(result)
    return later if later is not None else returned(tool, result)[1]


def returned(tool: Tool, result: Any, allowance: Allowance = _WHOLE) -> tuple[Any, Any]:
    """Give what a tool returned, as it crosses and as it is: a generator as a list; BadCall where it cannot be that."""
    if type(result) not in _PLAIN and isinstance(result, Iterator):
        result = list(itertools.islice(result, NODES + 1))
        if len(result) > NODES:
            raise BadCall(TypeError, f"{tool.name}() returned a generator of more than {NODES:,} items")
    result = tool.check_result(result)
    try:
        return pack(result, allowance), result
    except Uncrossable as error:
        raise BadCall(TypeError, f"{tool.name}() returned what cannot be sent to the snippet: {error}") from None


def said_of(error: BaseException, tool: Tool) -> tuple[str, str]:
    """The built-in exception an error is caught as, and its message: no frames, bounded, and named where it is none."""
    name = class_name(type(error))
    if type(error) is BadCall:
        return error.type.__name__, str(error)
    if is_a(error, NotApproved):
        return NotApproved.__name__, message_of(error)
    if not is_a(error, Exception):
        return "", f"the tool {tool.name} tried to end the program ({name})"
    if any(is_a(error, ending) for ending in _ENDINGS):
        return "RuntimeError", f"the tool {tool.name} raised {name}"
    kind = nearest(mro_of(type(error)))
    return kind, message_of(error, named=not (kind or is_a(error, ToolFailed)))  # a recording's says what it was


def _told(error: BaseException, kind: str, message: str) -> str:
    """What the record of a call says of an error: its own name, unless it is told as what it is not."""
    is_so = not kind or nearest(mro_of(type(error))) == kind
    name = f"{class_name(type(error)) if is_so else kind}: "
    return message if not kind and message.startswith(name) else name + message


_loop: asyncio.AbstractEventLoop | None = None
_loop_lock = threading.Lock()
_parents: list[asyncio.AbstractEventLoop] = []  # kept, for to let go of one is to end the tools that wait on it


def private_loop() -> asyncio.AbstractEventLoop:
    """Give the loop that async tools run on where the caller has none."""
    global _loop  # noqa: PLW0603  # one loop for all sessions, made when first needed
    import asyncio

    with _loop_lock:
        if _loop is None or _loop.is_closed():
            loop = asyncio.new_event_loop()
            threading.Thread(target=_keep_running, args=(loop,), name="codeact loop", daemon=True).start()
            _loop = loop  # not before: where no thread can be had, nobody would ever run it
        return _loop


def _keep_running(loop: asyncio.AbstractEventLoop) -> None:
    """Run a loop on, whatever a tool's callback or background task does to end it: others have tools on it too."""
    while not loop.is_closed():
        with suppress(SystemExit, KeyboardInterrupt):
            loop.run_forever()


def _begin_anew() -> None:
    global _loop, _loop_lock  # the parent's loop has no thread in a forked child, its lock may be held
    if _loop is not None:
        _parents.append(_loop)
    _loop, _loop_lock = None, threading.Lock()


os.register_at_fork(after_in_child=_begin_anew)
