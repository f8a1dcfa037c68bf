"""What compiled code of scipy and scikit-learn goes by: each of these read or wrote elsewhere, or ended the process.

Run in a cage.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeact import Policy, Session

pytest.importorskip("scipy")

BEGIN = """
import numpy as np, scipy.linalg as matrices, scipy.cluster.hierarchy as trees, scipy.ndimage as images
import scipy.interpolate as curves, scipy.signal as signals
square = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 10]])
"""
_ROWS = "f, = matrices.get_lapack_funcs(('{}',), (square,))\n"
SPARSE = "import scipy.sparse.linalg as solvers, scipy.sparse as sp\nsolvers.{}(sp.csc_array(np.eye(5)), panel_size={})"
ELSEWHERE = {
    "rows that are exchanged": "matrices.lu_solve((square, [10**8, 1, 2]), np.ones(3))",
    "rows below the first": "matrices.lu_solve((square, [-5, 1, 2]), np.ones(3))",
    "rows, by the function itself": _ROWS.format("laswp") + "f(square, [0, 10**7, 2])",
    "rows, by name": _ROWS.format("laswp") + "f(a=square, piv=[0, 10**7, 2])",
    "rows that are counted from 1": _ROWS.format("sytrs") + "f(square, [10**7, 1, 2], np.ones((3, 1)))",
    "rows that are taken out": "q, r = matrices.qr(square)\nmatrices.qr_delete(q, r, 2, 2**31 - 1, 'row')",
    "clusters that are not there": "trees.leaves_list(np.array([[8, 9, 2.5, 2]]))",
    "clusters far away": "trees.cophenet(np.array([[1e9, 1e9 + 1, 2.5, 2]]))",
    "an origin outside": "images.binary_dilation(np.zeros((5, 5)), origin=3)",
    "an origin outside, of many rounds": "images.binary_fill_holes(np.zeros((5, 5)), origin=3)",
    "columns below none": SPARSE.format("splu", -(2**31)),
    "columns without room": SPARSE.format("spilu", 2**63 - 1),
    "bands too narrow": "signals.remez(325, [0, 8000.0, 8100.0, 11025.0], [1, 0], fs=2**62)",
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(policy=Policy(("numpy", "scipy", "sklearn", "pandas"), check_first=False)) as session:
        yield session


@pytest.mark.parametrize("source", ELSEWHERE.values(), ids=ELSEWHERE)
def test_no_place_leads_elsewhere(session, source):
    told = session.run(BEGIN + source)
    assert not told.ok
    assert told.failure.type in ("ValueError", "OverflowError")


def test_a_spline_with_too_few_knots_or_numbers_has_none(session):
    few = "curves.BSpline.construct_fast(np.arange(4.0), np.arange(2.0), 3)(1e9)"
    one = "curves.BSpline.construct_fast(np.arange(9.0), np.ones(1), 0)([1, 5, 8])"
    told = session.run(f"{BEGIN}np.isnan([{few}, *{one}]).all()")
    assert bool(told.value) is True


def test_models_and_distances_go_by_parts_that_fit(session):
    pytest.importorskip("sklearn")
    source = """
import numpy as np
from sklearn.metrics import pairwise_distances_argmin
from sklearn.svm import SVC, SVR
points = np.random.default_rng(1).random((300, 4))
norms = (points**2).sum(1)
found = [pairwise_distances_argmin(points, points, metric_kwargs={"Y_norm_squared": norms}).shape]
near = points @ points.T
model = SVC(kernel="precomputed").fit(near, points[:, 0] > 0.5)
found += [model.predict(near).shape, SVR().fit(points, points[:, 0]).predict(points).shape]
model.support_ = model.support_ + 10**8
for act in (
    lambda: model.predict(near),
    lambda: pairwise_distances_argmin(points, points, metric_kwargs={"Y_norm_squared": np.ones(1)}),
):
    try:
        act()
    except ValueError as error:
        found.append(type(error).__name__)
found"""
    assert session.run(source).value == [(300,), (300,), (300,), "ValueError", "ValueError"]


def test_steps_of_time_tell_nothing_of_no_day(session):
    pytest.importorskip("pandas")
    assert session.run("import pandas as pd\npd.offsets.BDay().is_month_end(None)").failure.type == "TypeError"
    assert session.run("pd.offsets.BDay().is_month_end(pd.Timestamp('2020-01-31'))").value is True


def test_matrices_trees_and_pictures_are_what_they_were(session):
    source = f"""{BEGIN}
lu = matrices.lu_factor(square)
both = square + square.T
factors, rows, _ = matrices.get_lapack_funcs("sytrf", (square,))(both)
solved, _ = matrices.get_lapack_funcs("sytrs", (square,))(factors, rows, np.ones((3, 1)))
swap = matrices.get_lapack_funcs("laswp", (square,))
tree = trees.linkage([[0.0], [1], [5], [6.5]])
[
    matrices.lu_solve(lu, square[:, 0]).round(9).tolist(), matrices.inv(square).shape, (both @ solved).round(9).tolist(),
    swap(np.eye(2), [1]).tolist(), swap.typecode, matrices.qr_delete(*matrices.qr(square), 0, 2)[0].shape,
    trees.leaves_list(tree).tolist(), trees.fcluster(tree, 2, "maxclust").tolist(), trees.cophenet(tree).tolist(),
    trees.optimal_leaf_ordering(tree, [[0.0], [1], [5], [6.5]]).shape, trees.inconsistent(tree).shape,
    int(images.binary_dilation(np.eye(5), origin=1).sum()), int(images.binary_fill_holes(np.eye(4)).sum()),
    int(images.binary_erosion(np.ones((5, 5)), np.ones((2, 2)), 3, origin=-1).sum()),
    float(curves.BSpline(np.arange(8.0), np.arange(4.0), 3)(3.5)), float(curves.BSpline([0, 1, 2], [1, 2], 0)(0.5)),
    signals.remez(32, [0, 0.1, 0.2, 0.5], [1, 0], fs=1).shape,
]"""
    value = [[1.0, 0.0, 0.0], (3, 3), [[1.0], [1.0], [1.0]], [[0.0, 1.0], [1.0, 0.0]], "d", (1, 1)]
    value += [[0, 1, 2, 3], [1, 1, 2, 2], [1.0, 4.0, 4.0, 4.0, 4.0, 1.5], (3, 4), (3, 4), 12, 4, 4, 1.5, 1.0, (32,)]
    assert session.run(source).value == value
