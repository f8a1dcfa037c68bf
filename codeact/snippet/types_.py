"""What `type`, `class` statements and the type names of the interpreter are inside a snippet.

`type` stays a class: `isinstance(x, type)`, `type(int) is type`, `class Meta(type)` and `type("A", (), {})` mean what
they mean in Python, but every class made through it is checked first.
"""

from __future__ import annotations

import abc
import array
import collections
import enum
import io
import types
from typing import Any

from codeact.snippet import (
    annotated,
    asked_classes,
    attribute_rules,
    class_lines,
    class_tables,
    field_tables,
    group_names,
    lent_memory,
    makers,
    memory_names,
    metaclasses,
    no_methods,
    ownership,
    pattern_names,
    special,
)
from codeact.snippet.given import BuiltinNames
from codeact.snippet.live_names import GlobalNames, LiveNames
from codeact.snippet.names import BY_PYTHON
from codeact.snippet.patches import name_as

_type_call = type.__call__
_type_new = type.__new__


class _StandIn(type):
    """The type of the classes that stand for a type of the interpreter."""

    __slots__ = ()

    def __call__(cls, /, *arguments: Any, **keywords: Any) -> Any:
        """A call of `type` itself answers for one argument and makes a class from three."""
        if cls is type_ and len(arguments) == 1 and not keywords:
            return type_of(arguments[0])
        if cls is type_ and len(arguments) != 3:
            raise TypeError("type() takes 1 or 3 arguments")
        if cls in _MADE_FROM and not issubclass(cls, type) and "__new__" not in vars(cls):
            raise TypeError(f"cannot create {cls.__name__!r} instances inside a snippet")
        return _type_call(cls, *arguments, **keywords)

    def __getitem__(cls, item: Any) -> Any:
        """`type[int]`, which is not for the classes built on it."""
        if cls is type_ or hasattr(_MADE_FROM.get(cls), "__class_getitem__"):  # `memoryview[int]`, from 3.14 on
            return types.GenericAlias(cls, item)
        if (alias := getattr(cls, "__class_getitem__", None)) is None:
            raise TypeError(f"type {cls.__name__!r} is not subscriptable")
        return alias(item)

    __iter__ = None  # a class of `__getitem__` alone would have an item for each number, without end

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _MADE_FROM.get(cls, ())) or type.__instancecheck__(cls, instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _MADE_FROM.get(cls, ())) or type.__subclasscheck__(cls, subclass)


def present(cls: type, real: type) -> None:
    """Let a class show itself under the name of the one it stands for."""
    class_lines.presented.add(cls)
    name_as(cls, real, ownership.module_of(real))


class type_(type, metaclass=_StandIn):  # it stands for the builtin
    """Stands for `type`."""

    __slots__ = ()

    def __new__(mcs, /, *given: Any, **keywords: Any) -> Any:
        if len(given) != 3:
            return _type_new(mcs, *given, **keywords)  # which says what is wrong
        given = (*given[:2], _from_here(mcs, *given))
        return _type_call(type, *given, **keywords) if mcs is type_ else _type_new(mcs, *given, **keywords)

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **keywords: Any) -> None:
        type.__init__(cls, name, bases, namespace)


