"""Parts of libraries: what they change for the whole process stays as it is, and none of them goes past the walls."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from codeact import Policy, Session

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def session(*libraries):
    """A session in this process that may import the libraries."""
    for library in libraries:
        if importlib.util.find_spec(library) is None:
            pytest.skip(f"{library} is not installed")
    return Session(isolation="inline", policy=Policy(imports=list(libraries)))


DEEP = """
import networkx as nx
matcher = nx.isomorphism.GraphMatcher(nx.path_graph(2), nx.empty_graph(60_000))
def deep(n):
    try:
        return deep(n + 1)
    except RecursionError:
        return n
deep(0)
"""


def test_no_graph_makes_calls_deeper_than_the_stack_bears():
    with session("networkx") as one:
        assert 5_000 < one.run(DEEP).value <= 10_000


BUILDER = """
from xml.dom import minidom
implementation = minidom.getDOMImplementation()
builder = implementation.createDOMBuilder(implementation.MODE_SYNCHRONOUS, None)
"""


def test_a_document_is_built_of_no_address(run):
    failure = run(f"{BUILDER}builder.parseURI('file://' + secret)").failure
    assert failure.kind == "refused"
    assert "createDOMBuilder" in failure.message


#: Library → an array it gives, where numpy is not among what may be imported.
ARRAYS = {
    "networkx": "import networkx as nx\na = nx.to_numpy_array(nx.path_graph(3))",
    "pandas": "import pandas as pd\na = pd.Series([1.0]).to_numpy()",
    "sympy": "import sympy\na = sympy.lambdify(sympy.Symbol('x'), sympy.Matrix([[1]]), 'numpy')(1)",
    "scipy": "from scipy import stats\na = stats.norm.rvs(size=3)",
    "matplotlib": "import matplotlib.pyplot as plt\na = plt.figure().get_size_inches()",
}
TAKEN = """
from codeact import Policy, Session
with Session(isolation="inline", policy=Policy(imports=[{library!r}])) as one:
    made = one.run({array!r})
    assert made.ok, made.failure
    taken = one.run("type(a)((1,), 'O', b'address!').base")
    assert taken.failure is not None and "they would be addresses" in taken.failure.message, taken
