"""Models and solvers whose parts do not fit each other: each of these read or wrote past the end of an array.

Run in a cage.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from codeact import Policy, Session

_NEEDED = ("numpy", "scipy", "sklearn")
pytestmark = pytest.mark.skipif(not all(map(importlib.util.find_spec, _NEEDED)), reason="scikit-learn is not installed")

_ROWS = "import numpy as np, scipy.sparse as sp\nX = np.random.RandomState(0).rand(200, 50)\ny = X[:, 40]\n"
_BOOSTED = (
    "from sklearn.ensemble import GradientBoostingRegressor\nfrom sklearn.tree import DecisionTreeRegressor\n"
    "m = GradientBoostingRegressor(n_estimators=3).fit(X, y)\n"
)
_BINNED = "from sklearn.ensemble import HistGradientBoostingRegressor\nm = HistGradientBoostingRegressor(max_iter=3)\n"
_LINES = "from sklearn.linear_model import SGDClassifier, SGDRegressor, enet_path, ElasticNet, MultiTaskLasso\n"
_COLUMNS = "X = np.asfortranarray(X)\n"
_NEAR = "from sklearn.neighbors import NearestNeighbors\n"
_SLOPE = "from scipy.optimize import minimize\nminimize(lambda x: (x**2).sum(), np.ones(500), method={0!r}, jac={1})"

#: What does not fit → a snippet that has it used.
ASKEW = {
    "centers of fewer features": (
        "from sklearn.cluster import KMeans\nm = KMeans(8, n_init=1).fit(X)\nm.cluster_centers_ = np.zeros((8, 1))\n"
        "m.predict(X)"
    ),
    "centers that say what they have": (
        "from sklearn.cluster import KMeans\nm = KMeans(8, n_init=1).fit(X)\nclass A(np.ndarray): shape = (8, 50)\n"
        "m.cluster_centers_ = np.zeros((8, 1)).view(A)\nm.predict(X)"
    ),
    "centers that were not counted": (
        "from sklearn.cluster import MiniBatchKMeans\nm = MiniBatchKMeans(2, n_init=1).fit(X)\n"
        "m.cluster_centers_ = np.zeros((100, 50))\nm.partial_fit(X)"
    ),
    "trees that ask for more": (
        f"{_BOOSTED}for tree in m.estimators_.ravel(): tree.n_features_in_ = 1\nm.n_features_in_ = 1\nm.predict(X[:, :1])"
    ),
    "trees of each stage": (
        f"{_BOOSTED}for tree in m.estimators_.ravel(): tree.n_features_in_ = 1\nm.n_features_in_ = 1\n"
        "list(m.staged_predict(X[:, :1]))"
    ),
    "trees of a class of one's own": (
        f"{_BOOSTED}big, small = (DecisionTreeRegressor().fit(x, y) for x in (X, X[:, :1]))\nasked = []\nclass Tree:\n"
        "    def _validate_X_predict(self, X, check_input): return np.zeros((200, 1), 'f4')\n    @property\n"
        "    def tree_(self):\n        asked.append(1)\n        return big.tree_ if len(asked) > 1 else small.tree_\n"
        "m.estimators_ = np.array([[Tree()]], object)\nm.predict(X)\nif len(asked) == 1: raise ValueError('asked once')"
    ),
    "more trees than numbers": f"{_BOOSTED}m.estimators_ = np.repeat(m.estimators_, 500, 1)\nm.predict(X)",
    "trees of bins": f"{_BINNED}m.fit(X, y)\nm.n_features_in_ = 1\nm.predict(X[:, :1])",
    "points and fewer numbers for them": (
        "from sklearn.tree import DecisionTreeRegressor\nt = DecisionTreeRegressor().fit(X, y).tree_\n"
        "t.compute_partial_dependence(np.zeros((10**6, 1), 'f4'), np.array([40]), np.zeros(1))"
    ),
    "rows and fewer results": (
        f"{_LINES}{_COLUMNS}enet_path(X, y[:1], precompute=False, Xy=X.T @ y, alphas=[0.1], check_input=False)"
    ),
    "rows and fewer results, of a model": f"{_LINES}{_COLUMNS}ElasticNet().fit(X, y[:1], check_input=False)",
    "lines for fewer results": (
        f"{_LINES}{_COLUMNS}m = MultiTaskLasso(warm_start=True, max_iter=3).fit(X, X[:, :2])\n"
        "m.coef_ = np.asfortranarray(np.zeros((1, 50)))\nm.fit(X, X[:, :2])"
    ),
    "coefficients of none": (
        f"{_LINES}m = SGDClassifier().partial_fit(X, y > 0.5, [0, 1])\nm.coef_ = np.zeros((0, 50))\n"
        "m.partial_fit(X, y > 0.5)"
    ),
    "coefficients of fewer features": (
        f"{_LINES}m = SGDRegressor().partial_fit(X, y)\nm.coef_ = np.zeros(1)\nm.partial_fit(X, y)"
    ),
    "points of more features": (
        f"{_NEAR}m = NearestNeighbors(algorithm='brute').fit(X[:, :3])\nm.n_features_in_ = 50\nm.kneighbors(X)"
    ),
    "points of more features, as far as a radius": (
        f"{_NEAR}m = NearestNeighbors(algorithm='brute', metric='manhattan').fit(X[:, :3])\nm.n_features_in_ = 50\n"
        "m.radius_neighbors(X)"
    ),
    "fewer vectors of a sparse model": (
        "from sklearn.svm import SVC\nm = SVC().fit(sp.csr_array(X), y > 0.5)\nm.support_vectors_ = sp.csr_matrix((1, 50))\n"
        "m.predict(sp.csr_array(X))"
    ),
    "vectors of one's own": (
        "from sklearn.svm import SVC\nm = SVC().fit(sp.csr_array(X), y > 0.5)\nv = m.support_vectors_\nclass V:\n"
        "    data, indices, indptr, size, shape = v.data, v.indices, v.indptr * 10**6, v.size, v.shape\n"
        "m.support_vectors_ = V()\nm.predict(sp.csr_array(X))"
    ),
    "points without weights": (
        "from scipy.stats import gaussian_kde\nk = gaussian_kde(y)\nk.dataset = np.zeros((1, 10**7))\nk(np.zeros(1))"
    ),
    "no neighbors": "from scipy.spatial import KDTree\nKDTree(X).query(X, k=[-5])",
    "a matrix of fewer features": "from scipy.spatial.distance import cdist\ncdist(X, X, 'mahalanobis', VI=np.ones((1, 1)))",
    "a matrix of fewer features, of pairs": (
        "from scipy.spatial.distance import pdist\npdist(X, 'mahalanobis', VI=np.ones((1, 1)))"
    ),
    "corners that are not there": (
        "from scipy.spatial import SphericalVoronoi\np = X[:, :3] / np.linalg.norm(X[:, :3], axis=1)[:, None]\n"
        "s = SphericalVoronoi(np.concatenate([p, -p]))\ns.regions = [[10**8, 10**7, 5]] * 400\n"
        "s.sort_vertices_of_regions()"
    ),
    "regions without corners": (
        "from scipy.spatial import SphericalVoronoi\np = X[:, :3] / np.linalg.norm(X[:, :3], axis=1)[:, None]\n"
        "s = SphericalVoronoi(np.concatenate([p, -p]))\ns.regions = [[1, 2, 3]] + [[]] * 399\n"
        "s.sort_vertices_of_regions()"
    ),
    "a short gradient": _SLOPE.format("SLSQP", "lambda x: np.zeros(1)"),
    "a short gradient of many": _SLOPE.format("L-BFGS-B", "lambda x: np.zeros(1)"),
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(policy=Policy(_NEEDED, check_first=False)) as session:
        yield session


@pytest.mark.parametrize("source", ASKEW.values(), ids=ASKEW)
def test_parts_fit_each_other(session, source):
    failure = session.run(_ROWS + source).failure
    assert failure is not None, "it was taken as it is"
    assert failure.type == "ValueError"


def test_what_fits_is_used_as_ever(session):
    source = f"""{_ROWS}{_LINES}{_NEAR}