class _AbcMeta(abc.ABCMeta, metaclass=_StandIn):
    """Stands for `abc.ABCMeta`."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **keywords: Any) -> Any:
        real = abc.ABCMeta if mcs is _AbcMeta else mcs
        return abc.ABCMeta.__new__(real, name, bases, _from_here(mcs, name, bases, namespace), **keywords)


def _never(*arguments: Any, **keywords: Any) -> None:
    """Stand for `__call__` in a class that has no instances: by it functions are told to be callable."""


def _opaque(real: type) -> type:
    called = {"__call__": _never} if real is types.FunctionType else {}
    made = _type_new(_StandIn, real.__name__, (), {"__slots__": (), **called})
    present(made, real)
    return made


class _GenericAlias(metaclass=_StandIn):
    """Stands for `types.GenericAlias`, which passes on every question to what it is an alias of."""

    __slots__ = ()

    def __new__(cls, origin: Any, args: Any, /) -> Any:
        if not ownership.is_class(origin):
            raise TypeError(f"GenericAlias() takes a class inside a snippet, not {type(origin).__name__!r}")
        if not hasattr(origin, "__class_getitem__") and not ownership.is_own_class(origin):
            raise TypeError(f"type {origin.__name__!r} is not subscriptable")  # what it gave would be marked
        return types.GenericAlias(origin, args)


class _MemoryView(metaclass=_StandIn):
    """Stands for `memoryview`."""

    __slots__ = ()

    def __new__(cls, object: Any) -> Any:
        return memoryview(lent_memory.lent(object))


for _name, _value in vars(memoryview).items():
    if not _name.startswith("_"):
        type.__setattr__(_MemoryView, _name, _value)

present(_StandIn, type)
for _pair in ((_MemoryView, memoryview), (type_, type), (_AbcMeta, abc.ABCMeta), (_GenericAlias, types.GenericAlias)):
    present(*_pair)

#: The stand-in of each type whose constructor reaches into the interpreter.
STAND_INS: dict[type, type] = {
    type: type_,
    abc.ABCMeta: _AbcMeta,
    types.FunctionType: _opaque(types.FunctionType),
    types.CodeType: _opaque(types.CodeType),
    types.FrameType: _opaque(types.FrameType),
    types.TracebackType: _opaque(types.TracebackType),
    io.FileIO: _opaque(io.FileIO),
    types.GenericAlias: _GenericAlias,
    super: _opaque(super),
    memoryview: _MemoryView,
}
_MADE_FROM: dict[type, type] = {stand_in: real for real, stand_in in STAND_INS.items()}
STAND_INS.update(dict.fromkeys((LiveNames, GlobalNames, BuiltinNames), dict))
STAND_INS |= {class_tables.Held: types.GetSetDescriptorType, class_tables.Names: types.MappingProxyType}
STAND_INS[_StandIn] = type_


def hide(cls: type, real: type) -> None:
    """Let a class stand for `real`, which stays out of reach."""
    present(cls, real)
    class_lines.hidden.add(real)


class_lines.hidden.add(abc.ABCMeta)

#: What a whole number repeats. That nothing is both is why two factors of one type need no question: `products.py`.
REPEATED: tuple[type, ...] = (str, bytes, bytearray, list, tuple, collections.deque, array.array)


def shield(*reals: type) -> None:
    """Let `type(x)` answer with an opaque class for objects whose constructor opens files anywhere."""
    for real in reals:
        if real not in STAND_INS:
            STAND_INS[real] = stand_in = _opaque(real)
            _MADE_FROM[stand_in] = real


def standing_for(real: type, methods: dict[str, Any]) -> type:
    """A class that has these methods besides, and stands for `real`."""
    STAND_INS[real] = made = _type_new(_StandIn, real.__name__, (real,), methods)
    _MADE_FROM[made] = real
    hide(made, real)
    return made


def type_of(value: object) -> type:
    """The type of a value, or what stands for it."""
    found = type(value)
    if found in ownership.BARE_TYPES or found in ownership.plain_classes:
        return found
    if found not in ownership.known:
        ownership.meet(found)
    return stand_in_of(found) if found in STAND_INS or issubclass(found, type) else found


def stand_in_of(cls: type) -> type:
    """What a snippet gets for a class: itself, or what stands for it. A library's metaclass makes checked classes."""
    known = STAND_INS.get(cls)
    if known is None and cls is not enum.EnumType and type in ownership.mro_of(cls) and not ownership.is_own_class(cls):
        return STAND_INS.get(cls) or (cls if cls in _MADE_FROM else _metaclass_for(cls))
    return known or cls


