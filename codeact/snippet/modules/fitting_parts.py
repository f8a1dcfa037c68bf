"""Parts that fit each other before compiled code of scipy and scikit-learn goes by them: it looks at no sizes.

A model holds what it learned in attributes that can be set (`km.cluster_centers_`, `n_features_in_`), checks can be
left out (`check_input=False`), and a function of a snippet's gives a gradient of any length: that code read and wrote
past the end of what is there.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any

from codeact.snippet.data_objects import SimpleNamespace
from codeact.snippet.modules import linear_fit
from codeact.snippet.modules.shapes import are_parted, fit, shape_of
from codeact.snippet.patches import guarded, patch, put_on
from codeact.snippet.running import in_a_snippet
from codeact.snippet.words import words


def guard() -> None:
    """Put the guards in place for what is loaded by now; more calls do nothing."""
    for module, path, functions, wrapper in _FUNCTIONS:
        owner: Any = sys.modules.get(module)
        for part in path.split():
            owner = getattr(owner, part, None)
        for name in functions.split() if owner is not None else ():
            if name in vars(owner):  # other versions have others
                patch(owner, name, wrapper)
    estimates: Any = sys.modules.get("scipy.stats._kde")
    for name in words("gaussian_kernel_estimate gaussian_kernel_estimate_log") if estimates is not None else ():
        if not isinstance(real := getattr(estimates, name), _Weighted):
            setattr(estimates, name, _Weighted(real))
    points: Any = sys.modules.get("scipy.spatial._ckdtree")
    if points is not None:
        put_on(points.cKDTree, "query", guarded(vars(points.cKDTree)["query"], _of_some))


# ------------------------------------------------------------------------------------------------ clusters


def _centred(real: Callable[..., Any]) -> Callable[..., Any]:
    def labels(X: Any, sample_weight: Any, centers: Any, *more: Any, **named: Any) -> Any:
        if in_a_snippet():
            wide, known = shape_of(X)[1], shape_of(centers)[1]
            fit(wide == known, f"centers of {known} features and {wide} of the data")
        return real(X, sample_weight, centers, *more, **named)

    return labels


def _counted(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(
        X: Any, sample_weight: Any, centers: Any, centers_new: Any, weight_sums: Any, *more: Any, **named: Any
    ) -> Any:
        if in_a_snippet():
            counted = shape_of(centers)[:1] == shape_of(weight_sums) and shape_of(centers_new) == shape_of(centers)
            fit(counted, "the centers and what was counted of them")
        return real(X, sample_weight, centers, centers_new, weight_sums, *more, **named)

    return step


# ------------------------------------------------------------------------------------------------ trees


def _grown(at: int) -> Callable[[Any], Callable[..., Any]]:
    """What adds up what trees say: each asks for features that are there, and has a place for its answer."""

    def wrapper(real: Callable[..., Any]) -> Callable[..., Any]:
        def predict(estimators: Any, *given: Any) -> Any:
            if in_a_snippet():
                estimators = sys.modules["numpy"].asarray(estimators)
                many, wide = shape_of(given[at])
                fit(shape_of(given[at + 2]) == (many, estimators.shape[1]), "the trees of a model and its numbers")
                estimators = _holding(estimators, wide)
            return real(estimators, *given)

        return predict

    return wrapper


def _holding(models: Any, wide: int) -> Any:
    """What holds the trees of these models; what is no model of the library's may tell of another the next time."""
    held = models.ravel().tolist()
    trees = [model.tree_ for model in held]
    for tree in trees:
        fit(tree.n_features <= wide, f"X of {wide} features and a tree that asks for more")
    if set(map(type, held)) != {sys.modules["sklearn.tree"].DecisionTreeRegressor}:
        kept = sys.modules["numpy"].empty(models.shape, object)
        kept.ravel()[:] = [SimpleNamespace(tree_=tree) for tree in trees]
        return kept
    return models


def dependent(real: Callable[..., Any]) -> Callable[..., Any]:
    def compute_partial_dependence(tree: Any, X: Any, target_features: Any, out: Any) -> Any:
        if in_a_snippet():
            asked = (*shape_of(out), *shape_of(target_features))
            fit(shape_of(X) == asked, "points, features and the numbers for them")
        return real(tree, X, target_features, out)

    return compute_partial_dependence


def _binned(real: Callable[..., Any]) -> Callable[..., Any]:
    def iterations(model: Any, X: Any, *given: Any, **named: Any) -> Any:
        if in_a_snippet():
            wide = len(model._bin_mapper.bin_thresholds_)
            fit(shape_of(X)[1] == wide, f"X of other features and trees that know {wide}")
        return real(model, X, *given, **named)

    return iterations


# ------------------------------------------------------------------------------------------------ points and vectors


def _supported(real: Callable[..., Any]) -> Callable[..., Any]:
    vectors, many = slice(3, 6), 20  # at which places they are given

    def call(*given: Any) -> Any:
        if in_a_snippet():
            kept = dict(zip(("X_data", "X_indices", "X_indptr"), given[vectors], strict=True))
            are_there = shape_of(kept["X_indptr"]) == (given[many].sum() + 1,) and are_parted(kept, sys.maxsize)
            fit(are_there, "the support vectors and how many there were")
        return real(*given)

    return call


