"""Resolves annotations without evaluating text: a name is looked up, anything more stays text."""

from __future__ import annotations

import builtins
import typing
from typing import Any

from codeact.snippet import ownership


def resolve(subject: Any, names: dict[str, Any] | None = None) -> dict[str, Any]:
    """The annotations of a function or class, with dotted names in texts looked up where the subject was defined."""
    found: dict[str, Any] = {}
    if ownership.is_class(subject):
        for base in reversed(ownership.mro_of(subject)):
            found.update(_resolved(ownership.class_dict(base).get("__annotations__", {}), names or {}))
        return found
    own = subject.__globals__ if ownership.is_own_function(subject) else {}
    return _resolved(getattr(subject, "__annotations__", {}), {**own, **(names or {})})


def _resolved(annotations: Any, names: dict[str, Any]) -> dict[str, Any]:
    return {key: _look_up(value, names) for key, value in dict(annotations).items()}


def _look_up(value: Any, names: dict[str, Any]) -> Any:
    text = value.__forward_arg__ if type(value) is typing.ForwardRef else value
    if value is None or text == "None":
        return type(None)
    if type(text) is not str:
        return value
    if text in names and text.isidentifier():
        return names[text]
    plain = getattr(builtins, text, None) if text.isidentifier() and not text.startswith("_") else None
    if isinstance(plain, type) and plain is not type:
        return plain
    raise NameError(f"the annotation {text!r} is text that a snippet cannot evaluate; write it without quotes")