def _metaclass_for(real: Any) -> type:
    def __new__(mcs: Any, name: str, bases: tuple[type, ...], namespace: Any, /, **keywords: Any) -> Any:
        names = _from_here(mcs, name, bases, namespace)
        return real.__new__(real if mcs is made else mcs, name, bases, names, **keywords)

    made: type
    try:
        made = _type_new(_StandIn, real.__name__, (real,), {"__new__": __new__})
    except TypeError:  # nothing can inherit from it
        made = _opaque(real)
    STAND_INS[real], _MADE_FROM[made] = made, real
    hide(made, real)
    return made


def real_type(cls: Any) -> Any:
    """The type behind a stand-in; anything else is given back."""
    return _MADE_FROM.get(cls, cls) if ownership.is_class(cls) else cls


def _from_here(mcs: Any, name: object, bases: Any, namespace: Any) -> Any:
    """The checked names of a class, with the snippet's module name, which CPython would take from the calling frame."""
    if not issubclass(type(namespace), dict):
        return namespace  # the interpreter says what is wrong with it
    names, kind = namespace, type(namespace)
    # enums read more of their names than a dict holds; nobody else has the copy of others
    if enum.EnumType not in ownership.mro_of(mcs) or kind is dict or ownership.is_own_class(kind):
        names = dict(namespace)  # in the order in which it tells its names
        names.setdefault("__module__", ownership.MODULE)
    screen(name, bases, names, mcs)
    return names


def screen(name: object, bases: Any, names: dict[str, Any], metaclass: Any = type) -> None:
    """Raise TypeError where a class may not be made of these names.

    It is asked before there is a class: what a body defines is told of its class, and could pass it on.
    """
    if type(bases) is not tuple:  # one of a class of its own could tell each who asks of other classes
        raise TypeError(f"type.__new__() argument 2 must be tuple, not {type(bases).__name__}")
    class_tables.let_go(names)
    field_tables.settle_slots(name, names)
    line = line_of(bases)
    for base in bases:
        if ownership.is_class(base) and (base in STAND_INS or base in class_lines.hidden or special.is_final(base)):
            raise TypeError(f"class {name!r} may not inherit from {base.__name__!r}")
    for key, value in dict.items(names):
        if value is not memory_names.ABSENT:
            _screen_definition(name, key, value)
    defined = {key for key, _ in dict.items(names)}
    group_names.close(name, names, line)
    if type in line:
        metaclasses.check(name, defined, line)
    counts = "__index__" in defined or any(
        "__index__" in ownership.class_dict(base)
        for base in line
        if base is not int  # it goes with no sequence
    )
    if counts and any(base in line for base in REPEATED):
        raise TypeError(f"class {name!r} is a sequence and may not define __index__: it could repeat its like")
    dict.update(
        names,
        {**field_tables.checked(name, names), **asked_classes.told(name, names), **no_methods.told(names, metaclass)},
    )
    dict.update(names, makers.checked(name, names, line))
    field_tables.check_readable(field_tables.said(line), line)
    memory_names.close(names, line)
    pattern_names.check_class_told(name, defined, line)
    pattern_names.close(names, line, [real_type(metaclass), *map(type, line)])
    dict.__setitem__(names, ownership.MARK, True)
    ownership.classes_made = True


def line_of(bases: Any) -> list[type]:
    """All classes a class inherits from."""
    return [above for base in bases if ownership.is_class(base) for above in ownership.mro_of(base)]


def _screen_definition(owner: object, name: object, value: object) -> None:
    if type(name) is not str:
        raise TypeError(f"class {owner!r} defines a name that is not a string")
    of_a_library = type(value) is types.FunctionType and not ownership.is_own_function(value)
    made = name in BY_PYTHON or (of_a_library and name not in ("__del__", "__prepare__"))  # these no library writes
    if not made and (why := attribute_rules.refused_definition(name)) is not None:
        raise TypeError(f"class {owner!r} may not define {name}: {why}")
    if name == metaclasses.PREPARE:
        metaclasses.check_prepared(owner, value)
    if name == pattern_names.WORDS:
        pattern_names.check_words(owner, value)
    annotated.screen(owner, name, value)
