"""What is given where a snippet says the special names by which classes are asked, and by which they make instances."""

from __future__ import annotations

import types
from typing import Any

from codeact.snippet import asked_classes, behind
from codeact.snippet.attribute_rules import refusal
from codeact.snippet.class_statements import screened
from codeact.snippet.ownership import is_class, is_own_function
from codeact.snippet.set_up import is_empty_at_first, new
from codeact.snippet.special import final

_METACLASS_MODULES = ("abc", "enum", "typing", "types", "builtins")


def about_classes(subject: object, name: str) -> Any:
    """The value of `__instancecheck__` and its like: it is asked of classes, and tells those a snippet knows."""
    found = getattr(subject, name)
    function = found.__func__ if type(found) is types.MethodType else found
    if is_own_function(function) or asked_classes.is_telling(function):
        return found
    of_a_class = name != "__mro_entries__" and behind.takes_the_object(subject, found)

    def ask(*arguments: Any) -> Any:
        if of_a_class and arguments and not is_class(arguments[0]):
            raise TypeError(f"{name}() takes a class first, not {type(arguments[0]).__name__!r}")
        answer = found(*arguments)
        return tuple(map(asked_classes.shown, answer)) if type(answer) is tuple else answer

    ask.__name__ = ask.__qualname__ = name
    return ask


def checked_new(subject: object, name: str) -> Any:
    """The value of `__new__`: what makes classes looks at what it made."""
    found = new(getattr(subject, name))
    whose = behind.owner(found)
    if is_class(whose) and (whose in final or is_empty_at_first(whose)):
        raise refusal(subject, name, "what it gives is empty; the library has functions that make one")
    makes_classes = found is type.__new__ or (
        type(found) is types.FunctionType and not is_own_function(found) and found.__module__ in _METACLASS_MODULES
    )
    if not makes_classes:
        return found

    def make(*arguments: Any, **keywords: Any) -> Any:
        return screened(found(*arguments, **keywords))

    make.__name__ = make.__qualname__ = name
    return make
