"""`functools` and `operator` where they reach attributes by name."""

from __future__ import annotations

import functools
import operator
import sys
import types
import typing
from typing import Any

from codeact.snippet import annotated, asked_classes, attribute_rules, attributes, compared_lists, ownership, types_
from codeact.snippet.modules.row import Room
from codeact.snippet.modules.type_hints import resolve
from codeact.snippet.names import FREE_DUNDERS

_ANNOTATED = "__annotate__" if sys.version_info >= (3, 14) else "__annotations__"  # what works them out is copied there
_of_library: Any = annotated.fields if sys.version_info >= (3, 14) else operator.attrgetter("__annotations__")
_COPIED = ("__module__", "__name__", "__qualname__", "__doc__", _ANNOTATED, "__type_params__")


def functions(room: Room) -> dict[str, Any]:
    """The replaced names of functools."""
    return {
        "update_wrapper": update_wrapper,
        "wraps": wraps,
        "total_ordering": total_ordering,
        "singledispatch": singledispatch,
        "singledispatchmethod": singledispatchmethod,
        "cached_property": cached_property,
        "cmp_to_key": cmp_to_key,
    }


def update_wrapper(wrapper: Any, wrapped: Any, assigned: Any = _COPIED, updated: Any = ("__dict__",)) -> Any:
    """What functools.update_wrapper does, for the documented attributes and a wrapper of the snippet's own."""
    attributes.store(wrapper)
    for name in assigned:
        if type(name) is not str or name not in (*_COPIED, "__annotations__"):
            attributes.check_store(wrapper, name)
            if attribute_rules.attribute_kind(name) != "free":
                raise attribute_rules.refusal(wrapper, str(name), "wraps copies documented and public attributes alone")
        _copy(wrapper, wrapped, name)
    for name in updated:
        if name != "__dict__":
            attributes.get(wrapper, name).update(attributes.get(wrapped, name, {}))
        elif ownership.is_own_function(wrapped) or ownership.is_plain_class(type(wrapped)):
            _give(
                wrapper,
                {name: value for name, value in getattr(wrapped, "__dict__", {}).items() if not is_special(name)},
            )
    wrapper.__wrapped__ = wrapped
    return wrapper


def _copy(wrapper: Any, wrapped: Any, name: str) -> None:
    own = ownership.is_own_function(wrapped)
    if name == "__annotate__" and not (own and ownership.is_own_function(wrapper)):
        name = "__annotations__"
    if name == "__annotations__" and type(wrapped) is types.FunctionType and not own:
        setattr(wrapper, name, asked_classes.shown_each(_of_library(wrapped)))
    elif hasattr(wrapped, name):
        value = getattr(wrapped, name)
        shared = type(value) is not dict or own  # annotations may be a library's
        setattr(wrapper, name, value if shared else asked_classes.shown_each(value))


def _give(wrapper: Any, kept: dict[str, Any]) -> None:
    """Set attributes as a snippet may set them: below a class of a library are names it relies on."""
    if ownership.is_own_function(wrapper) or ownership.is_plain_class(type(wrapper)):
        wrapper.__dict__.update(kept)
        return
    for name, value in kept.items():
        attributes.put(wrapper, name, value)


def cmp_to_key(mycmp: Any) -> Any:
    """What functools.cmp_to_key gives: keys that ask the function when they are compared."""
    compared_lists.begin()
    return functools.cmp_to_key(mycmp)


def is_special(name: object) -> bool:
    """True for a name that is no ordinary one."""
    return type(name) is not str or (name.startswith("__") and name.endswith("__"))


