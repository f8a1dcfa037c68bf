"""`help(x)`: what CPython's own help writes about functions, classes, modules and objects, with nothing looked up.

A copy of `pydoc` writes it, which is told of modules by their names, asks for signatures as snippets do, and neither
imports nor reads files. An object of a snippet's class is told of by its class, and never taken for what it says it is.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any

from codeact.snippet import memory_names, no_methods, ownership, types_
from codeact.snippet.charged import Charged
from codeact.snippet.endings import CallRefused
from codeact.snippet.failure_text import clean
from codeact.snippet.modules.printing import Output
from codeact.snippet.modules.row import Room
from codeact.snippet.modules.signatures import signature
from codeact.snippet.ownership import class_dict, is_class, is_own_class, is_own_function, mro_of
from codeact.snippet.rules import COUNTED
from codeact.snippet.running import our_own_work

_TITLE = "Help on %s:"
_NOTHING_ASKED: Any = object()
_IN_C = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)


def helper(room: Room, names: Mapping[str, Any]) -> Callable[..., None]:
    """The builtin `help` of one session; `names` are a snippet's globals."""
    output, made = Output(room, "stdout"), functools.cache(_pydoc)

    def help_(request: Any = _NOTHING_ASKED, /) -> None:
        if request is _NOTHING_ASKED or str in mro_of(type(request)):
            raise CallRefused("help() takes the object itself here, as in help(str.split)")
        output.write(f"{_written(made(), request, names)}\n")

    return help_


def _written(writer: Any, subject: Any, names: Mapping[str, Any]) -> str:
    writer.inspect.modules = _Modules(subject)
    writer._findclass = functools.partial(_home, writer.findclass, names)
    subject = _meant(subject)
    cls = type(subject)
    if is_class(subject) or not is_own_class(cls):
        return str(writer.render_doc(subject, _TITLE, renderer=writer.plaintext))
    described = f"{cls.__name__} in module {cls.__module__} object"
    return f"{_TITLE % described}\n\n{writer.plaintext.document(cls, None)}"


def _meant(subject: Any) -> Any:
    """What is written about: a function where something else is called like one, and the class behind a stand-in."""
    cls = type(subject)
    if cls is Charged:
        return vars(subject)[COUNTED]
    if cls is types.FunctionType:
        return _behind(no_methods.stands_for(subject))
    if ownership.module_of(cls) != "codeact.worker.stubs":
        return types_.real_type(subject)

    def tool() -> None:
        """Do nothing."""

    tool.__name__ = tool.__qualname__ = subject.__name__
    tool.__doc__, tool.__module__ = subject.__doc__, "tools"
    tool.__signature__ = subject.__signature__  # type: ignore[attr-defined]  # it is asked for
    return tool


def _behind(routine: Any) -> Any:
    """What is written in C, where a function of ours was put on its class."""
    real = vars(routine).get("__wrapped__") if type(routine) is types.FunctionType else None
    return real if type(real) in _IN_C and not is_own_function(routine) else routine


def _pydoc() -> Any:
    """A copy of `pydoc` for one session, which nobody else has."""
    with our_own_work():
        spec: Any = importlib.util.find_spec("pydoc")
        found: Any = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
    asking = types.SimpleNamespace(**vars(inspect))
    asking.ismodule = lambda subject: type(subject) is types.ModuleType
    asking.isclass, asking.signature = is_class, _signature
    asking.getcomments = lambda subject: None
    asking.getmodule = lambda subject: asking.modules.of(subject)  # noqa: PLW0108  # it is of each call
    asking.getabsfile = _no_file
    visible, found.findclass = found.visiblename, found._findclass
    found.inspect = asking
    found.pkgutil = types.SimpleNamespace(iter_modules=lambda path: [])
    found.resolve = _resolved
    found.visiblename = lambda name, all=None, obj=None: not _is_ours(name, obj) and visible(name, all, obj)
    text, shown, section = type(found.plaintext), found.plaintext.repr, found.TextDoc.section
    routines = text.docroutine
    text.repr = lambda writer, value: clean(shown(value))
    text.docroutine = lambda writer, routine, *around: routines(writer, _behind(routine), *around)
    text.section = lambda writer, title, contents: "" if title == "FILE" else section(writer, title, contents)
    return found


def _is_ours(name: str, holder: Any) -> bool:
    """True for what we put on classes, which nobody wrote."""
    if name in memory_names.NAMES and is_class(holder):
        return any(class_dict(base).get(name) is memory_names.ABSENT for base in mro_of(holder))
    return name == ownership.MARK


def _resolved(subject: Any, forced: object = 0) -> tuple[Any, str | None]:
    name = getattr(subject, "__name__", None)
    return subject, name if type(name) is str else None


def _signature(subject: Any, **how_annotations_are_told: Any) -> Any:
    told = vars(subject).get("__signature__") if type(subject) is types.FunctionType else None
    return told if type(told) is inspect.Signature and not is_own_function(subject) else signature(subject)


def _no_file(subject: object) -> str:
    raise TypeError("it is of no file that is told of")


class _Modules:
    """What modules are called, and which of them is the one that is written about."""

    def __init__(self, subject: Any) -> None:
        self._known: dict[str, Any] = {subject.__name__: subject} if type(subject) is types.ModuleType else {}

    def of(self, subject: Any) -> Any:
        """What stands for the module of something; None of what says of none."""
        if type(subject) is types.ModuleType:
            return subject
        holder = subject if not is_own_class(type(subject)) or is_class(subject) else type(subject)
        name = getattr(holder, "__module__", None)
        return self._known.setdefault(name, types.SimpleNamespace(__name__=name)) if type(name) is str else None


def _home(found: Callable[[Any], Any], names: Mapping[str, Any], function: Any) -> Any:
    """The class a function was written in; of a snippet's, by the names of the snippet."""
    if not is_own_function(function) and function.__module__ != ownership.MODULE:
        return found(function)
    first, *rest = function.__qualname__.split(".")
    cls = names.get(first)
    for part in rest[:-1]:
        cls = class_dict(cls).get(part) if is_class(cls) and is_own_class(cls) else None
    return cls if rest and is_class(cls) and is_own_class(cls) else None
