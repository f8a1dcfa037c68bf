"""A function is looked at, and becomes a tool or a reason why it cannot."""

from __future__ import annotations

import builtins
import functools
import inspect
import keyword
import sys
import types
import unicodedata
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping
from typing import Any, Never, NoReturn, TypeVar, get_args, get_origin, get_type_hints, overload

import pydantic
from pydantic import ConfigDict, TypeAdapter
from pydantic.experimental.arguments_schema import generate_arguments_schema
from pydantic_core import SchemaValidator

from codeact.errors import ToolError
from codeact.records import Effect, Parameter, ToolCall, ToolSpec
from codeact.toolbox.checking import checker
from codeact.toolbox.handed import is_async, takes
from codeact.toolbox.offered import Tool
from codeact.toolbox.typenames import default_text, hints, told, type_text

Function = TypeVar("Function", bound=Callable[..., Any])

Undo = Callable[[ToolCall], Any]
ApproveCall = Callable[[dict[str, Any]], Any]
_EFFECTS: tuple[str, ...] = get_args(Effect)
_ANY_TYPE = ConfigDict(arbitrary_types_allowed=True)
_NOTHING_PROMISED = (Any, NoReturn, Never)
_STREAMS = (Iterable, Iterator, Generator, AsyncIterator)
_UNSAID = inspect.Signature.empty
_OWN_NAMES = frozenset(vars(builtins)) | frozenset(keyword.kwlist)


@overload
def tool(function: Function, /) -> Function: ...
@overload
def tool(
    *,
    effect: Effect = "write",
    undo: Undo | None = None,
    approve: ApproveCall | bool | None = None,
    cache: bool = False,
    parallel: bool | None = None,
) -> Callable[[Function], Function]: ...
def tool(  # noqa: PLR0913 - what can be declared of a tool, all optional
    function: Any = None,
    /,
    *,
    effect: Effect = "write",
    undo: Undo | None = None,
    approve: ApproveCall | bool | None = None,
    cache: bool = False,
    parallel: bool | None = None,
) -> Any:
    """Mark a function as a tool, and say what a call does to the world; the function stays what it was.

    `effect`: "read" changes nothing; "idempotent" may be repeated; "write" may not; "irreversible" cannot be undone.
    `undo` takes a call back: it is given the record of it. `approve`: True asks before each call, False never asks, a
    function of the arguments decides: True, False, other arguments, or "pause". `cache` keeps what a read came to for
    the run, until something is changed. `parallel` says whether an agent may make calls side by side; where it does
    not say, calls that change something are made one after the other.
    """
    said = {"effect": effect, "undo": undo, "approve": approve, "cache": cache, "parallel": parallel}
    _refuse_senseless(said)

    def mark(function: Function) -> Function:
        marked = getattr(function, "__func__", function)  # of a method, bound already or still in its class's body
        if not callable(marked):
            raise ToolError(f"@tool({function!r:.80}): {function!r:.80} is no function; what is said of one has a name")
        try:
            for name, value in said.items():
                setattr(marked, name, value)
        except (AttributeError, TypeError) as error:
            raise ToolError(f"@tool({function!r:.80}): it cannot be marked; write a function that calls it") from error
        return function

    return mark if function is None else mark(function)


def _refuse_senseless(said: Mapping[str, Any]) -> None:
    """Raise ToolError for what cannot be meant; an undo that is no function would be found out when it is needed."""
    effect, undo, approve = said["effect"], said["undo"], said["approve"]
    if effect not in _EFFECTS:
        raise ToolError(f"@tool(effect={effect!r:.80}): one of {', '.join(_EFFECTS)} is needed")
    if not (undo is None or takes(undo, 1)):
        raise ToolError(f"@tool(undo={undo!r:.80}): a function of the call's record, not async, is needed")
    if not (approve is None or isinstance(approve, bool) or takes(approve, 1)):
        raise ToolError(
            f"@tool(approve={approve!r:.80}): True, False or a function of the arguments is needed, not async"
        )
    if not isinstance(said["cache"], bool):
        raise ToolError(f"@tool(cache={said['cache']!r:.80}): True or False is needed")
    if not (said["parallel"] is None or isinstance(said["parallel"], bool)):
        raise ToolError(f"@tool(parallel={said['parallel']!r:.80}): True, False or None is needed")
    if said["cache"] and effect != "read":
        raise ToolError(f"@tool(effect={effect!r}, cache=True): only what a read comes to can be kept")
    if undo is not None and effect in ("read", "irreversible"):
        raise ToolError(f"@tool(effect={effect!r}, undo=…): there is nothing to undo; effect='write' has it")


