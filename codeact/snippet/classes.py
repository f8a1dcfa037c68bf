"""What a class is, read from the built-in `type` itself, so that no metaclass or property can answer for it."""

from __future__ import annotations

import dataclasses
import pathlib
import sys
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet.asked_classes import shown
from codeact.snippet.class_lines import presented
from codeact.snippet.ownership import class_dict, is_own_class, is_plain_class, module_of, mro_of

_name = type.__dict__["__name__"].__get__
_module = type.__dict__["__module__"].__get__

_HEAP_TYPE = 1 << 9
_flags = type.__dict__["__flags__"].__get__
_OF_DICTS = (types.GetSetDescriptorType, types.MemberDescriptorType)  # the second of a namespace of types
_PLAIN = (str, int, float, bool, bytes, type(None))


def class_name(cls: type) -> str:
    """The name of a class, at most 80 characters."""
    return str.__getitem__(_name(cls), slice(80))


def class_attribute(cls: type, name: str) -> Any:
    """The raw entry `name` of a class or of one it inherits from; None where there is none."""
    for base in mro_of(cls):
        for key, value in class_dict(base).items():
            if type(key) is str and key == name:
                return value
    return None


def dataclass_fields(cls: type) -> list[dataclasses.Field[Any]]:
    """The fields that instances of a dataclass have; none where a class is no dataclass."""
    table = class_attribute(cls, "__dataclass_fields__")
    fields: list[Any] = list(table.values()) if type(table) is dict else []
    own = dataclasses._FIELD  # type: ignore[attr-defined]  # there is no public way to ask for those of instances
    return [field for field in fields if type(field) is dataclasses.Field and field._field_type is own]  # type: ignore[attr-defined]  # as above


def is_a(value: object, kind: type) -> bool:
    """True where the class of `value` descends from `kind`, whatever its `__class__` pretends."""
    return any(base is kind for base in mro_of(type(value)))


def trusted(value: object) -> bool:
    """True where the repr of `value` runs no code but the standard library's own, or ours.

    That takes an exact type from the table, and parts that are plain as well: `timezone(offset, name)` prints its name
    with the name's own repr, which a subclass of `str` may have written.
    """
    cls = type(value)
    module = class_attribute(cls, "__module__") if _flags(cls) & _HEAP_TYPE else _module(cls)
    if type(module) is not str:
        return False
    module = module.removesuffix("._local")  # where Python 3.13 keeps its paths
    home = sys.modules.get(module)
    if home is None or not (vars(home).get(class_name(cls)) is cls or _is_path(cls)):
        return False
    return holds_plain_parts(value, module, class_name(cls))


def holds_plain_parts(value: object, module: str, name: str) -> bool:
    """True where this class of the standard library, read of `value`, runs no code but its own to write it as text."""
    parts = _PARTS.get((module, name))
    return parts is not None and all(_plain(part) for part in parts(value))


def _is_path(cls: type) -> bool:
    """Whether this is the `pathlib.Path` of snippets, and no class a snippet made of it."""
    return mro_of(cls)[1:2] == (pathlib.PurePosixPath,) and not is_own_class(cls)


def _plain(part: object) -> bool:
    if any(type(part) is kind for kind in _PLAIN):
        return True
    if type(part) is list or type(part) is tuple:
        return len(part) <= 100 and all(type(item) is str for item in part)
    return trusted(part)


def instance_fields(value: object) -> list[tuple[str, object]]:
    """The names and values an instance holds, in its `__dict__` and its slots, without asking its class."""
    fields: list[tuple[str, object]] = []
    seen = False  # each of several bases may offer the same `__dict__`
    for base in mro_of(type(value)):
        for name, entry in class_dict(base).items():
            if type(name) is not str:
                continue
            if name == "__dict__" and type(entry) in _OF_DICTS and not seen:
                seen = True
                held = entry.__get__(value)
                pairs = dict.items(held) if isinstance(held, dict) else held.items()  # a class has a proxy
                fields = [(key, content) for key, content in pairs if type(key) is str] + fields
            elif type(entry) is types.MemberDescriptorType and entry.__objclass__ is base:
                try:
                    fields.append((name, entry.__get__(value)))
                except AttributeError:  # a slot that was never filled
                    continue
    return fields


