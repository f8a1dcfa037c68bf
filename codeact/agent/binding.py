"""What a call's arguments are by name, what the snippet said that they were made of, and that they did not fit."""

from __future__ import annotations

import builtins
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from codeact.agent.candidates import is_in_a_trial
from codeact.agent.tape import Tape
from codeact.journal import Journal
from codeact.session.alike import are_alike
from codeact.session.hosting import given
from codeact.toolbox import BadCall, Bound, Tool
from codeact.wire.parts import Uncrossable

if TYPE_CHECKING:
    from codeact.agent.calls import Calls

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


def noted(tool: Tool, calls: Calls, tape: Tape, journal: Journal | None) -> Tool:
    """Give the tool with its misfits written down, and told again on a replay, where no annotations are at hand."""

    def binding(bind: Callable[[], Bound], by_position: int) -> Bound:
        said = given.get()
        if (then := tape.misfit(calls.step, tool.name, by_position, said)) is not None:
            raise BadCall(getattr(builtins, then["error_type"]), then["error"])
        try:
            return bind()
        except BadCall as error:
            if journal is not None and not is_in_a_trial():
                told = {"by_position": by_position, "error": str(error), "error_type": error.type.__name__}
                journal.append("misfit", step=calls.step, tool=tool.name, arguments=said, **told)
            raise

    return replace(tool, binding=binding)
