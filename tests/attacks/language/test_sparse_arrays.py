"""Sparse arrays whose places do not fit: compiled code would read and write wherever they say.

Each of these ended the process, or told of memory beside the array. Run in a cage.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from codeact import Policy, Session
from tests.snippet.running import Step

_LIBRARIES = [name for name in ("numpy", "scipy", "sklearn", "networkx") if importlib.util.find_spec(name)]
pytestmark = pytest.mark.skipif("scipy" not in _LIBRARIES, reason="scipy is not installed")

_IMPORTS = (
    "import numpy as np, scipy.sparse as sp, copy, inspect, operator\nfar, eye, one = 10**8, np.eye(3), np.ones(3)\n"
)
_ROWS = f"{_IMPORTS}m = sp.csr_matrix(eye)\n"
_OWN = f"{_IMPORTS}r = np.arange(3, dtype='i4')\np = np.arange(4, dtype='i4')\n"
_ANYTHING = "class Any(type):\n    def __instancecheck__(cls, one): return True\n"

UNFIT = {
    "columns that are written": f"{_ROWS}m.indices[:] = far\nm.toarray()",
    "columns below zero": f"{_ROWS}m.indices[:] = -far\nm @ one",
    "rows that are written": f"{_ROWS}m.indptr[1:] = far\nm @ one",
    "rows that go back": f"{_ROWS}m.indptr[1] = 3\nm.indptr[2] = 1\nm @ one",
    "given": f"{_IMPORTS}sp.csr_matrix((one, [far] * 3, [0, 1, 2, 3]), shape=(3, 3))",
    "given by columns": f"{_IMPORTS}sp.csc_array((one, [far] * 3, [0, 1, 2, 3]), shape=(3, 3))",
    "given and written": f"{_OWN}m = sp.csr_matrix((one, r, p), shape=(3, 3))\nr[:] = far\nm.toarray()",
    "given in pairs and written": f"{_OWN}m = sp.coo_matrix((one, (r, r)), shape=(3, 3))\nr[:] = far\nm.tocsr()",
    "given in one dimension": f"{_OWN}m = sp.csr_array(sp.coo_array((one, (r,)), shape=(3,)))\nr[:] = far\nm.toarray()",
    "given as bytes that are written": f"{_OWN}b = bytearray(r.tobytes())\n"
    "m = sp.csr_matrix((one, np.frombuffer(b, 'i4'), p), shape=(3, 3))\nb[3] = 100\nm.toarray()",
    "pairs that are written": f"{_ROWS}c = m.tocoo()\nc.row[:] = far\nc.toarray()",
    "coordinates that are written": f"{_ROWS}c = m.tocoo()\nc.coords[1][:] = far\nc @ one",
    "pairs that are shared": f"{_ROWS}m.tocoo(copy=False).col[:] = far\nm.toarray()",
    "what is turned over": f"{_ROWS}t = m.T\nm.indices[:] = far\nt @ one",
    "what was copied": f"{_ROWS}c = copy.copy(m)\nm.indices[:] = far\nc @ one",
    "numbers that are fewer": f"{_IMPORTS}m = sp.csr_matrix(np.eye(1000))\nm.data = one\nm.toarray()",
    "numbers that are fewer, copied": f"{_IMPORTS}m = sp.csr_matrix(np.eye(1000))\nm.data = one\ncopy.copy(m).toarray()",
    "places that are fewer": f"{_ROWS}m.indices = m.indices[:1]\nm.toarray()",
    "blocks": f"{_IMPORTS}m = sp.bsr_matrix(np.eye(4))\nm.indices[:] = far\nm @ np.ones(4)",
    "diagonals": f"{_IMPORTS}m = sp.dia_matrix(eye)\nm.offsets = np.zeros(10**6, 'i4')\nm @ one",
    "lists": f"{_IMPORTS}m = sp.lil_matrix(eye)\nm.rows[0] = [far]\nm.tocsr()",
    "lists of many numbers": f"{_IMPORTS}m = sp.lil_matrix(eye)\nm.data[0] = [1.0] * 10**6\nm.tocsr()",
    "a graph": f"{_ROWS}from scipy.sparse.csgraph import shortest_path\nm.indices[:] = far\nshortest_path(m)",
    "equations": f"{_IMPORTS}from scipy.sparse.linalg import splu\nm = sp.csc_matrix(eye + 1)\nm.indices[:] = far\nsplu(m)",
    "by a name that is put together": f"{_ROWS}getattr(m, 'ind' + 'ices')[:] = far\nm @ one",
    "by a name in other letters": f"{_ROWS}m.\uff49ndices[:] = far\nm @ one",
    "by a name that is looked up": f"{_ROWS}operator.attrgetter('ind' + 'ptr')(m)[1:] = far\nm @ one",
    "by all its names": f"{_ROWS}dict(inspect.getmembers(m))['ind' + 'ices'][:] = far\nm @ one",
    "by a pattern": f"{_ROWS}{_ANYTHING}class P(metaclass=Any): __match_args__ = ('ind' + 'ices',)\n"
    "match m:\n    case P(x): x[:] = far\nm @ one",
    "what says it is one": f"{_ROWS}class Own:\n    __class__ = sp.csr_matrix\n    shape, format = (3, 3), 'csr'\nm + Own()",
    "what says it is one when asked": f"{_ROWS}class Own:\n    @property\n    def __class__(self): return sp.csr_matrix\nm + Own()",
    "a class of its own": f"{_IMPORTS}class Own(sp.csr_matrix): indptr = p = np.array([0, far, far, far])\nOwn(eye) @ one",
}

OF_LIBRARIES = {
    "a model of sparse numbers": ("sklearn", f"{_IMPORTS}from sklearn.linear_model import Lasso\nm = sp.csc_matrix(np.eye(30))\n"
    "m.indices[:] = far\nLasso().fit(m, np.ones(30))"),
    "what a library was given": ("sklearn", f"{_OWN}from sklearn.preprocessing import FunctionTransformer\n"
    "m = FunctionTransformer(sp.csr_matrix, kw_args={'shape': (3, 3)}).transform((one, r + far, p))"),
    "a graph's": ("networkx", "import networkx as nx\nm = nx.to_scipy_sparse_array(nx.path_graph(4))\nm.indices[:] = 10**8\nm.toarray()"),
}  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(policy=Policy(_LIBRARIES, check_first=False)) as session:
        yield session


@pytest.mark.parametrize("source", UNFIT.values(), ids=UNFIT)
def test_no_compiled_code_goes_by_places_that_do_not_fit(session, source):
    assert session.run(source).failure.type in ("ValueError", "TypeError")


@pytest.mark.parametrize(("library", "source"), OF_LIBRARIES.values(), ids=OF_LIBRARIES)
def test_no_library_goes_by_places_that_do_not_fit(session, library, source):
    pytest.importorskip(library)
    assert session.run(source).failure.type in ("ValueError", "TypeError")


def test_a_graph_that_loads_scipy_late_is_looked_through_as_well():
    pytest.importorskip("networkx")
    with Session(policy=Policy(["networkx"], check_first=False)) as session:
        assert session.run(OF_LIBRARIES["a graph's"][1]).failure.type == "ValueError"


def test_what_a_library_was_given_is_its_own():
    pytest.importorskip("sklearn")
    source = (
        f"{_OWN}from sklearn.preprocessing import FunctionTransformer\n"
        "m = FunctionTransformer(sp.csr_matrix).transform((one, r, p))\nr[:] = far\nm.toarray().tolist()"
    )
    assert Step(check_first=False, imports=("scipy", "sklearn", "numpy")).run(source).value == [
        [1, 0, 0], [0, 1, 0], [0, 0, 1],
    ]  # fmt: skip


def test_places_that_fit_are_written_as_ever():
    source = f"""{_OWN}
