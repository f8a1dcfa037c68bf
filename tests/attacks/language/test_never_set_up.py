"""Objects of libraries that were made past the `__init__` in which C sets them up: there is nothing to read in them.

Each of these ended the process, or told of addresses in it. Run in a cage.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from codeact import Policy, Session

_LIBRARIES = [name for name in ("numpy", "pandas", "scipy", "sklearn") if importlib.util.find_spec(name)]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(policy=Policy(_LIBRARIES, check_first=False)) as session:
        yield session


_OWN = "class Own({}):\n    def __init__(self): pass\nmade = Own()"
_TREE = "from scipy.spatial import KDTree, cKDTree"
_METRIC = "from sklearn.metrics import DistanceMetric\nkind = type(DistanceMetric.get_metric('euclidean'))"

#: (library, source) → the type of the error it ends with.
REFUSED = {
    "a tree": ("scipy", f"{_TREE}\nKDTree.__new__(KDTree).query([1, 2])", "AttributeError"),
    "a tree in C": ("scipy", f"{_TREE}\nhasattr(cKDTree, '__new__') or cKDTree.__new__", "AttributeError"),
    "a tree of its own": ("scipy", f"{_TREE}\n{_OWN.format('KDTree')}\nmade.query([1, 2])", "TypeError"),
    "a distance": ("sklearn", f"{_METRIC}\nkind.__new__(kind).pairwise([[1., 2.]])", "AttributeError"),
    "a distance of its own": ("sklearn", f"{_METRIC}\n{_OWN.format('kind')}\nmade.pairwise([[1., 2.]])", "TypeError"),
}
_ARRAYS = (
    "import pandas as pd\nclass Own(pd.{0}):\n    def __init__(self): pass\nmade = [Own(), pd.{0}.__new__(pd.{0})]\n"
)


@pytest.mark.parametrize(("library", "source", "error"), REFUSED.values(), ids=REFUSED)
def test_what_was_never_set_up_is_not_made(session, library, source, error):
    pytest.importorskip(library)
    assert session.run(source).failure.type == error


@pytest.mark.parametrize("kind", ["Categorical", "arrays.DatetimeArray", "arrays.StringArray", "arrays.PeriodArray"])
def test_an_array_that_was_never_set_up_is_empty(session, kind):
    pytest.importorskip("pandas")
    source = f"{_ARRAYS.format(kind)}[(len(each), each.T.size) for each in made]"
    assert session.run(source).value == [(0, 0), (0, 0)]


def test_times_that_were_never_set_up_have_a_unit(session):
    pytest.importorskip("pandas")
    assert session.run(f"{_ARRAYS.format('arrays.TimedeltaArray')}made[1].unit").value == "ns"


_MADE = """itertools.accumulate itertools.chain itertools.islice itertools.zip_longest struct.Struct staticmethod classmethod
bz2.BZ2Compressor numpy.ndarray"""


@pytest.mark.parametrize("kind", _MADE.split())
def test_what_is_made_by_a_function_of_ours_is_made_by_no_other(session, kind):
    module = kind.partition(".")[0]
    pytest.importorskip(module if "." in kind else "itertools")
    source = f"import {module if '.' in kind else 'itertools'}\nhow = object.__new__\nhow({kind})"
    assert "is not safe" in session.run(source).failure.message
    if kind != "bz2.BZ2Compressor":  # nothing is built on it
        own = (
            f"class Own({kind}):\n    def __new__(cls): return object.__new__(cls)\n    def __init__(self): pass\nOwn()"
        )
        assert "is not safe" in session.run(source.replace(f"how({kind})", own)).failure.message


@pytest.mark.parametrize("kind", ["itertools.islice", "itertools.zip_longest", "struct.Struct", "bz2.BZ2Compressor"])
def test_nothing_is_made_of_what_only_says_that_it_is_a_class(session, kind):
    source = f"""
import {kind.partition(".")[0]}
class Like:
    __class__ = property(lambda self: type)
    __bases__ = ({kind},)
{kind}.__new__(Like(), *([[1, 2], 1] if 'islice' in '{kind}' else []))"""
    assert session.run(source).failure.type == "TypeError"


def test_what_is_set_up_is_as_ever(session):
    pytest.importorskip("pandas"), pytest.importorskip("scipy")
    source = """
import copy
import pandas as pd
from scipy.spatial import KDTree
class Own(pd.Categorical): pass
class Step(pd.offsets.Day): pass
tree = copy.deepcopy(KDTree([[1., 2.], [3., 4.]]))
list(Own(['a', 'b', 'a']).codes), len(pd.Series(['x', 'y'], dtype='category')), int(tree.query([3., 4.])[1]), Step(2).n"""
    assert session.run(source).value == ([0, 1, 0], 2, 1, 2)
