"""The parts of scikit-learn a policy can allow."""

from __future__ import annotations

from codeact.snippet.modules.algebra import drawn_trees, pipelines, read_texts
from codeact.snippet.modules.row import Module
from codeact.snippet.words import words

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
    "inspection": "partial_dependence permutation_importance",
    "isotonic": "IsotonicRegression check_increasing isotonic_regression",
    "kernel_ridge": "KernelRidge",
    "metrics.pairwise": "additive_chi2_kernel chi2_kernel cosine_distances cosine_similarity euclidean_distances "
    "haversine_distances laplacian_kernel linear_kernel manhattan_distances nan_euclidean_distances pairwise_distances "
    "pairwise_distances_argmin pairwise_distances_argmin_min pairwise_kernels polynomial_kernel rbf_kernel "
    "sigmoid_kernel",
    "multiclass": "OneVsOneClassifier OneVsRestClassifier OutputCodeClassifier",
    "multioutput": "ClassifierChain MultiOutputClassifier MultiOutputRegressor RegressorChain",
    "random_projection": "GaussianRandomProjection SparseRandomProjection johnson_lindenstrauss_min_dim",
    "semi_supervised": "LabelPropagation LabelSpreading SelfTrainingClassifier",
}

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
        names="load_iris load_digits load_wine load_breast_cancer load_diabetes load_linnerud make_blobs make_circles "
        "make_classification make_friedman1 make_moons make_regression make_s_curve make_swiss_roll "
        "make_multilabel_classification",
        needs="sklearn",
        withheld=dict.fromkeys(words("fetch_openml fetch_california_housing fetch_20newsgroups load_files"), _OUTSIDE),
    ),
    Module(
        "sklearn",
        "allowed by the policy",
        names="",
        needs="sklearn",
        withheld={"externals": _INSIDE, "utils": _INSIDE},
    ),
)
