"""A plain function becomes a tool: its schema, its stub for the prompt, and a validated call.

    @tool                                          # optional: any annotated function with a docstring is a tool
    def exchange_rate(base: str, quote: str) -> float:
        \"\"\"Today's rate: units of `quote` for one `base`.\"\"\"

Arguments are checked against the annotations by pydantic before the function is entered, results after it has
returned. A function in a mapping of name to function needs neither annotations nor a docstring.
"""

from __future__ import annotations

import builtins
import hashlib
import inspect
import keyword
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, get_args, get_origin, get_type_hints, overload

import pydantic
from pydantic import ConfigDict, TypeAdapter
from pydantic.experimental.arguments_schema import generate_arguments_schema
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ArgsKwargs, SchemaValidator

from codeact.errors import ToolError
from codeact.records import Effect, Parameter, ToolSpec
from codeact.snippet.describe import describe

Function = TypeVar("Function", bound=Callable[..., Any])
Tools = Iterable["Callable[..., Any] | Tool"] | Mapping[str, Callable[..., Any]]

_EFFECTS: tuple[str, ...] = get_args(Effect)
_LONGEST_MESSAGE = 2_000
_ANY_TYPE = ConfigDict(arbitrary_types_allowed=True)
_STREAMS = (Iterable, Iterator, Generator, AsyncIterator)
_OWN_NAMES = frozenset(vars(builtins)) | frozenset(keyword.kwlist)


@overload
def tool(function: Function, /) -> Function: ...
@overload
def tool(*, effect: Effect = "write") -> Callable[[Function], Function]: ...
def tool(function: Any = None, /, *, effect: Effect = "write") -> Any:
    """Mark a function as a tool, and say what a call does to the world; the function stays what it was.

    `effect`: "read" changes nothing; "idempotent" may be repeated; "write" may not; "irreversible" cannot be undone.
    """
    if effect not in _EFFECTS:
        raise ToolError(f"@tool(effect={effect!r}): one of {', '.join(_EFFECTS)} is needed")

    def mark(function: Function) -> Function:
        function.effect = effect  # type: ignore[attr-defined]  # functions take attributes
        return function

    return mark if function is None else mark(function)


class BadCall(Exception):
    """A call does not fit the tool's signature; `type` is the built-in exception a Python call would raise."""

    def __init__(self, type_: type[Exception], message: str) -> None:
        super().__init__(message)
        self.type = type_


