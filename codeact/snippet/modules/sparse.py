"""Sparse arrays of scipy: their places fit, whoever wrote them, before compiled code goes by them.

Compiled code reads and writes where `indices`, `indptr` and `coords` say, without a look: scipy looks when an array is
made, and some of it then. What a library makes fits. What a snippet gave or was given is noted, by the array that owns
the memory, and looked through each time a library asks for it; everything else costs nothing, or what the asking costs.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import array_forms, ownership, said_kinds, sparse_places, special, storable
from codeact.snippet.modules import by_name, sparse_fit
from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet
from codeact.snippet.words import words

#: Modules of the formats, which make sparse arrays of what they made themselves.
_FORMATS = frozenset(
    f"scipy.sparse._{name}" for name in words("base bsr compressed coo csc csr data dia dok index lil")
)

_inside: set[int] = set()  # the names of these modules, by their ids
_libraries: set[int] = set()  # the same for modules of libraries
_noted: dict[int, weakref.ref[Any]] = {}  # arrays that a snippet has, and sparse ones it has stored on


def watch() -> None:
    """Put the guards in place, or have them be there as soon as scipy.sparse is: networkx and pandas load it late."""
    if "scipy.sparse" in sys.modules:
        guard()
    elif not any(type(finder) is _Watch for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watch())


class _Watch:
    """Finds scipy.sparse as everybody does, and has it be guarded once it is loaded."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "scipy.sparse":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module: types.ModuleType) -> None:
                load(module)
                guard()

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]  # of this one loader
        return spec


def guard() -> None:
    """Put the guards in place; more calls do nothing."""
    base = importlib.import_module("scipy.sparse._base")._spbase
    if base in special.final:
        return
    _arrays.append(sys.modules["numpy"].ndarray)
    _count_alone()
    special.final.add(base)
    said_kinds.never.add(base)
    for name, kind, _, check in _KINDS:
        cls = vars(importlib.import_module(f"scipy.sparse._{name}"))[kind]
        patch(cls, "__init__", functools.partial(_noting, check=check))
    blocks = importlib.import_module("scipy.sparse._bsr")._bsr_base
    patch(blocks, "__init__", functools.partial(_noting, check=sparse_fit.compressed))
    coo = importlib.import_module("scipy.sparse._coo")._coo_base
    for name in ("row", "col"):
        real = vars(coo)[name]
        setattr(coo, name, property(_lent(real.fget), real.fset, real.fdel, real.__doc__))
    lil = importlib.import_module("scipy.sparse._lil")
    patch(lil._lil_base, "tocsr", _checked)
    patch(lil._csparsetools, "lil_flatten_to_array", _in_its_place)
    storable.told.append((base, _note_stored))
    array_forms.changed.append(_note_arrays)
    sparse_places.once_said(_ask_for_each)


def _ask_for_each() -> None:
    """Have each place of a sparse array be asked for, which takes a tenth of a microsecond or two."""
    for name, kind, kept, check in _KINDS:
        cls = vars(importlib.import_module(f"scipy.sparse._{name}"))[kind]
        for part in kept:
            setattr(cls, part, _part(part, check if part == kept[0] else None))


# ------------------------------------------------------------------------------------------------ who asks


def _is_of(frame: types.FrameType, known: set[int], modules: Callable[[str], bool]) -> bool:
    names = frame.f_globals
    if id(names) in known:
        return True
    name = names.get("__name__")
    if type(name) is str and modules(name) and vars(sys.modules.get(name, types)) is names:
        known.add(id(names))
        return True
    return False


def is_of_a_library(frame: types.FrameType) -> bool:
    """True where code of a library runs in the frame."""
    return _is_of(frame, _libraries, _is_named_as_one)


def _is_named_as_one(name: str) -> bool:
    return name.partition(".")[0] in by_name.LIBRARIES


def _note(subject: Any) -> None:
    sparse_places.say()
    at = id(subject)
    _noted[at] = weakref.ref(subject, lambda _: _noted.pop(at, None))


def _note_stored(matrix: Any) -> None:
    """Note a sparse array that a snippet stores on, with what a copy of it would share."""
    _note(matrix)
    _note_arrays(tuple(_places(matrix.__dict__)))


def _note_arrays(given: Any) -> None:
    """Note an array that a snippet gives or is given, or those of a tuple."""
    for one in given if type(given) is tuple else (given,):
        if (owner := _owner(one)) is not None:
            _note(owner)


def _places(names: dict[str, Any]) -> Iterator[Any]:
    """What says where the numbers of a sparse array are."""
    yield from (names[name] for name in ("indptr", "indices", "offsets") if name in names)
    yield from names["coords"] if type(names.get("coords")) is tuple else ()


def _owner(array: Any) -> Any:
    """The array that owns the memory of this one; None of what is no array."""
    kind = _arrays[0]
    if type(array) is not kind and kind not in ownership.mro_of(type(array)):
        return None
    below = kind.base.__get__(array)
    while type(below) is kind or kind in ownership.mro_of(type(below)):
        array, below = below, kind.base.__get__(below)
    return array


_arrays: list[Any] = []  # numpy's class of them


# ------------------------------------------------------------------------------------------------ asked for


