"""What stands in a column of a type of pandas' own, and its categories: in their order, also those nothing is of."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from codeact.errors import ProtocolError
from codeact.wire.collisions import uncrowded

if TYPE_CHECKING:
    from codeact.wire.values import Packer, Unpacker

PER_LABEL = 6  # parts, as it is compared and sorted
_SCALARS = frozenset((  # the tags of what may be a label, as pandas looks inside the rest
    "int", "text", "decimal", "fraction", "complex", "datetime", "date", "time", "timedelta", "timestamp", "difference",
    "described",
))  # fmt: skip
#: What stands in a column of each type, besides what is missing: of anything else pandas would make that itself.
_HELD: dict[str, type] = {
    **{f"{sign}Int{bits}": int for sign in ("", "U") for bits in (8, 16, 32, 64)},
    **dict.fromkeys(("Float32", "Float64"), float),
    **dict.fromkeys(("string", "str"), str),
    "boolean": bool,
}


def fits(name: Any, trees: list[Any]) -> bool:
    """Whether a column of the type of this name may hold these."""
    if name in ("object", "category"):
        return name == "object" or are_scalars(trees)
    kind = _HELD.get(name) if type(name) is str else None
    others = set(map(type, trees)) - {kind, type(None)}
    if kind is str and others == {dict}:
        return all(type(tree) is not dict or tree.get(0) == "text" for tree in trees)
    return kind is not None and not others


def are_scalars(trees: list[Any]) -> bool:
    """Whether these are the trees of values that hold no others."""
    kinds_inside = set(map(type, trees))
    if dict in kinds_inside:
        return list not in kinds_inside and all(type(tree) is not dict or tree.get(0) in _SCALARS for tree in trees)
    return list not in kinds_inside


def pack_categories(packer: Packer, dtype: Any, depth: int) -> list[Any]:
    """Give what a dtype says besides its name: its categories, and whether they are compared by their order."""
    packer.come_to(PER_LABEL * len(dtype.categories))
    trees = packer.pack_items(dtype.categories.tolist(), depth)
    return [trees, bool(dtype.ordered)] if are_scalars(trees) else []


def unpack_categories(unpacker: Unpacker, said: list[Any], depth: int) -> Any:
    """Give the dtype; earlier versions said nothing of it, and it follows from the items."""
    if not said:
        return "category"
    if [type(part) for part in said] != [list, bool] or not are_scalars(said[0]):
        raise ProtocolError("a column has no proper categories")
    unpacker.come_to(PER_LABEL * len(said[0]))
    labels = sys.modules["pandas"].Index(labels_of(unpacker, unpacker.unpack_items(said[0], depth)))
    return sys.modules["pandas"].CategoricalDtype(labels.dropna().unique(), said[1])  # some may cross as the same


def labels_of(unpacker: Unpacker, items: list[Any]) -> Any:
    """Give the labels of a table as pandas takes them: lone surrogates only where it is not to find a type for them."""
    uncrowded(items, unpacker.come_to)
    try:
        "".join(item for item in items if type(item) is str).encode()
    except UnicodeEncodeError:
        return sys.modules["pandas"].Index(items, dtype=object)
    return items