class _Weighted:
    """What estimates how dense points lie, by the kind of its numbers: each point has a weight."""

    __slots__ = ("_real",)

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getitem__(self, kind: Any) -> Any:
        real = self._real[kind]

        def estimate(points: Any, values: Any, *given: Any) -> Any:
            if in_a_snippet():
                fit(shape_of(points)[0] == shape_of(values)[0], "the points and their weights")
            return real(points, values, *given)

        return estimate


def _of_some(real: Callable[..., Any]) -> Callable[..., Any]:
    def query(tree: Any, x: Any, k: Any = 1, *given: Any, **named: Any) -> Any:
        return real(tree, x, _from_1(k) if in_a_snippet() else k, *given, **named)

    return query


def _from_1(k: Any) -> Any:
    """How many neighbors are looked for, or which, asked once."""
    if type(k) is not int and k is not None:
        k = sys.modules["numpy"].array(k)
        k = list(map(operator.index, k)) if k.ndim == 1 else operator.index(k)
    if k is not None and not (k > 0 if type(k) is int else k and min(k) > 0):
        raise ValueError("neighbors are counted from 1")
    return k


def _correlated(real: Callable[..., Any]) -> Callable[..., Any]:
    def measure(X: Any, *given: Any, VI: Any) -> Any:
        if in_a_snippet():
            fit(shape_of(VI) == shape_of(X)[1:] * 2, "the features and the matrix VI of them")
        return real(X, *given, VI=VI)

    return measure


def _around(real: Callable[..., Any]) -> Callable[..., Any]:
    """What sorts the corners of regions: they are corners that there are."""

    def sort_vertices_of_regions(simplices: Any, regions: Any) -> None:
        if not in_a_snippet():
            real(simplices, regions)
            return
        made = [list(map(operator.index, region)) for region in regions]
        for region in made:
            fit(bool(region) and 0 <= min(region) <= max(region) < len(simplices), "the regions and their corners")
        real(simplices, made)
        regions[:] = made

    return sort_vertices_of_regions


def _sloping(place: int, slope: int) -> Callable[[Any], Callable[..., Any]]:
    """What looks for a minimum: there is a slope along each number, whatever a function of the snippet's gave."""

    def wrapper(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*given: Any) -> Any:
            if in_a_snippet():
                many, gradient = shape_of(given[place])[0], sys.modules["numpy"].ascontiguousarray(given[slope])
                if gradient.size < many:
                    raise ValueError(f"the gradient has {gradient.size} numbers, and there are {many} to change")
                given = (*given[:slope], gradient, *given[slope + 1 :])
            return real(*given)

        return step

    return wrapper


_BINS = "sklearn.ensemble._hist_gradient_boosting.gradient_boosting"
_VECTORS = "libsvm_sparse_predict libsvm_sparse_decision_function libsvm_sparse_predict_proba"

#: Module, what it holds the functions in, these, and what looks at what they are given.
_FUNCTIONS: tuple[tuple[str, str, str, Callable[[Any], Callable[..., Any]]], ...] = (
    ("sklearn.cluster._kmeans", "", "_labels_inertia _labels_inertia_threadpool_limit", _centred),
    ("sklearn.cluster._kmeans", "", "_mini_batch_step", _counted),
    ("sklearn.linear_model._cd_fast", "", "enet_coordinate_descent", linear_fit.descending("dense")),
    ("sklearn.linear_model._cd_fast", "", "sparse_enet_coordinate_descent", linear_fit.descending("sparse")),
    ("sklearn.linear_model._cd_fast", "", "enet_coordinate_descent_gram", linear_fit.descending("gram")),
    ("sklearn.linear_model._cd_fast", "", "enet_coordinate_descent_multi_task", linear_fit.descending("tasks")),
    ("sklearn.linear_model._stochastic_gradient", "", "make_dataset", linear_fit.noted),
    ("sklearn.linear_model._stochastic_gradient", "", "_plain_sgd32 _plain_sgd64", linear_fit.as_wide),
    *(("sklearn.ensemble._gb", "", name, _grown(at)) for at, name in enumerate(words("predict_stages predict_stage"))),
    (_BINS, "BaseHistGradientBoosting", "_predict_iterations", _binned),
    ("sklearn.svm._base", "libsvm_sparse", _VECTORS, _supported),
    ("scipy.spatial._spherical_voronoi", "_voronoi", "sort_vertices_of_regions", _around),
    ("scipy.spatial._distance_wrap", "", "cdist_mahalanobis_double_wrap pdist_mahalanobis_double_wrap", _correlated),
    ("scipy.optimize._slsqp_py", "", "slsqp", _sloping(5, 2)),
    ("scipy.optimize._lbfgsb_py", "_lbfgsb", "setulb", _sloping(1, 6)),
)
