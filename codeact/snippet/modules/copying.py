"""Deep copies: a `__deepcopy__` of the snippet's is told nothing of what else is copied, and what is ours stays whole.

CPython keeps the originals and copies of all insides in the memo, which it hands to every `__deepcopy__`. Here a
snippet's method gets a dictionary of its own, by which a further `deepcopy` finds the memo again.
"""

from __future__ import annotations

import copy
import copyreg
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from codeact.snippet import ownership, running, types_

_PLACE = "_codeact_deepcopy"
_MISSING = object()


class _Behind(list[Any]):
    """Stands in a snippet's memo where CPython keeps the originals: those the snippet itself copied with this memo."""

    __slots__ = ("memo",)

    def __init__(self, memo: Callable[[], _Memo | None]) -> None:
        self.memo = memo


types_.STAND_INS[_Behind] = list


class _Memo(dict[int, Any]):
    """The memo of one deep copy, and the dictionary the snippet's methods get for it.

    `outside` of snippets it was begun, by the process that an inline session is in.
    """

    __slots__ = ("__weakref__", "outside", "told")

    def __init__(self, told: dict[Any, Any], *, kept: bool = False, outside: bool = False) -> None:
        """The dictionary keeps the memo where it is the snippet's; else all that was copied goes with the last copy."""
        self.told, self.outside = told, outside
        dict.__setitem__(told, id(told), _Behind((lambda: self) if kept else weakref.ref(self)))


def guard() -> None:
    """Put the guard in place, in the function itself: libraries and other functions of `copy` hold it."""
    if not hasattr(copy, _PLACE):
        plain = types.FunctionType(copy.deepcopy.__code__, vars(copy), "deepcopy", copy.deepcopy.__defaults__)
        setattr(copy, _PLACE, _guarded(plain))
        copy.deepcopy.__code__, copy.deepcopy.__defaults__ = _deepcopy.__code__, _deepcopy.__defaults__


def _deepcopy(x: Any, memo: Any = None, _nil: Any = None) -> Any:
    step = _codeact_deepcopy(x, memo)  # type: ignore[name-defined]  # noqa: F821  # it runs in `copy`
    if step is None:
        return x
    copier, memo, finish = step
    return finish(x, copier(x, memo), memo)  # called here, no copy goes deeper than one of CPython's


_Step = tuple[Callable[[Any, Any], Any], Any, Callable[[Any, Any, Any], Any]]


def _ids(*classes: type) -> frozenset[int]:
    """Known by their ids: a class of a snippet's may say that it equals any other."""
    return frozenset(map(id, classes))


_MORE_ATOMS: frozenset[type] = frozenset(getattr(copy, "_atomic_types", ()))  # until Python 3.13 they have a copier
_ATOMS = _ids(
    int, float, complex, bool, str, bytes, type(None), type(...), *_MORE_ATOMS
)  # a copy of them is themselves
_CONTAINERS = _ids(list, tuple, dict)


def _guarded(plain: Callable[..., Any]) -> Callable[[Any, Any], _Step | None]:
    def step(x: Any, memo: Any) -> _Step | None:
        """What copies this object, with which memo, and what is done then; None where it is its own copy."""
        cls = id(type(x))
        if cls in _ATOMS:
            return None
        if _is_outside(memo):
            return plain, _Memo({}, outside=True) if memo is None else memo, _as_it_is
        kept = _memo_behind(memo)
        known = _known(x, kept)
        if known is not _MISSING:
            return lambda x, memo: known, kept, _as_it_is
        if cls not in _CONTAINERS and not ownership.is_plain_class(type(x)) and _is_whole(x):
            return lambda x, memo: x, kept, _as_it_is
        remember = _told if type(memo) is dict else _remembered
        return copy._deepcopy_dispatch.get(type(x), _copied), kept, remember  # type: ignore[attr-defined]  # typeshed hides it

    return step


def _is_outside(memo: Any) -> bool:
    """Whether no snippet runs: looked for at the first object of a copy, and not where `copy` itself goes on."""
    begun_outside = type(memo) is _Memo and memo.outside and sys._getframe(3).f_globals is vars(copy)
    return begun_outside or not running.in_a_snippet()


def _as_it_is(x: Any, y: Any, memo: Any) -> Any:
    return y


def _remembered(x: Any, y: Any, memo: _Memo) -> Any:
    if y is not x:
        memo[id(x)] = y
        memo.setdefault(id(memo), []).append(x)  # its id stays its own
    return y


def _told(x: Any, y: Any, memo: _Memo) -> Any:
    """What a snippet copied with a memo of its own, it knows: it finds that there as in CPython."""
    if y is not x:
        told = memo.told
        if id(x) not in told:
            told[id(x)] = y
        behind = told.get(id(told))
        if type(behind) is _Behind:
            behind.append(x)
    return _remembered(x, y, memo)


def _memo_behind(memo: Any) -> _Memo:
    if type(memo) is _Memo and not memo.outside:
        return memo
    if type(memo) is not dict:
        return _Memo({})
    behind = memo.get(id(memo))
    known = behind.memo() if type(behind) is _Behind else None
    return known if type(known) is _Memo and known.told is memo else _Memo(memo, kept=True)


def _known(x: Any, kept: _Memo) -> Any:
    """The copy there is; what a snippet puts in its memo stands for instances of its own classes alone."""
    found = kept.get(id(x), _MISSING)
    if found is _MISSING and ownership.is_own_class(type(x)):
        return kept.told.get(id(x), _MISSING)
    return found


def _is_whole(x: Any) -> bool:
    """True for what a copy shares: classes, what is ours, event loops, and the methods of what is not the snippet's."""
    cls = type(x)
    if cls is types.MethodType:
        return not ownership.is_own_class(type(x.__self__))
    module = ownership.module_of(cls)
    if ownership.is_class(x) or (module.startswith("codeact.") and module != "codeact.wire.plain"):
        return True
    return any(ownership.module_of(base) == "asyncio.events" for base in ownership.mro_of(cls))


def _copied(x: Any, kept: _Memo) -> Any:
    """What CPython does with anything that is no builtin container."""
    cls = type(x)
    made = next((base for base in ownership.mro_of(cls) if "__deepcopy__" in ownership.class_dict(base)), None)
    if made is not None and not ownership.is_own_class(cls):
        return ownership.class_dict(made)["__deepcopy__"].__get__(x, cls)(kept)
    copier = getattr(x, "__deepcopy__", None)
    if copier is not None:
        return copier(kept.told)
    parts = _reduced(x, cls)
    return x if isinstance(parts, str) else copy._reconstruct(x, kept, *parts)  # type: ignore[attr-defined]  # typeshed hides it


def _reduced(x: Any, cls: type) -> Any:
    if (of_a_kind := copyreg.dispatch_table.get(cls)) is not None:
        return of_a_kind(x)
    if (reduce_ex := getattr(x, "__reduce_ex__", None)) is not None:
        return reduce_ex(4)
    if reduce := getattr(x, "__reduce__", None):
        return reduce()
    raise copy.Error(f"un(deep)copyable object of type {cls}")
