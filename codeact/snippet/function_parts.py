"""What functions and methods of the snippet's tell of what they are made of: defaults, what they wrap, variables."""

from __future__ import annotations

import types
from typing import Any

from codeact.snippet import behind, ownership
from codeact.snippet.attribute_rules import refusal
from codeact.snippet.ownership import is_own_class, is_own_function


def of_own_function(subject: object, name: str) -> Any:
    """What `f.__defaults__` and its like give, of a method as well."""
    function = subject.__func__ if type(subject) is types.MethodType else subject
    if is_own_function(function) or is_own_class(type(subject)) or behind.makes_tuples(subject):
        return getattr(subject, name)
    target = getattr(subject, name, None)
    if name == "__wrapped__" and is_own_function(target):
        return target
    raise refusal(subject, name, "it is given for your own functions")


def closure(subject: object, name: str) -> Any:
    """The variables a function has from around it: it could read each of them by its name."""
    found = of_own_function(subject, name)
    function: Any = subject.__func__ if type(subject) is types.MethodType else subject
    if found is None or not is_own_function(function):
        return found
    words = function.__code__.co_freevars
    return tuple(cell for word, cell in zip(words, found, strict=True) if word.isidentifier())


def of_own_method(subject: object, name: str) -> Any:
    """What `m.__func__` and `m.__self__` give."""
    if type(subject) is types.MethodType and is_own_function(subject.__func__):
        return getattr(subject, name)
    if name == "__func__" and type(subject) in (classmethod, staticmethod) and is_own_function(subject.__func__):  # type: ignore[attr-defined]  # both have one
        return subject.__func__  # type: ignore[attr-defined]  # both have one
    if name == "__self__" and type(subject) is types.MethodType:
        bound = subject.__self__
        if is_own_class(ownership.class_of(bound)):
            return bound
    raise refusal(subject, name, "it is given for your own methods")
