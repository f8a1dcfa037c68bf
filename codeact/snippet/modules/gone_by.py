"""What compiled code of libraries goes by: places within what it is given, and parts that fit each other.

Rows that are exchanged, clusters that are joined, knots of splines, support vectors: it looks at none of them.
"""

from __future__ import annotations

import functools
import operator
import re
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet.modules import fitting_parts, triangles
from codeact.snippet.patches import guarded, patch, put_on
from codeact.snippet.running import in_a_snippet
from codeact.snippet.words import words

#: Functions of LAPACK whose rows are counted from 0; the others count them from 1, and pairs of them below 0.
_FROM_0 = frozenset(words("getrs getri gbtrs gbcon gesvx laswp"))
_ROWS = frozenset(words("piv ipiv jpiv"))

_COUNTED = 2**30  # what is counted by a number of 32 bits, with room to spare

_FEW = 64  # numbers that are looked through sooner by Python

#: Functions of clusters that are handed a tree first.
_OF_TREES = (
    words("calculate_cluster_sizes cluster_dist cluster_in cluster_maxclust_dist cluster_maxclust_monocrit")
    + words("cluster_monocrit cophenetic_distances get_max_Rfield_for_each_cluster get_max_dist_for_each_cluster")
    + words("inconsistent leaders prelist")
)


def guard() -> None:
    """Put the guards in place for what is loaded by now; more calls do nothing."""
    lapack = sys.modules.get("scipy.linalg._flapack")
    for name, function in list(vars(lapack).items()) if lapack is not None and lapack not in _looked_at else ():
        said = re.match(r".*= (\w+)\((.*)\)", getattr(function, "__doc__", None) or "")
        places = [at for at, word in enumerate(re.findall(r"\w+", said[2])) if word in _ROWS] if said else ()
        if places:
            patch(lapack, name, functools.partial(_exchanging, tuple(places), 0 if name[1:] in _FROM_0 else 1))
    _looked_at.append(lapack)
    for module, name, functions, wrapper in (
        ("scipy.cluster.hierarchy", "_hierarchy", _OF_TREES, _joined),
        ("scipy.cluster.hierarchy", "_optimal_leaf_ordering", ("optimal_leaf_ordering",), _joined),
        ("scipy.ndimage._morphology", "_nd_image", ("binary_erosion",), functools.partial(_centred, 5)),
        ("scipy.interpolate._bsplines", "_dierckx", ("evaluate_spline",), _of_knots),
        ("scipy.signal._fir_filter_design", "_sigtools", ("_remez",), _wide_enough),
        ("scipy", "linalg", ("qr_delete",), _taken_out),
        ("scipy.sparse.linalg._dsolve.linsolve", "_superlu", ("gstrf",), _in_panels),
        ("sklearn.svm._base", "libsvm", words("predict predict_proba decision_function"), _supported),
    ):
        compiled = getattr(sys.modules.get(module), name, None)
        for function in functions if compiled is not None else ():
            if function in vars(compiled):  # other versions have others
                patch(compiled, function, wrapper)
    days: Any = sys.modules.get("pandas._libs.tslibs.offsets")
    for name in _OF_DAYS & vars(days.BaseOffset).keys() if days is not None else ():
        put_on(days.BaseOffset, name, guarded(vars(days.BaseOffset)[name], _of_a_day))
    pairs: Any = sys.modules.get("sklearn.metrics._pairwise_distances_reduction._dispatcher")
    for kind in words("ArgKmin RadiusNeighbors ArgKminClassMode RadiusNeighborsClassMode") if pairs is not None else ():
        if kind in vars(pairs):
            patch(getattr(pairs, kind), "compute", _measured)
    fitting_parts.guard()
    triangles.guard()


_looked_at: list[Any] = []


#: What steps of time tell of a day.
_OF_DAYS = {f"is_{part}_{end}" for part in ("month", "quarter", "year") for end in ("start", "end")}


def _of_a_day(real: Callable[..., Any]) -> Callable[..., Any]:
    def tells(step: Any, ts: Any) -> Any:
        if ts is None and in_a_snippet():
            raise TypeError("it is asked of a Timestamp, not of None")
        return real(step, ts)

    return tells


def _exchanging(places: tuple[int, ...], least: int, real: Any) -> Callable[..., Any]:
    names = re.findall(r"\w+", real.__doc__.partition("(")[2].partition(")")[0])
    of_the_first = "npiv" in real.__doc__  # where as many rows are exchanged as one likes

    def call(*given: Any, **named: Any) -> Any:
        if not in_a_snippet():
            return real(*given, **named)
        import numpy as np

        every: dict[Any, Any] = {**dict(enumerate(given)), **named}
        for at in places:
            key = at if at < len(given) else names[at]
            if (rows := every.get(key)) is not None:
                every[key] = rows = np.array(rows, np.intc)
                many = len(np.asarray(every[0 if given else names[0]])) if of_the_first else rows.size
                if not _are_there(rows if least == 0 else abs(rows) - 1, many):
                    raise ValueError(f"{names[at]} names rows that are not there")
        return real(*map(every.get, range(len(given))), **{name: every[name] for name in named})

    call.__doc__ = real.__doc__
    return call


