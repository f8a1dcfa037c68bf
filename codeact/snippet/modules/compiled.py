"""Methods of classes that Cython compiled: they believe that what they are handed first is of their class.

`np.random.Generator.random(b"…")` takes the bytes for a generator and calls what they say are its functions. CPython's
own kind of method looks first, at no cost, and is made of the same machine code: it takes the place of Cython's.
Some believe as well that their instance was set up, and read of one that never was where there is nothing.
"""

from __future__ import annotations

import ctypes
import sys
import types
from typing import Any

from codeact.snippet import ownership, set_up_once, special
from codeact.snippet.patches import put_on

#: Module → its classes that nothing is built on: what is made past their `__init__` has no data, and nobody looks.
_EMPTY = {"scipy.spatial": ("cKDTree",), "sklearn.metrics._dist_metrics": ("DistanceMetric32", "DistanceMetric64")}

_METHOD = "cython_function_or_method"
_KINDS = (_METHOD, "fused_cython_function")
IMMUTABLE = 1 << 8  #: Py_TPFLAGS_IMMUTABLETYPE, among the flags of a class of C
_flags_of = type.__dict__["__flags__"].__get__
_METHOD_AT = object.__basicsize__  # in a function written in C: behind the head that every object has
_FIRST_ADDRESS = 1 << 16  # below are numbers, such as that of references to an object

_new_method = ctypes.pythonapi.PyDescr_NewMethod
_new_method.restype = ctypes.py_object
_new_method.argtypes = (ctypes.py_object, ctypes.c_void_p)


class Asking(ownership.Kept):
    """A method that looks at what its class is given before it is called: where it cannot be made CPython's own."""

    __slots__ = ("_owner",)

    def __init__(self, owner: type, method: Any) -> None:
        self._owner, self._method = owner, method

    def __get__(self, subject: Any, owner: Any = None) -> Any:
        return self if subject is None else types.MethodType(self._method, subject)

    def __call__(self, subject: Any, /, *arguments: Any, **named: Any) -> Any:
        if self._owner not in ownership.mro_of(type(subject)):
            words = (self._method.__name__, self._owner.__name__, type(subject).__name__)
            raise TypeError("descriptor {!r} for {!r} objects doesn't apply to a {!r} object".format(*words))
        return self._method(subject, *arguments, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._method, name)


def is_compiled(found: object) -> bool:
    """True for functions that Cython made."""
    return type(found).__name__ in _KINDS


def is_of_c(cls: type) -> bool:
    """True for classes written in C; the functions of one that a class statement makes take anything."""
    made: Any = ownership.class_dict(cls).get("__new__")
    return bool(_flags_of(cls) & IMMUTABLE) or (type(made) is types.BuiltinFunctionType and made.__self__ is cls)


def keep(owner: type) -> None:
    """Let the methods of a class that is written in C take nothing else for one of its instances."""
    for name, found in list(ownership.class_dict(owner).items()):
        if is_compiled(found) and is_of_c(owner):
            put_on(owner, name, _native(owner, found) or Asking(owner, found))


def _native(owner: type, found: Any) -> Any:
    """CPython's own method of the same machine code; None where that is called in another way, or is not found."""
    if type(found).__name__ != _METHOD:  # one of several, by what it is given
        return None
    if found.__qualname__ != f"{owner.__name__}.{found.__name__}":  # it was a function of its own
        return None
    method = ctypes.c_void_p.from_address(id(found) + _METHOD_AT).value
    name = ctypes.c_void_p.from_address(method).value if method else None
    said = found.__name__.encode() + b"\0"
    if name is None or name < _FIRST_ADDRESS or ctypes.string_at(name, len(said)) != said:
        return None
    return _new_method(owner, method)


def close() -> None:
    """Have what was never set up be nothing to read, in libraries that are there by now."""
    for module, names in _EMPTY.items():
        if module in sys.modules:
            special.final.update(getattr(sys.modules[module], name) for name in names)
    if (arrays := sys.modules.get("pandas._libs.arrays")) is not None:
        set_up_once.guard_arrays(arrays.NDArrayBacked, sys.modules["numpy"].empty)
