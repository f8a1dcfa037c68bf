"""A tool: what is offered of a function, and the checked way to call it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pydantic
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ArgsKwargs, SchemaValidator

from codeact.records import ToolCall, ToolSpec
from codeact.toolbox.checking import looks_inside, schema_of_argument
from codeact.toolbox.words import BadCall, Bound, bad_call, endless, positional, stub
from codeact.wire.given import Unlisted
from codeact.wire.parts import PARTS


@dataclass(frozen=True, slots=True)
class Tool:
    """A function with what is needed to offer it and to call it safely."""

    spec: ToolSpec
    function: Callable[..., Any] = field(repr=False)
    is_async: bool
    _arguments: SchemaValidator = field(repr=False)
    _result: SchemaValidator | None = field(repr=False)
    _schema: Any = field(repr=False)  # pydantic's, of the arguments
    undo: Callable[[ToolCall], Any] | None = field(default=None, repr=False)
    approve: Callable[[dict[str, Any]], Any] | bool | None = field(default=None, repr=False)
    cache: bool = False
    parallel: bool | None = None
    binding: Callable[[Callable[[], Bound], int], Bound] | None = field(default=None, repr=False)  # around `bind`

    positional: tuple[str, ...] = field(init=False, repr=False)  # the parameters that can be given by position

    def __post_init__(self) -> None:
        """Look once at what each call needs."""
        object.__setattr__(self, "positional", tuple(positional(self.spec)))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function as it is, unchecked."""
        return self.function(*args, **kwargs)

    @property
    def name(self) -> str:
        """The name it is called by."""
        return self.spec.name

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return GenerateJsonSchema().generate(self._schema)

    @property
    def stub(self) -> str:
        """The tool as the model sees it: signature with types, and docstring."""
        return stub(self.spec)

    def bind(self, arguments: list[Any], named: dict[str, Any], unlisted: Unlisted | None = None) -> Bound:
        """Give the validated arguments; BadCall where they do not fit, or the `unlisted` make too long a list."""
        if self.binding is None:
            return self._bind(arguments, named, unlisted)
        return self.binding(lambda: self._bind(arguments, named, unlisted), len(arguments))

    def _bind(self, arguments: list[Any], named: dict[str, Any], unlisted: Unlisted | None) -> Bound:
        if unlisted:
            self._refuse_endless(unlisted)
        try:
            args, kwargs = self._arguments.validate_python(ArgsKwargs(tuple(arguments), named or None), by_name=True)
        except pydantic.ValidationError as error:
            raise bad_call(self.spec, error) from error
        return args, kwargs

    def _refuse_endless(self, unlisted: Unlisted) -> None:
        schemas = {place: schema_of_argument(self._schema, place) for place in unlisted}
        listed = {place: unlisted[place] for place, schema in schemas.items() if schema and looks_inside(schema)}
        if sum(listed.values()) > PARTS:
            raise endless(self.spec, max(listed, key=listed.__getitem__), sum(listed.values()))

    def unchecked(self, function: Callable[..., Any]) -> Tool:
        """Give the tool with another function, whose results are not held against the annotation."""
        return replace(self, function=function, _result=None)

    def check_result(self, result: Any) -> Any:
        """Give the result as the annotation promises it; BadCall where the function broke its promise."""
        if self._result is None:
            return result
        try:
            return self._result.validate_python(result, by_name=True)
        except pydantic.ValidationError as error:
            problem = error.errors(include_url=False, include_context=False)[0]
            where = "".join(f"[{part!r}]" for part in problem["loc"])
            raise BadCall(
                TypeError,
                f"{self.name}() promises {self.spec.returns} and returned {type(result).__name__}: "
                f"{problem['msg']}{f' at {where}' if where else ''}",
            ) from error
