"""Decides who may say a private name: the snippet of its own objects, and anybody the documented ones."""

from __future__ import annotations

import ast
import collections.abc
import types
from collections.abc import Mapping
from typing import Any

from codeact.snippet import names, ownership
from codeact.snippet.ownership import is_class, is_own_class, is_own_function, mro_of


def may_say(subject: object, name: str) -> bool:
    """True where a snippet may read `subject.name`, whose name begins with an underscore."""
    cls = type(subject)
    if cls is super:
        return _super_may_say(subject, name)
    if is_class(subject):
        if _class_may_say(subject, name):
            return True
    elif cls in ownership.BARE_TYPES or (is_own_class(cls) and _free_of_library(cls, name) and _held(subject, name)):
        return True  # a plain value has none to say
    if is_own_function(subject):
        return True
    if type(subject) is types.ModuleType:
        return (subject.__name__, name) in names.MODULE_PRIVATE_NAMES
    return is_documented(subject, name) or _of_trees(subject, name)


def _of_trees(subject: object, name: str) -> bool:
    cls = ownership.class_of(subject)
    return name in names.OF_TREES and ast.AST in mro_of(cls)


def _class_may_say(subject: type, name: str) -> bool:
    if not is_own_class(subject):
        return subject in ownership.BARE_TYPES
    return _free_of_library(subject, name) and not ownership.given_by_metaclass(subject, name)


def _free_of_library(cls: type, name: str) -> bool:
    if ownership.is_plain_class(cls):
        return True
    for base in mro_of(cls):
        if is_own_class(base):
            if name in ownership.class_dict(base):
                return True
        elif name in ownership.private_parts(base):
            return False
    return not any(name in ownership.private_parts(base) for base in ownership.library_bases(cls))


def _held(subject: object, name: str) -> bool:
    """False where a library's `__getattr__` would have to find it, which may pass the question on to another object."""
    cls = type(subject)
    if not any(_finds_by_itself(base) for base in ownership.library_bases(cls)):
        return True
    if any(name in ownership.class_dict(base) for base in mro_of(cls) if is_own_class(base)):
        return True
    try:
        object.__getattribute__(subject, name)
    except AttributeError:
        return False
    return True


def _finds_by_itself(cls: type) -> bool:
    finders = (ownership.class_dict(cls).get(name) for name in ("__getattr__", "__getattribute__"))
    return types.FunctionType in map(type, finders)


def _super_may_say(subject: object, name: str) -> bool:
    this, bound = _SUPER["__thisclass__"].__get__(subject), _SUPER["__self_class__"].__get__(subject)
    if bound is None or not is_own_class(bound):
        return False
    below = mro_of(bound)[mro_of(bound).index(this) + 1 :] if this in mro_of(bound) else ()
    found = next((base for base in below if name in ownership.class_dict(base)), None)
    return found is None or is_own_class(found) or (name in names.PRIVATE_NAMES and name not in _ITS_OWN)


_SUPER: Mapping[str, Any] = super.__dict__


_ITS_OWN = frozenset({"_member_map_", "_member_names_", "_value2member_map_"})


def is_documented(subject: object, name: str) -> bool:
    """True where a private name is a documented part of what `subject` is."""
    owner = names.PRIVATE_NAMES.get(name)
    subject_class = ownership.class_of(subject)
    line = mro_of(subject_class)
    if owner == "namedtuple":
        return tuple in line and any("_fields" in ownership.class_dict(base) for base in line)
    if owner == "set":
        return collections.abc.Set in line
    if owner == "enum":
        if name in _ITS_OWN and not (is_own_class(subject_class) and name in ownership.class_dict(subject_class)):
            return False  # what it holds could be changed for the whole process
        return any(ownership.module_of(base) == "enum" for base in line)
    return False
