"""inspect and types: the line of a class, annotations, and how far generators and coroutines are."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import attributes, ownership
from codeact.snippet.endings import CallRefused


def evaluate_none(eval_str: bool) -> None:
    """Refuse to evaluate annotations."""
    if eval_str:
        told = "typing.get_type_hints(function) evaluates annotations that are texts"
        raise CallRefused(f"annotations are not evaluated here: {told}")


def is_ours(value: Any) -> bool:
    """True for a function of ours that stands for one of Python's."""
    return type(value) is types.FunctionType and value.__globals__.get("__name__", "").startswith("codeact.")


def getmro(cls: Any) -> tuple[type, ...]:
    """The classes a class of the snippet's own inherits from, itself first."""
    if not ownership.is_class(cls):
        raise AttributeError(f"{type(cls).__name__!r} object has no attribute '__mro__'")
    found: tuple[type, ...] = attributes.load(cls, "__mro__")
    return found


def get_original_bases(cls: Any, /) -> Any:
    """The bases a class of the snippet's own was written with, the generic types among them."""
    if not ownership.is_class(cls):
        raise TypeError(f"Expected an instance of type, not {type(cls).__name__!r}")
    resolved = attributes.load(cls, "__bases__")
    return ownership.class_dict(cls).get("__orig_bases__", resolved)


_NOT_ANNOTATED = "does not have annotations" if sys.version_info >= (3, 14) else "is not a module, class, or callable."


def get_annotations(obj: Any, *, globals: Any = None, locals: Any = None, eval_str: bool = False) -> dict[str, Any]:
    """The annotations a class or a function was written with."""
    evaluate_none(eval_str)
    if not (ownership.is_class(obj) or callable(obj)):
        raise TypeError(f"{obj!r} {_NOT_ANNOTATED}")
    return {} if is_ours(obj) else {**attributes.get(obj, "__annotations__", {})}


def _state(kind: type, real: Callable[[Any], str]) -> Callable[[Any], str]:
    def told(subject: Any, /) -> str:
        if type(subject) is not kind:
            raise TypeError(f"{real.__name__}() takes a {kind.__name__}, not {type(subject).__name__!r}")
        return real(subject)

    told.__name__ = told.__qualname__ = real.__name__
    return told


_STATES = [
    _state(types.GeneratorType, inspect.getgeneratorstate),
    _state(types.CoroutineType, inspect.getcoroutinestate),
]
if hasattr(inspect, "getasyncgenstate"):  # from Python 3.12 on
    _STATES.append(_state(types.AsyncGeneratorType, inspect.getasyncgenstate))

#: What `inspect` gets of this.
OF_CLASSES_AND_STATES: tuple[Callable[..., Any], ...] = (getmro, get_annotations, *_STATES)
