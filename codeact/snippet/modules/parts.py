"""Parts of libraries that give what the library itself gives, and a few names of their own."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from codeact.snippet import library_files, ownership
from codeact.snippet.modules import algebra, points, units
from codeact.snippet.modules.row import Methods, Module, Room, named
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
    "solvers.solvers solvers.solveset tensor tensor.array utilities utilities.iterables utilities.lambdify "
    "algebras algebras.quaternion calculus.euler calculus.finite_diff core.containers core.evalf core.mod "
    "functions.special.beta_functions functions.special.bsplines functions.special.elliptic_integrals "
    "functions.special.hyper functions.special.mathieu_functions functions.special.singularity_functions "
    "functions.special.spherical_harmonics functions.special.tensor_functions functions.special.zeta_functions "
    "geometry.ellipse geometry.line geometry.point geometry.polygon geometry.util integrals.integrals "
    "matrices.expressions.matexpr matrices.immutable matrices.sparse ntheory.continued_fraction "
    "ntheory.egyptian_fraction ntheory.multinomial ntheory.partitions_ polys.orderings polys.partfrac polys.polyerrors "
    "polys.polyfuncs polys.rationaltools polys.rings polys.specialpolys printing.mathml printing.str "
    "series.approximants series.formal series.fourier series.order series.residues series.sequences series.series "
    "sets.conditionset sets.contains sets.powerset simplify.combsimp simplify.cse_main simplify.fu simplify.gammasimp "
    "simplify.powsimp simplify.radsimp simplify.ratsimp simplify.sqrtdenest solvers.decompogen solvers.deutils "
    "solvers.ode.ode solvers.pde solvers.polysys solvers.recurr tensor.functions tensor.indexed"
)

#: Parts of scipy, and the names a snippet gets of them, all of which compute with arrays.
_OF_SCIPY = {
    "signal.windows": "barthann bartlett blackman blackmanharris bohman boxcar chebwin cosine dpss exponential flattop "
    "gaussian general_cosine general_gaussian general_hamming get_window hamming hann kaiser kaiser_bessel_derived "
    "lanczos nuttall parzen taylor triang tukey",
    "stats.contingency": "association chi2_contingency crosstab expected_freq margins odds_ratio relative_risk",
    "stats.mstats": "describe gmean hdmedian hdquantiles hmean kendalltau kruskal kurtosis linregress mannwhitneyu "
    "mode mquantiles normaltest pearsonr scoreatpercentile skew spearmanr theilslopes tmean trim trima trimboth "
    "trimmed_mean trimmed_std trimmed_var trimr trimtail tvar variation winsorize zscore",
}

#: Parts of charts, and the names a snippet gets of them.
_OF_CHARTS = {
    "matplotlib.path": "Path",
    "matplotlib.text": "Annotation Text",
    "matplotlib.legend": "Legend",
    "matplotlib.axes": "Axes",
    "matplotlib.colorbar": "Colorbar",
    "matplotlib.container": "BarContainer",
    "matplotlib.font_manager": "FontProperties",
    "matplotlib.legend_handler": "HandlerBase HandlerErrorbar HandlerLine2D HandlerLineCollection HandlerPatch "
    "HandlerPathCollection HandlerPolyCollection HandlerTuple",
    "matplotlib.offsetbox": "AnchoredOffsetbox AnchoredText AnnotationBbox DrawingArea HPacker OffsetImage TextArea "
    "VPacker",
    "matplotlib.patheffects": "Normal PathPatchEffect SimpleLineShadow SimplePatchShadow Stroke TickedStroke "
    "withSimplePatchShadow withStroke withTickedStroke",
    "matplotlib.sankey": "Sankey",
    "matplotlib.spines": "Spine",
    "mpl_toolkits.mplot3d.art3d": "Line3DCollection Poly3DCollection",
}

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


def _beside(room: Room) -> Methods:
    """What makes room beside axes."""
    real, kind = importlib.import_module("mpl_toolkits.axes_grid1"), importlib.import_module("matplotlib.axes").Axes

    def make_axes_locatable(axes: Any) -> Any:
        if kind not in ownership.mro_of(type(axes)):
            raise TypeError(f"make_axes_locatable() takes axes, not {type(axes).__name__}")
        return real.make_axes_locatable(axes)

    return named(make_axes_locatable)


def _pages(room: Room) -> Methods:
    """A file of many figures, in the working folder."""
    real = importlib.import_module("matplotlib.backends.backend_pdf")

    def PdfPages(filename: Any, *arguments: Any, **settings: Any) -> Any:  # its name in matplotlib
        return real.PdfPages(library_files.inside(filename), *arguments, **settings)

    return named(PdfPages)


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
    *(
        Module(
            f"sympy.combinatorics.{part}",
            _AGAIN,
            needs="sympy",
            build=again("sympy.combinatorics", f"sympy.combinatorics.{part}"),
        )
        for part in words("permutations perm_groups named_groups")
    ),
    Module(
        "sklearn.metrics.cluster", _AGAIN, needs="sklearn", build=again("sklearn.metrics", "sklearn.metrics.cluster")
    ),
    *(Module(f"scipy.{part}", "numbers in arrays", names=names, needs="scipy") for part, names in _OF_SCIPY.items()),
    Module("scipy.stats.distributions", _AGAIN, needs="scipy", build=again("scipy.stats", "scipy.stats.distributions")),
    Module("matplotlib.image", _AGAIN, needs="matplotlib", source=None, build=_images),
    *(Module(part, _CHARTS, names=names, needs="matplotlib") for part, names in _OF_CHARTS.items()),
    Module("mpl_toolkits", "a package", needs="matplotlib", source=None, parts=("axes_grid1", "mplot3d")),
    Module("mpl_toolkits.mplot3d", _CHARTS, names="Axes3D", needs="matplotlib", parts=("art3d",)),
    Module(
        "mpl_toolkits.axes_grid1",
        _CHARTS,
        needs="matplotlib",
        replaced={"make_axes_locatable": "of axes alone: it makes others of their kind"},
        build=_beside,
    ),
    Module(
        "matplotlib.backends.backend_pdf",
        "figures on pages",
        needs="matplotlib",
        replaced={"PdfPages": "files are looked for in the working folder"},
        build=_pages,
    ),
    Module("matplotlib.backends.backend_agg", _CHARTS, names="FigureCanvasAgg", needs="matplotlib"),
)
