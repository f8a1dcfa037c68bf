"""Functions that make or change classes: only of the snippet's own, checked as a class statement is."""

from __future__ import annotations

import abc
import collections.abc
import contextlib
import dataclasses
import functools
import inspect
import itertools
import types
import typing
from collections.abc import Callable
from typing import Any

from codeact.snippet import (
    annotated,
    asked_classes,
    asked_members,
    attribute_rules,
    attributes,
    class_statements,
    compared_lists,
    data_objects,
    field_tables,
    metaclasses,
    ownership,
    types_,
)
from codeact.snippet.modules import aliases
from codeact.snippet.modules.row import Room, named
from codeact.snippet.modules.states import get_original_bases
from codeact.snippet.modules.type_hints import forget, resolve

_MAKES_GENERATORS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ITERABLE_COROUTINE


def _aliases() -> list[type]:
    """The classes whose instances pass on every question to what they are an alias of."""
    classes = [found for found in vars(typing).values() if isinstance(found, type)]
    root = aliases.ROOT
    named = [cls for cls in classes if any(base is root for base in ownership.mro_of(cls))]  # == warns from 3.14 on
    return [*named, type(collections.abc.Callable[[int], int])]


types_.shield(*_aliases())
types_.shield(dataclasses.Field)  # a class built on it could answer with another name than the one that was checked


def dataclass_makers(room: Room) -> dict[str, Any]:
    """The replaced names of dataclasses."""
    return named(dataclass, make_dataclass)


def _no_metaclass(name: str, is_one: bool) -> None:
    if is_one:
        raise TypeError(f"metaclass {name!r} cannot be a dataclass: its classes would be equal to each other")


def check_fields(cls: Any) -> None:
    """Raise where a class cannot be made one of fields: it is not the snippet's own, or one says what it may not."""
    attributes.store(cls)
    _no_metaclass(cls.__name__, metaclasses.is_below_one(cls))
    fields = annotated.fields(cls)
    if type(fields) is not dict:  # another one could tell dataclasses of other names
        raise TypeError(f"class {cls.__name__!r}: __annotations__ must be a dict")
    for name in fields:
        field_tables.check_name(name)
    for below in _with_all_below(cls):
        field_tables.check_readable(fields, ownership.mro_of(below))


_classes_below: Callable[[type], list[type]] = type.__subclasses__


def _with_all_below(cls: type) -> list[type]:
    found: list[type] = [cls]
    for known in found:
        found += [below for below in _classes_below(known) if below not in found]
    return found


def _with_patterns(make: Callable[..., Any], wanted: bool) -> Any:
    """The class that `make` makes; a pattern may ask for its fields by position up to the first private one.

    They are set when it is finished: dataclasses runs the snippet's code once it has set them.
    """
    made = make(match_args=False)
    attributes.store(made)  # as dataclasses did: what its fields are at first
    compared_lists.look_at_fields(made)
    asked_members.look((), ownership.mro_of(made), of_libraries=False)
    if wanted and "__match_args__" not in ownership.class_dict(made):
        names = [field.name for field in _given_by_position(made)]
        public = itertools.takewhile(lambda name: attribute_rules.refused_pattern(name) is None, names)
        type.__setattr__(made, "__match_args__", tuple(public))
    return made


def _given_by_position(made: Any) -> list[dataclasses.Field[Any]]:
    """The fields that `__init__` takes by position, those that are for it alone among them."""
    of_class = dataclasses._FIELD_CLASSVAR  # type: ignore[attr-defined]  # there is no public way to ask
    fields = made.__dataclass_fields__.values()
    return [field for field in fields if field.init and not field.kw_only and field._field_type is not of_class]


def dataclass(cls: Any = None, /, *, match_args: bool = True, **settings: Any) -> Any:
    """What dataclasses.dataclass does, for a class of the snippet's own."""

    def wrap(own: Any) -> Any:
        check_fields(own)
        return _with_patterns(functools.partial(dataclasses.dataclass, own, **settings), match_args)

    return wrap if cls is None else wrap(cls)


