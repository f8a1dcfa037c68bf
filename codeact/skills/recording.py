"""Tools that answer from a recording, and recordings changed on purpose."""

from __future__ import annotations

import builtins
import inspect
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from itertools import chain
from typing import Any

from codeact.records import ToolCall, ToolSpec
from codeact.skills import encoding

_REST = "*"  # what a recording calls the arguments beyond those with a name
_ERROR = re.compile(r"^(\w+): ?(.*)$", re.S)


class _Default:
    """Stands for an argument that was left out."""

    def __repr__(self) -> str:
        return "…"


DEFAULT = _Default()


class Replay:
    """Recorded calls as tools: each call is answered by the first recorded one with equal arguments not yet used."""

    def __init__(self, specs: Sequence[ToolSpec]) -> None:
        self.specs = {spec.name: spec for spec in specs}
        self._mutex = threading.Lock()
        self.load(())

    def load(self, calls: Sequence[ToolCall]) -> None:
        """Starts again, with these calls."""
        with self._mutex:
            self.calls = tuple(calls)
            self.used: dict[int, None] = {}  # places of calls, in the order they were asked for
            self.unknown: list[str] = []

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """The tools for a session."""
        return {name: self._tool(spec) for name, spec in self.specs.items()}

    def taken(self) -> tuple[ToolCall, ...]:
        """The recorded calls that were used, in the order they were."""
        return tuple(self.calls[at] for at in self.used)

    def left(self) -> tuple[ToolCall, ...]:
        """The recorded calls nobody asked for."""
        return tuple(call for at, call in enumerate(self.calls) if at not in self.used)

    def _tool(self, spec: ToolSpec) -> Callable[..., Any]:
        def answer(*args: Any, **kwargs: Any) -> Any:
            return self._answer(spec, args, kwargs)

        answer.__name__ = answer.__qualname__ = spec.name
        answer.__doc__ = spec.doc or spec.name
        answer.effect = spec.effect  # type: ignore[attr-defined]  # functions take attributes
        answer.__signature__ = _signature(spec)  # type: ignore[attr-defined]  # what inspect.signature gives
        return answer

    def _answer(self, spec: ToolSpec, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = {name: value for name, value in _named(spec, args, kwargs).items() if value is not DEFAULT}
        with self._mutex:
            at = next(chain(self._fitting(spec, given, exactly=True), self._fitting(spec, given, exactly=False)), None)
            if at is None:
                self.unknown.append(
                    f"{spec.name}({', '.join(f'{name}={value!r:.80}' for name, value in given.items())})"
                )
                raise LookupError(f"no recorded answer of {self.unknown[-1]}")
            self.used[at] = None
            call = self.calls[at]
        if call.error is not None:
            raise _raised(call.error)
        return call.result

    def _fitting(self, spec: ToolSpec, given: dict[str, Any], *, exactly: bool) -> Iterator[int]:
        """The recorded calls not yet used that were given these arguments, and unless `exactly` any others besides."""
        for at, call in enumerate(self.calls):
            if call.tool != spec.name or at in self.used or (exactly and len(call.arguments) != len(given)):
                continue
            if _fits(call, given):
                yield at


def _signature(spec: ToolSpec) -> inspect.Signature:
    parameters = []
    for item in spec.parameters:
        kind = getattr(inspect.Parameter, item.kind)
        variable = kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        default = inspect.Parameter.empty if item.required or variable else DEFAULT
        parameters.append(inspect.Parameter(item.name, kind, default=default))
    return inspect.Signature(parameters)


def _named(spec: ToolSpec, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    names = [item.name for item in spec.parameters if item.kind in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")]
    named = dict(zip(names, args, strict=False))
    rest = args[len(names) :]
    if rest:
        named[_REST] = [*rest]
    return {**named, **kwargs}


def _fits(call: ToolCall, given: dict[str, Any]) -> bool:
    recorded = call.arguments
    return all(name in recorded and _alike(value, recorded[name]) for name, value in given.items())


def _alike(given: Any, recorded: Any) -> bool:
    """Equal, or equal once the tool's annotations have made of it what was recorded (3 and 3.0, a date as text)."""
    if encoding.same(given, recorded):
        return True
    if isinstance(given, tuple | list) and isinstance(recorded, tuple | list):
        return len(given) == len(recorded) and all(map(_alike, given, recorded))
    if isinstance(given, int | float) and isinstance(recorded, int | float):
        return given == recorded
    return str(given) == str(recorded)


def _raised(error: str) -> Exception:
    match = _ERROR.match(error)
    kind = getattr(builtins, match[1], None) if match else None
    if match and isinstance(kind, type) and issubclass(kind, Exception):
        try:
            return kind(match[2])
        except TypeError:  # a few exceptions want more than a message
            return RuntimeError(error)
    return RuntimeError(error)


def changed(calls: Sequence[ToolCall], tool: str, constants: Sequence[Any] = ()) -> Iterator[tuple[ToolCall, ...]]:
    """The recording with results of one tool changed: all of its calls, then each alone; up, down and emptied.

    Then all of them once more, towards what the program compares with: far from a limit nothing else tells.
    """
    places = [at for at, call in enumerate(calls) if call.tool == tool and call.error is None]
    for change in (_up, _down, _emptied):
        yield tuple(_with(call, change) if at in places else call for at, call in enumerate(calls))
    for place in places[:8] if len(places) > 1 else []:
        for change in (_up, _down):
            yield tuple(_with(call, change) if at == place else call for at, call in enumerate(calls))
    for toward in _towards(constants):
        yield tuple(_with(call, toward) if at in places else call for at, call in enumerate(calls))


def variants(value: Any, constants: Sequence[Any] = ()) -> Iterator[Any]:
    """A value changed up, down and emptied, then towards what the program compares with."""
    changes: tuple[Callable[[Any], Any], ...] = (_up, _down, _emptied, *_towards(constants))
    yield from (change(value) for change in changes)


def _towards(constants: Sequence[Any]) -> Iterator[Callable[[Any], Any]]:
    """Changes that let a comparison come out otherwise: equal to the constant, beyond it, below it, holding it."""
    for constant in constants:
        if isinstance(constant, str):
            yield partial(_each, kind=str, new=constant)
            yield partial(_each, kind=str, new=constant, beside=True)
        else:
            for by in (1, -1, 0):
                yield partial(_each, kind=(int, float), new=constant + by)


def _each(value: Any, *, kind: type | tuple[type, ...], new: Any, beside: bool = False) -> Any:
    """The value with all of one kind within it replaced, or with a text put beside them."""
    match value:
        case dict():
            return {key: _each(item, kind=kind, new=new, beside=beside) for key, item in value.items()}
        case list() | tuple():
            return type(value)(_each(item, kind=kind, new=new, beside=beside) for item in value)
    if not isinstance(value, kind) or isinstance(value, bool):
        return value
    return f"{value} {new}" if beside else new


def _with(call: ToolCall, change: Callable[[Any], Any]) -> ToolCall:
    return replace(call, result=change(call.result))


def _up(value: Any) -> Any:  # noqa: PLR0911  # one row for each kind
    match value:
        case bool():
            return not value
        case int():
            return value * 3 + 17
        case float():
            return value * 3.1 + 17.3
        case str():
            return value + " changed"
        case date():
            return _another_day(value)
        case dict():
            return {key: _up(item) for key, item in value.items()}
        case list() | tuple():
            return type(value)(_up(item) for item in value)
        case None:
            return 1
    return None


def _another_day(value: date) -> date:
    try:
        return value + timedelta(days=400)
    except (OverflowError, ValueError):  # "for ever" is often written as the last day there is
        return value - timedelta(days=400)


def _down(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return -value - 13
        case str():
            return value[: len(value) // 2] if len(value) > 3 else "changed"
        case dict():
            return {key: _down(item) for key, item in value.items()}
        case list() | tuple():
            return type(value)(_down(item) for item in value[: (len(value) + 1) // 2])
    return _up(value)


def _emptied(value: Any) -> Any:
    return type(value)() if isinstance(value, str | list | tuple | dict | int | float) else None
