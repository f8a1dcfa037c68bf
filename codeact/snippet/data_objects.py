"""Objects whose attributes are data: numpy must find no address among them.

numpy believes an object that has an `__array_interface__`, and a namespace has whatever attributes it is given. Many a
class of a library is one: `type(x)(**names)`. Where a policy allows libraries, all that a snippet comes to know answer
like its own classes: they have none.
"""

from __future__ import annotations

import functools
import reprlib
import sys
import types
from typing import Any

from codeact.snippet import memory_names, ownership, types_
from codeact.snippet.patches import patch, put_on

_MADE = "takes any attribute when it is made"
_KEYS = "answers for its keys"

#: Classes that answer for data, or are closed before a snippet knows them: (module, class) → why.
CLASSES: dict[tuple[str, str], str] = {
    ("ast", "AST"): _MADE,
    ("argparse", "Namespace"): _MADE,
    ("logging", "LogRecord"): "takes any attribute from `extra`",
    ("pandas.core.generic", "NDFrame"): "answers for the labels of its index",
    ("scipy._lib._util", "_RichResult"): _KEYS,
    ("sklearn.utils._bunch", "Bunch"): _KEYS,
    ("matplotlib.spines", "Spines"): _KEYS,
    ("pydantic.main", "BaseModel"): "answers for what a model takes besides its fields",
    ("sympy.stats.rv", "NamedArgsMixin"): "answers for the names of its arguments, which its heirs choose",
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
    for module, name in CLASSES:
        cls = vars(sys.modules[module]).get(name) if module in sys.modules else None
        if cls is not None and memory_names.is_watched():
            close_class(cls)
            if "__getattr__" in vars(cls):
                patch(cls, "__getattr__", _silent)


#: What the standard library gives the dictionary of what it wraps: functions, and those that remember.
_WRAPPERS: tuple[type, ...] = (types.FunctionType, type(functools.cache(close)))


def watch() -> None:
    """Close the classes that snippets know, and from now on each that they come to know."""
    if not memory_names.is_watched():
        memory_names.watch()
        for cls in (*_WRAPPERS, *ownership.known):
            close_class(cls)


def close_class(cls: type) -> None:
    """Let numpy find no address in what instances of a library's class are given."""
    if not memory_names.is_watched() or type in ownership.mro_of(cls):
        return
    if _is_open(cls):
        for word in memory_names.NAMES:
            put_on(cls, word, memory_names.ABSENT)


_dictionary_at = type.__dict__["__dictoffset__"].__get__


def _is_open(cls: type) -> bool:
    """True where an instance's own dictionary is asked for the names: no class above says anything of them.

    A class whose code names them, as one of numpy's does, stores there what it made itself.
    """
    line = ownership.mro_of(cls)
    if not _dictionary_at(cls) or ownership.class_dict(cls).get("_is_protocol"):  # whose names are what others have
        return False
    if any(word in ownership.class_dict(base) for base in line for word in memory_names.NAMES):
        return False
    return ownership.private_parts.__wrapped__(cls).isdisjoint(memory_names.NAMES)  # not kept: it is asked once


def _silent(getter: Any) -> Any:
    def __getattr__(self: Any, name: str) -> Any:
        if name in memory_names.NAMES:
            raise AttributeError(name)
        return getter(self, name)

    return __getattr__
