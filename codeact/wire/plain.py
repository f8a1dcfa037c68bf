"""Dataclasses and models cross as their fields; on the other side a plain dataclass of the same name holds them."""

from __future__ import annotations

import dataclasses
import keyword
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from codeact.errors import ProtocolError
from codeact.snippet.classes import class_attribute, class_name, dataclass_fields, instance_fields
from codeact.snippet.ownership import mro_of
from codeact.wire.parts import Packing, Unpacking

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

FIELDS = 200
CLASSES_PER_VALUE = 50  # each costs time to make; an honest value holds a handful
_CLASSES_KEPT = 500
_NAMELESS = "Record"  # for a class whose own name is none

_classes: OrderedDict[tuple[str, tuple[str, ...], bool], type[Record]] = OrderedDict()


class Record:
    """What a dataclass or a model of the other side arrives as: its fields as attributes."""

    def __init__(self, /, **fields: Any) -> None:
        for name in type(self).__dict__["__dataclass_fields__"]:
            vars(self)[name] = fields.pop(name)
        if fields:
            raise TypeError(f"{type(self).__name__} has no field {next(iter(fields))!r}")

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({inside})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or type(self).__name__ != type(other).__name__:
            return NotImplemented
        return vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it can be changed, so it has no hash


class FrozenRecord(Record):
    """What one that is frozen arrives as: it has a hash, by its fields, and can be a key."""

    def __setattr__(self, name: str, value: object) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def __hash__(self) -> int:  # type: ignore[override]  # this one cannot be changed
        return hash((type(self).__name__, frozenset(vars(self).items())))


def record_class(name: str, names: tuple[str, ...], *, frozen: bool = False) -> type[Record]:
    """Give the dataclass of this name with these fields; no code is generated for it."""
    found = _classes.get((name, names, frozen))
    if found is None:
        base = FrozenRecord if frozen else Record
        made = type(name, (base,), {"__annotations__": dict.fromkeys(names, Any), "__module__": __name__})
        found = dataclasses.dataclass(init=False, repr=False, eq=False)(made)
        _classes[name, names, frozen] = found
        if len(_classes) > _CLASSES_KEPT:
            _classes.popitem(last=False)
    return found


def packing_of(kind: type) -> Packing | None:
    """Give how an instance of a dataclass or a pydantic model is packed; None for any other class."""
    names = _field_names(kind)
    if names is None or len(names) > FIELDS:
        return None
    name = class_name(kind) if _proper(class_name(kind)) else _NAMELESS
    frozen = {4: True} if _is_frozen(kind) else {}

    def pack_record(packer: Packer, value: Any, depth: int) -> Any:
        held = dict(instance_fields(value))
        present = [field for field in names if field in held]
        if len(present) < len(names):
            held = {**_defaults(kind), **held}
            present = [field for field in names if field in held]
        if type(more := held.get("__pydantic_extra__")) is dict and more:
            held = {**dict.copy(more), **held}
            present += [name for name in more if _proper(name) and name not in names][: FIELDS - len(present)]
        packer.enter_record((name, *present, "frozen" if frozen else ""))
        fields = packer.pack_items([held[field] for field in present], depth)
        return {0: "record", 1: name, 2: present, 3: fields, **frozen}

    return pack_record


def _field_names(kind: type) -> list[str] | None:
    fields = class_attribute(kind, "__dataclass_fields__")
    if type(fields) is dict:
        return [name for name in fields if _proper(name)]
    fields = class_attribute(kind, "__pydantic_fields__")
    if type(fields) is dict:
        return [name for name in fields if _proper(name)]
    return None


def _defaults(kind: type) -> dict[str, Any]:
    """What a dataclass says of fields that its instances hold nothing of."""
    left_out = [field for field in dataclass_fields(kind) if not field.init]
    return {field.name: field.default for field in left_out if field.default is not dataclasses.MISSING}


def _is_frozen(kind: type) -> bool:
    """Whether instances cannot be changed and are equal by their fields, as their class declares."""
    declared = class_attribute(kind, "__dataclass_params__")
    if type(declared) is type(vars(record_class(_NAMELESS, ()))["__dataclass_params__"]):
        return FrozenRecord in mro_of(kind) or bool(declared.frozen and declared.eq)
    config = class_attribute(kind, "model_config")
    return type(config) is dict and config.get("frozen") is True


def _proper(name: object) -> bool:
    return (
        type(name) is str
        and len(name) <= 100
        and name.isidentifier()
        and not keyword.iskeyword(name)
        and not name.startswith("__")
    )


def _refuse_improper(name: Any, names: list[Any]) -> None:
    if len(names) > FIELDS or len(set(names)) != len(names):
        raise ProtocolError("a record has no proper fields")
    if not _proper(name) or not all(map(_proper, names)):
        raise ProtocolError("a record has an improper name")


def _unpack_record(unpacker: Unpacker, tree: Any, depth: int) -> Any:
    name, names = tree[1], tree[2]
    if type(names) is not list:
        raise ProtocolError("a record has no proper fields")
    shape = name, tuple(names), 4 in tree
    if shape not in _classes:
        _refuse_improper(name, names)
    values = unpacker.unpack_items(tree[3], depth)
    if unpacker.as_dicts and not unpacker.in_keys:
        return dict(zip(names, values, strict=True))
    if shape not in _classes:
        unpacker.records += 1
        if unpacker.records > CLASSES_PER_VALUE:
            raise ProtocolError("a value holds too many kinds of records")
    kind = record_class(name, shape[1], frozen=shape[2])
    made = kind.__new__(kind)
    vars(made).update(zip(names, values, strict=True))
    return made


UNPACKING: dict[str, Unpacking] = {"record": _unpack_record}
