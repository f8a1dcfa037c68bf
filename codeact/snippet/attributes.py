"""Decides which attributes a snippet may read, store and delete: by name before it runs, by object while it runs.

x.name          nothing is asked: whatever a snippet can reach is safe by its public names
x._name         `private(x, "_name")._name`: the snippet's own, or a documented part of a library
x.__class__     `load(x, "__class__")`: the few special names with an answer of their own
x.name = v      `store(x).name`: only on what is the snippet's own
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Mapping
from typing import Any, Literal

from codeact.snippet import library_methods, names, ownership
from codeact.snippet.formatting import format_method
from codeact.snippet.ownership import is_class, is_own_class, is_own_function, mro_of
from codeact.snippet.storable import is_storable

Kind = Literal["free", "private", "special", "walked", "refused"]

#: Public names with an answer of their own, and why.
SPECIAL_NAMES: dict[str, str] = {
    "format": "the text may name attributes: they follow the same rules",
    "format_map": "the text may name attributes: they follow the same rules",
    "mro": "only of a class of your own",
    "obj": "of an exception it can be an object of a library's inside",
    "raw": "of an open file it is the unguarded file below",
    "detach": "of an open file it is the unguarded file below",
    "get_loop": "an event loop reaches the network",
    **library_methods.NAMES,
}

#: Type of the interpreter → what stands for it, and the check of a class that was made; filled by `types_`.
stand_ins: dict[type, type] = {}
screens: list[Callable[[type], type]] = []

#: Library classes a stand-in is built on, which no answer may hold; filled by `types_.hide`.
hidden: set[type] = set()

_MISSING = object()


@functools.lru_cache(maxsize=4096)
def attribute_kind(name: str) -> Kind:
    """How `x.name` is decided: before the program runs, or by which of the hooks while it runs."""
    if name in names.REFUSED_NAMES:
        return "refused"
    if name == "__mro__":
        return "walked"
    if name in names.GUARDED_DUNDERS or name in SPECIAL_NAMES:
        return "special"
    if not name.startswith("_") or name in names.FREE_DUNDERS:
        return "free"
    if name.startswith("__") and name.endswith("__"):
        return "refused"
    return "private"


def refused_attribute(name: str) -> str | None:
    """Why `x.name` is refused whatever `x` is; None where it may be said."""
    if attribute_kind(name) != "refused":
        return None
    return names.REFUSED_NAMES.get(name, "it leads into the interpreter")


def refused_store(name: str) -> str | None:
    """Why `x.name = …` and `del x.name` are refused whatever `x` is; None where they may be said."""
    if not name.startswith("__") or not name.endswith("__"):
        return refused_attribute(name)
    return None if name in names.STORED_DUNDERS else "a special name may not be assigned from outside its class"


def refused_definition(name: str) -> str | None:
    """Why a class body may not define `name`; None where it may."""
    if name in names.REFUSED_DEFINITIONS:
        return names.REFUSED_DEFINITIONS[name]
    if not name.startswith("__") or not name.endswith("__") or name in names.DEFINABLE:
        return None
    return "it is not among the special methods of the language"


def refused_pattern(name: str) -> str | None:
    """Why `case Class(name=…)` is refused; None where it may be said."""
    if attribute_kind(name) == "free":
        return None
    return refused_attribute(name) or f"a pattern cannot ask for it; match the object and then read .{name}"


def refusal(subject: object, name: str, why: str) -> AttributeError:
    """The error a refused attribute raises; it does not carry the object."""
    kind = subject.__name__ if is_class(subject) else type(subject).__name__  # type: ignore[attr-defined]  # a class has one
    return AttributeError(f"{kind}.{name} is refused: {why}")


# ------------------------------------------------------------------------------------------------ private names


def private(subject: object, name: str) -> object:
    """The object itself where a snippet may read its `_name`; raises AttributeError where not."""
    if type(subject) in ownership.plain_classes or _may_say(subject, name):
        return subject
    raise refusal(subject, name, "a name that begins with an underscore is private to the library that defines it")


def _may_say(subject: object, name: str) -> bool:
    cls = type(subject)
    if cls is super:
        return _super_may_say(subject, name)
    if is_own_class(cls) and _free_of_library(cls, name):
        return True
    if is_class(subject) and is_own_class(subject) and _free_of_library(subject, name):  # type: ignore[arg-type]  # a class
        return True
    if is_own_function(subject):
        return True
    return _documented(subject, cls, name)


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


def _super_may_say(subject: object, name: str) -> bool:
    this, bound = _SUPER["__thisclass__"].__get__(subject), _SUPER["__self_class__"].__get__(subject)
    if bound is None or not is_own_class(bound):
        return False
    below = mro_of(bound)[mro_of(bound).index(this) + 1 :] if this in mro_of(bound) else ()
    found = next((base for base in below if name in ownership.class_dict(base)), None)
    return found is None or is_own_class(found) or name in names.PRIVATE_NAMES


_SUPER: Mapping[str, Any] = super.__dict__


def _documented(subject: object, cls: type, name: str) -> bool:
    owner = names.PRIVATE_NAMES.get(name)
    subject_class = subject if is_class(subject) else cls
    line = mro_of(subject_class)  # type: ignore[arg-type]  # a class
    if owner == "namedtuple":
        return tuple in line and any("_fields" in ownership.class_dict(base) for base in line)
    if owner == "enum":
        return any(ownership.module_of(base) == "enum" for base in line)
    return False


# ------------------------------------------------------------------------------------------------ stores


def store(subject: object) -> object:
    """The object itself where a snippet may store or delete its public attributes; raises AttributeError where not."""
    cls = type(subject)
    if cls in ownership.storable_classes or is_storable(subject):
        return subject
    kind = "module" if cls is types.ModuleType else "class" if is_class(subject) else "object"
    label = subject.__name__ if kind != "object" else cls.__name__  # type: ignore[attr-defined]  # both have one
    raise AttributeError(f"attributes of the {kind} {label!r} cannot be set or deleted: it is not your own")


def store_private(subject: object, name: str) -> object:
    """The same for `x._name = …`, which must not reach the insides of a library either."""
    store(subject)
    cls = subject if is_class(subject) else type(subject)
    if ownership.is_plain_class(cls) or is_own_function(subject):  # type: ignore[arg-type]  # a class
        return subject
    if any(name in ownership.private_parts(base) for base in ownership.library_bases(cls)):  # type: ignore[arg-type]
        raise refusal(subject, name, "it is private to the library that defines it")
    return subject


# ------------------------------------------------------------------------------------------------ special names


def load(subject: object, name: str) -> Any:
    """The value of a special name (`attribute_kind(name)` is "special" or "walked")."""
    return _SPECIAL[name](subject, name)


def type_name(subject: object, name: str) -> Any:
    """The value of `x.__class__.__name__` and its like, which is fine of any object."""
    return getattr(type(subject), name)


def _own_class_of(subject: object, name: str) -> Any:
    if is_own_class(type(subject)) and not is_class(subject):
        return type(subject)
    raise refusal(subject, name, "it is given for instances of your own classes; type(x) answers for anything")


def _own_mro(subject: object, name: str) -> Any:
    if not is_class(subject) or not is_own_class(subject):  # type: ignore[arg-type]  # a class
        if name == "mro" and not is_class(subject):
            return getattr(subject, name)
        raise refusal(subject, name, "it is given for your own classes")
    if any(ownership.module_of(base).startswith("codeact") or base in hidden for base in mro_of(subject)):  # type: ignore[arg-type]  # a class
        raise refusal(subject, name, "the class is built on one that stands for a library's")
    return getattr(subject, name)


def _own_dict(subject: object, name: str) -> Any:
    cls = type(subject)
    if cls in ownership.plain_classes or (ownership.is_plain_class(cls) and not is_class(subject)):
        if not is_class(subject):
            return getattr(subject, name)
    elif not is_class(subject) and is_own_class(cls):
        return {key: value for key, value in vars(subject).items() if _key_may_say(subject, key)}
    if is_class(subject) and is_own_class(subject):  # type: ignore[arg-type]  # a class
        return types.MappingProxyType(_class_copy(subject))  # type: ignore[arg-type]  # a class
    if is_own_function(subject):
        return dict(getattr(subject, name))
    if cls is types.SimpleNamespace:
        return getattr(subject, name)
    raise refusal(subject, name, "it is given for your own classes, instances and functions")


def _key_may_say(subject: object, key: object) -> bool:
    return type(key) is str and (not key.startswith("_") or _may_say(subject, key))


def _class_copy(cls: type) -> dict[str, Any]:
    inside = (types.GetSetDescriptorType, types.MemberDescriptorType)
    return {key: value for key, value in ownership.class_dict(cls).items() if not isinstance(value, inside)}


def _copy_of(subject: object, name: str) -> Any:
    value = getattr(subject, name)
    return value if is_own_function(subject) or type(value) is not dict else dict(value)


def _of_own_function(subject: object, name: str) -> Any:
    if is_own_function(subject) or is_own_class(type(subject)):
        return getattr(subject, name)
    target = getattr(subject, name, None)
    if name == "__wrapped__" and is_own_function(target):
        return target
    raise refusal(subject, name, "it is given for your own functions")


def _of_own_method(subject: object, name: str) -> Any:
    if type(subject) is types.MethodType and is_own_function(subject.__func__):
        return getattr(subject, name)
    if name == "__self__" and type(subject) is types.MethodType:
        bound = subject.__self__
        if is_own_class(bound if is_class(bound) else type(bound)):  # type: ignore[arg-type]  # a class
            return bound
    raise refusal(subject, name, "it is given for your own methods")


def _checked_slot(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    if is_own_function(found) or (type(found) is types.MethodType and is_own_function(found.__func__)):
        return found
    bound = type(found) is not types.WrapperDescriptorType

    def slot(*arguments: Any) -> Any:
        target = found.__self__ if bound else arguments[0] if arguments else None
        for attribute in arguments[(0 if bound else 1) : (1 if bound else 2)]:
            if name in ("__setattr__", "__delattr__"):
                check_store(target, attribute)
            elif check_name(target, attribute) in ("special", "walked"):
                return load(target, attribute)
        return found(*arguments)

    slot.__name__ = slot.__qualname__ = name
    return slot


def _checked_descriptor(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    if is_own_function(found) or (type(found) is types.MethodType and is_own_function(found.__func__)):
        return found
    position = 1 if type(found) is types.WrapperDescriptorType else 0

    def slot(*arguments: Any) -> Any:
        if len(arguments) > position:
            store(arguments[position])
        return found(*arguments)

    slot.__name__ = slot.__qualname__ = name
    return slot


_METACLASS_MODULES = ("abc", "enum", "typing", "types", "builtins")


def _checked_new(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    makes_classes = found is type.__new__ or (
        type(found) is types.FunctionType and not is_own_function(found) and found.__module__ in _METACLASS_MODULES
    )
    if not makes_classes:
        return found

    def new(*arguments: Any, **keywords: Any) -> Any:
        made = found(*arguments, **keywords)
        return screens[0](made) if is_class(made) else made

    new.__name__ = new.__qualname__ = name
    return new


def _origin(subject: object, name: str) -> Any:
    found = getattr(subject, name)
    return stand_ins.get(found, found) if is_class(found) else found


def _format_method(subject: object, name: str) -> Any:
    return format_method(subject, name)


def _not_of_exceptions(subject: object, name: str) -> Any:
    if BaseException in mro_of(type(subject)) and not is_own_class(type(subject)):
        raise refusal(subject, name, "of an exception it can be an object of a library's inside")
    return getattr(subject, name)


def _not_of_files(subject: object, name: str) -> Any:
    cls = type(subject)
    if any(ownership.module_of(base) in ("_io", "io") for base in mro_of(cls)):
        raise refusal(subject, name, "it is the unguarded file below an open file")
    return getattr(subject, name)


def _not_of_futures(subject: object, name: str) -> Any:
    if any(ownership.module_of(base).partition(".")[0] in ("_asyncio", "asyncio") for base in mro_of(type(subject))):
        raise refusal(subject, name, "an event loop reaches the network; use asyncio.get_running_loop()")
    return getattr(subject, name)


_SPECIAL: dict[str, Callable[[object, str], Any]] = {
    "__class__": _own_class_of,
    "__dict__": _own_dict,
    "__mro__": _own_mro,
    "mro": _own_mro,
    "__annotations__": _copy_of,
    "__defaults__": _of_own_function,
    "__kwdefaults__": _of_own_function,
    "__wrapped__": _of_own_function,
    "__func__": _of_own_method,
    "__self__": _of_own_method,
    "__setattr__": _checked_slot,
    "__delattr__": _checked_slot,
    "__getattribute__": _checked_slot,
    "__getattr__": _checked_slot,
    "__set__": _checked_descriptor,
    "__delete__": _checked_descriptor,
    "__new__": _checked_new,
    "__origin__": _origin,
    "format": _format_method,
    "format_map": _format_method,
    "obj": _not_of_exceptions,
    "raw": _not_of_files,
    "detach": _not_of_files,
    "get_loop": _not_of_futures,
    **dict.fromkeys(library_methods.NAMES, library_methods.method),
}


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
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
    if (why := refused_store(name)) is not None:
        raise refusal(subject, name, why)
    if name.startswith("_"):
        store_private(subject, name)
    else:
        store(subject)


def get(subject: object, name: object, default: object = _MISSING, /) -> Any:
    """What `getattr` is inside a snippet."""
    special = check_name(subject, name) in ("special", "walked")
    if default is _MISSING:
        return load(subject, name) if special else getattr(subject, name)  # type: ignore[arg-type]  # a str
    if special:
        return load(subject, name) if hasattr(subject, name) else default  # type: ignore[arg-type]  # a str
    return getattr(subject, name, default)  # type: ignore[arg-type]  # a str


def has(subject: object, name: object, /) -> bool:
    """What `hasattr` is inside a snippet: a special name is there where it may be read."""
    if check_name(subject, name) not in ("special", "walked"):
        return hasattr(subject, name)  # type: ignore[arg-type]  # a str
    try:
        load(subject, name)  # type: ignore[arg-type]  # a str
    except AttributeError:
        return False
    return True


def put(subject: object, name: object, value: object, /) -> None:
    """What `setattr` is inside a snippet."""
    check_store(subject, name)
    setattr(subject, name, value)  # type: ignore[arg-type]  # a str


def drop(subject: object, name: object, /) -> None:
    """What `delattr` is inside a snippet."""
    check_store(subject, name)
    delattr(subject, name)  # type: ignore[arg-type]  # a str
