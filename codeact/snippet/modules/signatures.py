"""inspect: what a function takes and what something is; no frames, and nothing of a library's inside.

CPython's own function asks whatever is called for its signature, and evaluates a text it is given for one. So an object
of the snippet's is never asked: its functions are looked at without their attributes, its classes by their `__init__`.
"""

from __future__ import annotations

import builtins
import enum
import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable
from typing import Any

from codeact.records import ToolSpec
from codeact.snippet import attributes, no_methods, ownership, types_
from codeact.snippet.charged import Charged
from codeact.snippet.modules.row import Room, named
from codeact.snippet.modules.sources import getsource, getsourcelines
from codeact.snippet.modules.states import OF_CLASSES_AND_STATES, evaluate_none, is_ours
from codeact.snippet.rules import COUNTED

_CACHED = type(functools.lru_cache(len))
_IN_C = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
)
_LIKE_FUNCTIONS = {("codeact.worker.stubs", "Tool"), ("numpy", "_ArrayFunctionDispatcher")}
_PLAIN = ownership.BARE_TYPES - {list, dict, set, bytearray}


class Shown:
    """A default or an annotation as text: the object itself is a library's."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


class Signature(inspect.Signature):
    """Stands for `inspect.Signature`."""

    __slots__ = ()

    @classmethod
    def from_callable(cls, obj: Any, *, follow_wrapped: bool = True, **settings: Any) -> Any:
        """The signature of what can be called."""
        found = signature(obj, follow_wrapped=follow_wrapped, **settings)
        return cls([*found.parameters.values()], return_annotation=found.return_annotation)


types_.hide(Signature, inspect.Signature)


def questions(room: Room) -> dict[str, Any]:
    """The replaced names of inspect."""
    return {
        "Signature": Signature,
        **named(signature, getfullargspec, getmembers, *OF_CLASSES_AND_STATES, getsource, getsourcelines),
    }


def signature(obj: Any, *, follow_wrapped: bool = True, eval_str: bool = False, **names: Any) -> Signature:
    """What inspect.signature gives."""
    evaluate_none(eval_str)
    if not callable(obj):
        raise TypeError(f"{obj!r} is not a callable object")
    found = _of(obj, follow_wrapped)
    return Signature([*found.parameters.values()], return_annotation=found.return_annotation)


def _of(subject: Any, follow: bool = True, deep: int = 0) -> inspect.Signature:
    if deep > 50:
        raise ValueError("wrapper loop when unwrapping a function")
    of = functools.partial(_of, follow=follow, deep=deep + 1)
    cls = type(subject)
    if cls is types.MethodType:
        return _bound(of(subject.__func__))
    if cls in (types.FunctionType, _CACHED) and follow and "__wrapped__" in vars(subject):
        return of(vars(subject)["__wrapped__"])
    if cls is types.FunctionType:
        made_of, real = vars(subject).get(_METHOD), no_methods.stands_for(subject)
        if type(made_of) is functools.partialmethod:
            found = _of_partial_method(made_of, of)
        else:
            found = _of_function(subject) if real is subject else _shown(inspect.signature(real))
        return found
    if ownership.is_class(subject):
        return _of_class(subject, of)
    if functools.partial in ownership.mro_of(cls):
        func, arguments, keywords = (vars(functools.partial)[name].__get__(subject) for name in _OF_PARTIALS)
        return inspect.signature(functools.partial(_with(of(func)), *arguments, **keywords))
    return _of_object(subject, of)


#: What enums tell from Python 3.12 on, until 3.14 as text: those with members take one, others names of members.
_TOLD_BY_ENUMS: Any = vars(enum.EnumType).get("__signature__") or vars(enum.Enum).get("__signature__")
_OF_ENUMS = getattr(_TOLD_BY_ENUMS, "fget", None) or getattr(_TOLD_BY_ENUMS, "__func__", None)
_OF_PARTIALS = ("func", "args", "keywords")
_TEXT = "__text_signature__"
_METHOD = "__partialmethod__" if sys.version_info >= (3, 13) else "_partialmethod"


def _of_partial_method(subject: Any, of: Callable[[Any], inspect.Signature]) -> inspect.Signature:
    """What a method takes that has some of its arguments: the object first, as it did without them."""
    told = of(subject.func)
    left = inspect.signature(functools.partial(_with(told), None, *subject.args, **subject.keywords))
    first = next(iter(told.parameters.values()))
    return left if first.kind is first.VAR_POSITIONAL else left.replace(parameters=[first, *left.parameters.values()])


def _of_object(subject: Any, of: Callable[[Any], inspect.Signature]) -> inspect.Signature:
    """What takes a function of C, a tool, or an object with a `__call__`."""
    cls = type(subject)
    if cls is Charged:
        return of(vars(subject)[COUNTED])
    if cls in _IN_C or (ownership.module_of(cls), cls.__name__) in _LIKE_FUNCTIONS:
        return _shown(inspect.signature(subject))
    call = _definition(cls, ("__call__",))
    if type(call) is not types.FunctionType:
        raise ValueError(f"no signature found for {cls.__name__!r}")
    return _bound(of(call))


def _of_class(cls: Any, of: Callable[[Any], inspect.Signature]) -> inspect.Signature:
    """What a class takes when it is called; those of a library are asked, for no snippet changes them."""
    if not ownership.is_own_class(cls):
        return _shown(inspect.signature(types_.real_type(cls)))
    if enum.EnumType in ownership.mro_of(type(cls)) and _OF_ENUMS is not None:
        return inspect.signature(_with(_OF_ENUMS(cls)))
    maker = _definition(type(cls), ("__call__",))
    if type(maker) is not types.FunctionType:
        maker = _definition(cls, ("__new__", "__init__"))
    maker = maker.__func__ if type(maker) is staticmethod else maker
    if type(maker) in (types.FunctionType, _CACHED):
        return _bound(of(maker))
    library = next(base for base in ownership.mro_of(cls) if not ownership.is_own_class(base))
    return inspect.Signature() if library is object else of(library)


def _definition(cls: type, names: tuple[str, ...]) -> Any:
    """What the first class in line that defines one of these names has under it."""
    for base in ownership.mro_of(cls)[:-1]:
        for name in names:
            if name in ownership.class_dict(base):
                return ownership.class_dict(base)[name]
    return None


def _of_function(function: types.FunctionType) -> inspect.Signature:
    if not ownership.is_own_function(function) and COUNTED in vars(function):
        return _of_function(vars(function)[COUNTED])
    told = vars(function).get("__signature__")
    if type(told) is inspect.Signature and not ownership.is_own_function(function):
        return _shown(told)
    code, cells = function.__code__, tuple(types.CellType() for _ in function.__code__.co_freevars)
    bare = types.FunctionType(code, {}, function.__name__, function.__defaults__, cells)
    bare.__kwdefaults__ = function.__kwdefaults__
    bare.__annotations__ = {} if is_ours(function) else function.__annotations__
    if not ownership.is_own_function(function) and type(text := vars(function).get(_TEXT)) is str:
        vars(bare)[_TEXT] = text  # of `re.sub`, from Python 3.13 on
    found = inspect.signature(bare)
    return found if ownership.is_own_function(function) or _is_of_fields(function) else _shown(found)


def _is_of_fields(function: types.FunctionType) -> bool:
    """True for what a dataclass of the snippet's is made by: Python wrote it, with the values of the snippet."""
    return function.__module__ == ownership.MODULE and function.__code__.co_filename.startswith("<string>")


