"""Values held against annotations: what pydantic looks at, and where it stops.

Left to itself, pydantic makes an error for every item of a list that does not fit, several where an item may be of
several types: gigabytes and half a minute, for a list of a million. Here it stops at the first. What it would make a
set or a dict of is looked at before, by `crowds.py`; how often it tries what a union takes, `ways.py` counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic_core import PydanticCustomError, SchemaValidator

from codeact.toolbox.crowds import guarded
from codeact.toolbox.ways import bounded, counted
from codeact.wire.plain import Record

_CONTAINERS = frozenset(
    ("list", "deque", "tuple", "set", "frozenset", "dict", "frozendict", "ordered-dict", "counter")
)  # fmt: skip
_WITHIN = frozenset((  # where the schemas inside a schema are
    "schema", "items_schema", "keys_schema", "values_schema", "extras_schema", "extras_keys_schema", "python_schema",
    "strict_schema", "lax_schema", "steps", "choices", "fields", "definitions",
    "arguments_schema", "var_args_schema", "var_kwargs_schema",
))  # fmt: skip
_OF_ITEMS = frozenset(("list", "deque", "tuple", "set", "frozenset", "generator"))  # made of all that has items
_RECORDS = ("dataclass", "model")
_WRAPPED = _CONTAINERS.union(_RECORDS, ["definition-ref"])
_NAMED = frozenset(("choices", "fields"))  # where they may lie under names of the user's
# What hands a range on as it is, or refuses it unseen; whatever else there is may go through its items.
_AT_A_GLANCE = frozenset((
    "any", "is-instance", "none", "bool", "int", "float", "decimal", "str", "bytes", "date", "time", "datetime",
    "timedelta", "uuid", "nullable", "default", "union", "json-or-python",
))  # fmt: skip


def checker(schema: Any) -> SchemaValidator:
    """Give the validator that stops at the first item of a container that does not fit."""
    holds_itself = schema["type"] == "definitions"
    stopping = _stopping(schema, schema["definitions"] if holds_itself else [])
    if holds_itself:
        stopping["schema"] = bounded(stopping["schema"])
    try:
        return SchemaValidator(stopping, _use_prebuilt=False)  # models bring their own, which do not stop
    except TypeError:  # pydantic before 2.13
        return SchemaValidator(stopping)


def _stopping(part: Any, definitions: list[Any]) -> Any:
    if isinstance(part, list | tuple):
        return type(part)(_stopping(inner, definitions) for inner in part)
    if not isinstance(part, Mapping):
        return part
    made = {key: _stopping_within(key, inner, definitions) if key in _WITHIN else inner for key, inner in part.items()}
    if made.get("type") == "union":
        made["choices"] = list(map(_labelled, part["choices"], made["choices"]))
    if made.get("type") in _CONTAINERS:
        made["fail_fast"] = True
        made = guarded(made, definitions)
    if part.get("type") in _OF_ITEMS:
        return _before(_refuse_network, made)
    if part.get("type") in _CONTAINERS:
        return made
    if made.get("type") == "union" and definitions:
        return counted(made)
    return _of_fields(made) if made.get("type") in _RECORDS and made["cls"].__hash__ is not None else made


def _labelled(choice: Any, made: Any) -> Any:
    """Give what a choice was made, under the name the choice has: what stands around it says nothing to a model."""
    return (made, _label(choice)) if isinstance(choice, Mapping) and choice["type"] in _WRAPPED else made


def _label(schema: Any) -> str:
    if "cls" in schema:
        return str(schema["cls"].__name__)
    if "schema_ref" in schema:
        return str(schema["schema_ref"]).partition(":")[0].rpartition(".")[2]
    if schema["type"] not in _CONTAINERS:
        return " | ".join(map(_label, _inside(schema))) or str(schema["type"])
    inner = [schema[key] for key in ("keys_schema", "values_schema", "items_schema") if key in schema]
    names = ", ".join(_label(part) for one in inner for part in (one if isinstance(one, list) else [one]))
    return f"{schema['type']}[{names}]" if names else str(schema["type"])


def _of_fields(schema: dict[str, Any]) -> dict[str, Any]:
    """Let one that is frozen be made of what arrives as an item of a set or as a key, where no dict can be."""
    return _before(lambda given: vars(given) if isinstance(given, Record) else given, schema)


def _refuse_network(given: Any) -> Any:
    """Refuse an IP network where a list is made: a few bytes stand for as many addresses as there are."""
    if type(given) is not list and type(given).__module__ == "ipaddress":
        raise PydanticCustomError("list_type", "Input should be a valid list, such as list(network)")
    return given


def _before(function: Callable[[Any], Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Let what is given go through a function first."""
    named = {"ref": schema.pop("ref")} if "ref" in schema else {}
    does = {"type": "no-info", "function": function}
    return {"type": "function-before", "function": does, "schema": schema, **named}


def _stopping_within(key: str, part: Any, definitions: list[Any]) -> Any:
    if key in _NAMED and isinstance(part, Mapping):
        return {name: _stopping(inner, definitions) for name, inner in part.items()}
    return _stopping(part, definitions)


def looks_inside(schema: Any) -> bool:
    """Whether a value that is held against this schema may have its items gone through, one after the other."""
    if schema["type"] not in _AT_A_GLANCE:
        return True
    return any(map(looks_inside, _inside(schema)))


def _inside(schema: Any) -> Iterator[Any]:
    for key in ("schema", "python_schema"):
        if key in schema:
            yield schema[key]
    for choice in schema.get("choices", ()):
        yield choice[0] if isinstance(choice, tuple) else choice


def schema_of_argument(schema: Any, place: int | str) -> Any:
    """Give the schema that the argument at this place, or of this name, is held against; None where there is none."""
    arguments = schema["schema"] if schema["type"] == "definitions" else schema
    for at, parameter in enumerate(arguments.get("arguments_schema", ())):
        mode = parameter["mode"]
        if place == (parameter["name"] if isinstance(place, str) else at) and (
            mode != ("positional_only" if isinstance(place, str) else "keyword_only")
        ):
            return parameter["schema"]
    return arguments.get("var_kwargs_schema" if isinstance(place, str) else "var_args_schema")
