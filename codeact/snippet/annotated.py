"""The annotations a class was written with: from Python 3.14 on they are worked out when somebody asks for them."""

from __future__ import annotations

import dataclasses
import sys
import types
import typing
from typing import Any

from codeact.snippet import live_names, ownership
from codeact.snippet.names import ANNOTATING
from codeact.snippet.words import word_set

if sys.version_info >= (3, 14):
    import annotationlib

    def values(cls: type) -> Any:
        """The annotations of this class alone; raises NameError where one names what is not there."""
        return annotationlib.get_annotations(cls)

    def fields(cls: type) -> Any:
        """The same as dataclasses reads them, of a function as well: what is not there yet is a forward reference."""
        return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)

else:

    def values(cls: type) -> Any:
        """The annotations of this class alone."""
        return ownership.class_dict(cls).get("__annotations__", {})

    fields = values


def live(cls: type, found: Any) -> Any:
    """The annotations of a class of the snippet's, which takes what is stored in them where a class body may say it."""

    def check(name: Any) -> None:
        screen(cls.__name__, "__annotations__", {name: None})

    return live_names.live(found, found, check) if type(found) is dict else found.copy()


#: The functions that typing and dataclasses give to the classes they make.
_MADE_BY_LIBRARIES = word_set("__annotate__ annotate annotate_method")


def screen(owner: object, name: str, value: object) -> None:
    """Raise TypeError where a class may not be made with this as its annotations, or to work them out."""
    if name in {"__annotations__", "__annotations_cache__"}:
        if type(value) is not dict:
            raise TypeError(f"class {owner!r}: {name} must be a dict")
        for key in value:
            if type(key) is not str or not key.isidentifier():
                raise TypeError(f"class {owner!r}: {key!r} cannot be annotated")
    elif name in ANNOTATING and not _is_compiled(value):
        raise TypeError(f"class {owner!r} may not define {name}: Python makes it of what the class statement says")


def _is_compiled(value: object) -> bool:
    """True for what the annotations of a class body become, whose name no source can say, and for what typing makes."""
    if type(value) is not types.FunctionType:
        return value is None
    if ownership.is_own_function(value):
        return value.__code__.co_name == "__annotate__"
    # any other function of a library may call one of the snippet's, which could say something else each time
    return value.__code__.co_name in _MADE_BY_LIBRARIES and any(
        value.__globals__ is vars(module) for module in (typing, dataclasses)
    )