import scipy.sparse.linalg as linalg
from scipy.sparse.csgraph import connected_components
a = sp.csr_array(np.array([[1., 0, 2], [0, 0, 3], [4, 5, 0]]))
whole = a.toarray()
by_rows = [sorted(a.indices[a.indptr[i]:a.indptr[i + 1]].tolist()) for i in range(3)]
m = sp.csr_matrix((one, r, p), shape=(3, 3))
r[0] = 2
moved = m.toarray()[0].tolist()
m.indices[0] = 1
m.data = m.data * 2
c = a.tocoo()
places = list(zip(c.row.tolist(), c.col.tolist()))
c.resize(2, 2)
b = a.copy()
b.indices
b.resize(2, 2)
b.resize(4, 4)
b[3, 3] = 7
d = sp.dia_array((np.ones((2, 3)), [0, 1]), shape=(3, 3))
d.data = d.data * 2
[
    by_rows, moved, m.toarray()[0].tolist(), places, c.toarray().tolist(), b.toarray()[3].tolist(),
    np.allclose((a.T @ a).toarray(), whole.T @ whole), np.allclose(sp.hstack([a, a]).toarray()[:, 3:], whole),
    (d @ one).tolist(), int(connected_components(a)[0]), np.allclose(linalg.spsolve(a.tocsc(), one), np.linalg.solve(whole, one)),
    isinstance(a, sp.csr_array), slice(1, 9, 3).indices(5),
]
"""
    outcome = Step(check_first=False, imports=("scipy", "numpy")).run(source)
    assert outcome.failure is None, outcome.failure
    rows, places = [[0, 2], [2], [0, 1]], [(0, 0), (0, 2), (1, 2), (2, 0), (2, 1)]
    told = [rows, [0, 0, 1], [0, 2, 0], places, [[1, 0], [0, 0]], [0, 0, 0, 7]]
    assert outcome.value == [*told, True, True, [4, 4, 2], 1, True, True, (1, 5, 3)]