def of_tool(spec: ToolSpec) -> inspect.Signature:
    """The signature of a tool; of what a parameter is if it is not given, the host tells what is short and plain."""
    parameters = [
        inspect.Parameter(
            one.name,
            getattr(inspect.Parameter, one.kind),
            default=Shown(one.default or "...")
            if not one.required and "VAR" not in one.kind
            else inspect.Parameter.empty,
            annotation=_named(one.annotation),
        )
        for one in spec.parameters
    ]
    return inspect.Signature(parameters, return_annotation=_named(spec.returns))


def _named(annotation: str) -> Any:
    if not annotation:
        return inspect.Parameter.empty
    builtin = vars(builtins).get(annotation)
    return builtin if ownership.is_class(builtin) and builtin in ownership.BARE_TYPES else Shown(annotation)


def _with(told: inspect.Signature | str) -> Any:
    """A function with this signature."""

    def function() -> None:
        """Do nothing."""

    setattr(function, _TEXT if type(told) is str else "__signature__", told)
    return function


def _bound(found: inspect.Signature) -> inspect.Signature:
    """The same without the first parameter, which the object takes."""
    return inspect.signature(types.MethodType(_with(found), found))


def _shown(found: inspect.Signature) -> inspect.Signature:
    """A signature of a library's function: what is no plain value in it is told as text."""
    parameters = [
        parameter.replace(
            default=_told(parameter.default, _kind), annotation=_told(parameter.annotation, inspect.formatannotation)
        )
        for parameter in found.parameters.values()
    ]
    return found.replace(
        parameters=parameters, return_annotation=_told(found.return_annotation, inspect.formatannotation)
    )


def _told(value: Any, tell: Callable[[Any], str]) -> Any:
    return value if _is_harmless(value) else Shown(tell(value)[:200])


def _kind(value: Any) -> str:
    name = getattr(value, "__name__", None) if callable(value) else None
    return name if type(name) is str else f"<{type(value).__name__}>"


def _is_harmless(value: Any) -> bool:
    if ownership.is_own_class(type(value)):
        return True
    if ownership.is_class(value):
        return value in ownership.BARE_TYPES or ownership.is_own_class(value) or value is inspect.Parameter.empty
    if type(value) in (tuple, frozenset):
        return all(map(_is_harmless, value))
    if (origin := typing.get_origin(value)) is not None:
        return _is_harmless(origin) and all(map(_is_harmless, typing.get_args(value)))
    return type(value) in _PLAIN or type(value) is Shown


def getfullargspec(func: Any) -> inspect.FullArgSpec:
    """What inspect.getfullargspec gives."""
    found = _of(func.__func__ if type(func) is types.MethodType else func, follow=False)
    kinds: list[list[inspect.Parameter]] = [[], [], [], [], []]
    for parameter in found.parameters.values():
        kinds[parameter.kind].append(parameter)
    only_positional, others, rest, keyword_only, more = kinds
    named = [*only_positional, *others]
    notes = {"return": found.return_annotation, **{one.name: one.annotation for one in found.parameters.values()}}
    return inspect.FullArgSpec(
        [one.name for one in named],
        next((one.name for one in rest), None),
        next((one.name for one in more), None),
        tuple(one.default for one in named if one.default is not one.empty) or None,
        [one.name for one in keyword_only],
        {one.name: one.default for one in keyword_only if one.default is not one.empty} or None,
        {name: note for name, note in notes.items() if note is not found.empty},
    )


def getmembers(object: Any, predicate: Callable[[Any], Any] | None = None) -> list[tuple[str, Any]]:
    """What inspect.getmembers gives, of the names that may be said."""
    from codeact.snippet.builtins_ import dir_of  # which is made with these modules

    found = []
    for name in dir_of(object):
        try:
            value = attributes.get(object, name)
        except AttributeError:
            continue
        if name.startswith("__") and is_ours(value):  # it stands for a method of every object
            continue
        if predicate is None or predicate(value):
            found.append((name, value))
    return found