def _are_there(rows: Any, many: int) -> bool:
    if not rows.size:
        return True
    held = rows.ravel().tolist() if rows.size < _FEW else (rows.min(), rows.max())
    return bool(min(held) >= 0 and max(held) < many)


def _joined(real: Callable[..., Any]) -> Callable[..., Any]:
    """What goes through a tree of clusters: it goes by which are joined, and each of them is once."""

    def call(joined: Any, *more: Any, **named: Any) -> Any:
        if in_a_snippet():
            import numpy as np

            pairs = np.asarray(joined)[:, :2]
            known = len(pairs) + 1 + np.arange(len(pairs))
            if not ((pairs >= 0) & (pairs < known[:, None])).all() or np.unique(pairs).size < pairs.size:
                raise ValueError("a cluster is joined of two that there are by then, and of each of them once")
        return real(joined, *more, **named)

    return call


def _centred(at: int, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(*given: Any) -> Any:
        if in_a_snippet():
            for size, origin in zip(given[1].shape, given[at], strict=False):
                if not 0 <= size // 2 + operator.index(origin) < size:
                    raise ValueError("invalid origin: it lies outside of the structure")
        return real(*given)

    return call


def _of_knots(real: Callable[..., Any]) -> Callable[..., Any]:
    """What tells the values of a spline: of one with too few knots they are no numbers."""

    def evaluate_spline(knots: Any, numbers: Any, degree: Any, at: Any, *more: Any) -> Any:
        if in_a_snippet() and not max(0, len(knots) - len(numbers) - 1) <= degree < len(knots) // 2:
            return sys.modules["numpy"].full((len(at), numbers.shape[1]), float("nan"))
        return real(knots, numbers, degree, at, *more)

    return evaluate_spline


def _wide_enough(real: Callable[..., Any]) -> Callable[..., Any]:
    """What looks for a filter: it counts points in bands, and goes by more of them than there are numbers in it."""

    def _remez(*given: Any) -> Any:
        if in_a_snippet():
            import numpy as np

            taps, bands, _, _, _, rate, _, dense = given
            many, edges = operator.index(taps) // 2 + 1, np.array(bands, float).ravel()
            widths = edges[1::2] - edges[: edges.size // 2 * 2 : 2]
            if (widths / rate).sum() * 2 * operator.index(dense) * many + widths.size <= many:
                raise ValueError("the bands are too narrow for a filter of that length")
        return real(*given)

    return _remez


def _taken_out(real: Callable[..., Any]) -> Callable[..., Any]:
    def qr_delete(Q: Any, R: Any, k: Any, p: Any = 1, *more: Any, **named: Any) -> Any:
        if in_a_snippet() and operator.index(p) > _COUNTED:
            raise ValueError(f"there are fewer rows and columns than {p}")
        return real(Q, R, k, p, *more, **named)

    return qr_delete


def _in_panels(real: Callable[..., Any]) -> Callable[..., Any]:
    """What takes a sparse matrix apart: it makes room for as many columns at a time as it is told."""

    def gstrf(many: Any, *given: Any, **named: Any) -> Any:
        if in_a_snippet():
            options = named["options"] = dict(named["options"])
            for name in ("PanelSize", "Relax"):
                if options.get(name) is not None:
                    options[name] = number = operator.index(options[name])
                    if not 0 < number <= _COUNTED // max(many, 1):
                        raise ValueError(f"{name} is a number of columns: it lies above 0, and there is room for them")
        return real(many, *given, **named)

    return gstrf


def _supported(real: Callable[..., Any]) -> Callable[..., Any]:
    def call(x: Any, support: Any, vectors: Any, many: Any, numbers: Any, *more: Any, **named: Any) -> Any:
        if in_a_snippet():
            by_place = named.get("kernel") == "precomputed"
            held = support if by_place else vectors
            if len(support) != numbers.shape[1] or len(held) != len(support):
                raise ValueError("the support vectors are not as many as there were when the model was fitted")
            if by_place and len(support) and not 0 <= support.min() <= support.max() < x.shape[1]:
                raise ValueError("the support vectors lie outside of what is given")
        return real(x, support, vectors, many, numbers, *more, **named)

    return call


def _measured(real: Callable[..., Any]) -> Callable[..., Any]:
    def compute(cls: Any, X: Any, Y: Any, *more: Any, **named: Any) -> Any:
        if in_a_snippet() and X.shape[1] != Y.shape[1]:
            raise ValueError(f"X has {X.shape[1]} features, and what was fitted has {Y.shape[1]}")
        known = named.get("metric_kwargs") or {}
        for name, rows in (("X_norm_squared", X), ("Y_norm_squared", Y)):
            if in_a_snippet() and known.get(name) is not None and known[name].size != rows.shape[0]:
                raise ValueError(f"{name} has a number for each row: {rows.shape[0]}, not {known[name].size}")
        return real(cls, X, Y, *more, **named)

    return compute