@dataclass(frozen=True, slots=True)
class Tool:
    """A function with what is needed to offer it and to call it safely."""

    spec: ToolSpec
    function: Callable[..., Any] = field(repr=False)
    is_async: bool
    _arguments: SchemaValidator = field(repr=False)
    _result: TypeAdapter[Any] | None = field(repr=False)
    _schema: Callable[[], dict[str, Any]] = field(repr=False)

    @property
    def name(self) -> str:
        """The name it is called by."""
        return self.spec.name

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return self._schema()

    @property
    def stub(self) -> str:
        """The tool as the model sees it: signature with types, and docstring."""
        return stub(self.spec)

    @property
    def signature_hash(self) -> str:
        """What changes when calls written for the tool may no longer fit."""
        return signature_hash(self.spec)

    def bind(self, arguments: list[Any], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Give the validated arguments; BadCall where they do not fit."""
        try:
            args, kwargs = self._arguments.validate_python(ArgsKwargs(tuple(arguments), named or None))
        except pydantic.ValidationError as error:
            raise _bad_call(self.spec, error) from error
        return args, kwargs

    def check_result(self, result: Any) -> Any:
        """Give the result as the annotation promises it; BadCall where the function broke its promise."""
        if self._result is None:
            return result
        try:
            return self._result.validate_python(result)
        except pydantic.ValidationError as error:
            problem = error.errors(include_url=False, include_context=False)[0]
            where = "".join(f"[{part!r}]" for part in problem["loc"])
            raise BadCall(
                TypeError,
                f"{self.name}() returned a {type(result).__name__} that is not the {self.spec.returns} it promises: "
                f"{problem['msg']}{f' at {where}' if where else ''}",
            ) from error


class Toolbox:
    """The tools of a session by name."""

    def __init__(self, tools: Tools = ()) -> None:
        self.tools: dict[str, Tool] = {}
        if isinstance(tools, Mapping):
            for name, function in tools.items():
                self._add(function if isinstance(function, Tool) else make_tool(function, name=name))
            return
        if callable(tools) or isinstance(tools, str | bytes):
            raise ToolError(f"tools={tools!r}: a list of functions or a mapping of name to function is needed")
        for function in tools:
            self._add(function if isinstance(function, Tool) else make_tool(function))

    def _add(self, made: Tool) -> None:
        if made.name in self.tools:
            first, second = self.tools[made.name].function, made.function
            raise ToolError(
                f"two tools are named {made.name!r}: {_place(first)} and {_place(second)}. Rename one of them"
            )
        self.tools[made.name] = made

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What the other side needs to know of them."""
        return tuple(made.spec for made in self.tools.values())


def make_tool(function: Callable[..., Any], *, name: str | None = None) -> Tool:
    """Make a tool of a function; ToolError says what it lacks. With a `name`, it needs no annotations or docstring."""
    if not callable(function):
        raise ToolError(f"{function!r} is no function, so it cannot be a tool")
    strict = name is None
    name = name if name is not None else getattr(function, "__name__", "")
    _refuse_name(name, function)
    signature = _signature(name, function)
    doc = inspect.getdoc(function) or ""
    if isinstance(function, type) or not hasattr(function, "__name__"):
        doc = inspect.getdoc(function) or "" if isinstance(function, type) else inspect.getdoc(type(function)) or ""
    if strict:
        _refuse_unannotated(name, function, signature, doc)
    arguments, schema = _arguments(name, function)
    result = _result_adapter(name, function, signature)
    return Tool(_spec(name, function, signature, doc), function, _is_async(function), arguments, result, schema)


def stub(spec: ToolSpec) -> str:
    """Write a tool as a Python stub: `def name(…) -> …:` and its docstring."""
    doc = spec.doc.strip() or "No description."
    lines = doc.replace("\\", "\\\\").replace('"""', "'''").splitlines()
    body = "\n".join(f"    {line}" if line else "" for line in lines)
    closing = '"""' if len(lines) == 1 else '\n    """'
    return f'def {spec.name}{signature_text(spec)}:\n    """{body[4:]}{closing}'


def signature_text(spec: ToolSpec) -> str:
    """Write a tool's parameters and result as in a `def` line."""
    parts: list[str] = []
    seen_keyword_only = False
    for index, parameter in enumerate(spec.parameters):
        if parameter.kind == "KEYWORD_ONLY" and not seen_keyword_only:
            seen_keyword_only = True
            if not any(other.kind == "VAR_POSITIONAL" for other in spec.parameters):
                parts.append("*")
        prefix = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind, "")
        text = prefix + parameter.name + (f": {parameter.annotation}" if parameter.annotation else "")
        optional = not parameter.required and not prefix
        parts.append(f"{text} = …" if optional else text)
        following = spec.parameters[index + 1 : index + 2]
        if parameter.kind == "POSITIONAL_ONLY" and not (following and following[0].kind == "POSITIONAL_ONLY"):
            parts.append("/")
    return f"({', '.join(parts)})" + (f" -> {spec.returns}" if spec.returns else "")


def signature_hash(spec: ToolSpec) -> str:
    """Give a short hash of a tool's name, parameters and result type; its words do not count."""
    text = spec.name + signature_text(spec)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# --- what makes a tool -------------------------------------------------------------------------------------------


def _place(function: Any) -> str:
    code = getattr(inspect.unwrap(function) if callable(function) else function, "__code__", None)
    if code is None:
        return repr(function)[:100]
    return f"{function.__qualname__} ({code.co_filename}, line {code.co_firstlineno})"


def _refuse_name(name: str, function: Any) -> None:
    if not name.isidentifier():
        raise ToolError(f"a tool is called by its name, and {name!r} is none: name {_place(function)} with `def`")
    if name in _OWN_NAMES:
        what = "a keyword of Python" if keyword.iskeyword(name) else "a builtin of Python"
        place = _place(function)
        raise ToolError(f"the tool {name!r} ({place}) has the name of {what}. Rename it, such as {name}_tool")
    if name.startswith("__"):
        raise ToolError(f"the tool {name!r} ({_place(function)}) has a name snippets may not use. Rename it")


def _signature(name: str, function: Any) -> inspect.Signature:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise ToolError(f"the tool {name!r} has no signature Python can read: wrap it in a function") from error


def _refuse_unannotated(name: str, function: Any, signature: inspect.Signature, doc: str) -> None:
    place = _place(function)
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            star = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
            raise ToolError(
                f"the tool {name!r} takes {star}{parameter.name} ({place}): a model cannot see what goes in. "
                f"Name the parameters, or take one list, such as `{parameter.name}: list[str]`"
            )
        if parameter.annotation is parameter.empty:
            raise ToolError(
                f"the tool {name!r} does not say the type of its parameter {parameter.name!r} ({place}). "
                f"Write it down, such as `{parameter.name}: str`"
            )
    if signature.return_annotation is signature.empty:
        raise ToolError(
            f"the tool {name!r} does not say what type it returns ({place}). Write it down, such as `-> str`"
        )
    if not doc.strip():
        raise ToolError(f"the tool {name!r} has no docstring ({place}). Say in one sentence what a call does")


