"""What `__init__` of a library's class is inside a snippet: it sets up instances of the snippet's own classes alone."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet.ownership import BARE_TYPES, is_own_class
from codeact.snippet.rules import COUNTED


@functools.lru_cache(maxsize=1000)
def of_own_instances(found: Callable[..., Any]) -> Callable[..., Any]:
    """The function, of instances of a class of the snippet's own and of plain values."""

    def __init__(*arguments: Any, **keywords: Any) -> Any:
        cls = type(arguments[0]) if arguments else object
        if is_own_class(cls) or cls in BARE_TYPES:
            return found(*arguments, **keywords)
        raise TypeError(f"__init__() takes an instance of a class of your own first, not {cls.__name__!r}")

    __init__.__qualname__, __init__.__doc__ = getattr(found, "__qualname__", "__init__"), found.__doc__
    if type(found) is types.FunctionType:
        setattr(__init__, COUNTED, found)
    return __init__
