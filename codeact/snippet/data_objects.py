"""Objects whose attributes are data: numpy must find no address among them.

numpy believes an object that has an `__array_interface__`, and a namespace has whatever attributes it is given. Where a
policy allows libraries, these answer like the snippet's own classes: they have none.
"""

from __future__ import annotations

import functools
import reprlib
import sys
import types
from typing import Any

from codeact.snippet import memory_names, types_

_MADE = "takes any attribute when it is made"
_KEYS = "answers for its keys"

#: Classes that are not a snippet's, with instances that have any attribute: (module, class) → why.
CLASSES: dict[tuple[str, str], str] = {
    ("ast", "AST"): _MADE,
    ("argparse", "Namespace"): _MADE,
    ("logging", "LogRecord"): "takes any attribute from `extra`",
    ("pandas.core.generic", "NDFrame"): "answers for the labels of its index",
    ("scipy._lib._util", "_RichResult"): _KEYS,
    ("sklearn.utils._bunch", "Bunch"): _KEYS,
    ("matplotlib.spines", "Spines"): _KEYS,
}


class SimpleNamespace(types.SimpleNamespace):
    """Stands for `types.SimpleNamespace`."""

    __array_interface__ = __array_struct__ = memory_names.ABSENT

    @reprlib.recursive_repr("namespace(...)")
    def __repr__(self) -> str:
        cls = type(self)
        name = "namespace" if cls is SimpleNamespace else cls.__name__
        return f"{name}({', '.join(f'{key}={value!r}' for key, value in self.__dict__.items())})"


def pretty(printer: Any, subject: Any, stream: Any, indent: int, *more: Any) -> None:
    """What pprint does for the class this one stands for."""
    name = "namespace" if type(subject) is SimpleNamespace else type(subject).__name__
    stream.write(f"{name}(")
    printer._format_namespace_items(vars(subject).items(), stream, indent + len(name) + 1, *more)
    stream.write(")")


types_.hide(SimpleNamespace, types.SimpleNamespace)
types_.STAND_INS[types.SimpleNamespace] = SimpleNamespace


def close() -> None:
    """Close the classes of the table that are there by now."""
    if not memory_names.is_watched():
        return
    for module, name in CLASSES:
        cls = vars(sys.modules[module]).get(name) if module in sys.modules else None
        if cls is not None and vars(cls).get(memory_names.NAMES[0]) is not memory_names.ABSENT:
            for word in memory_names.NAMES:
                setattr(cls, word, memory_names.ABSENT)
            if "__getattr__" in vars(cls):
                cls.__getattr__ = _silent(vars(cls)["__getattr__"])


def _silent(getter: Any) -> Any:
    @functools.wraps(getter)
    def __getattr__(self: Any, name: str) -> Any:
        if name in memory_names.NAMES:
            raise AttributeError(name)
        return getter(self, name)

    return __getattr__
