"""The tables of a dataclass: dataclasses reads them again for every class built on it, and executes what they say."""

from __future__ import annotations

import dataclasses
from typing import Any

from codeact.snippet import other_names, ownership
from codeact.snippet.attribute_rules import attribute_kind

FIELDS, PARAMS = "__dataclass_fields__", "__dataclass_params__"

_PARAMS_CLASS: type = dataclasses._DataclassParams  # type: ignore[attr-defined]  # typeshed hides it


def check_name(name: Any) -> None:
    """Raise TypeError for what is no name of a field."""
    if type(name) is not str or not name.isidentifier() or (name.startswith("__") and name.endswith("__")):
        raise TypeError(f"Field names must be valid identifiers: {name!r}")


def checked(owner: object, names: dict[str, Any]) -> dict[str, Any]:
    """The tables among these names as dataclasses made them, each in a copy that nobody else holds."""
    found: dict[str, Any] = {name: dict.get(names, name) for name in (FIELDS, PARAMS) if dict.__contains__(names, name)}
    if FIELDS in found:
        table = found[FIELDS]
        if type(table) is not dict or any(type(field) is not dataclasses.Field for field in table.values()):
            raise TypeError(f"class {owner!r} may not define {FIELDS}: dataclasses makes it")
        found[FIELDS] = table = dict(table)
        for field in table.values():
            check_name(field.name)
    if PARAMS in found and type(found[PARAMS]) is not _PARAMS_CLASS:
        raise TypeError(f"class {owner!r} may not define {PARAMS}: dataclasses makes it")
    return found


def settle_slots(owner: object, names: dict[str, Any]) -> None:
    """List the slots of a class before all else is looked at: what gives them may run a snippet's code."""
    if (slots := dict.get(names, "__slots__")) is not None:
        dict.__setitem__(names, "__slots__", _slots(owner, slots))


def _slots(owner: object, given: Any) -> Any:
    """The slots of a class: one for a table would leave it to `__getattr__` to say which fields there are."""
    listed = given if type(given) in (str, tuple, dict) else list(given) if type(given) is list else tuple(given)
    for name in [listed] if type(listed) is str else listed:
        if type(name) is not str or name in (FIELDS, PARAMS):
            raise TypeError(f"class {owner!r} may not have the slot {name!r}")
    return listed


def check_readable(names: Any, line: Any) -> None:
    """Raise TypeError where a field would be what a library keeps to itself: dataclasses goes by the names of fields.

    Nor may it be what is asked about before it is set.
    """
    for name in names:
        if any(other_names.is_guarded(base, name) for base in line):
            raise TypeError(f"a field may not be called {name!r}: set that of a class it is for by a statement")
        if type(name) is str and attribute_kind(name) != "free" and any(_keeps(base, name) for base in line):
            raise TypeError(f"a field may not be called {name!r}: a class it is for has an attribute of that name")


def _keeps(base: type, name: str) -> bool:
    if ownership.is_own_class(base) or base is object:
        return False
    finds = ("__getattr__" in ownership.class_dict(base)) and name not in ("format", "mro")
    return finds or name in ownership.class_dict(base) or name in ownership.private_parts(base)


def said(line: Any) -> list[str]:
    """The names of the fields that these classes of the snippet have."""
    tables = [ownership.class_dict(base).get(FIELDS) for base in line if ownership.is_own_class(base)]
    return [field.name for table in tables if type(table) is dict for field in table.values()]
