"""What parts of sympy keep for the whole process and hand out: tables of units, solids, the parts of no vector."""

from __future__ import annotations

import copy
import importlib
import sys
from typing import Any

from codeact.snippet.modules import points
from codeact.snippet.modules.row import Room

_SYSTEMS, _DIMENSIONS = "sympy.physics.units.unitsystem", "sympy.physics.units.dimensions"

#: Tables, each with what it held.
Kept = list[tuple[dict[Any, Any], dict[Any, Any]]]

_at_first: Kept = []


def units(room: Room) -> dict[str, Any]:
    """Note what the tables of units hold before a snippet adds to them."""
    points.check_formulas()
    if not _at_first:
        _at_first.extend(kept())
    return {}


def kept() -> Kept:
    """What the tables of units hold; nothing of them is asked that a snippet could answer."""
    systems, dimensions = (vars(sys.modules[name]) for name in (_SYSTEMS, _DIMENSIONS))
    registry = systems["UnitSystem"]._unit_systems
    owners: list[Any] = [dimensions["_QuantityMapper"]]
    for system in list(registry.values()):
        if type(system) is systems["UnitSystem"]:
            owners += [system, vars(system)["_dimension_system"]]
    kinds = (type, systems["UnitSystem"], dimensions["DimensionSystem"])
    tables = [table for owner in owners if type(owner) in kinds for table in vars(owner).values()]
    return [(table, table.copy()) for table in (registry, *tables) if type(table) is dict]


def put_back(tables: Kept | None = None) -> None:
    """Let the tables hold what they held, or what they held at first."""
    for table, held in _at_first if tables is None else tables:
        table.clear()
        table.update(held)


def solids(room: Room) -> dict[str, Any]:
    """The solids of sympy.combinatorics, which are turned in place."""
    points.check_formulas()
    found = vars(importlib.import_module("sympy.combinatorics"))
    return {name: copy.deepcopy(value) for name, value in found.items() if type(value) is found["Polyhedron"]}


def vectors(room: Room) -> dict[str, Any]:
    """Nothing of sympy.vector is replaced; each asks for a table of its own of the parts of no vector."""
    points.check_formulas()
    zero = importlib.import_module("sympy.vector.basisdependent").BasisDependentZero
    zero.components = property(lambda self: {})
    return {}