from scipy.optimize import minimize
from scipy.spatial import KDTree, SphericalVoronoi
from scipy.spatial.distance import cdist
from scipy.stats import gaussian_kde
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.covariance import GraphicalLasso
from sklearn.svm import SVC
m = KMeans(2, n_init=1).fit(X)
m.cluster_centers_ = np.zeros((3, 50))
corners = np.array([[0, 0, 1], [0, 0, -1], [1, 0, 0], [0, 1, 0], [0, -1, 0], [-1, 0, 0.0]])
around = SphericalVoronoi(corners)
around.sort_vertices_of_regions()
[
    m.predict(X).max(),
    MiniBatchKMeans(2, n_init=1).partial_fit(X).partial_fit(X).cluster_centers_.shape,
    GradientBoostingClassifier(n_estimators=3).fit(X, (y * 3).astype(int)).predict_proba(sp.csr_array(X)).shape,
    HistGradientBoostingRegressor(max_iter=3).fit(X, y).predict(X).shape,
    [SGDClassifier(average=True).fit(X, (y * 3).astype(int)).coef_.shape, SGDRegressor().fit(X, y).coef_.shape],
    [enet_path(X, y, n_alphas=3)[1].shape, ElasticNet().fit(sp.csc_array(X), y).coef_.shape],
    [MultiTaskLasso().fit(X, X[:, :2]).coef_.shape, GraphicalLasso().fit(X[:, :3]).covariance_.shape],
    NearestNeighbors(algorithm='brute').fit(X).kneighbors(X)[1].shape,
    SVC(probability=False).fit(sp.csr_array(X), y > 0.5).predict(sp.csr_array(X)).shape,
    gaussian_kde(y)(np.zeros(2)).shape,
    [KDTree(X).query(X[:2], k=k)[1].shape for k in (1, 2, np.int64(3), [1, 3])],
    cdist(X, X, 'mahalanobis').shape,
    [len(region) for region in around.regions],
    [
        minimize(lambda x: (x**2).sum(), np.ones(4), method=how, jac=lambda x: (2 * x)[::-1][::-1]).x.round(3).tolist()
        for how in ('SLSQP', 'L-BFGS-B')
    ],
]"""
    value = session.run(source).value
    assert value == [
        0,
        (2, 50),
        (200, 3),
        (200,),
        [(3, 50), (50,)],
        [(50, 3), (50,)],
        [(2, 50), (3, 3)],
        (200, 5),
        (200,),
        (2,),
        [(2,), (2, 2), (2, 3), (2, 2)],
        (200, 200),
        [4] * 6,
        [[0.0] * 4] * 2,
    ]
