"""What a library reads and sets by a name that a snippet gave it: by the rules of snippets.

`BaseEstimator.get_params` reads what a method says, a stack of models calls what a list names, and both take functions
as well: `__globals__` of a library's function are its modules. No facade sees such a name, so the modules of libraries
have functions in place of `getattr` and its like, which look at it. What a library's own code says is read as ever.
"""

from __future__ import annotations

import builtins
import operator
import sys
import types
from typing import Any

from codeact.snippet import attributes, library_methods, ownership, sparse_places
from codeact.snippet.attribute_rules import SPECIAL_NAMES, attribute_kind
from codeact.snippet.modules import functional
from codeact.snippet.names import REFUSED_NAMES
from codeact.snippet.running import in_a_snippet
from codeact.snippet.words import words

#: Libraries whose modules have them: those that a policy allows, those these work with, and the modules of Python's
#: that find a method by what a class is called: `"visit_" + type(x).__name__` is what a text of one's own makes of it.
LIBRARIES = frozenset(
    words("numpy pandas scipy sklearn sympy matplotlib mpl_toolkits networkx pyarrow mpmath joblib dateutil")
    + words("ast _ast_unparse reprlib _markupbase")
)

#: What a library itself reads by a name it puts together; what comes of it is looked at where files are opened.
_ITS_OWN = frozenset(name for name in library_methods.WRITES if name.startswith("print_"))

_ASKED = frozenset({*SPECIAL_NAMES, *REFUSED_NAMES, *sparse_places.NAMES}) - _ITS_OWN - {*library_methods.DISPATCHES}
_MISSING = object()
_looked_at: set[str] = set()  # names of modules, those of other libraries too


def guard() -> None:
    """Put the functions in place in the modules of libraries that are loaded by now."""
    for name in [name for name in list(sys.modules) if name not in _looked_at]:
        if not isinstance(module := sys.modules.get(name), types.ModuleType):
            continue
        _looked_at.add(name)
        if name.partition(".")[0] in LIBRARIES:
            names = vars(module)
            for own in (_getattr, _setattr, _delattr):
                names.setdefault(own.__name__, own)
            if names.get("attrgetter") is operator.attrgetter:
                names["attrgetter"] = _attrgetter


def is_put_in(value: object) -> bool:
    """True for what a module has only for its own use."""
    return type(value) is types.FunctionType and value in _PUT_IN


def _getattr(subject: Any, name: str, default: Any = _MISSING, /) -> Any:
    if type(name) is not str or name[:1] == "_" or name in _ASKED:
        caller = sys._getframe(1)
        if not _says(caller, name) and in_a_snippet():
            return _read(subject, name, caller, () if default is _MISSING else (default,))
    return builtins.getattr(subject, name) if default is _MISSING else builtins.getattr(subject, name, default)


def _read(subject: Any, name: str, caller: types.FrameType, given: tuple[Any, ...]) -> Any:
    if str in ownership.mro_of(type(name)):
        name = str.__str__(name)
        if attribute_kind(name) != "private" or not _is_of_library(caller, subject):
            return attributes.get(subject, name, *given)
    return builtins.getattr(subject, name, *given)


def _setattr(subject: Any, name: str, value: Any, /) -> None:
    _check_store(subject, name, sys._getframe(1))
    builtins.setattr(subject, name, value)


def _delattr(subject: Any, name: str, /) -> None:
    _check_store(subject, name, sys._getframe(1))
    builtins.delattr(subject, name)


def _check_store(subject: Any, name: str, caller: types.FrameType) -> None:
    if (type(name) is not str or name[-2:] == "__") and not _says(caller, name) and in_a_snippet():
        attributes.check_store(subject, name)
    elif ownership.is_class(subject) and in_a_snippet() and not _is_of_what_it_is(subject, caller):
        attributes.store(subject)


def _is_of_what_it_is(cls: type, caller: types.FrameType) -> bool:
    """True for the classes of what a method is of: what an object says its class is may be any class."""
    names = caller.f_code.co_varnames[: caller.f_code.co_argcount]
    return any(cls in ownership.mro_of(ownership.class_of(caller.f_locals.get(name))) for name in names[:1])


def _says(caller: types.FrameType, name: str) -> bool:
    """True where the code that asks has the name in it."""
    if type(name) is not str:
        return False
    constants = caller.f_code.co_consts
    return name in constants or any(type(part) in (tuple, frozenset) and name in part for part in constants)


def _is_of_library(caller: types.FrameType, subject: Any) -> bool:
    cls = subject if ownership.is_class(subject) else type(subject)
    library = caller.f_globals["__name__"].partition(".")[0]
    return any(ownership.module_of(base).partition(".")[0] == library for base in ownership.mro_of(cls))


def _attrgetter(*names: str) -> Any:
    return (functional.attrgetter if in_a_snippet() else operator.attrgetter)(*names)


for _own in (_getattr, _setattr, _delattr, _attrgetter):
    _own.__name__ = _own.__qualname__ = _own.__name__.removeprefix("_")

_PUT_IN: frozenset[Any] = frozenset({_getattr, _setattr, _delattr})
