"""A plain function becomes a tool: its schema, its stub for the prompt, and a validated call.

    @tool                                          # optional: any annotated function with a docstring is a tool
    def exchange_rate(base: str, quote: str) -> float:
        \"\"\"Today's rate: units of `quote` for one `base`.\"\"\"

Arguments are checked against the annotations by pydantic before the function is entered, results after it has
returned. A function in a mapping of name to function needs neither annotations nor a docstring.

What needs pydantic is loaded when the first tool is made: a session without tools starts without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from codeact.errors import ToolError
from codeact.records import ToolSpec
from codeact.toolbox.pause import NotApproved, Pause
from codeact.toolbox.words import BadCall, Bound, stub

if TYPE_CHECKING:
    from codeact.toolbox.make import make_tool, tool
    from codeact.toolbox.offered import Tool

__all__ = [
    "BadCall",
    "Bound",
    "NotApproved",
    "Pause",
    "Tool",
    "Toolbox",
    "Tools",
    "make_tool",
    "stub",
    "tool",
]

_HOMES = {"Tool": "codeact.toolbox.offered", "make_tool": "codeact.toolbox.make", "tool": "codeact.toolbox.make"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


# Any: in a dict of functions that differ, mypy sees no callables. A Tool can be called as well.
Tools: TypeAlias = Iterable[Callable[..., Any]] | Mapping[str, Any]


class Toolbox:
    """The tools of a session by name."""

    def __init__(self, tools: Tools = ()) -> None:
        self.tools: dict[str, Tool] = {}
        if isinstance(tools, Mapping):
            for name, function in tools.items():
                self._add(function, name)
            return
        if callable(tools) or isinstance(tools, str | bytes) or not isinstance(tools, Iterable):
            raise ToolError(f"tools={tools!r:.80}: a list of functions or a mapping of name to function is needed")
        for function in tools:
            self._add(function)

    def _add(self, function: Callable[..., Any], name: str | None = None) -> None:
        from codeact.toolbox.make import make_tool, place_of
        from codeact.toolbox.offered import Tool

        made = function if isinstance(function, Tool) else make_tool(function, name=name)
        if made.name in self.tools:
            first, second = self.tools[made.name].function, made.function
            raise ToolError(
                f"two tools are named {made.name!r}: {place_of(first)} and {place_of(second)}. Rename one of them"
            )
        self.tools[made.name] = made

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What the other side needs to know of them."""
        return tuple(made.spec for made in self.tools.values())
