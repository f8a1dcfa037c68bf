"""The replaced parts of numpy that make an array of memory they are given: none takes its bytes for objects."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

from codeact.snippet import array_forms, asked_classes, lent_memory, types_
from codeact.snippet.defects import INIT, make_by, put
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules import array_numbers, sparse, text_arrays
from codeact.snippet.modules.row import Room
from codeact.snippet.patches import guarded, patch, put_on
from codeact.snippet.running import in_a_snippet


def guard() -> dict[str, Any]:
    """Put the guards in place; gives the replaced names of numpy."""
    import numpy as np
    from numpy._core import defchararray  # from numpy 2.5 on numpy.char warns of the class, which is to go
    from numpy.lib import _stride_tricks_impl as stride_tricks

    for cls in filter(None, (np.recarray, getattr(defchararray, "chararray", None))):
        patch(cls, "__new__", _of_memory)
    text_arrays.guard(np)
    array_numbers.guard(np)
    if np.ndarray not in types_.STAND_INS:
        put_on(np.ndarray, "data", property(_view(vars(np.ndarray)["data"].__get__)))
        masked: Any = np.ma.MaskedArray
        masked.baseclass = property(lambda array: asked_classes.shown(array._baseclass))
        types_.shield(stride_tricks.DummyArray)  # what it is made of is an address
        make_by(
            np.ndarray, lambda real: _of_memory(array_numbers.of_a_size(real))
        )  # annotations and functions of libraries name it
        types_.standing_for(np.ndarray, {"__new__": _of_memory(_new_array)})
        make_by(np.broadcast, _going_through)
        put(np.nditer, {"__init__": _within_its_array(vars(np.nditer)["__init__"])}, INIT)
        patch(np, "nested_iters", _within_its_array)
        for name in ("close", "__exit__"):
            put_on(np.nditer, name, guarded(vars(np.nditer)[name], _kept_open))
    return {"ndarray": types_.STAND_INS[np.ndarray], "frombuffer": lent_memory.guarded(np.frombuffer, "frombuffer")}


def masked(room: Room) -> dict[str, Any]:
    """The replaced names of numpy.ma."""
    import numpy as np

    return {"frombuffer": lent_memory.guarded(np.ma.frombuffer, "frombuffer")}


def guard_below() -> None:
    """Put the guards in place for a library that works with arrays, which may import numpy later on."""
    if importlib.util.find_spec("numpy") is not None:
        guard()
    sparse.watch()


def _new_array(cls: Any, *arguments: Any, **keywords: Any) -> Any:
    import numpy as np

    return np.ndarray.__new__(np.ndarray if cls is types_.STAND_INS[np.ndarray] else cls, *arguments, **keywords)


def _of_memory(real: Callable[..., Any]) -> Callable[..., Any]:
    def __new__(cls: Any, *arguments: Any, **keywords: Any) -> Any:
        if not in_a_snippet():
            return real(cls, *arguments, **keywords)
        kept = {name: value if name == "shape" else lent_memory.kept(value) for name, value in keywords.items()}
        made = real(cls, *arguments[:1], *map(lent_memory.kept, arguments[1:]), **kept)
        if made.base is not None and made.dtype.hasobject:
            raise CallRefused("an array of objects is not made of bytes inside a snippet: they would be addresses")
        return made

    return __new__


def _view(real: Callable[[Any], memoryview]) -> Callable[[Any], memoryview]:
    def data(array: Any) -> memoryview:
        """Python buffer object pointing to the start of the array's data."""
        view = real(array)
        return view.toreadonly() if in_a_snippet() and array.dtype.hasobject else view

    return data


def _going_through(real: Callable[..., Any]) -> Callable[..., Any]:
    """What makes an iterator of several arrays at once."""

    def __new__(cls: Any, *arrays: Any) -> Any:
        made = real(cls, *arrays)
        if in_a_snippet():
            for one in filter(lent_memory.is_array, arrays):
                array_forms.note(one)
        return made

    return __new__


def _within_its_array(real: Callable[..., Any]) -> Callable[..., Any]:
    """What sets up an iterator: one that counts within a range goes elsewhere, unless it is buffered (numpy 2.4)."""

    def set_up(*given: Any, **named: Any) -> Any:
        if in_a_snippet() and (named.get("itershape") or len(given) > _SHAPE):
            given, named = _of_sizes(given, named)
        flags = given[2] if len(given) > 2 else named.get("flags")  # behind what is gone through, and what goes or how
        if flags is None or not in_a_snippet():
            return real(*given, **named)
        flags = [str.__str__(flag) if issubclass(type(flag), str) else bytes.decode(flag) for flag in flags]
        if "ranged" in flags and "buffered" not in flags and not {"c_index", "f_index"}.isdisjoint(flags):
            raise ValueError("numpy loses its place by the flag 'ranged' with an index: leave one out")
        if len(given) > 2:
            return real(*given[:2], flags, *given[3:], **named)
        return real(*given, **{**named, "flags": flags})

    return set_up


_SHAPE = 8  # the place of the shape that an iterator is to have, behind the iterator itself


def _of_sizes(given: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if len(given) > _SHAPE:
        return (*given[:_SHAPE], given[_SHAPE] and array_numbers.sizes(given[_SHAPE]), *given[_SHAPE + 1 :]), named
    return given, {**named, "itershape": array_numbers.sizes(named["itershape"])}


def _kept_open(real: Callable[..., None]) -> Callable[..., None]:
    """What ends an iterator: the arrays it gave look at its memory, so that it goes when the last of them does."""

    def close(iterator: Any, *details: object) -> None:
        if not in_a_snippet():
            real(iterator, *details)
        elif _is_to_be_written(iterator):
            raise CallRefused(
                "numpy.nditer writes its own copies back at the end of the loop alone inside a snippet: "
                "let it run to its end, or leave out 'buffered' and 'updateifcopy'"
            )

    return close


def _is_to_be_written(iterator: Any) -> bool:
    """True where an iterator holds copies of what it goes through, which may have been changed."""
    if any(array.flags.writebackifcopy for array in iterator.operands):
        return True
    try:
        return not iterator.finished and not iterator.itviews  # there are none of what is buffered
    except ValueError:
        return True


def names_of_types(room: Room) -> dict[str, Any]:
    """The replaced names of numpy.typing."""
    import numpy as np
    import numpy.typing as npt

    alias: Any = npt.NDArray
    alias = getattr(alias, "__value__", alias)  # from Python 3.12 on it is a type statement's
    array = guard()["ndarray"]
    return {"NDArray": array[alias.__args__] if alias.__origin__ is np.ndarray else alias}
