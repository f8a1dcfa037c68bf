"""pydantic: models of data, without what imports by a text, reads pickles, or believes a schema of one's own.

A model that reads attributes reads them by the names of its fields and aliases, past every facade: `__globals__` of a
method is one. So do the paths of an alias. What is looked up in a dictionary may have any name.
"""

from __future__ import annotations

import importlib
import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

from codeact.snippet import attributes, library_files, ownership, special, types_
from codeact.snippet.attribute_rules import attribute_kind, refusal
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules import making, schemas
from codeact.snippet.modules.row import Module, Room
from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet
from codeact.snippet.words import words

_MODELS = "models of data"
_IMPORTS = "it imports what a text names; use an import statement"


def _guard(room: Room) -> dict[str, Any]:
    """Put the guards in place; gives what a row has replaced."""
    core: Any = importlib.import_module("pydantic_core")
    types_.shield(core.SchemaValidator, core.SchemaSerializer)
    special.final.add(importlib.import_module("pydantic.json_schema").GenerateJsonSchema)  # it is handed schemas
    validators, parse = map(importlib.import_module, ("pydantic._internal._validators", "pydantic.deprecated.parse"))
    patch(validators, "_import_string_logic", _importing_nothing)
    patch(parse, "load_str_bytes", _unpickling_nothing)
    patch(parse, "load_file", _in_the_folder)
    paths = importlib.import_module("pydantic.types").PathType
    for kind in words("file directory new socket"):
        if f"validate_{kind}" in vars(paths):
            patch(paths, f"validate_{kind}", _asked_in_the_folder)
    schemas.guard()
    patch(importlib.import_module("pydantic._internal._generate_schema").GenerateSchema, "clean_schema", _looking)
    for part in words("_typing_extra _model_construction"):
        patch(importlib.import_module(f"pydantic._internal.{part}"), "parent_frame_namespace", _past_ours)
    return {}


def _of_ones_own(room: Room) -> dict[str, Any]:
    """The replaced names of pydantic.dataclasses: what is made a class of fields is the snippet's own."""
    real = importlib.import_module("pydantic.dataclasses")

    def dataclass(cls: Any = None, /, **settings: Any) -> Any:
        def wrap(own: Any) -> Any:
            making.check_fields(own)
            return real.dataclass(own, **settings)

        return wrap if cls is None else wrap(cls)

    return {**_guard(room), "dataclass": dataclass}


def _with_config(room: Room) -> dict[str, Any]:
    real = importlib.import_module("pydantic.config")

    def with_config(*given: Any, **settings: Any) -> Any:
        wrap = real.with_config(*given, **settings)
        return lambda own: wrap(attributes.store(own))

    return {**_guard(room), "with_config": with_config}


def _past_ours(real: Callable[..., Any]) -> Callable[..., Any]:
    """What a model refers to by a text stands where it is made, which is not in what we look at its class by."""

    def parent_frame_namespace(*, parent_depth: int = 2, **settings: Any) -> Any:
        while sys._getframe(parent_depth).f_globals.get("__name__", "").startswith("codeact.snippet."):
            parent_depth += 1
        return real(parent_depth=parent_depth + 1, **settings)

    return parent_frame_namespace


# ------------------------------------------------------------------------------------------------ texts and files


def _importing_nothing(real: Callable[..., Any]) -> Callable[..., Any]:
    def import_string(path: str) -> Any:
        if in_a_snippet():
            raise CallRefused(f"ImportString is refused in a snippet: {_IMPORTS}")
        return real(path)

    return import_string


def _unpickling_nothing(real: Callable[..., Any]) -> Callable[..., Any]:
    def load_str_bytes(b: Any, *, proto: Any = None, allow_pickle: bool = False, **settings: Any) -> Any:
        if allow_pickle and in_a_snippet():
            raise CallRefused("allow_pickle is refused in a snippet: reading its data can run any code; use json")
        return real(b, proto=proto, allow_pickle=allow_pickle, **settings)

    return load_str_bytes


def _in_the_folder(real: Callable[..., Any]) -> Callable[..., Any]:
    def load_file(path: Any, **settings: Any) -> Any:
        return real(library_files.inside(path) if in_a_snippet() else path, **settings)

    return load_file


def _asked_in_the_folder(real: Callable[..., Any]) -> Callable[..., Any]:
    def validate(path: Any, info: Any) -> Any:
        if not in_a_snippet():
            return real(path, info)
        real(type(path)(library_files.inside(path)), info)
        return path

    return validate


# ------------------------------------------------------------------------------------------------ attributes by name


class _Look:
    """What a model asks first of an object that it may read: that a snippet may say these names of it."""

    def __init__(self, names: frozenset[str], deep: bool) -> None:
        self._names, self._deep = names, deep

    def __call__(self, value: Any) -> Any:
        if type(value) is dict:
            return value
        if dict in ownership.mro_of(type(value)) or ownership.module_of(type(value)) == "builtins":
            return value  # no attributes are read of these
        try:
            self._check(value)
        except AttributeError as error:
            raise ValueError(str(error)) from None  # as another of several types may be meant
        return value

    def _check(self, value: Any) -> None:
        if self._deep:
            raise AttributeError("a path of names that may not be said of everything is looked for in dictionaries")
        for name in self._names:
            kind = attributes.check_name(value, name)
            if kind in ("special", "walked") and (name.startswith("__") or not ownership.is_own_class(type(value))):
                raise refusal(value, name, "a model reads it as it is")


