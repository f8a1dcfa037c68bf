"""The parts of scikit-learn a policy can allow."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from codeact.snippet.endings import CallRefused
from codeact.snippet.modules.algebra import drawn_trees, pipelines, read_texts
from codeact.snippet.modules.row import Methods, Module, Room, named
from codeact.snippet.words import word_set, words

_INSIDE = "it reaches into the library or this machine"
_OUTSIDE = "it reaches something outside; ask for a tool"
_MODELS = "models of data"
_FOLDER = "files are looked for in the working folder"

#: Parts of which a snippet gets these names alone.
_NAMED = {
    "calibration": "CalibratedClassifierCV calibration_curve",
    "covariance": "EllipticEnvelope EmpiricalCovariance GraphicalLasso GraphicalLassoCV LedoitWolf MinCovDet OAS "
    "ShrunkCovariance empirical_covariance ledoit_wolf shrunk_covariance",
    "cross_decomposition": "CCA PLSCanonical PLSRegression PLSSVD",
    "discriminant_analysis": "LinearDiscriminantAnalysis QuadraticDiscriminantAnalysis",
    "dummy": "DummyClassifier DummyRegressor",
    "exceptions": "ConvergenceWarning DataConversionWarning DataDimensionalityWarning EfficiencyWarning "
    "FitFailedWarning NotFittedError UndefinedMetricWarning",
    "gaussian_process": "GaussianProcessClassifier GaussianProcessRegressor",
    "gaussian_process.kernels": "CompoundKernel ConstantKernel DotProduct ExpSineSquared Exponentiation Matern "
    "PairwiseKernel Product RBF RationalQuadratic Sum WhiteKernel",
    "inspection": "DecisionBoundaryDisplay PartialDependenceDisplay partial_dependence permutation_importance",
    "isotonic": "IsotonicRegression check_increasing isotonic_regression",
    "kernel_approximation": "AdditiveChi2Sampler Nystroem PolynomialCountSketch RBFSampler SkewedChi2Sampler",
    "kernel_ridge": "KernelRidge",
    "metrics.pairwise": "additive_chi2_kernel chi2_kernel cosine_distances cosine_similarity euclidean_distances "
    "haversine_distances laplacian_kernel linear_kernel manhattan_distances nan_euclidean_distances pairwise_distances "
    "pairwise_distances_argmin pairwise_distances_argmin_min pairwise_kernels polynomial_kernel rbf_kernel "
    "sigmoid_kernel",
    "multiclass": "OneVsOneClassifier OneVsRestClassifier OutputCodeClassifier",
    "multioutput": "ClassifierChain MultiOutputClassifier MultiOutputRegressor RegressorChain",
    "random_projection": "GaussianRandomProjection SparseRandomProjection johnson_lindenstrauss_min_dim",
    "semi_supervised": "LabelPropagation LabelSpreading SelfTrainingClassifier",
    "utils.class_weight": "compute_class_weight compute_sample_weight",
    "utils.extmath": "cartesian randomized_svd safe_sparse_dot softmax",
    "utils.multiclass": "is_multilabel type_of_target unique_labels",
    "utils.validation": "assert_all_finite check_X_y check_array check_consistent_length check_is_fitted "
    "check_random_state column_or_1d has_fit_parameter",
}

#: What the import of a part of sklearn.experimental adds to another part.
_ENABLED = {
    "enable_halving_search_cv": ("sklearn.model_selection", "HalvingGridSearchCV HalvingRandomSearchCV"),
    "enable_iterative_imputer": ("sklearn.impute", "IterativeImputer"),
}

#: Settings that change neither what is checked of numbers before compiled code takes them, nor whom it asks.
_SETTINGS = word_set("display print_changed_only transform_output")


def _enabling(part: str) -> Callable[[Room], dict[str, Any]]:
    def build(room: Room) -> dict[str, Any]:
        importlib.import_module(f"sklearn.experimental.{part}")
        target, names = _ENABLED[part]
        real = importlib.import_module(target)
        vars(room.facades.import_module(target)).update({name: getattr(real, name) for name in names.split()})
        return {}

    return build


def _settings(room: Room) -> Methods:
    """The functions of sklearn that settle how models are shown, and what kind of table they give."""
    real = importlib.import_module("sklearn")

    def set_config(**settings: Any) -> None:
        real.set_config(**_of_ours(settings))

    @contextmanager
    def config_context(**settings: Any) -> Iterator[None]:
        before = real.get_config()
        set_config(**settings)
        try:
            yield
        finally:
            real.set_config(**before)

    return named(set_config, config_context)


def _of_ours(settings: dict[str, Any]) -> dict[str, Any]:
    if others := sorted(settings.keys() - _SETTINGS):
        raise CallRefused(f"{others[0]} of scikit-learn is settled for the process; those to set: {_TOLD}")
    return settings


_TOLD = ", ".join(sorted(_SETTINGS))

ROWS = (
    *(
        Module(f"sklearn.{part}", _MODELS, names=names, needs="sklearn", build=pipelines)
        for part, names in _NAMED.items()
    ),
    Module(
        "sklearn.feature_extraction",
        "tables from texts and dictionaries",
        names="DictVectorizer FeatureHasher",
        needs="sklearn",
        build=pipelines,
        parts=("text",),
    ),
    Module(
        "sklearn.feature_extraction.text",
        "tables of words; files are looked for in the working folder",
        names="CountVectorizer ENGLISH_STOP_WORDS HashingVectorizer TfidfTransformer TfidfVectorizer "
        "strip_accents_ascii strip_accents_unicode strip_tags",
        needs="sklearn",
        build=read_texts,
    ),
    *(
        Module(f"sklearn.{part}", _MODELS, whole=True, needs="sklearn", build=pipelines)
        for part in words(
            "linear_model ensemble svm neighbors cluster decomposition metrics preprocessing model_selection "
            "pipeline impute feature_selection naive_bayes neural_network compose manifold mixture base"
        )
    ),
    Module(
        "sklearn.tree",
        _MODELS,
        whole=True,
        needs="sklearn",
        replaced={"export_graphviz": _FOLDER},
        build=drawn_trees,
    ),
    Module(
        "sklearn.datasets",
        "small tables that come with the library, and made-up ones",
        names="load_iris load_digits load_wine load_breast_cancer load_diabetes load_linnerud make_biclusters "
        "make_blobs make_checkerboard make_circles make_classification make_friedman1 make_friedman2 make_friedman3 "
        "make_gaussian_quantiles make_hastie_10_2 make_low_rank_matrix make_moons make_multilabel_classification "
        "make_regression make_s_curve make_sparse_coded_signal make_sparse_spd_matrix make_sparse_uncorrelated "
        "make_spd_matrix make_swiss_roll",
        needs="sklearn",
        withheld=dict.fromkeys(words("fetch_openml fetch_california_housing fetch_20newsgroups load_files"), _OUTSIDE),
    ),
    Module(
        "sklearn.utils",
        "checks and samples of data",
        names="as_float_array assert_all_finite check_X_y check_array check_consistent_length check_random_state "
        "column_or_1d gen_batches gen_even_slices indexable resample shuffle",
        needs="sklearn",
        build=pipelines,
        parts=("class_weight", "extmath", "multiclass", "validation"),
    ),
    Module("sklearn.experimental", "the package of what is enabled", needs="sklearn"),
    *(
        Module(f"sklearn.experimental.{part}", "adds models", needs="sklearn", build=_enabling(part))
        for part in _ENABLED
    ),
    Module(
        "sklearn",
        "allowed by the policy",
        names="clone get_config",
        needs="sklearn",
        withheld={"externals": _INSIDE},
        replaced=dict.fromkeys(("set_config", "config_context"), f"settles {_TOLD}"),
        build=_settings,
    ),
)