def _arguments(name: str, function: Any) -> tuple[SchemaValidator, Callable[[], dict[str, Any]]]:
    """The validator for the arguments alone, so that what the function itself raises is never taken for theirs."""
    try:
        schema = generate_arguments_schema(_annotated(function), "arguments", config=_ANY_TYPE)
        return SchemaValidator(schema), lambda: GenerateJsonSchema().generate(schema)
    except Exception as error:
        raise ToolError(
            f"the types of the tool {name!r} ({_place(function)}) cannot be read: {type(error).__name__}: "
            f"{str(error).splitlines()[0][:300]}"
        ) from error


def _annotated(function: Any) -> Any:
    """What carries the annotations: the function, or the `__call__` of an object that is called like one."""
    if isinstance(function, type) or hasattr(function, "__name__") or hasattr(function, "func"):
        return function
    return function.__call__


def _result_adapter(name: str, function: Any, signature: inspect.Signature) -> TypeAdapter[Any] | None:
    """The validator for results; None where nothing is promised, or where the promise is a stream."""
    if signature.return_annotation in (signature.empty, Any) or isinstance(function, type):
        return None
    try:
        promised = get_type_hints(_annotated(function), include_extras=True).get("return", Any)
        if promised is Any or get_origin(promised) in _STREAMS or promised in _STREAMS:
            return None
        try:
            return TypeAdapter(promised, config=_ANY_TYPE)
        except pydantic.PydanticUserError:  # a model brings a configuration of its own
            return TypeAdapter(promised)
    except Exception as error:
        raise ToolError(
            f"the result type of the tool {name!r} ({_place(function)}) cannot be read: {type(error).__name__}: "
            f"{str(error).splitlines()[0][:300]}"
        ) from error


def _is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004  # its kind is asked for, not whether it is there


def _spec(name: str, function: Any, signature: inspect.Signature, doc: str) -> ToolSpec:
    effect: Any = getattr(function, "effect", "write")
    if effect not in _EFFECTS:
        raise ToolError(f"the tool {name!r} has the effect {effect!r}: one of {', '.join(_EFFECTS)} is needed")
    parameters = tuple(
        Parameter(
            parameter.name,
            parameter.kind.name,
            parameter.default is parameter.empty
            and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD),
            _annotation_text(parameter.annotation),
        )
        for parameter in signature.parameters.values()
    )
    return ToolSpec(name, parameters, _annotation_text(signature.return_annotation), doc.strip(), effect)


def _annotation_text(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, type) and not get_args(annotation):
        return "None" if annotation is type(None) else annotation.__qualname__
    return inspect.formatannotation(annotation)


# --- what is said of a call that does not fit ----------------------------------------------------------------------


def _bad_call(spec: ToolSpec, error: pydantic.ValidationError) -> BadCall:
    problems = error.errors(include_url=False, include_context=False)
    kind: type[Exception] = TypeError
    said = []
    for problem in problems[:3]:
        fits, text = _problem(spec, problem)
        said.append(text)
        if not fits:
            kind = ValueError
    signature = f"{spec.name}{signature_text(spec)}"
    return BadCall(kind, f"{spec.name}(): {'; '.join(said)}. Its signature: {signature}"[:_LONGEST_MESSAGE])


def _problem(spec: ToolSpec, problem: Any) -> tuple[bool, str]:
    """Whether it is a matter of types rather than values, and the words for it."""
    first, *rest = problem["loc"] or ("",)
    names = [parameter.name for parameter in spec.parameters if parameter.kind.startswith("POSITIONAL")]
    name = names[first] if isinstance(first, int) and first < len(names) else first
    kind = problem["type"]
    if kind.startswith("missing_"):
        return True, f"the argument {name!r} is missing"
    if kind == "unexpected_keyword_argument":
        return True, f"there is no parameter {name!r}"
    if kind == "unexpected_positional_argument":
        return True, f"at most {len(names)} positional arguments are taken"
    if kind == "multiple_argument_values":
        return True, f"the argument {name!r} is given twice"
    where = "".join(f"[{part!r}]" for part in rest)
    given = describe(problem["input"], 80)
    text = f"the argument {name!r}{where}: {problem['msg'][:1].lower()}{problem['msg'][1:]}, not {given}"
    return kind.endswith("_type") or kind == "is_instance_of", text
