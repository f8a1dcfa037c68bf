"""Decides which attributes a snippet may read, store and delete: by name before it runs, by object while it runs.

x.name          nothing is asked: whatever a snippet can reach is safe by its public names
x._name         `private(x, "_name")._name`: the snippet's own, or a documented part of a library
x.__class__     `load(x, "__class__")`: the few special names with an answer of their own
x.name = v      `store(x).name`: only on what is the snippet's own
"""

from __future__ import annotations

import types
import weakref
from typing import Any

from codeact.snippet import (
    array_forms,
    behind,
    group_names,
    metaclasses,
    ownership,
    redirecting,
    said_kinds,
    types_,
)
from codeact.snippet.attribute_rules import Kind, attribute_kind, exactly, refusal, refused_attribute, refused_store
from codeact.snippet.class_answers import about_classes, checked_new
from codeact.snippet.digits import settings_of
from codeact.snippet.endings import AttributeRefused
from codeact.snippet.memory_names import look
from codeact.snippet.ownership import is_class, is_own_function
from codeact.snippet.private_names import is_documented, may_say
from codeact.snippet.special import ANSWERS, class_told
from codeact.snippet.storable import WITHOUT, is_storable

_MISSING = object()

#: Names without an underscore whose stores depend on the object.
NAMED = frozenset({"mro", group_names.RELIED, "prec"}) | redirecting.NAMES | array_forms.NAMES


# ------------------------------------------------------------------------------------------------ private names


def private(subject: object, name: str) -> object:
    """The object itself where a snippet may read its `_name`; raises AttributeError where not."""
    if type(subject) in ownership.plain_classes or may_say(subject, name):
        return subject
    raise refusal(subject, name, "a name that begins with an underscore is private to the library that defines it")


# ------------------------------------------------------------------------------------------------ stores


def store(subject: object) -> object:
    """The object itself where a snippet may store or delete its public attributes; raises AttributeError where not."""
    cls = type(subject)
    if cls in ownership.storable_classes or cls in WITHOUT or is_storable(subject):
        return subject
    kind = "module" if cls is types.ModuleType else "class" if is_class(subject) else "object"
    label = subject.__name__ if kind != "object" else cls.__name__  # type: ignore[attr-defined]  # both have one
    raise AttributeRefused(f"attributes of the {kind} {label!r} cannot be set or deleted: it is not your own", "")


def store_private(subject: object, name: str, by_variable: bool = False) -> object:
    """The same for `x._name = …`, which must not reach the insides of a library either."""
    if (streams := redirecting.streams(subject, name)) is not None:
        return streams
    store(subject)
    if name in array_forms.NAMES:
        return subject if ownership.is_plain_class(type(subject)) else array_forms.to_store(subject, name, by_variable)
    if name in ("prec", group_names.RELIED):
        return settings_of(subject) if name == "prec" else _store_relied(subject, name)
    if name == ownership.MARK:
        raise refusal(subject, name, "by it your own classes are told")
    if type(subject) in weakref.ProxyTypes:
        raise refusal(subject, name, "a proxy takes public names alone; set it on the object itself")
    cls = ownership.class_of(subject)
    if name in metaclasses.FIXED or (name.endswith("__") and name.startswith("__")):
        return _store_special(subject, name)
    if is_class(subject) and ownership.given_by_metaclass(subject, name):
        raise refusal(subject, name, "it is private to the library that defines it")
    if ownership.is_plain_class(cls) or is_own_function(subject) or is_documented(subject, name):
        return subject
    if any(name in ownership.private_parts(base) for base in ownership.library_bases(cls)):
        raise refusal(subject, name, "it is private to the library that defines it")
    return subject


def _store_relied(subject: object, name: str) -> object:
    if group_names.is_group(subject):
        raise refusal(subject, name, "except* relies on it")
    return subject


def _store_special(subject: object, name: str) -> object:
    if name in metaclasses.FIXED and is_class(subject) and metaclasses.is_below_one(subject):
        raise refusal(subject, name, "a metaclass may not answer for its classes")
    look([name])
    return subject


# ------------------------------------------------------------------------------------------------ special names


def load(subject: object, name: str) -> Any:
    """The value of a special name (`attribute_kind(name)` is "special" or "walked")."""
    return ANSWERS[name](subject, name)


def type_name(subject: object, name: str) -> Any:
    """The value of `x.__class__.__name__` and its like, which is fine of any object."""
    return getattr(class_told(subject), name)


def _is_own(found: Any) -> bool:
    """True for a function of the snippet's, a method made of one, and what was given for such an attribute here."""
    function = found.__func__ if type(found) is types.MethodType else found
    return is_own_function(function) or (type(found) is types.FunctionType and found.__globals__ is globals())