def make_dataclass(cls_name: str, fields: Any, *, match_args: bool = True, **settings: Any) -> Any:
    """What dataclasses.make_dataclass does, with the checks of a class statement before it."""
    listed = [field if type(field) is str else _listed(field) for field in fields]
    names_of_fields = [field if type(field) is str else field[0] for field in listed]
    for name in names_of_fields:
        field_tables.check_name(name)
    names = dict(settings.pop("namespace", None) or {})
    names["__module__"] = settings["module"] = ownership.MODULE
    bases = _resolved(cls_name, settings.pop("bases", ()), names)
    types_.screen(cls_name, bases, names)
    line = types_.line_of(bases)
    _no_metaclass(cls_name, type in line)
    field_tables.check_readable(names_of_fields, line)
    settings = _module_if_known({**settings, "bases": bases, "namespace": names})
    make = functools.partial(dataclasses.make_dataclass, cls_name, listed, **settings)
    made = _with_patterns(make, match_args)
    made.__module__ = ownership.MODULE
    return made


def _listed(field: Any) -> tuple[Any, ...]:
    """A field that comes with its type, as dataclasses takes it."""
    size, parts = len(field), tuple(field)
    if not 2 <= size == len(parts) <= 3:
        raise TypeError(f"Invalid field: {field!r}")
    return parts


def _resolved(owner: object, given: Any, names: dict[str, Any]) -> Any:
    """The classes that bases stand for: nothing is left that would be asked again which they are."""
    bases = types.resolve_bases(given)
    if bases is not given:
        names["__orig_bases__"] = given
    if type(bases) is not tuple or not all(map(ownership.is_class, bases)):
        raise TypeError(f"class {owner!r}: bases must be types in a tuple")
    return bases


def _module_if_known(settings: dict[str, Any]) -> dict[str, Any]:
    known = "module" in (dataclasses.make_dataclass.__kwdefaults__ or {})
    return settings if known else {key: value for key, value in settings.items() if key != "module"}


def type_makers(room: Room) -> dict[str, Any]:
    """The replaced names of types."""
    stand_ins = types_.STAND_INS
    return {
        **named(new_class, resolve_bases, prepare_class, coroutine),
        **(named(get_original_bases) if hasattr(types, "get_original_bases") else {}),  # from 3.12 on
        "SimpleNamespace": data_objects.SimpleNamespace,
        "FunctionType": stand_ins[types.FunctionType],
        "LambdaType": stand_ins[types.FunctionType],
        "FrameType": stand_ins[types.FrameType],
        "TracebackType": stand_ins[types.TracebackType],
        "CodeType": stand_ins[types.CodeType],
    }


def new_class(name: str, bases: Any = (), kwds: Any = None, exec_body: Any = None) -> Any:
    """What types.new_class does, then the checks of a class statement."""
    resolved = types.resolve_bases(bases)
    metaclass, names, keywords = _prepared(name, resolved, dict(kwds or {}))
    if exec_body is not None:
        exec_body(names)
    if resolved is not bases:
        names["__orig_bases__"] = bases
    if class_statements.is_own(metaclass):
        return class_statements.made_by_own(metaclass, name, resolved, names, keywords)
    names = dict(names) if type(names) is dict else names  # what filled it may still hold it
    names.setdefault("__module__", "types")  # which CPython takes from the calling frame
    types_.screen(name, resolved, names, metaclass)
    return metaclass(name, resolved, names, **keywords)