def instance_dict(value: object) -> dict[Any, Any]:
    """What an instance holds in its `__dict__`, without asking its class; empty where it has none."""
    for base in mro_of(type(value)):
        entry: Any = class_dict(base).get("__dict__")
        if type(entry) in _OF_DICTS:
            held = entry.__get__(value)
            return held if isinstance(held, dict) else {}
    return {}


def _is_ours(cls: type) -> bool:
    """True for a class of this package, under whatever name it shows itself."""
    if type(cls) is not type or _is_namespace(cls):  # another metaclass would be asked
        return False
    if cls in presented or is_plain_class(cls):
        return cls in presented
    return shown(cls) is not cls or any(module_of(base).startswith("codeact.snippet.") for base in mro_of(cls))


def kept_fields(value: object) -> list[tuple[str, object]]:
    """What an instance holds; of a class of this package, without what is private."""
    fields = instance_fields(value)
    return _without(fields, "_") if _is_ours(type(value)) else fields


def told_fields(value: object) -> list[tuple[str, object]]:
    """The fields that tell a reader something: neither what is private to a library, nor what C keeps for itself."""
    cls, fields = type(value), _without_slots(kept_fields(value))
    if is_own_class(cls) or _is_namespace(cls):
        return fields
    return _without(fields, "__" if class_attribute(cls, "__dict__") is None else "_")


def _is_namespace(cls: type) -> bool:
    return any(base is types.SimpleNamespace for base in mro_of(cls))


def _without(fields: list[tuple[str, object]], private: str) -> list[tuple[str, object]]:
    return [(name, held) for name, held in fields if not name.startswith(private)]


def _without_slots(fields: list[tuple[str, object]]) -> list[tuple[str, object]]:
    """The fields without what a library keeps beside them (`__pydantic_private__`); extra ones are fields."""
    extra = [held for name, held in fields if name == "__pydantic_extra__" and type(held) is dict]
    told = [(name, held) for name, held in fields if not (name.startswith("__") and name.endswith("__"))]
    return [*told, *((name, held) for one in extra for name, held in dict.items(one) if type(name) is str)]


def _held(value: object) -> tuple[object, ...]:
    return tuple(content for _, content in instance_fields(value))


_PARTS: dict[tuple[str, str], Callable[[Any], tuple[object, ...]]] = {
    # what each of these prints with its own repr: nothing, what its slots hold, or one named attribute
    ("builtins", "range"): lambda value: (),
    **{("codeact.worker.stubs", name): lambda value: () for name in ("Tool", "Pending")},
    ("datetime", "date"): lambda value: (),
    ("datetime", "timedelta"): lambda value: (),
    ("datetime", "datetime"): lambda value: (value.tzinfo,),
    ("datetime", "time"): lambda value: (value.tzinfo,),
    ("datetime", "timezone"): lambda value: (value.tzname(None),),
    ("decimal", "Decimal"): lambda value: (),
    ("fractions", "Fraction"): _held,
    **{("ipaddress", f"IPv4{what}"): _held for what in ("Address", "Network", "Interface")},
    **{("ipaddress", f"IPv6{what}"): _held for what in ("Address", "Network", "Interface")},
    **{("pathlib", name): _held for name in ("PurePosixPath", "PosixPath", "PureWindowsPath", "WindowsPath", "Path")},
    ("re", "Match"): lambda value: (),
    ("re", "Pattern"): lambda value: (value.pattern,),
    ("uuid", "UUID"): lambda value: tuple(content for name, content in instance_fields(value) if name == "int"),
    ("zoneinfo", "ZoneInfo"): lambda value: (value.key,),
}