def make_tool(function: Callable[..., Any], *, name: str | None = None) -> Tool:
    """Make a tool of a function; ToolError says what it lacks. With a `name`, it needs no annotations or docstring."""
    if not callable(function):
        how = ": hand over its as_tool(name, description)" if hasattr(function, "as_tool") else ""
        raise ToolError(f"{function!r:.80} is no function, so it cannot be a tool{how}")
    strict = name is None
    name = name if name is not None else getattr(function, "__name__", "")
    _refuse_name(name, function)
    signature = _signature(name, function)
    doc = _doc(function)
    if strict:
        _refuse_unannotated(name, function, signature, doc)
    arguments, schema = _arguments(name, function)
    result = _result(name, function, signature)
    spec = _spec(name, function, signature, doc)
    said: dict[str, Any] = {key: getattr(function, key, None) for key in ("undo", "approve", "cache", "parallel")}
    said["cache"] = said["cache"] is True  # what wraps functions may hold something else by these names
    said["parallel"] = said["parallel"] if isinstance(said["parallel"], bool) else None
    return Tool(spec, function, is_async(function), arguments, result, schema, **said)


def place_of(function: Any) -> str:
    """Say where a function is written."""
    code = getattr(inspect.unwrap(function) if callable(function) else function, "__code__", None)
    if code is None:
        return repr(function)[:100]
    return f"{function.__qualname__} ({code.co_filename}, line {code.co_firstlineno})"


def _refuse_name(name: str, function: Any) -> None:
    if not isinstance(name, str) or not name.isidentifier():
        told = f"a tool is called by its name, and {name!r:.80} is none: name {place_of(function)} with `def`"
        raise ToolError(f"{told}, or hand tools over by their names, such as {{'rate': …}}")
    if (read := unicodedata.normalize("NFKC", name)) != name:
        raise ToolError(f"the tool {name!r} ({place_of(function)}) is {read!r} wherever Python reads it. Rename it so")
    if name in _OWN_NAMES:
        what = "a keyword of Python" if keyword.iskeyword(name) else "a builtin of Python"
        place = place_of(function)
        raise ToolError(f"the tool {name!r} ({place}) has the name of {what}. Rename it, such as {name}_tool")
    if name.startswith("__"):
        raise ToolError(f"the tool {name!r} ({place_of(function)}) has a name snippets may not use. Rename it")


def _signature(name: str, function: Any) -> inspect.Signature:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise ToolError(f"the tool {name!r} has no signature Python can read: wrap it in a function") from error
    except Exception as error:  # from Python 3.14 on annotations are worked out only now
        raise _unreadable(f"the types of the tool {name!r}", function, error) from error


def _refuse_unannotated(name: str, function: Any, signature: inspect.Signature, doc: str) -> None:
    place = place_of(function)
    for parameter in signature.parameters.values():
        if parameter.annotation is parameter.empty:
            owner = getattr(function, "__qualname__", "").rpartition(".")[0].rpartition(".")[2]
            if parameter.name == "self" and owner.isidentifier():
                way = f"hand over that of one, such as `{owner.lower()}.{name}`"
                raise ToolError(f"the tool {name!r} is a method without its object ({place}): {way}")
            said = str(parameter.replace(default=parameter.empty))  # with its stars
            way = "; a decorator keeps the signature of its function with functools.wraps" if "*" in said else ""
            raise ToolError(
                f"the tool {name!r} does not say the type of its parameter {said!r} ({place}). "
                f"Write it down, such as `{said}: str`{way}"
            )
    if signature.return_annotation is signature.empty:
        raise ToolError(
            f"the tool {name!r} does not say what type it returns ({place}). Write it down, such as `-> str`"
        )
    if not doc.strip():
        way = "Say in one sentence what a call does"
        way = "Run Python without -OO, which leaves docstrings out" if sys.flags.optimize > 1 else way
        raise ToolError(f"the tool {name!r} has no docstring ({place}). {way}")


def _arguments(name: str, function: Any) -> tuple[SchemaValidator, Any]:
    """The validator for the arguments alone, so that what the function raises is never taken for theirs; its schema."""
    try:
        schema = generate_arguments_schema(_annotated(function), "arguments", config=_ANY_TYPE)
        return checker(schema), schema
    except Exception as error:
        raise _unreadable(f"the types of the tool {name!r}", function, error) from error