def _prepared(name: str, bases: Any, keywords: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    if "metaclass" in keywords:
        keywords["metaclass"] = class_statements.reviewed_metaclass(keywords["metaclass"])
    return types.prepare_class(name, bases, keywords)


def prepare_class(name: str, bases: Any = (), kwds: Any = None) -> Any:
    """What types.prepare_class does; the metaclass is told as `type(x)` tells it."""
    metaclass, names, keywords = _prepared(name, bases, dict(kwds or {}))
    if type(names) is not dict and not class_statements.prepares(metaclass):
        raise TypeError(f"what {metaclass.__name__!r} gathers names in is for the class statement alone")
    return asked_classes.shown(metaclass), names, keywords


def resolve_bases(bases: Any) -> Any:
    """What types.resolve_bases does; the classes are told as `type(x)` tells them."""
    resolved = types.resolve_bases(bases)
    return resolved if resolved is bases else tuple(map(asked_classes.shown, resolved))


def coroutine(func: Any) -> Any:
    """What types.coroutine does; a wrapper has the documented attributes of what it wraps alone."""
    if not callable(func):
        raise TypeError("types.coroutine() expects a callable")
    if ownership.is_own_function(func) and func.__code__.co_flags & _MAKES_GENERATORS:
        return types.coroutine(func)

    def call(*arguments: Any, **keywords: Any) -> Any:
        return func(*arguments, **keywords)

    return functools.update_wrapper(types.coroutine(call), func, updated=())


def hints(room: Room) -> dict[str, Any]:
    """The replaced names of typing."""
    marked = ("final", "runtime_checkable", "override")

    def reveal_type(obj: Any, /) -> Any:
        room.write(f"Runtime type is {type(obj).__name__!r}\n", "stderr")
        return obj

    made = {name: _for_own(getattr(typing, name)) for name in marked if hasattr(typing, name)}
    return {
        **made,
        "Type": aliases.Type,
        "no_type_check": no_type_check,
        "get_type_hints": get_type_hints,
        "dataclass_transform": dataclass_transform,
        "overload": overload,
        "reveal_type": reveal_type,
        **named(aliases.get_origin, aliases.get_args),
        "_cleanups": [forget],
    }


def abstracts(room: Room) -> dict[str, Any]:
    """The replaced names of abc."""
    mark = _for_own(abc.abstractmethod)

    def abstractclassmethod(callable: Any) -> Any:  # its name in abc
        return classmethod(mark(callable))

    def abstractstaticmethod(callable: Any) -> Any:  # its name in abc
        return staticmethod(mark(callable))

    return named(mark, abstractclassmethod, abstractstaticmethod)


def get_type_hints(obj: Any, globalns: Any = None, localns: Any = None, include_extras: bool = False) -> dict[str, Any]:
    """What typing.get_type_hints does; texts are evaluated as `eval` does it inside a snippet."""
    found = resolve(obj, globalns, localns)
    if include_extras:
        return found
    return {key: typing._strip_annotations(value) for key, value in found.items()}  # type: ignore[attr-defined]  # as typing does


def no_type_check(arg: Any) -> Any:
    """What typing.no_type_check does; a class may hold functions of a library, which are not marked."""
    if type(arg) not in (property, classmethod, staticmethod):
        attributes.store(arg)
    for value in tuple(ownership.class_dict(arg).values()) if ownership.is_class(arg) else ():
        inner = value.__func__ if type(value) in (classmethod, staticmethod) else value
        own_class = ownership.is_class(inner) and ownership.is_own_class(inner)
        if not (own_class or ownership.is_own_function(inner)):
            continue
        if inner.__qualname__ == f"{arg.__qualname__}.{inner.__name__}" and inner.__module__ == arg.__module__:
            no_type_check(inner)
    with contextlib.suppress(TypeError):  # of a class written in C
        arg.__no_type_check__ = True
    return arg


def dataclass_transform(**settings: Any) -> Callable[[Any], Any]:
    """What typing.dataclass_transform does when the program runs: nothing that matters."""
    return lambda cls: cls


def overload(func: Any) -> Any:
    """What typing.overload gives; what it was given is noted nowhere."""
    return typing._overload_dummy  # type: ignore[attr-defined]  # typeshed hides it


def _for_own(decorator: Any) -> Any:
    def decorate(subject: Any) -> Any:
        if type(subject) not in (property, classmethod, staticmethod):
            attributes.store(subject)
        return decorator(subject)

    decorate.__name__ = decorate.__qualname__ = decorator.__name__
    return decorate
