"""Arrays by which compiled objects go: what a snippet writes there would be where the next call reads.

Each of these ended the process. Run in a cage.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from codeact import Policy, Session

_LIBRARIES = [name for name in ("numpy", "scipy", "sklearn", "pandas") if importlib.util.find_spec(name)]

_TREE = "import numpy as np\nfrom sklearn.tree import DecisionTreeClassifier\nd = DecisionTreeClassifier().fit(np.eye(9), range(9))\n"
_POINTS = "import numpy as np\nx, far = np.arange(200.).reshape(100, 2), 10**9\n"
_NEAR = f"{_POINTS}from sklearn.neighbors import BallTree, KDTree\nt = KDTree(x)\n"
_SPACE = f"{_POINTS}from scipy.spatial import KDTree, cKDTree\nt = KDTree(x)\n"

_BLOCKS = "import numpy as np, pandas as pd\nblocks = pd.arrays.SparseArray([0, 1, 1, 0, 2], kind='block').sp_index\n"

WRITTEN = {
    "features of a tree": ("sklearn", f"{_TREE}d.tree_.feature[:] = 10**8\nd.predict(np.eye(9))"),
    "nodes below": ("sklearn", f"{_TREE}d.tree_.children_left[:] = 10**8\nd.predict(np.eye(9))"),
    "what is made writable": ("sklearn", f"{_TREE}f = d.tree_.feature\nf.flags.writeable = True\nf[:] = 10**8"),
    "what is below": ("sklearn", f"{_TREE}f = memoryview(d.tree_.feature.base)\nf[0] = 1"),
    "rows that are too short": ("sklearn", f"{_TREE}d.tree_.apply(np.zeros((1, 1), 'f4'))"),
    "rows said to be short": ("sklearn", f"{_TREE}d.n_features_in_ = 1\nd.predict(np.zeros((1, 1)))"),
    "a tree that was not fitted": ("sklearn", f"{_TREE}type(d.tree_)(1, np.array([1]), 1)"),
    "points of neighbours": ("sklearn", f"{_NEAR}np.asarray(t.idx_array)[:] = far\nt.query(x)"),
    "arrays of neighbours": ("sklearn", f"{_NEAR}np.asarray(t.get_arrays()[1])[:] = far\nt.query(x)"),
    "nodes of neighbours": ("sklearn", f"{_NEAR}BallTree(x).get_arrays()[2]['idx_end'] = far"),
    "points in space": ("scipy", f"{_SPACE}t.indices[:] = far\nt.query(x)"),
    "points of a node": ("scipy", f"{_SPACE}cKDTree(x).tree.indices[:] = far"),
    "rows of equations": ("scipy", "import numpy as np, scipy.sparse as sp\nfrom scipy.sparse.linalg import splu\n"
    "s = splu(sp.csc_matrix(np.eye(3)))\ns.perm_r[:] = 10**8\ns.solve(np.ones(3))"),
    "blocks of a column": ("pandas", f"{_BLOCKS}blocks.blengths[0] = 10**8\nblocks.to_int_index()"),
    "what blocks were made of": ("pandas", f"{_BLOCKS}n = np.array([1], 'i4')\nb = type(blocks)(5, n, n)\n"
    "n[0] = 10**8\nb.to_int_index()"),
}  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(policy=Policy(_LIBRARIES, check_first=False)) as session:
        yield session


@pytest.mark.parametrize(("library", "source"), WRITTEN.values(), ids=WRITTEN)
def test_nobody_writes_where_compiled_objects_go(session, library, source):
    pytest.importorskip(library)
    assert session.run(source).failure.type in ("ValueError", "TypeError")


def test_compiled_objects_tell_what_they_told(session):
    pytest.importorskip("sklearn"), pytest.importorskip("scipy")
    source = f"""{_TREE}
import copy, scipy.sparse as sp, scipy.spatial
from scipy.sparse.linalg import splu
from sklearn.neighbors import BallTree
points = np.array([[0., 0], [3, 4], [6, 8]])
near, space = BallTree(points), scipy.spatial.KDTree(points)
path = d.cost_complexity_pruning_path(np.eye(9), range(9))
t = d.tree_
leaf = t.children_left == -1
[
    int(leaf.sum()), sorted(t.feature[~leaf].tolist()) == sorted(set(t.feature.tolist()) - {{-2}}), isinstance(t, type(t)),
    copy.deepcopy(d).predict(np.eye(9)).tolist(), d.apply(np.eye(9)).shape, len(path.ccp_alphas) > 0,
    sorted(np.asarray(near.idx_array).tolist()), [len(part) for part in near.get_arrays()][:2], near.query(points[:1])[1].tolist(),
    sorted(space.indices.tolist()), int(space.query([3, 4])[1]), splu(sp.csc_matrix(np.eye(3) * 2)).solve(np.ones(3)).tolist(),
]"""
    observation = session.run(source)
    assert observation.failure is None, observation.failure
    told = [9, True, True, list(range(9)), (9,), True, [0, 1, 2], [3, 3], [[0]], [0, 1, 2], 1, [0.5, 0.5, 0.5]]
    assert observation.value == told


def test_blocks_of_a_column_tell_what_they_told(session):
    pytest.importorskip("pandas")
    source = f"{_BLOCKS}column = pd.arrays.SparseArray([0, 1, 1, 0, 2], kind='block')\n"
    told = (
        "blocks.blocs.tolist(), blocks.blengths.tolist(), isinstance(blocks, type(blocks)), (column + column).tolist()"
    )
    assert session.run(source + told).value == ([1, 4], [2, 1], True, [0, 2, 2, 0, 4])
