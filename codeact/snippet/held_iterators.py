"""The iterators of `itertools` that let go of what they go through, while that may be running.

`islice(map(f, x), 9)` drops the `map` where it ends, also where `f` asked the `islice` for its next item and that was
the end: the outer call goes on in memory that is somebody else's. Where code of a snippet's may run in what they go
through, they keep it as long as they live, or go through it by a generator, which refuses to be entered again.
"""

from __future__ import annotations

import itertools
import sys
import types
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any

from codeact.snippet import ownership, types_
from codeact.snippet.defects import make_by
from codeact.snippet.patches import name_as, put_on

_CONTAINERS = (list, tuple, str, bytes, bytearray, dict, set, frozenset, deque)

#: What may be let go at any time: no code of a snippet's runs in it.
_UNASKED = frozenset((*_CONTAINERS, range, *(type(iter(kind())) for kind in _CONTAINERS), type(iter(range(0)))))
_UNASKED_OR_ALONE = _UNASKED | {types.GeneratorType}

_FEW = (
    itertools.islice,
    *(vars(itertools)[name] for name in ("pairwise", "batched") if name in vars(itertools)),
)
_kept_of_own: list[Any] = []  # what is kept for instances of a snippet's classes, which have no place of ours for it
_keeping: dict[Any, type] = {}


def _class_keeping(kind: Any) -> type:
    made = type(kind.__name__, (kind,), {"__slots__": ("_kept",)})
    name_as(made, kind, kind.__module__)
    types_.STAND_INS[made] = kind
    return made


def keep(cls: Any, self: Any, kept: Any) -> Any:
    """The iterator itself, which keeps this from now on."""
    if cls in _keeping.values():
        vars(cls)["_kept"].__set__(self, kept)
    else:
        _kept_of_own.append(kept)
    return self


def _keeping_all(kind: Any) -> Callable[..., Any]:
    held = _keeping[kind] = _class_keeping(kind)

    def wrapped(real: Callable[..., Any]) -> Callable[..., Any]:
        def __new__(cls: Any, /, *given: Any, **named: Any) -> Any:
            name = "iterable" if not given and "iterable" in named else ""
            through = (named[name],) if name else given[:1]
            if _UNASKED.issuperset(map(type, through)) or not (cls is kind or ownership.is_own_class(cls)):
                return real(cls, *given, **named)
            kept = [iter(each) for each in through]
            if name:
                named[name] = kept[0]
            cls = held if cls is kind else cls
            return keep(cls, real(cls, *([] if name else kept), *given[1:], **named), kept)

        return __new__

    return wrapped


# ------------------------------------------------------------------------------------------------ chains


def _each(items: Iterable[Any]) -> Iterator[Any]:
    yield from items


def _part(given: Any) -> Any:
    return given if type(given) in _UNASKED_OR_ALONE else _each(given)


def _linking(real: Callable[..., Any]) -> Callable[..., Any]:
    def __new__(cls: Any, /, *given: Any, **named: Any) -> Any:
        return real(cls, *(map(_part, given) if _is_a_snippets(cls) else given), **named)

    return __new__


def _in_step(real: Callable[..., Any]) -> Callable[..., Any]:
    """`zip_longest` lets go of a part once more each time that it is told of its end: no part may be entered again."""

    def __new__(cls: Any, /, *given: Any, **named: Any) -> Any:
        if cls is not itertools.zip_longest and not ownership.is_own_class(cls):
            return real(cls, *given, **named)
        return real(cls, *(_part(each if type(each) in _UNASKED else iter(each)) for each in given), **named)

    return __new__


def _is_a_snippets(cls: Any) -> bool:
    """False for the meter's own chain: what it goes through is asked nothing."""
    return cls is itertools.chain or ownership.is_own_class(cls)


def _parts(given: Iterable[Any]) -> Generator[Any, Any, None]:
    itself = yield
    yield
    for part in given:
        if sys.getrefcount(itself) <= _ITS_OWN:
            _kept_of_own.append(itself)
        yield _part(part)
    if sys.getrefcount(itself) <= _ITS_OWN:
        _kept_of_own.append(itself)


_ITS_OWN = 2  # the variable itself, and the argument by which it is asked: who draws from it has let go of it


def from_iterable(cls: Any, given: Any, /) -> Any:
    """What `chain.from_iterable` gives."""
    if not _is_a_snippets(cls):
        return _real_from_iterable(None, cls)(given)
    if type(given) in _UNASKED:
        return _real_from_iterable(None, cls)(map(_part, given))
    parts = _parts(iter(given))
    next(parts)
    parts.send(parts)
    return _real_from_iterable(None, cls)(parts)


from_iterable.__qualname__ = "chain.from_iterable"
_real_from_iterable = vars(itertools.chain)["from_iterable"].__get__


# ------------------------------------------------------------------------------------------------ sums


def _summing(real: Callable[..., Any]) -> Callable[..., Any]:
    """`accumulate` lends what it has so far to its function; one of Python's holds what it is given."""

    def __new__(cls: Any, /, *given: Any, **named: Any) -> Any:  # it says itself what is wrong with them
        if len(given) > 1:
            return real(cls, given[0], _holding(given[1]), *given[2:], **named)
        return real(cls, *given, **{**named, "func": _holding(named.get("func"))})

    return __new__


def _holding(function: Any) -> Any:
    if function is None:
        return _added
    if type(function) is types.FunctionType:
        return function

    def combined(so_far: Any, item: Any) -> Any:
        return function(so_far, item)

    return combined


def _added(so_far: Any, item: Any) -> Any:
    return so_far + item


def _guard() -> None:
    """Have them keep what they go through, in the whole process."""
    for kind in _FEW:
        make_by(kind, _keeping_all(kind))
    make_by(itertools.chain, _linking)
    put_on(itertools.chain, "from_iterable", classmethod(from_iterable))
    make_by(itertools.accumulate, _summing)
    make_by(itertools.zip_longest, _in_step)


_guard()

#: The classes of which those are that keep something.
KINDS: tuple[type, ...] = tuple(_keeping.values())
