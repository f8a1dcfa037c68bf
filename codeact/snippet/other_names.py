"""What is guarded by its name is set by that name alone: a class of the snippet's may hold it by any it likes.

class A(np.ndarray):
    form = np.ndarray.shape      # `a.form` may be read; `a.form = …` would do what `a.shape = …` asks about first
"""

from __future__ import annotations

import functools
import types
from typing import Any

from codeact.snippet import array_forms, ownership
from codeact.snippet.endings import AttributeRefused

_NAMES = array_forms.NAMES | {"prec"}  # of arrays, and of the contexts of decimal


def look(cls: type) -> bool:
    """Raise where a class holds what sets one of them by another name; True where it could come to.

    It is not asked again until something is stored on a class.
    """
    own = [base for base in ownership.mro_of(cls) if ownership.is_own_class(base)]
    guarded = held(cls)
    for base in own if guarded else ():
        for name, found in ownership.class_dict(base).items():
            if (called := guarded.get(id(found), name)) != name:
                raise AttributeRefused(
                    f"attributes of {cls.__name__!r} objects cannot be set: the class has {called!r} of a library "
                    f"as {name!r} as well",
                    f"leave {name!r} out, or define a property that reads self.{called}",
                )
    if guarded:
        ownership.looked_through.add(cls)
    return bool(guarded)


def look_again() -> None:
    """Have such classes looked through anew, as something is stored on one."""
    ownership.storable_classes.difference_update(ownership.looked_through)
    ownership.looked_through.clear()


def is_guarded(cls: type, name: str) -> bool:
    """True where a class of a library sets something by this name that is asked about first."""
    return name in _NAMES and not ownership.is_own_class(cls) and name in _of_library(cls).values()


def held(cls: type) -> dict[int, str]:
    """What sets such a thing in the libraries' classes above a class, by its id, and by which name."""
    tables = [_of_library(base) for base in ownership.library_bases(cls)]
    return {at: name for table in tables for at, name in table.items()}


@functools.cache
def _of_library(cls: type) -> dict[int, str]:
    found: dict[str, Any] = {name: ownership.class_dict(cls).get(name) for name in _NAMES}
    return {id(value): name for name, value in found.items() if _sets(value)}


def _sets(value: Any) -> bool:
    return type(value) is types.GetSetDescriptorType or (type(value) is property and value.fset is not None)