def wraps(wrapped: Any, assigned: Any = _COPIED, updated: Any = ("__dict__",)) -> Any:
    """What functools.wraps does, through `update_wrapper`."""
    return functools.partial(update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


def total_ordering(cls: Any) -> Any:
    """What functools.total_ordering does, for a class of the snippet's own."""
    attributes.store(cls)
    return functools.total_ordering(cls)


def singledispatch(func: Any) -> Any:
    """What functools.singledispatch does; `register` evaluates annotations that are text as `eval` does."""
    made: Any = functools.singledispatch(func)
    register, known = made.register, made.registry

    def register_each(cls: Any, func: Any) -> Any:
        for part in typing.get_args(cls) if _is_union(cls) else (cls,):
            register(types_.real_type(part), func)
        made.registry = types.MappingProxyType({types_.STAND_INS.get(each, each): known[each] for each in known})
        return func

    def register_resolved(cls: Any, func: Any = None) -> Any:
        if _is_dispatchable(cls):
            return functools.partial(register_each, cls) if func is None else register_each(cls, func)
        if func is not None:
            raise TypeError(f"Invalid first argument to `register()`. {cls!r} is not a class or union type.")
        found = list(resolve(cls).items()) if getattr(cls, "__annotations__", None) else []
        if not found:
            raise TypeError(
                f"Invalid first argument to `register()`: {cls!r}. "
                "Use either `@register(some_class)` or plain `@register` on an annotated function."
            )
        name, hint = found[0]
        if not _is_dispatchable(hint):
            why = "not all arguments are classes." if _is_union(hint) else "is not a class."
            raise TypeError(f"Invalid annotation for {name!r}. {hint!r} {why}")
        return register_each(hint, cls)

    made.register = register_resolved
    made.registry = types.MappingProxyType(dict(known))
    return made


def _is_dispatchable(cls: Any) -> bool:
    return ownership.is_class(cls) or (_is_union(cls) and all(map(ownership.is_class, typing.get_args(cls))))


_UNIONS: tuple[type, ...] = (types.UnionType, type(typing.Optional[int]))  # noqa: UP045  # the type of the older one


def _is_union(cls: Any) -> bool:
    return type(cls) in _UNIONS  # what an object says of itself is evaluated by functools


_OF_FUNCTOOLS = functools.singledispatch(len).dispatch.__code__


def _dispatched(dispatch: Any, subject: Any) -> Any:
    """What dispatches for this object; a dispatcher of the snippet's own is told what stands for its type."""
    by_functools = type(dispatch) is types.FunctionType and dispatch.__code__ is _OF_FUNCTOOLS
    return dispatch(type(subject) if by_functools else types_.type_of(subject))


class singledispatchmethod:  # it stands for the one of functools
    """What functools.singledispatchmethod does, over the `singledispatch` above."""

    def __init__(self, func: Any) -> None:
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls: Any, method: Any = None) -> Any:
        """Add an implementation for a class."""
        return self.dispatcher.register(cls, func=method)

    def __get__(self, obj: Any, cls: Any = None) -> Any:
        def method(*arguments: Any, **keywords: Any) -> Any:
            found = _dispatched(self.dispatcher.dispatch, arguments[0])
            return found.__get__(obj, cls)(*arguments, **keywords)

        method.register = self.register  # type: ignore[attr-defined]  # as functools does
        for name in _COPIED:
            if hasattr(self.func, name):
                setattr(method, name, getattr(self.func, name))
        method.__isabstractmethod__ = self.__isabstractmethod__  # type: ignore[attr-defined]  # the same
        return method

    @property
    def __isabstractmethod__(self) -> bool:
        return getattr(self.func, "__isabstractmethod__", False)


class cached_property:  # it stands for the one of functools
    """What functools.cached_property does, for instances of the snippet's own classes."""

    __class_getitem__: Any = classmethod(types.GenericAlias)

    def __init__(self, func: Any) -> None:
        self.func = func
        self.attrname: str | None = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner: Any, name: str) -> None:
        if self.attrname is None:
            self.attrname = name
        elif name != self.attrname:
            raise TypeError(
                f"Cannot assign the same cached_property to two different names ({self.attrname!r} and {name!r})."
            )

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        name = self.attrname  # of a class built on this one it may be another each time
        if name is None:
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        attributes.check_store(instance, name)
        try:
            kept = object.__getattribute__(instance, "__dict__")
        except AttributeError:
            raise TypeError(
                f"No '__dict__' attribute on {type(instance).__name__!r} instance to cache {name!r} property."
            ) from None
        if name not in kept:
            kept[name] = self.func(instance)
        return kept[name]


for _class in (singledispatchmethod, cached_property):
    _real = vars(functools)[_class.__name__]
    types_.hide(_class, _real)
    types_.STAND_INS[_real] = _class


def operators(room: Room) -> dict[str, Any]:
    """The replaced names of operator."""
    # a facade is a module and would answer for these as an object: module.__lt__ is not operator.__lt__
    same = {name: value for name, value in vars(operator).items() if name in FREE_DUNDERS and callable(value)}
    return {"attrgetter": attrgetter, "methodcaller": methodcaller, **same}


class attrgetter:  # it stands for the one of operator
    """What operator.attrgetter does, under the attribute rules."""

    __slots__ = ("_free", "_paths")

    def __init__(self, attr: str, /, *attrs: str) -> None:
        for name in (attr, *attrs):
            if not isinstance(name, str):
                raise TypeError("attribute name must be a string")
        self._paths = tuple(tuple(str.__str__(name).split(".")) for name in (attr, *attrs))
        kinds = {attribute_rules.attribute_kind(name) for path in self._paths for name in path}
        self._free = operator.attrgetter(*map(".".join, self._paths)) if kinds == {"free"} else None

    def __call__(self, obj: Any, /) -> Any:
        """Read the attributes."""
        if self._free is not None:  # whatever the object is
            return self._free(obj)
        if len(self._paths) == 1:
            return functools.reduce(attributes.get, self._paths[0], obj)
        return tuple(functools.reduce(attributes.get, path, obj) for path in self._paths)

    def __repr__(self) -> str:
        """What operator shows."""
        return f"operator.attrgetter({', '.join(repr('.'.join(path)) for path in self._paths)})"


class methodcaller:  # it stands for the one of operator
    """What operator.methodcaller does, under the attribute rules."""

    __slots__ = ("_arguments", "_keywords", "_name")

    def __init__(self, name: str, /, *args: Any, **kwargs: Any) -> None:
        if not isinstance(name, str):
            raise TypeError("method name must be a string")
        self._name, self._arguments, self._keywords = str.__str__(name), args, kwargs

    def __call__(self, obj: Any, /) -> Any:
        """Call the method."""
        return attributes.get(obj, self._name)(*self._arguments, **self._keywords)

    def __repr__(self) -> str:
        """What operator shows."""
        named = [f"{name}={value!r}" for name, value in self._keywords.items()]
        return f"operator.methodcaller({', '.join([repr(self._name), *map(repr, self._arguments), *named])})"


types_.present(attrgetter, operator.attrgetter)
types_.present(methodcaller, operator.methodcaller)
