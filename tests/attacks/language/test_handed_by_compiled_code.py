"""Arrays that compiled code hands to a function it calls: what they look at stays for as long as they do."""

from __future__ import annotations

import pytest

from codeact import Policy, Session

BEGIN = """
import numpy as np
seen, x = [], np.arange(60.).reshape(20, 3)
def keeping(function):
    def call(*given, **named):
        seen.extend(one for one in given if type(one) is np.ndarray)
        return function(*given, **named)
    return call
far = keeping(lambda a, b, times=1: times * float(abs(a - b).sum()))
less, flat = keeping(lambda x, less=1: x - less), keeping(lambda x, less=1: np.eye(2))
"""
_NEAR = "from sklearn.neighbors import BallTree, NearestNeighbors\n"
_SOLVE = "from scipy.optimize import fsolve, least_squares, leastsq, root\n"
CALLED = {
    "distances in a tree": ("sklearn", f"{_NEAR}float(BallTree(x, metric=far).query(x[:1], 2)[0][0, 1])", 9.0),
    "distances of neighbours": (
        "sklearn",
        f"{_NEAR}n = NearestNeighbors(metric=far, metric_params={{'times': 2}}, algorithm='ball_tree')\n"
        "float(n.fit(x).kneighbors(x[:1], 2)[0][0, 1])",
        18.0,
    ),
    "distances by their name": (
        "sklearn",
        "from sklearn.metrics import DistanceMetric\n"
        "float(DistanceMetric.get_metric('pyfunc', func=far, times=2).pairwise(x[:2])[0, 1])",
        18.0,
    ),
    "least squares": ("scipy", f"{_SOLVE}leastsq(less, [0., 0.])[0].round().tolist()", [1, 1]),
    "least squares with slopes": ("scipy", f"{_SOLVE}leastsq(less, [0., 0.], (2,), flat)[0].round().tolist()", [2, 2]),
    "least squares by another name": ("scipy", f"{_SOLVE}least_squares(less, [0., 0.], method='lm').x.round().tolist()", [1, 1]),
    "a root": ("scipy", f"{_SOLVE}fsolve(less, [0., 0.], 2).round().tolist()", [2, 2]),
    "a root with slopes": ("scipy", f"{_SOLVE}fsolve(less, [0., 0.], fprime=flat).round().tolist()", [1, 1]),
    "a root by another name": ("scipy", f"{_SOLVE}root(less, [0., 0.], method='lm').x.round().tolist()", [1, 1]),
}  # fmt: skip


@pytest.mark.parametrize(("library", "source", "value"), CALLED.values(), ids=CALLED)
def test_what_a_function_is_handed_is_there_when_it_was_called(library, source, value):
    pytest.importorskip(library)
    with Session(policy=Policy((library, "numpy"))) as session:
        assert session.run(BEGIN + source).value == value
        stays = "bool(seen), all(one.flags.owndata or one.base is not None for one in seen)"
        assert session.run(stays).value == (True, True)
