"""Methods of classes that Cython compiled, taken from their class and handed something else to read as one of theirs."""

from __future__ import annotations

import sys

import pytest

from codeact.snippet import ownership
from codeact.snippet.facade import Facades
from codeact.snippet.modules import compiled
from tests.snippet.running import Step

pytestmark = pytest.mark.filterwarnings("ignore")

#: (library, snippet): what was read as an object of the library is the content of the bytes.
MISTAKEN = {
    "of a class of a facade": ("pandas", "import pandas as pd\npd.Timedelta.total_seconds(b'x' * 200)"),
    "of its own class": (
        "pandas",
        "import pandas as pd\nclass A:\n    days = seconds = microseconds = nanoseconds = 0\npd.Timedelta.total_seconds(A())",
    ),
    "that is looked up": ("pandas", "import pandas as pd\ngetattr(pd.offsets.Day, 'is_on_offset')(b'x' * 200, 1)"),
    "of the class of an object": (
        "pandas",
        "import pandas as pd\ntype(pd.offsets.BDay(2)).is_on_offset(b'x' * 200, pd.Timestamp('2024-01-06'))",
    ),
    "bound to it": ("pandas", "import pandas as pd\npd.Timedelta.total_seconds.__get__(b'x' * 200)()"),
    "of numpy": ("numpy", "import numpy as np\ntype(np.random.PCG64(1)).advance(b'x' * 400, 0)"),
}


def run(library: str, source: str):
    pytest.importorskip(library)
    return Step(check_first=False, imports=(library,)).run(source)


@pytest.mark.parametrize(("library", "source"), MISTAKEN.values(), ids=MISTAKEN)
def test_no_object_is_read_as_one_of_another_class(library, source):
    failure = run(library, source).failure
    assert failure.type == "TypeError"
    assert "doesn't apply to" in failure.message


LIBRARIES = {
    "numpy": ("numpy",),
    "pandas": ("pandas",),
    "scipy": ("scipy.stats", "scipy.spatial", "scipy.interpolate", "scipy.sparse.csgraph"),
    "sklearn": ("sklearn.tree", "sklearn.neighbors", "sklearn.linear_model"),
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_compiled_method_of_a_library_looks_at_what_it_is_handed(library):
    pytest.importorskip(library)
    facades = Facades((library,))
    for name in LIBRARIES[library]:
        facades.import_module(name)
    modules = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == library]
    classes = {value for module in modules for value in vars(module).values() if ownership.is_class(value)}
    trusting = [
        f"{cls.__module__}.{cls.__name__}.{name}"
        for cls in classes
        if compiled.is_of_c(cls)
        for name, found in ownership.class_dict(cls).items()
        if compiled.is_compiled(found)
    ]
    assert classes
    assert trusting == []


def test_compiled_methods_do_what_they_did():
    source = (
        "import numpy as np, pandas as pd\nrng, again = np.random.default_rng(1), np.random.default_rng(1)\n"
        "class Own(np.random.Generator): pass\nown = Own(np.random.PCG64(1))\n"
        "drawn = [rng.integers(100), np.random.Generator.integers(again, low=0, high=100), own.integers(100)]\n"
        "days = list(map(pd.Timestamp.day_name, pd.to_datetime(['2024-01-05', '2024-01-06'])))\n"
        "len(set(map(int, drawn))), days, pd.Timedelta('2s').total_seconds(), pd.offsets.BDay.is_on_offset(pd.offsets.BDay(), pd.Timestamp('2024-01-06'))"
    )
    pytest.importorskip("pandas")
    step = Step(check_first=False, imports=("numpy", "pandas"))
    assert step.run(source).value == (1, ["Friday", "Saturday"], 2.0, False)


def test_a_method_that_cannot_be_made_cpythons_own_looks_as_well():
    class Old:
        pass

    Old.method = compiled.Asking(Old, lambda self, number: number + 1)  # type: ignore[attr-defined]  # it is put there
    assert (Old().method(1), Old.method(Old(), 2)) == (2, 3)  # type: ignore[attr-defined]  # as above
    with pytest.raises(TypeError, match="doesn't apply to a 'list' object"):
        Old.method([], 1)  # type: ignore[attr-defined]  # as above
