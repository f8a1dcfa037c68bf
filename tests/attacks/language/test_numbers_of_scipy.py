"""Numbers by which compiled code of scipy makes room: each of these ended the process, or gave what lay beyond.

Run in a cage.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeact import Policy, Session

pytest.importorskip("scipy")

BEGIN = "import numpy as np, scipy.interpolate as curves, scipy.ndimage as images\nn = np.arange(60.)\n"
ENDED = {
    "a spline of a high degree": "curves.splev([30.], (n, n, 24))",
    "a spline of one point": "curves.splev(0.5, (0, 1, 10**7))",
    "its slopes": "curves.splev([30.], (n, n, 18), der=1)",
    "what is below it": "curves.splint(0, 9, (0, 1, 10**7))",
    "all its slopes": "curves.spalde([30.], (0, 1, 10**7))",
    "its knots": "curves.insert(30., (0, 1, 10**7))",
    "its numbers": "curves.insert(3.5, (n[:8], n[:1], 3))",
    "a mean of more than there are": "images.uniform_filter1d(n, 2**62)",
    "a highest of more than there are": "images.maximum_filter1d(n, 2**62)",
    "a function of more than there are": "images.generic_filter1d(n, lambda given, to: None, 2**62)",
    "clusters of none": "import scipy.cluster.hierarchy as trees\ntrees.from_mlab_linkage([[1e6, 1, 1], [2, 3, 1], [4, 5, 2]])",
    "points in boxes": "import scipy.spatial as space\nspace.ConvexHull(np.zeros((2, 2, 2)))",
    "numbers far apart": "images.value_indices(np.array([2**63 - 1, -2**63]))",
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(policy=Policy(("numpy", "scipy"), check_first=False)) as session:
        yield session


@pytest.mark.parametrize("source", ENDED.values(), ids=ENDED)
def test_there_is_room_for_what_a_number_says(session, source):
    assert session.run(BEGIN + source).failure.type in ("ValueError", "MemoryError")


def test_splines_and_filters_do_what_they_did(session):
    source = f"""{BEGIN}
import scipy.cluster.hierarchy as trees, scipy.spatial as space
line = curves.splrep(n, 2 * n)
more = curves.insert(30.5, line)
[
    float(curves.splev(30.5, line).round(9)), float(curves.splev(30.5, line, der=1).round(9)), round(curves.splint(0, 2, line), 9),
    curves.spalde(3., line).round(9).tolist(), len(more[0]) - len(line[0]), float(curves.splev(30.5, more).round(9)),
    curves.insert(30.5, curves.BSpline(*line)).t.size - len(line[0]), images.uniform_filter1d(n, 3)[1:3].tolist(),
    images.maximum_filter(n, 5)[:2].tolist(), sorted(images.value_indices(np.array([3, 5, 3]))),
    trees.from_mlab_linkage([[1, 2, 1], [3, 4, 2]])[:, 3].tolist(), space.ConvexHull([[0, 0], [0, 1], [1, 0]]).volume,
]"""
    value = [61.0, 2.0, 4.0, [6.0, 2.0, 0.0, 0.0], 1, 61.0, 1, [1.0, 2.0], [2.0, 3.0], [3, 5], [2.0, 3.0], 0.5]
    assert session.run(source).value == value
