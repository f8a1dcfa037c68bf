"""Tables of matplotlib that no facade names and a snippet fills by methods: styles of patches, shapes with corners."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

_Table = Callable[[Any], dict[Any, Any]]


def _styles(kind: str, patches: Any) -> dict[Any, Any]:
    """The styles that patches are named by; `get_styles` gives the table itself."""
    return getattr(patches, kind)._style_list  # type: ignore[no-any-return]  # a library without types


def _shapes(kind: str, path: Any) -> dict[Any, Any]:
    """The shapes by the numbers of their corners, which numbers of a snippet's own class are equal to as they like."""
    return getattr(path.Path, f"_unit_regular_{kind}").data  # type: ignore[no-any-return]  # the same


STYLES: dict[str, _Table] = {
    f"styles of {kind}": functools.partial(_styles, kind) for kind in ("BoxStyle", "ArrowStyle", "ConnectionStyle")
}
CORNERS: dict[str, _Table] = {kind: functools.partial(_shapes, kind) for kind in ("polygons", "stars")}
