"""Items of sets and keys of dicts that an annotation makes share a hash: each would be compared with all before it.

`set[int]` makes ints of a list, and `dict[int, str]` of texts: what crossed was looked at as what it was before that.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pydantic_core import SchemaValidator, ValidationError

from codeact.wire.collisions import comparing

#: What is made of a kind of container → where the schema of its items or keys is.
_HASHED = {
    **dict.fromkeys(("set", "frozenset"), "items_schema"),
    **dict.fromkeys(("dict", "frozendict", "ordered-dict", "counter"), "keys_schema"),
}

#: Whose hashes nobody can choose: those of texts differ from process to process.
_AT_RANDOM = frozenset(("str", "bytes", "bool", "none", "date", "time", "datetime", "literal", "enum"))
_FEW = 64  # that are not looked at
_BEARABLE = 16  # items that share a hash, squared, for each there is
_TOO_MANY = "so many of its items share a hash that it would take for ever to build"


def guarded(schema: dict[str, Any], definitions: list[Any]) -> dict[str, Any]:
    """Let what makes a set or a dict look first at what it is made of; any other schema is given back.

    `definitions` are what its parts may refer to.
    """
    inner = schema.get(_HASHED.get(schema["type"], ""), {"type": "any"})
    if schema["type"] not in _HASHED or inner["type"] in _AT_RANDOM:
        return schema
    alone = {"type": "list", "items_schema": inner, "fail_fast": True}
    listed = {"type": "definitions", "schema": alone, "definitions": definitions} if definitions else alone
    named = {"ref": schema.pop("ref")} if "ref" in schema else {}
    function = {"type": "no-info", "function": _looking(SchemaValidator(listed))}
    return {"type": "function-wrap", "function": function, "schema": schema, **named}


def _looking(made_of: SchemaValidator) -> Callable[[Any, Callable[[Any], Any]], Any]:
    def look(value: Any, make: Callable[[Any], Any]) -> Any:
        crowded = False
        with suppress(ValidationError, TypeError, OverflowError):  # pydantic says what is wrong with it
            if not isinstance(value, str | bytes) and len(value) > _FEW:
                crowded = _crowd(made_of.validate_python(list(value), by_name=True))
        if crowded:
            raise ValueError(_TOO_MANY)
        return make(value)

    return look


def _crowd(items: list[Any]) -> bool:
    hashes = list(map(hash, items))
    if len(set(hashes)) == len(hashes):
        return False
    most = _BEARABLE * len(items)
    seen: dict[int, list[Any]] = {}
    for item, key in zip(items, hashes, strict=True):
        others = seen.setdefault(key, [])
        if others[:1] != [item]:  # those that are equal are found at once
            most -= 2 * (comparing(item, others) + len(others))
            if most < 0:
                return True
    return False
