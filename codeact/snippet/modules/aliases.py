"""Aliases of `typing`, which pass on what is asked of them to what they stand for.

`Type` stands for the builtin `type`; a comparison of aliases, or a class statement with one among its bases, asks the
snippet's own objects whether they are equal to it. What an alias is called for gets an attribute that says so.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable
from typing import Any

from codeact.snippet import asked_classes, running, types_
from codeact.snippet.storable import is_storable

#: Above all aliases that are written in Python.
ROOT: type = typing._BaseGenericAlias  # type: ignore[attr-defined]  # has no stub

#: What `typing.Type` is inside a snippet: over what stands for `type`.
Type: Any = typing._SpecialGenericAlias(types_.type_, 1, inst=False, name="Type")  # type: ignore[attr-defined]  # the same
Type.__doc__ = vars(typing)["Type"].__doc__

#: What typing passes over where an object takes no such attribute.
_TAKING_NONE: type[Exception] = AttributeError if sys.version_info < (3, 12) else Exception


def marked(real: Callable[..., Any]) -> Callable[..., Any]:
    """`Annotated[Flag, 1](flag)` would be set as an attribute of the flag, which everybody shares."""

    def __call__(self: Any, *arguments: Any, **keywords: Any) -> Any:
        if not running.in_a_snippet() or not self._inst:
            return real(self, *arguments, **keywords)
        made = self.__origin__(*arguments, **keywords)
        if is_storable(made):
            _mark(made, self)
        return made

    return __call__


def _mark(made: Any, alias: Any) -> None:
    try:
        made.__orig_class__ = alias
    except _TAKING_NONE:
        return


def get_origin(tp: Any) -> Any:
    """What typing.get_origin does, with what stands for the class."""
    return asked_classes.shown(typing.get_origin(tp))


def get_args(tp: Any) -> tuple[Any, ...]:
    """What typing.get_args does, with what stands for the classes."""
    shown = asked_classes.shown
    return tuple(list(map(shown, part)) if type(part) is list else shown(part) for part in typing.get_args(tp))
