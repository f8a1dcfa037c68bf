"""Methods of C that are called without an object: CPython before 3.13.4 read one where there is none.

The code of `x.split()` remembers that `x` was a text, and looks for the object among its arguments; where `x` is a
class then, it has none, and what was left in memory is taken for it (gh-131998). It does so for methods that say of
themselves how they take their arguments in exactly one of two ways. Here they say more, and are called as before that.
"""

from __future__ import annotations

import ctypes
import sys
import types

from codeact.snippet import ownership

_ARRAY, _NAMED_TOO = 0x80, 0x82  # METH_FASTCALL, and METH_KEYWORDS with it
_MORE = 0x40  # METH_COEXIST, which is looked at as a class is made and never later
_READ_AT = object.__basicsize__ + 3 * ctypes.sizeof(ctypes.c_void_p)  # in a method: where it is told of
_IS_READ = sys.version_info < (3, 13, 4)


class _Told(ctypes.Structure):
    """What CPython is told of a method: PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_void_p),
    )


_told: list[_Told] = []


def guard() -> None:
    """Have all methods of C that are there say more; more calls do nothing."""
    if _IS_READ and not _told:
        found, todo = {object}, [object]
        for cls in todo:
            keep(cls)
            new = [heir for heir in type.__subclasses__(cls) if heir not in found]
            found.update(new)
            todo += new


def keep(cls: type) -> None:
    """Do so for the methods of a class."""
    for method in list(ownership.class_dict(cls).values()) if _IS_READ else ():
        if type(method) is types.MethodDescriptorType:
            place = ctypes.c_void_p.from_address(id(method) + _READ_AT)
            told = _Told.from_address(place.value or 0)
            if told.flags in (_ARRAY, _NAMED_TOO):
                _told.append(_Told(told.name, told.function, told.flags | _MORE, told.doc))
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(_told[-1]))  # it is read as long as there is a Python
                place.value = ctypes.addressof(_told[-1])
