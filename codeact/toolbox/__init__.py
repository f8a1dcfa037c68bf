"""A plain function becomes a tool: its schema, its stub for the prompt, and a validated call.

    @tool                                          # optional: any annotated function with a docstring is a tool
    def exchange_rate(base: str, quote: str) -> float:
        \"\"\"Today's rate: units of `quote` for one `base`.\"\"\"

Arguments are checked against the annotations by pydantic before the function is entered, results after it has
returned. A function in a mapping of name to function needs neither annotations nor a docstring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from codeact.errors import ToolError
from codeact.records import ToolSpec
from codeact.toolbox.make import make_tool, place_of, tool
from codeact.toolbox.pause import NotApproved, Pause
from codeact.toolbox.tool import Tool
from codeact.toolbox.words import BadCall, signature_hash, stub

__all__ = [
    "BadCall",
    "NotApproved",
    "Pause",
    "Tool",
    "Toolbox",
    "Tools",
    "make_tool",
    "signature_hash",
    "stub",
    "tool",
]

Tools = Iterable[Callable[..., Any] | Tool] | Mapping[str, Callable[..., Any] | Tool]


class Toolbox:
    """The tools of a session by name."""

    def __init__(self, tools: Tools = ()) -> None:
        self.tools: dict[str, Tool] = {}
        if isinstance(tools, Mapping):
            for name, function in tools.items():
                self._add(function if isinstance(function, Tool) else make_tool(function, name=name))
            return
        if callable(tools) or isinstance(tools, str | bytes) or not isinstance(tools, Iterable):
            raise ToolError(f"tools={tools!r}: a list of functions or a mapping of name to function is needed")
        for function in tools:
            self._add(function if isinstance(function, Tool) else make_tool(function))

    def _add(self, made: Tool) -> None:
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
