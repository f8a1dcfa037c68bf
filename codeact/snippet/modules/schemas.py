"""Schemas of pydantic: machine code believes them, so they come from libraries alone.

A schema says which attributes are read of an object, and which class is made past its own `__init__`. pydantic asks
whatever stands in an annotation for one, which an object of a snippet's may answer by its `__getattr__`, and takes
those that it keeps in a class from the `__dict__` of what passes for one. It hands them to what makes JSON schemas.
"""

from __future__ import annotations

import importlib
import inspect
import types
from typing import Any

from codeact.snippet import ownership
from codeact.snippet.endings import CallRefused
from codeact.snippet.patches import patch
from codeact.snippet.running import in_a_snippet

BELIEVED = "a schema of one's own is believed by the machine code below; use BeforeValidator or PlainValidator"

#: What hands schemas to a class it is given: module, class, and its name.
_HANDING = (
    ("main", "BaseModel", "model_json_schema"),
    ("type_adapter", "TypeAdapter", "json_schema"),
    ("type_adapter", "TypeAdapter", "json_schemas"),
    ("json_schema", "", "model_json_schema"),
    ("json_schema", "", "models_json_schema"),
)

#: By these an object makes a schema, and is handed one to say what it is in JSON.
_ASKED = frozenset({"__get_pydantic_core_schema__", "__get_pydantic_json_schema__"})


def guard() -> None:
    """Have pydantic look whose a schema is."""
    module: Any = importlib.import_module("pydantic._internal._generate_schema")
    vars(module)["getattr"] = _getattr
    for name in ("_model_schema", "_dataclass_schema"):
        if name in vars(module.GenerateSchema):
            patch(module.GenerateSchema, name, _of_a_class)
    for part, owner, name in _HANDING:
        holder: Any = importlib.import_module(f"pydantic.{part}")
        holder = getattr(holder, owner) if owner else holder
        if name in vars(holder):
            patch(holder, name, _to_a_librarys)


def _getattr(subject: Any, name: str, *default: Any) -> Any:
    found = getattr(subject, name, *default)
    if name in _ASKED and found is not None and in_a_snippet() and not _is_the_librarys(subject, name, found):
        raise _refusal(subject)
    return found


def _is_the_librarys(subject: Any, name: str, found: Any) -> bool:
    cls = ownership.class_of(subject.__origin__ if type(subject) is types.GenericAlias else subject)
    holder = next((base for base in ownership.mro_of(cls) if name in ownership.class_dict(base)), None)
    if holder is None or ownership.is_own_class(holder):
        return False
    held = ownership.class_dict(holder)[name]
    held = held.__func__ if isinstance(held, classmethod | staticmethod) else held
    return (found.__func__ if type(found) is types.MethodType else found) is held


def _of_a_class(real: Any) -> Any:
    def schema(generator: Any, cls: Any, *more: Any) -> Any:
        if in_a_snippet() and not ownership.is_class(cls):
            raise _refusal(cls)
        return real(generator, cls, *more)

    return schema


def _to_a_librarys(real: Any) -> Any:
    places, maker = inspect.signature(real), importlib.import_module("pydantic.json_schema").GenerateJsonSchema

    def make(*given: Any, **named: Any) -> Any:
        if in_a_snippet() and (len(given) > 1 or "schema_generator" in named):
            cls = places.bind(*given, **named).arguments.get("schema_generator", maker)
            if not (ownership.is_class(cls) and maker in ownership.mro_of(cls)):
                raise CallRefused("schema_generator is refused: it is handed schemas that machine code believes")
        return real(*given, **named)

    return make


def _refusal(subject: Any) -> CallRefused:
    return CallRefused(f"{type(subject).__name__!r} as a type of a model is refused: {BELIEVED}")
