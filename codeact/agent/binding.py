"""What a call's arguments are by name."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from codeact.toolbox import Tool


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