def _checked_slot(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    if _is_own(found):
        return found
    bound = type(found) not in (types.WrapperDescriptorType, types.FunctionType)

    def slot(*arguments: Any) -> Any:
        target = found.__self__ if bound else arguments[0] if arguments else None
        for attribute in arguments[(0 if bound else 1) : (1 if bound else 2)]:
            if name in ("__setattr__", "__delattr__"):
                check_store(target, attribute)
            elif check_name(target, attribute) in ("special", "walked"):
                with said_kinds.passed_on(target, attribute, lambda: found(*arguments)):
                    return load(target, attribute)
        return found(*arguments)

    slot.__name__, slot.__qualname__ = name, found.__qualname__
    return slot


def _checked_descriptor(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    if _is_own(found):
        return found
    position = 1 if type(found) is types.WrapperDescriptorType else 0

    def slot(*arguments: Any) -> Any:
        if len(arguments) > position:
            _check_described(subject if position == 0 else arguments[0], arguments[position])
        return found(*arguments)

    slot.__name__ = slot.__qualname__ = name
    return slot


def _check_described(descriptor: object, target: object) -> None:
    """Raise where a snippet may not store on an object what a descriptor stores there."""
    line = map(ownership.class_dict, ownership.mro_of(type(target)))
    names = NAMED & {name for known in line for name, found in known.items() if found is descriptor}
    check_store(target, name) if (name := next(iter(names), None)) else store(target)


def _bound(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    if _is_own(found):
        return found
    position = 1 if type(found) is types.WrapperDescriptorType or type(found) is types.FunctionType else 0

    def slot(*arguments: Any) -> Any:
        before, binding = arguments[:position], arguments[position:]
        if before and is_class(subject) and subject not in ownership.mro_of(type(before[0])):
            raise TypeError(f"__get__() takes a {subject.__name__!r} first, not {type(before[0]).__name__!r}")
        if binding and binding[0] is not None and not isinstance(subject, _BINDS_ALONE):
            _reach(subject, binding[0])
        if len(binding) in (1, 2) and binding[0] is not None and binding[1:] in ((), (None,)):
            binding = (binding[0], types_.type_of(binding[0]))  # left to itself it would hand out the real one
        value = found(*before, *binding)
        return types.MappingProxyType(value.copy()) if type(value) is types.MappingProxyType else value

    slot.__name__ = slot.__qualname__ = name
    return slot


#: What does no more than bind: nothing of the object is read or stored.
_BINDS_ALONE = (types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, classmethod, staticmethod)


def _reach(descriptor: object, target: object) -> None:
    """Raise where a descriptor is asked about an object of another class, and a snippet could not store on that."""
    line = ownership.mro_of(type(target))
    if not any(found is descriptor for base in line for found in ownership.class_dict(base).values()):
        behind.check_asked(descriptor, store(target))


def _accessor(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    if found is vars(property)[name]:
        raise refusal(subject, name, "it would give the function of any property; ask the property itself")
    if not isinstance(subject, property) or not callable(found) or _is_own(found):
        return found

    def access(*arguments: Any) -> Any:
        if arguments:
            _reach(subject, arguments[0])
            if name != "fget":
                _check_described(subject, arguments[0])
        return found(*arguments)

    access.__name__ = access.__qualname__ = name
    return access


ANSWERS.update(dict.fromkeys(("__setattr__", "__delattr__", "__getattribute__", "__getattr__"), _checked_slot))
ANSWERS.update(dict.fromkeys(("__set__", "__delete__"), _checked_descriptor))
ANSWERS.update(dict.fromkeys(("__instancecheck__", "__subclasscheck__", "__mro_entries__"), about_classes))
ANSWERS["__new__"] = checked_new
ANSWERS["__get__"] = _bound
ANSWERS.update(dict.fromkeys(("fget", "fset", "fdel"), _accessor))


# ------------------------------------------------------------------------------------------------ by computed name


def check_name(subject: object, name: object) -> Kind:
    """The kind of a computed attribute name; raises where a snippet may not read it."""
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
    kind = attribute_kind(name)
    if kind == "refused":
        raise refusal(subject, name, refused_attribute(name) or "")
    if kind == "private":
        private(subject, name)
    return kind


def check_store(subject: object, name: object) -> None:
    """Raises where a snippet may not store or delete a computed attribute name."""
    if _stored_on(subject, name) is not subject:
        raise refusal(subject, str(name), "it is set by a statement, or by setattr")


def _stored_on(subject: object, name: object) -> object:
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
    if (why := refused_store(name)) is not None:
        raise refusal(subject, name, why)
    if name.startswith("_") or name in NAMED:
        return store_private(subject, name)
    return store(subject)


def get(subject: object, name: Any, default: object = _MISSING, /) -> Any:
    """What `getattr` is inside a snippet."""
    special = check_name(subject, name := exactly(name)) in ("special", "walked")
    if default is _MISSING:
        return load(subject, name) if special else getattr(subject, name)
    if special:
        return load(subject, name) if hasattr(subject, name) else default
    return getattr(subject, name, default)


def has(subject: object, name: Any, /) -> bool:
    """What `hasattr` is inside a snippet: a special name is there where it may be read."""
    if check_name(subject, name := exactly(name)) not in ("special", "walked"):
        return hasattr(subject, name)
    try:
        load(subject, name)
    except AttributeError:
        return False
    return True


def put(subject: object, name: Any, value: object, /) -> None:
    """What `setattr` is inside a snippet."""
    setattr(_stored_on(subject, name := exactly(name)), name, value)


def drop(subject: object, name: Any, /) -> None:
    """What `delattr` is inside a snippet."""
    delattr(_stored_on(subject, name := exactly(name)), name)