def _unreadable(what: str, function: Any, error: Exception) -> ToolError:
    """Give the error for annotations that fail as they are read; what they name may fail in any way."""
    said = " ".join(str(error).split())[:300] or "without a word"
    return ToolError(f"{what} ({place_of(function)}) cannot be read: {type(error).__name__}: {said}")


def _annotated(function: Any) -> Any:
    """What carries the annotations: the function, or the `__call__` of an object that is called like one."""
    if isinstance(function, functools.partial):
        return functools.partial(_annotated(function.func), *function.args, **function.keywords)
    if isinstance(signature := getattr(function, "__dict__", {}).get("__signature__"), inspect.Signature):
        return _with_types_of(signature, function)
    called = getattr(type(function), "__call__", None)  # noqa: B004  # which one it is matters
    is_one = (
        isinstance(function, type) or inspect.isroutine(function) or isinstance(called, types.WrapperDescriptorType)
    )
    stands_for_one = "__wrapped__" in getattr(function, "__dict__", {})
    return function if is_one or stands_for_one else function.__call__


def _with_types_of(signature: inspect.Signature, function: Any) -> Any:
    """A function that has the types a signature was given by hand, as pydantic and typing look for them elsewhere."""
    kinds = {parameter.name: parameter.annotation for parameter in signature.parameters.values()}
    kinds["return"] = signature.return_annotation
    said = {name: kind for name, kind in kinds.items() if kind is not _UNSAID}
    if said.keys() <= getattr(function, "__annotations__", {}).keys():
        return function

    @functools.wraps(function)
    def typed(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    typed.__annotations__, typed.__signature__ = said, signature  # type: ignore[attr-defined]  # inspect asks for it
    return typed


def _doc(function: Any) -> str:
    """What is said of a function, of an object that is called like one, or of the function a partial one is part of."""
    if isinstance(function, functools.partial) and "__doc__" not in vars(function):
        return _doc(function.func)
    found = inspect.getdoc(function) or inspect.getdoc(_annotated(function)) or ""
    return "" if found == type.__call__.__doc__ else found  # what Python says of each `__call__` that says nothing


def _result(name: str, function: Any, signature: inspect.Signature) -> SchemaValidator | None:
    """The validator for results; None where nothing is promised, or where the promise is a stream."""
    if signature.return_annotation in (signature.empty, Any) or isinstance(function, type):
        return None
    try:
        promised = get_type_hints(_written(function), include_extras=True).get("return", Any)
        if promised in _NOTHING_PROMISED or get_origin(promised) in _STREAMS or promised in _STREAMS:
            return None
        try:
            return checker(TypeAdapter(promised, config=_ANY_TYPE).core_schema)
        except pydantic.PydanticUserError:  # a model brings a configuration of its own
            return checker(TypeAdapter(promised).core_schema)
    except Exception as error:
        raise _unreadable(f"the result type of the tool {name!r}", function, error) from error


def _written(function: Any) -> Any:
    """What carries the annotations, behind the arguments of a partial function."""
    written = _annotated(function)
    while isinstance(written, functools.partial):
        written = written.func
    return written


def _spec(name: str, function: Any, signature: inspect.Signature, doc: str) -> ToolSpec:
    effect: Any = getattr(function, "effect", "write")
    if effect not in _EFFECTS:
        raise ToolError(f"the tool {name!r} has the effect {effect!r:.80}: one of {', '.join(_EFFECTS)} is needed")
    meant = {} if isinstance(function, type) else hints(_written(function))
    parameters = tuple(
        Parameter(
            parameter.name,
            parameter.kind.name,
            _is_required(parameter),
            _annotation_text(parameter.annotation, meant.get(parameter.name)),
            default_text(parameter.name, parameter.default),
        )
        for parameter in signature.parameters.values()
    )
    returns = _annotation_text(signature.return_annotation, meant.get("return"))
    shown = {name: meant[name] for name in (*signature.parameters, "return") if name in meant}
    more = told(shown, {name: parameter.default for name, parameter in signature.parameters.items()})
    return ToolSpec(name, parameters, returns, "\n\n".join(filter(None, (doc.strip(), more))), effect)


def _is_required(parameter: inspect.Parameter) -> bool:
    if hasattr(parameter.default, "is_required"):  # a `Field` of pydantic's
        return bool(parameter.default.is_required())
    starred = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return parameter.default is parameter.empty and not starred


def _annotation_text(annotation: Any, meant: Any) -> str:
    """An annotation as it is shown: as it was written where that was a text, unless it says more than a type."""
    if annotation is inspect.Parameter.empty:
        return ""
    return type_text(meant if isinstance(annotation, str) and "Annotated[" in annotation else annotation)