def _looking(real: Callable[..., Any]) -> Callable[..., Any]:
    def clean_schema(generator: Any, schema: Any) -> Any:
        made = real(generator, schema)
        if in_a_snippet():
            for part in _models_and_unions(made):
                _look_first(part)
        return made

    return clean_schema


def _function_of(schema: dict[Any, Any]) -> Any:
    function = schema.get("function")
    return function.get("function") if type(function) is dict else None


def _look_first(schema: dict[Any, Any]) -> None:
    """Have a model look at what it is given, where its names may not be said of everything."""
    if schema.get("type") == "tagged-union":
        if any(_is_asked(name) for path in _paths(schema["discriminator"]) for name in path):
            schema["from_attributes"] = False
    elif schema.get("type") == "model":
        paths = [*_lookups(schema["schema"])]
        names, below = ({name for path in paths for name in part(path) if _is_asked(name)} for part in (_first, _more))
        if (names or below) and type(_function_of(schema["schema"])) is not _Look:
            looks = {"type": "no-info", "function": _Look(frozenset(names), bool(below))}
            schema["schema"] = {"type": "function-before", "function": looks, "schema": schema["schema"]}


def _is_asked(name: str) -> bool:
    return attribute_kind(name) != "free"


_first, _more = operator.itemgetter(slice(1)), operator.itemgetter(slice(1, None))


def _models_and_unions(schema: Any) -> list[dict[Any, Any]]:
    """Those that a schema is made of."""
    found: list[dict[Any, Any]] = []
    todo, seen = [schema], {id(schema)}
    for part in todo:
        if type(part) is dict and part.get("type") in ("model", "tagged-union"):
            found.append(part)
        for each in part.values() if type(part) is dict else part:
            if type(each) in (dict, list, tuple) and id(each) not in seen:
                seen.add(id(each))
                todo.append(each)
    return found


def _lookups(schema: dict[Any, Any]) -> Iterator[tuple[str, ...]]:
    """The paths by which the fields of one model are looked for."""
    while schema.get("type") != "model-fields":  # functions stand around what says them
        if type(schema := schema.get("schema", {})) is not dict:
            return
        if not schema:
            return
    for name, field in schema["fields"].items():
        yield (name,)
        yield from _paths(field.get("validation_alias", name))


def _paths(alias: Any) -> Iterator[tuple[str, ...]]:
    """The texts of an alias, of a path, or of several paths; items that are looked for by their place are none."""
    if type(alias) is str:
        yield (alias,)
    elif type(alias) is list:
        for path in alias if alias and type(alias[0]) is list else [alias]:
            if texts := tuple(each for each in path if type(each) is str):
                yield texts


_WITHHELD = {"GetPydanticSchema": schemas.BELIEVED}
_NAMED = {
    "main": "BaseModel create_model",
    "root_model": "RootModel",
    "type_adapter": "TypeAdapter",
    "aliases": "AliasChoices AliasGenerator AliasPath",
    "alias_generators": "to_camel to_pascal to_snake",
    "fields": "AliasChoices AliasPath Field FieldInfo PrivateAttr computed_field",
    "functional_validators": "AfterValidator BeforeValidator InstanceOf ModelWrapValidatorHandler PlainValidator "
    "SkipValidation ValidateAs WrapValidator field_validator model_validator",
    "functional_serializers": "PlainSerializer SerializeAsAny WrapSerializer field_serializer model_serializer",
    "json_schema": "Examples GenerateJsonSchema JsonSchemaMode JsonSchemaValue SkipJsonSchema WithJsonSchema "
    "model_json_schema models_json_schema",
    "validate_call_decorator": "validate_call",
}
_WHOLE = words("errors networks types color warnings")

ROWS = (
    Module(
        "pydantic",
        "allowed by the policy",
        whole=True,
        needs="pydantic",
        withheld=_WITHHELD,
        replaced={"with_config": "only for a class of your own"},
        build=_with_config,
        parts=(*_NAMED, *_WHOLE, "config", "dataclasses"),
    ),
    *(
        Module(f"pydantic.{part}", _MODELS, names=names, needs="pydantic", build=_guard)
        for part, names in _NAMED.items()
    ),
    *(
        Module(f"pydantic.{part}", _MODELS, whole=True, needs="pydantic", withheld=_WITHHELD, build=_guard)
        for part in _WHOLE
    ),
    Module(
        "pydantic.config",
        _MODELS,
        names="ConfigDict",
        needs="pydantic",
        replaced={"with_config": "only for a class of your own"},
        build=_with_config,
    ),
    Module(
        "pydantic.dataclasses",
        "classes of fields that are checked",
        names="is_pydantic_dataclass rebuild_dataclass",
        needs="pydantic",
        replaced={"dataclass": "only for a class of your own"},
        build=_of_ones_own,
    ),
)
