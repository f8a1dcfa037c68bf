"""Triangles between points whose parts a snippet has changed: each of these read beyond them, or ended the process.

Run in a cage.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from codeact import Policy, Session

pytestmark = pytest.mark.skipif(importlib.util.find_spec("scipy") is None, reason="scipy is not installed")

_POINTS = """import numpy as np
from scipy.interpolate import CloughTocher2DInterpolator, LinearNDInterpolator
from scipy.spatial import Delaunay, tsearch
p = np.random.RandomState(0).rand(30, 2)
z = p.sum(axis=1)
d = Delaunay(p)
"""
_LOST = "d.simplices[:] = d.neighbors[:] = 10**8\n"
_ASKED = (
    "class X:\n    def __array__(self, *a, **k):\n        d.simplices[:] = d.neighbors[:] = 10**8\n        return p\n"
)

CHANGED = {
    "places": f"{_LOST}d.find_simplex(p)",
    "places, as points are searched": f"{_LOST}tsearch(d, p)",
    "places, as they are worked out": f"{_LOST}d.transform",
    "places, as corners are worked out": f"{_LOST}d.vertex_neighbor_vertices",
    "places, before it is between": f"{_LOST}LinearNDInterpolator(d, z)(p)",
    "places, before it is smooth between": f"{_LOST}CloughTocher2DInterpolator(d, z)(p)",
    "places, of what is between": "f = LinearNDInterpolator(p, z)\nd = f.tri\n" + _LOST + "f(p)",
    "another array": "d.simplices = np.full_like(d.simplices, 10**8)\nd.find_simplex(p)",
    "planes": "d.equations = np.zeros((1, 4))\nd.plane_distance(p)",
    "places, as the points are asked": f"{_ASKED}d.find_simplex(X())",
    "places, as what is between is asked": f"{_ASKED}LinearNDInterpolator(d, z)(X())",
    "places, as a tolerance is asked": (
        "class T:\n    def __float__(self):\n        d.neighbors[:] = 10**8\n        return 1e-9\nd.find_simplex(p, tol=T())"
    ),
    "the form of points": "f = LinearNDInterpolator(p, z)\nf(p)\nf.tri.points.shape = 60, 1\nf(0.5, 0.5)",
    "a class that tells of others": (
        "class D(Delaunay): simplices = np.full((50, 3), 10**8, 'i4')\nD(p).find_simplex(p)"
    ),
    "fewer values": "f = LinearNDInterpolator(p, z)\nf.values = np.zeros((1, 1))\nf(p)",
    "values that say what they have": (
        "class A(np.ndarray): shape = (30, 1)\nf = LinearNDInterpolator(p, z)\nf.values = np.zeros((1, 1)).view(A)\nf(p)"
    ),
    "fewer slopes": "f = CloughTocher2DInterpolator(p, z)\nf.grad = np.zeros((1, 1, 2))\nf(p)",
    "other triangles": "f = LinearNDInterpolator(p, z)\nf.tri = Delaunay(np.random.rand(3000, 2))\nf(p)",
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(policy=Policy(("numpy", "scipy"), check_first=False)) as session:
        yield session


@pytest.mark.parametrize("source", CHANGED.values(), ids=CHANGED)
def test_triangles_fit_their_points(session, source):
    failure = session.run(_POINTS + source).failure
    assert failure is not None, "it was taken as it is"
    assert failure.type == "ValueError"


def test_triangles_are_used_as_ever(session):
    source = f"""{_POINTS}
class Own(Delaunay):
    def many(self): return len(self.simplices)
inner = p[10:15] * 0.1 + 0.45
d.simplices.sort(axis=0)
grown = Delaunay(p, incremental=True)
grown.add_points(inner)
d = Delaunay(p)
[
    [d.simplices.shape[1], d.neighbors.shape[1], d.transform.shape[1:], d.convex_hull.shape[1], d.equations.shape[1]],
    [int(one) for one in d.find_simplex(inner) - tsearch(d, inner)],
    bool((d.find_simplex([[2.0, 2.0]]) == -1).all()),
    Own(p).many() == len(d.simplices) == len(d.neighbors),
    np.allclose([LinearNDInterpolator(one, z)(inner) for one in (p, d)], inner.sum(axis=1)),
    np.allclose([CloughTocher2DInterpolator(one, z)(inner) for one in (p, d)], inner.sum(axis=1), atol=1e-6),
    bool(np.iscomplex(LinearNDInterpolator(p, z + 1j)(0.5, 0.5))),
    len(grown.points),
]"""
    value = session.run(source).value
    assert value == [[3, 3, (3, 2), 2, 4], [0] * 5, True, True, True, True, True, 35]
