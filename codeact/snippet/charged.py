"""Stands for a function written in C whose work is charged, by whatever name it is called."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import types_
from codeact.snippet.rules import COUNTED


class Charged:
    """Charges and calls; like what it stands for it becomes no method in a class, and shows itself so."""

    def __init__(self, function: Callable[..., Any], charging: Callable[..., Any]) -> None:
        setattr(self, COUNTED, function)
        self._charging = charging
        self.__module__, self.__doc__ = function.__module__, function.__doc__
        self.__name__, self.__qualname__ = function.__name__, function.__qualname__

    def __call__(self, /, *arguments: Any, **keywords: Any) -> Any:
        """Do what the function does."""
        return self._charging(*arguments, **keywords)

    def __repr__(self) -> str:
        """Say what the function says."""
        return repr(vars(self)[COUNTED])


Charged.__name__ = Charged.__qualname__ = type(len).__name__
types_.STAND_INS[Charged] = types.BuiltinFunctionType  # which makes nothing and has no subclasses