"""


@pytest.mark.parametrize("library", ARRAYS)
def test_no_array_of_another_library_takes_bytes_for_objects(library):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    source = TAKEN.format(library=library, array=ARRAYS[library])
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


#: What a session changes → what another sees, and what it should see.
SHARED = {
    "a unit of another size": (
        "import sympy.physics.units as u\nu.meter.set_global_relative_scale_factor(7, u.foot)\n"
        "u.day.set_global_dimension(u.length)",
        "import sympy.physics.units as u\nstr(u.convert_to(u.day, u.hour)), str(u.meter.scale_factor)",
        ("24*hour", "1"),
    ),
    "a system of units": (
        "import sympy.physics.units as u\nu.UnitSystem((u.meter,), name='SI')",
        "import sympy.physics.units as u\nstr(u.speed_of_light.convert_to(u.meter / u.second))",
        "299792458*meter/second",
    ),
    "a dimension of a system": (
        "import sympy.physics.units as u\nfrom sympy.physics.units.systems import SI\n"
        "SI.set_quantity_dimension(u.day, u.length)\nSI.derived_units.clear()\n"
        "SI.get_dimension_system().set_quantity_dimension(u.hour, u.length)",
        "import sympy.physics.units as u\nfrom sympy.physics.units.systems import SI\n"
        "str(u.day.dimension), str(u.hour.dimension), len(SI.derived_units) > 9",
        ("Dimension(time, T)", "Dimension(time, T)", True),
    ),
    "a solid that is turned": (
        "from sympy.combinatorics import cube\ncube.rotate(0)\ncube.pgroup.base.append(77)\n"
        "cube.pgroup.generators.clear()",
        "from sympy.combinatorics import cube\ncube.array_form, cube.pgroup.base, len(cube.pgroup.generators) > 3",
        ([0, 1, 2, 3, 4, 5, 6, 7], [0, 1], True),
    ),
    "the parts of no vector": (
        "from sympy.vector import Vector\nVector.zero.components[1] = 2",
        "from sympy.vector import Vector\nVector.zero.components",
        {},
    ),
    "what was found of a chance": (
        "from sympy.stats import Die, pspace\npspace(Die('D')).distribution.dict[1] = 100",
        "from sympy.stats import Die, E\nstr(E(Die('D')))",
        "7/2",
    ),
}


@pytest.mark.parametrize(("change", "look", "seen"), SHARED.values(), ids=SHARED)
def test_no_session_sees_what_another_changed_in_a_part_of_sympy(change, look, seen):
    with session("sympy") as one, session("sympy") as other:
        assert one.run(change).ok
        found = other.run(look)
        assert found.value == seen, found.failure


def test_a_session_keeps_its_own_units():
    with session("sympy") as one:
        assert one.run("import sympy.physics.units as u\nell = u.Quantity('ell')").ok
        assert one.run("ell.set_global_relative_scale_factor(2, u.meter)").ok
        assert str(one.run("str(u.convert_to(3 * ell, u.meter))").value) == "6*meter"


DRAWN = {
    "by a sample": "sample(X, library='tabnanny')",
    "by some": "list(sample_iter(X, library='tabnanny', numsamples=1))",
    "by a text that lies": "sample(JointRV('J', exp(-x), Interval(0, 1)), library=Lies('tabnanny'))",
    "by a distribution": "MatrixGamma('M', 1, 1, [[2, 1], [1, 2]]).pspace.distribution.sample(library=Lies('tabnanny'))",
}


@pytest.mark.parametrize("source", DRAWN.values(), ids=DRAWN)
def test_a_sample_imports_no_module_by_its_name(source):
    with session("sympy") as one:
        made = one.run(
            "from sympy.stats import *\nfrom sympy import exp, Interval\nfrom sympy.abc import x\n"
            "class Lies(str):\n    def __eq__(self, other): return True\n    __hash__ = str.__hash__\n"
            "X = Normal('X', 0, 1)"
        )
        assert made.ok, made.failure
        assert "samples are drawn by" in one.run(source).failure.message
    assert "tabnanny" not in sys.modules


def test_samples_are_drawn():
    with session("sympy") as one:
        drawn = "from sympy.stats import *\n[float(sample(Uniform('U', 1, 2), library=name)) for name in ('scipy', 'numpy')]"
        assert all(1 <= number <= 2 for number in one.run(drawn).value)


def test_the_colours_of_trees_are_those_of_the_session():
    drawn = "h.dendrogram(h.linkage([[1.0], [2.0], [5.0]]), no_plot=True)['color_list'][0]"
    with session("scipy") as one, session("scipy") as other:
        one.run("import scipy.cluster.hierarchy as h\nh.set_link_color_palette(['r'])")
        assert one.run(drawn).value == "r"
        assert other.run(f"import scipy.cluster.hierarchy as h\n{drawn}").value == "C1"


DRAWN_BY_PANDAS = """
from codeact import Policy, Session
with Session(isolation="inline", policy=Policy(imports=["pandas"])) as one:
    drawn = one.run("import pandas as pd\\nax = pd.Series([1, 2]).plot()\\nax.figure.savefig('a.png')")
    assert drawn.ok, drawn.failure
    tex = one.run("ax.set_title('x', usetex=True)\\nax.figure.savefig('b.png')").failure
    assert tex.kind == "refused", tex
"""


def test_pandas_draws_and_starts_no_program_where_it_alone_is_allowed():
    if importlib.util.find_spec("matplotlib") is None:
        pytest.skip("matplotlib is not installed")
    source = [sys.executable, "-W", "ignore", "-c", DRAWN_BY_PANDAS]
    done = subprocess.run(source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
