"""Arrays of texts of any length: what numpy moves about in them as bytes is done by their texts.

Each such array keeps the texts past 15 bytes in a store of its own, and says where in it. Functions of numpy that are
older than these arrays copy or turn what says so: they read, clear and let go of what is another's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codeact.snippet import array_forms
from codeact.snippet.modules import array_numbers
from codeact.snippet.patches import guarded, patch, put_on
from codeact.snippet.running import in_a_snippet

_STEP = 2**30  # longer than any text: past it, numpy counts on where there is none


def guard(numpy: Any) -> None:
    """Put the guards in place; more calls do nothing."""
    kind: Any = numpy.ndarray
    _dtype[:] = [vars(kind)["dtype"].__get__]
    for name, guards in (("put", _by_texts), ("choose", _chosen), ("byteswap", _as_it_is)):
        put_on(kind, name, guarded(vars(kind)[name], guards))
    flat = vars(kind)["flat"]
    if not isinstance(flat, property):
        put_on(kind, "flat", property(_flat(flat.__get__), _by_texts(flat.__set__), doc=flat.__doc__))
    array_numbers.put_in(numpy, "putmask", _by_texts, lambda a, /, mask, values: (a, mask, values))
    from numpy._core import strings
    from numpy.lib import _function_base_impl

    for owner, name, guards in ((_function_base_impl, "_place", _by_texts), (strings, "_slice", _by_steps)):
        if name in vars(owner):  # not in every version
            patch(owner, name, guards)


_dtype: list[Callable[[Any], Any]] = []  # of an array, whatever its class says


def _is_of_texts(array: Any) -> bool:
    try:
        return bool(_dtype[0](array).char == "T")
    except TypeError:  # it is no array
        return False


def _objects(array: Any) -> Any:
    import numpy as np

    return np.ndarray.astype(array, object, subok=False)


def _by_texts(real: Callable[..., Any]) -> Callable[..., Any]:
    def change(array: Any, *given: Any, **named: Any) -> None:
        if not (_is_of_texts(array) and in_a_snippet()):
            real(array, *given, **named)
            return
        if not array.flags.writeable:
            raise ValueError("assignment destination is read-only")
        texts = _objects(array)
        real(texts, *given, **named)
        type(texts).__setitem__(array, ..., texts)

    return change


def _as_it_is(real: Callable[..., Any]) -> Callable[..., Any]:
    def byteswap(array: Any, inplace: bool = False) -> Any:
        if not (_is_of_texts(array) and in_a_snippet()):
            return real(array, inplace)
        return array if inplace else array.copy()  # texts are of bytes, in no other order

    return byteswap


def _chosen(real: Callable[..., Any]) -> Callable[..., Any]:
    def choose(array: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Any:
        if not in_a_snippet():
            return real(array, choices, out=out, mode=mode)
        import numpy as np

        given = [np.asarray(each) for each in choices]
        if not any(map(_is_of_texts, (*given, out))):
            return real(array, given, out=out, mode=mode)
        found = real(array, [_objects(each) for each in given], mode=mode)
        if out is None:
            return np.asarray(found, np.result_type(*given))
        np.copyto(out, found, casting="unsafe")
        return out

    return choose


def _by_steps(real: Callable[..., Any]) -> Callable[..., Any]:
    def slice(texts: Any, start: Any, stop: Any, step: Any, /) -> Any:
        import numpy as np

        return real(texts, start, stop, np.clip(step, -_STEP, _STEP) if in_a_snippet() else step)

    return slice


def _flat(real: Callable[..., Any]) -> Callable[..., Any]:
    def flat(array: Any) -> Any:
        found = real(array)
        if not in_a_snippet():
            return found
        array_forms.note(array)
        return _Flat(array, found) if _is_of_texts(array) else found

    return flat


class _Flat:
    """What numpy's iterator of an array is, of texts; more of them at once are given by the array itself."""

    def __init__(self, array: Any, one_by_one: Any) -> None:
        self._array, self._one_by_one = array, one_by_one

    def __getattr__(self, name: str) -> Any:
        return getattr(self._one_by_one, name)

    def __len__(self) -> int:
        return len(self._one_by_one)

    def __iter__(self) -> Any:
        return self._one_by_one

    def __next__(self) -> Any:
        return next(self._one_by_one)

    def __getitem__(self, key: Any) -> Any:
        return self._array[self._places(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._one_by_one[key] = value

    def _places(self, key: Any) -> Any:
        import numpy as np

        return np.unravel_index(np.arange(self._array.size)[key], self._array.shape)
