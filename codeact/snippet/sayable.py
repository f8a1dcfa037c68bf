"""Which names a snippet can say: what is handed in by name has to have one of them."""

from __future__ import annotations

import keyword

from codeact.snippet.bindings import normal


def is_sayable(name: object) -> bool:
    """True for a name a snippet may bind and finds again: no keyword, no special name, none Python reads as another."""
    return (
        isinstance(name, str)
        and name.isidentifier()
        and not keyword.iskeyword(name)
        and not (name.startswith("__") and name.endswith("__"))
        and normal(name) == name
    )
