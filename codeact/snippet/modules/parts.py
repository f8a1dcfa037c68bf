"""Parts of libraries that give what the library itself gives, and a few names of their own."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from codeact.snippet.modules import algebra, points, units
from codeact.snippet.modules.row import Module, Room
from codeact.snippet.words import words

_AGAIN = "names of the library itself, by where they are from"
_CHARTS = "parts of charts"

_SYMPY = words(
    "assumptions calculus calculus.singularities calculus.util concrete concrete.products concrete.summations core "
    "core.add core.basic core.expr core.function core.mul core.numbers core.power core.relational core.singleton "
    "core.symbol core.sympify discrete discrete.convolutions discrete.transforms functions functions.combinatorial "
    "functions.combinatorial.factorials functions.combinatorial.numbers functions.elementary "
    "functions.elementary.complexes functions.elementary.exponential functions.elementary.hyperbolic "
    "functions.elementary.integers functions.elementary.miscellaneous functions.elementary.piecewise "
    "functions.elementary.trigonometric functions.special functions.special.bessel "
    "functions.special.delta_functions functions.special.error_functions functions.special.gamma_functions "
    "functions.special.polynomials geometry integrals integrals.transforms logic logic.boolalg logic.inference "
    "matrices matrices.dense matrices.expressions ntheory ntheory.factor_ ntheory.generate ntheory.modular "
    "ntheory.primetest ntheory.residue_ntheory parsing parsing.sympy_parser polys polys.polyroots polys.polytools "
    "printing printing.latex printing.pretty printing.pycode series series.limits sets sets.fancysets sets.sets "
    "simplify simplify.simplify simplify.trigsimp solvers solvers.diophantine solvers.inequalities solvers.ode "
    "solvers.solvers solvers.solveset tensor tensor.array utilities utilities.iterables utilities.lambdify"
)

#: Parts of sympy that have names of their own alone, all of which compute.
_SYMPY_WHOLE = words("stats vector combinatorics physics.units physics.units.prefixes physics.units.systems")

_BUILT = {
    "stats": algebra.chances,
    "vector": units.vectors,
    "combinatorics": units.solids,
    **dict.fromkeys(words("physics.units physics.units.prefixes physics.units.systems"), units.units),
}

#: Names of a part that its library does not give by itself.
_OWN = {
    "sympy.calculus.util": "continuous_domain function_range",
    "sympy.ntheory.modular": "crt solve_congruence",
    "sympy.parsing.sympy_parser": "convert_xor function_exponentiation implicit_multiplication "
    "implicit_multiplication_application standard_transformations",
    "sympy.utilities.iterables": "multiset_combinations multiset_partitions multiset_permutations partitions",
}


def again(library: str, part: str) -> Callable[[Room], dict[str, Any]]:
    """What the facade of a library has of the names in one of its parts."""

    def build(room: Room) -> dict[str, Any]:
        given = vars(room.facades.import_module(library))
        real, whole = importlib.import_module(part), importlib.import_module(library)
        same = [name for name in vars(real) if vars(real)[name] is vars(whole).get(name, build)]
        return {name: given[name] for name in same if name in given and not name.startswith("_")}

    return build


def _checked(room: Room) -> dict[str, Any]:
    """Nothing of these parts of sympy is replaced; what it evaluates as text are formulas alone."""
    points.check_formulas()
    return {}


def _letters(room: Room) -> dict[str, Any]:
    """The symbols of sympy.abc."""
    symbol = importlib.import_module("sympy").Symbol
    found = vars(importlib.import_module("sympy.abc"))
    return {name: value for name, value in found.items() if type(value) is symbol}


def _images(room: Room) -> dict[str, Any]:
    """The files of images, as pyplot reads and writes them."""
    given = vars(room.facades.import_module("matplotlib.pyplot"))
    return {name: given[name] for name in ("imread", "imsave")}


ROWS = (
    *(
        Module(
            f"sympy.{part}",
            _AGAIN,
            names=_OWN.get(f"sympy.{part}", ""),
            needs="sympy",
            build=again("sympy", f"sympy.{part}"),
        )
        for part in _SYMPY
    ),
    *(
        Module(f"sympy.{part}", "a part of algebra", whole=True, needs="sympy", build=_BUILT.get(part, _checked))
        for part in _SYMPY_WHOLE
    ),
    Module("sympy.physics", "the package of sympy.physics.units", needs="sympy", source=None),
    Module("sympy.abc", "symbols by their letters", needs="sympy", build=_letters),
    Module("scipy.stats.distributions", _AGAIN, needs="scipy", build=again("scipy.stats", "scipy.stats.distributions")),
    Module("matplotlib.image", _AGAIN, needs="matplotlib", source=None, build=_images),
    Module("matplotlib.path", _CHARTS, names="Path", needs="matplotlib"),
    Module("matplotlib.text", _CHARTS, names="Annotation Text", needs="matplotlib"),
    Module("matplotlib.legend", _CHARTS, names="Legend", needs="matplotlib"),
    Module("matplotlib.axes", _CHARTS, names="Axes", needs="matplotlib"),
    Module("mpl_toolkits", "the package of mpl_toolkits.mplot3d", needs="matplotlib", source=None, parts=("mplot3d",)),
    Module("mpl_toolkits.mplot3d", _CHARTS, names="Axes3D", needs="matplotlib", parts=("art3d",)),
    Module("mpl_toolkits.mplot3d.art3d", _CHARTS, names="Line3DCollection Poly3DCollection", needs="matplotlib"),
)