def _part(name: str, check: sparse_fit.Check | None) -> property:
    def found(matrix: Any) -> Any:
        try:
            value = matrix.__dict__[name]
        except KeyError:
            raise AttributeError(f"{type(matrix).__name__!r} object has no attribute {name!r}") from None
        if _noted or id(sys._getframe(1).f_globals) not in _libraries:
            _ask(matrix, value, sys._getframe(1), check)
        return value

    def put(matrix: Any, value: Any) -> None:
        matrix.__dict__[name] = value
        if id(sys._getframe(1).f_globals) not in _libraries:
            _lend(matrix, value, sys._getframe(1))

    def drop(matrix: Any) -> None:
        del matrix.__dict__[name]

    return property(found, put, drop)


def _lend(matrix: Any, value: Any, asks: types.FrameType) -> None:
    """Note the arrays that others than a library ask for or put there, as a snippet does by itself or by ours."""
    if in_a_snippet() and not is_of_a_library(asks):
        _note_arrays(value)


def _ask(matrix: Any, value: Any, asks: types.FrameType, check: sparse_fit.Check | None) -> None:
    _lend(matrix, value, asks)
    if check is None or not _noted or not in_a_snippet():
        return
    names = matrix.__dict__
    if names.get("_shape") is None or "data" not in names:
        return  # it is being made
    if asks.f_code.co_name == "resize" and _is_of(asks, _inside, _FORMATS.__contains__):
        return  # some of it is of the new size by now
    if id(matrix) in _noted or any(id(_owner(part)) in _noted for part in (*_places(names), names["data"])):
        check(names, matrix)


def _lent(real: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What a property gives of the places of a sparse array."""

    def found(matrix: Any) -> Any:
        value = real(matrix)
        _lend(matrix, value, sys._getframe(1))
        return value

    return found


_KINDS = (
    ("compressed", "_cs_matrix", ("indptr", "indices"), sparse_fit.compressed),
    ("coo", "_coo_base", ("coords",), sparse_fit.places),
    ("dia", "_dia_base", ("offsets",), sparse_fit.diagonals),
)


# ------------------------------------------------------------------------------------------------ made


def _noting(real: Callable[..., None], check: sparse_fit.Check) -> Callable[..., None]:
    """What sets up a sparse array: what others than its own modules give is looked through, and noted where it is kept.

    What a library gives may be a snippet's as well, and has nobody who counts on its being kept: it is copied.
    """

    def __init__(self: Any, arg1: Any, *arguments: Any, **settings: Any) -> None:
        real(self, arg1, *arguments, **settings)
        if type(arg1) is tuple or tuple in ownership.mro_of(type(arg1)):
            asks = sys._getframe(1)
            if in_a_snippet() and not _is_of(asks, _inside, _FORMATS.__contains__):
                _settle(self.__dict__, by_itself=not is_of_a_library(asks))
                if tuple.__len__(arg1) == _AS_IT_IS:
                    check(self.__dict__, self)

    return __init__


#: The parts that are taken as they are: numbers and two arrays of places. Pairs are looked through by scipy.
_AS_IT_IS = 3

#: How often what one alone holds is referred to as it is asked, by whether it is in a tuple and a view of another.
_alone: dict[tuple[bool, bool], tuple[int, int]] = {}


def _references(names: dict[str, Any], name: str) -> Iterator[tuple[bool, tuple[int, int]]]:
    """Of each array: whether it is a view, and how often it and the one that owns its memory are referred to."""
    part = names[name]
    for one in part if type(part) is tuple else (part,):
        owner = _owner(one)
        lent = 0 if _arrays[0].base.__get__(owner) is None else sys.maxsize  # by bytes that others may have
        yield owner is not one, (sys.getrefcount(one), lent or sys.getrefcount(owner))


def _count_alone() -> None:
    make = sys.modules["numpy"].arange
    for held in ({"coords": (make(9),)}, {"coords": (make(9)[:5],)}, {"coords": make(9)}, {"coords": make(9)[:5]}):
        for view, counts in _references(held, "coords"):
            _alone[type(held["coords"]) is tuple, view] = counts


def _settle(names: dict[str, Any], *, by_itself: bool) -> None:
    """Note the arrays of places that others hold as well, or have the sparse one keep copies of them."""
    for name in sparse_places.NAMES & names.keys():
        in_tuple = type(names[name]) is tuple
        asked = [*_references(names, name)]
        if all(one <= _alone[in_tuple, view][0] and owner <= _alone[in_tuple, view][1] for view, (one, owner) in asked):
            continue
        if by_itself:
            _note_arrays(names[name])
        else:
            names[name] = tuple(one.copy() for one in names[name]) if in_tuple else names[name].copy()


def _checked(real: Callable[..., Any]) -> Callable[..., Any]:
    def tocsr(self: Any, *arguments: Any, **settings: Any) -> Any:
        made = real(self, *arguments, **settings)
        if in_a_snippet():
            sparse_fit.compressed(made.__dict__, made)
        return made

    return tocsr


def _in_its_place(real: Callable[..., None]) -> Callable[..., None]:
    def lil_flatten_to_array(lists: Any, output: Any) -> None:
        if in_a_snippet() and sum(map(len, lists)) > len(output):
            raise ValueError("the rows and the data of this sparse array are not of the same lengths")
        real(lists, output)

    return lil_flatten_to_array
