"""What a call's arguments are by name, and what the snippet said that they were made of."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from codeact.session.alike import are_alike
from codeact.session.hosting import given
from codeact.toolbox import Tool
from codeact.wire.parts import Uncrossable

_LOOKED_INTO = frozenset((str, int, float, list, tuple, dict, set, frozenset))


@functools.lru_cache(maxsize=1024)
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def defaults(tool: Tool) -> dict[str, Any]:
    """Give what the parameters of a tool are where a call does not say."""
    parameters = _signature(tool.function).parameters.values()
    return {one.name: one.default for one in parameters if one.default is not one.empty}


def bound(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Give the arguments of a call by their names."""
    return dict(_signature(tool.function).bind(*args, **kwargs).arguments)


def said_instead(arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give what the snippet said, where the tool's annotations made something else of it; None where they did not."""
    said = given.get({})
    return said if any(name not in arguments or _other(said[name], arguments[name]) for name in said) else None


def _other(said: Any, made: Any) -> bool:
    if type(said) is not type(made):
        return True
    try:
        return type(said) in _LOOKED_INTO and not are_alike(said, made)
    except Uncrossable:  # what was said has crossed
        return True
