"""Keeps `split` of an exception group what it is: `except*` calls it by name, and believes that a pair comes back.

No class body may define it. Here the ways left are closed: what is stored on a group, and what a class inherits.
"""

from __future__ import annotations

from typing import Any

from codeact.snippet import ownership

RELIED = "split"
_OURS = frozenset({RELIED, "subgroup"})
_GETTER = "__getattribute__"
_split: Any = vars(BaseExceptionGroup)[RELIED]


class _Split:
    """Stands before an instance's dictionary and before other bases, and gives the method of the builtin."""

    def __get__(self, subject: Any, owner: Any = None) -> Any:
        return _split.__get__(subject, owner)

    def __set__(self, subject: object, value: object) -> None:
        raise AttributeError(f"{RELIED!r} of an exception group cannot be set: except* relies on it")


SPLIT = _Split()


def close(owner: object, names: dict[str, Any], line: list[type]) -> None:
    """Close them in what a class is made of; raises TypeError where it says itself what its attributes are."""
    if BaseExceptionGroup not in line:
        return
    if found := sorted(name for name in _OURS if dict.get(names, name, SPLIT) is not SPLIT):
        raise TypeError(f"class {owner!r} may not define {found[0]}: except* relies on it; define derive")
    own = [base for base in line if ownership.is_own_class(base)]
    if dict.__contains__(names, _GETTER) or any(_GETTER in ownership.class_dict(base) for base in own):
        raise TypeError(f"class {owner!r} may not define {_GETTER}: except* relies on {RELIED}; define __getattr__")
    dict.__setitem__(names, RELIED, SPLIT)


def is_group(subject: Any) -> bool:
    """True for exception groups and their classes."""
    return BaseExceptionGroup in ownership.mro_of(ownership.class_of(subject))
