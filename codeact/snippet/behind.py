"""Tells which libraries stand behind an attribute: those of the object asked, and those of what it gave.

An object can be asked through whatever stands for it: its class, `super()`, a weak proxy, a generic alias. What is
found then is the same, and says whose it is.
"""

from __future__ import annotations

import types
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.endings import AttributeRefused

_BOUND = frozenset((types.MethodType, types.BuiltinMethodType, types.MethodWrapperType))
_OF_A_CLASS = frozenset(
    (
        types.MethodDescriptorType,
        types.WrapperDescriptorType,
        types.ClassMethodDescriptorType,
        types.GetSetDescriptorType,
        types.MemberDescriptorType,
    )
)


def owner(found: Any) -> Any:
    """The object a method is bound to, or the class a descriptor is of; None of anything else."""
    kinds = ownership.mro_of(type(found))  # a method of C that is told its class has a type of its own
    if not _BOUND.isdisjoint(kinds):
        return found.__self__
    return None if _OF_A_CLASS.isdisjoint(kinds) else found.__objclass__


def makes_tuples(function: object) -> bool:
    """True for the `__new__` of named tuples, whose defaults nobody can change."""
    globals = function.__globals__ if type(function) is types.FunctionType else {}
    return globals.keys() == {"_tuple_new", "__builtins__", "__name__"}


def takes_the_object(subject: object, found: Any) -> bool:
    """Whether what `subject` gave is a function that is handed the object first."""
    if not _BOUND.isdisjoint(ownership.mro_of(type(found))):
        return False
    return ownership.is_class(subject) or type(found) in (types.FunctionType, types.MethodDescriptorType)


def libraries(subject: object, found: Any) -> set[str]:
    """The first parts of the names of the modules behind `found`, which `subject` gave; the snippet's is `__main__`."""
    if type(subject) is types.ModuleType and type(found) is types.FunctionType:  # `json.dumps`, a thousand times
        return _of_function(found)
    line = [*_line(subject), *_line(owner(found))]
    return {ownership.module_of(cls).partition(".")[0] for cls in line} | _of_function(found)


def _line(subject: object) -> tuple[type, ...]:
    return ownership.mro_of(ownership.class_of(subject))


def _of_function(found: Any) -> set[str]:
    if type(found) is property:
        found = found.fget
    if type(found) is types.MethodType:
        found = found.__func__
    homes: set[str] = set()
    while type(found) is types.FunctionType and not ownership.is_own_function(found):
        homes.add(found.__globals__.get("__name__", "").partition(".")[0])
        found = vars(found).get("__wrapped__")  # of one of ours, the library's it looks for
    return homes


def function_of(descriptor: object) -> object:
    """What a property, or what is like one, is around."""
    return getattr(descriptor, "func", None) or getattr(descriptor, "fget", None)


def check_asked(descriptor: object, target: object) -> None:
    """Raise where a library's property is asked about a class: what it made of its kind would be of `type` itself."""
    function = function_of(descriptor)
    if isinstance(target, type) and type(function) is types.FunctionType and not ownership.is_own_function(function):
        raise AttributeRefused(
            f"a {type(descriptor).__name__} of a library is asked about an instance, not about a class"
        )
