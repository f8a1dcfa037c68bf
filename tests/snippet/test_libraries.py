"""Libraries a policy can allow: ordinary use works, and no function of theirs runs text, reaches files or starts programs."""

from __future__ import annotations

import builtins
import functools
import importlib.util
import multiprocessing
import tempfile
import warnings

import pytest

from codeact.snippet import sinks
from tests.snippet.running import Step

pytestmark = pytest.mark.filterwarnings("ignore")


def run(library: str, source: str):
    """The outcome of a snippet that may import the library; skipped where it is not installed."""
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    return Step(check_first=False, imports=(library, "numpy", "matplotlib")).run(source)


ORDINARY = {
    "sympy": {
        "units": "from sympy.physics.units import convert_to, hour, kilometer, meter, second\n"
        "convert_to(18 * kilometer / hour, [meter, second]) == 5 * meter / second",
        "chances": "from sympy.stats import Die, E, Normal, P, variance\n"
        "2 * E(Die('D', 6)) == 7 and P(Normal('X', 0, 1) > 0) * 2 == variance(Normal('X', 0, 1))",
        "groups and fields": "from sympy.combinatorics import SymmetricGroup\nfrom sympy.vector import CoordSys3D, gradient\n"
        "N = CoordSys3D('N')\nSymmetricGroup(3).order() == 6 and gradient(N.x**2, N) == 2 * N.x * N.i",
        "parts by where they are": "import sympy\nfrom sympy.functions.elementary.exponential import log\n"
        "from sympy.core.sympify import SympifyError\nlog is sympy.log and sympy.ntheory.isprime(7)",
        "an equation": "import sympy as sp\nx = sp.symbols('x')\nsp.solve(x**2 - 4, x) == [-2, 2]",
        "a formula as text": "import sympy as sp\nsp.sympify('2*x + sin(x)/3').subs('x', 0) == 0",
        "what is no formula": "import sympy\ntry: sympy.sympify('x +')\n"
        "except sympy.SympifyError as e: told = str(e)\n'(<string>, line 1)' in told",
        "an integral": "from sympy import *\nx = Symbol('x')\nintegrate(exp(-x**2), (x, -oo, oo)) == sqrt(pi)",
        "a function of numbers": "import sympy as sp\nx = sp.Symbol('x')\nsp.lambdify(x, x**2 + sp.cos(x))(0) == 1.0",
        "a function of arrays": "import sympy as sp, numpy as np\nx = sp.Symbol('x')\n"
        "bool((sp.lambdify(x, x**2, 'numpy')(np.arange(3)) == [0, 1, 4]).all())",
        "a root": "import sympy as sp\nx = sp.Symbol('x')\nabs(sp.nsolve(sp.cos(x) - x, x, 1) - 0.739085) < 1e-5",
        "a sum": "import sympy as sp\nn = sp.Symbol('n')\nabs(sp.Sum(1/n**2, (n, 1, sp.oo)).evalf() - 1.644934) < 1e-5",
        "a matrix": "import sympy as sp\nsp.Matrix([[1, 2], [3, 4]]).det() == -2",
        "an implicit product": "import sympy as sp\nsp.parse_expr('x**2 + 1') == sp.Symbol('x')**2 + 1",
        "singletons": "import sympy as sp\nsp.S(1)/2 == sp.Rational(1, 2) and sp.S.Half == sp.S('1/2')",
        "a differential equation": "import sympy as sp\nx = sp.Symbol('x')\nf = sp.Function('f')\n"
        "str(sp.dsolve(f(x).diff(x) - f(x))) == 'Eq(f(x), C1*exp(x))'",
        "parts by their names": "from sympy.abc import x, y\nfrom sympy.solvers import solve\nfrom sympy.matrices import Matrix\n"
        "from sympy.ntheory import factorint\nfrom sympy.logic.boolalg import And\nimport sympy.geometry as geometry\n"
        "from sympy.utilities.lambdify import lambdify\nfrom sympy.utilities.iterables import multiset_permutations\n"
        "from sympy.parsing.sympy_parser import parse_expr, standard_transformations, implicit_multiplication_application\n"
        "from sympy.series import limit\nimport sympy, sympy.series\n"
        "from sympy.functions import sin\nfrom sympy.core.symbol import Symbol\n"
        "told = parse_expr('2x', transformations=standard_transformations + (implicit_multiplication_application,))\n"
        "(told == 2*x and solve(x**2 - 4, x) == [-2, 2] and Matrix([[1]]).det() == 1 and factorint(12) == {2: 2, 3: 1} and "
        "And(x, y) == And(y, x) and geometry.Point(1, 2).x == 1 and lambdify(x, x + 1)(1) == 2 and sin(0) == 0 and "
        "Symbol('x') == x and len(list(multiset_permutations('aab'))) == 3 and callable(sympy.series) and limit(sin(x) / x, x, 0) == 1)",
        "printing as it was settled": "import contextlib, io, sympy as sp\nheard = io.StringIO()\nsp.init_printing(use_latex=True)\n"
        "sp.init_printing(use_unicode=False)\nwith contextlib.redirect_stdout(heard): sp.pprint(sp.Symbol('x') ** 2)\n"
        "heard.getvalue() == ' 2\\nx \\n'",
        "latex": "import sympy as sp\nsp.latex(sp.sqrt(sp.Symbol('x'))) == r'\\sqrt{x}'",
    },
    "scipy": {
        "parts by where they are": "import scipy\nscipy.spatial.distance.euclidean([0], [3]) == 3 and "
        "scipy.sparse.eye(3).nnz == 3 and scipy.constants.c > 2e8 and len(scipy.cluster.hierarchy.linkage([[0], [1]])) == 1",
        "a minimum": "from scipy.optimize import minimize\nabs(minimize(lambda x: (x[0] - 2)**2, [0]).x[0] - 2) < 1e-4",
        "an integral": "from scipy import integrate\nabs(integrate.quad(lambda x: x**2, 0, 3)[0] - 9) < 1e-9",
        "a distribution": "from scipy import stats\nabs(stats.norm.cdf(0) - 0.5) < 1e-12",
        "a sparse array in a file": "from scipy import sparse\nimport os\nsparse.save_npz('a.npz', sparse.eye(3))\n"
        "float(sparse.load_npz('a.npz').sum()) == 3.0",
        "a hull": "from scipy.spatial import ConvexHull\nlen(ConvexHull([[0, 0], [1, 0], [0, 1], [.1, .1]]).vertices) == 3",
    },
    "sklearn": {
        "a regression": "from sklearn.linear_model import LinearRegression\n"
        "m = LinearRegression().fit([[1], [2], [3]], [2, 4, 6])\nabs(m.predict([[4]])[0] - 8) < 1e-9",
        "a pipeline": "from sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import StandardScaler\n"
        "from sklearn.linear_model import LogisticRegression\nfrom sklearn.datasets import load_iris\n"
        "X, y = load_iris(return_X_y=True)\nmake_pipeline(StandardScaler(), LogisticRegression()).fit(X, y).score(X, y) > .9",
        "a tree": "from sklearn.tree import DecisionTreeClassifier\n"
        "int(DecisionTreeClassifier(random_state=0).fit([[0], [1]], [0, 1]).predict([[1]])[0]) == 1",
        "words in texts": "from sklearn.feature_extraction.text import TfidfVectorizer, CountVectorizer\n"
        "from sklearn.feature_extraction import DictVectorizer, text\nopen('words.txt', 'w').write('bb aa bb')\n"
        "counted = CountVectorizer(input='filename')\n"
        "(counted.fit_transform(['words.txt']).toarray().tolist() == [[1, 2]] and text.TfidfVectorizer is TfidfVectorizer "
        "and TfidfVectorizer().fit_transform(['aa bb', 'bb cc']).shape == (2, 3))",
        "texts that are alike": "from sklearn.metrics.pairwise import cosine_similarity\n"
        "bool(abs(cosine_similarity([[1, 0]], [[1, 1]])[0, 0] - 0.5**0.5) < 1e-9)",
        "a warning to leave out": "import warnings\nfrom sklearn.exceptions import ConvergenceWarning, NotFittedError\n"
        "from sklearn.dummy import DummyClassifier\nwarnings.filterwarnings('ignore', category=ConvergenceWarning)\n"
        "try: DummyClassifier().predict([[1]])\nexcept NotFittedError as error: told = str(error)\n'not fitted' in told",
        "samples and weights": "import numpy, sklearn\nfrom sklearn.utils import resample, shuffle\n"
        "from sklearn.utils.class_weight import compute_class_weight\nfrom sklearn.utils.validation import check_is_fitted\n"
        "a, b = shuffle([1, 2, 3], ['a', 'b', 'c'], random_state=0)\nassert sklearn.utils.check_array([[1]]).shape == (1, 1)\n"
        "(dict(zip(a, b)) == {1: 'a', 2: 'b', 3: 'c'} and len(resample([1, 2], n_samples=5)) == 5 and "
        "compute_class_weight('balanced', classes=numpy.array([0, 1]), y=[0, 0, 0, 1]).tolist() == [2 / 3, 2.0])",
        "models that are tried out": "from sklearn.impute import SimpleImputer\n"
        "from sklearn.experimental import enable_iterative_imputer, enable_halving_search_cv\n"
        "from sklearn.impute import IterativeImputer\nfrom sklearn.model_selection import HalvingGridSearchCV\n"
        "IterativeImputer(random_state=0).fit_transform([[1, 2], [3, None], [5, 6]]).shape == (3, 2)",
        "settings": "import sklearn\nfrom sklearn import clone, config_context, set_config\n"
        "from sklearn.preprocessing import StandardScaler\nset_config(transform_output='pandas')\n"
        "table = StandardScaler().fit_transform([[1.], [3.]])\nwith config_context(transform_output='default'): "
        "plain = clone(StandardScaler()).fit_transform([[1.], [3.]])\n"
        "type(table).__name__ == 'DataFrame' and type(plain).__name__ == 'ndarray' and "
        "sklearn.get_config()['transform_output'] == 'pandas'",
        "a process and its kernel": "from sklearn.gaussian_process import GaussianProcessRegressor\n"
        "from sklearn.gaussian_process.kernels import RBF, WhiteKernel\n"
        "str(GaussianProcessRegressor(RBF() + WhiteKernel()).fit([[0.], [1.]], [0., 1.]).kernel) == "
        "'RBF(length_scale=1) + WhiteKernel(noise_level=1)'",
    },
    "matplotlib": {
        "three dimensions": "import matplotlib.pyplot as plt\nfrom mpl_toolkits.mplot3d import Axes3D\n"
        "from mpl_toolkits.mplot3d.art3d import Poly3DCollection\nfrom matplotlib.path import Path\n"
        "axes = plt.figure().add_subplot(projection='3d')\n"
        "axes.add_collection3d(Poly3DCollection([[(0, 0, 0), (1, 0, 0), (0, 1, 1)]]))\nplt.close('all')\nisinstance(axes, Axes3D)",
        "an image": "import matplotlib.image as images, numpy as np\nimages.imsave('i.png', np.zeros((2, 3)))\n"
        "images.imread('i.png').shape[:2] == (2, 3)",
    },
    "numpy": {
        "points to take integrals by": "import numpy as np\nfrom numpy.polynomial import chebyshev\n"
        "at, weights = np.polynomial.legendre.leggauss(3)\n"
        "bool(abs((weights * at**2).sum() - 2 / 3) < 1e-9) and chebyshev.chebval(0.5, [1, 2, 3]) == 0.5",
    },
    "pandas": {
        "times in charts": "import datetime, matplotlib.pyplot as plt\n"
        "from pandas.plotting import register_matplotlib_converters\nregister_matplotlib_converters()\n"
        "plt.plot([datetime.time(1), datetime.time(2)], [1, 2])\nplt.close('all')\nTrue",
    },
    "configparser": {
        "keys as they are written": "import configparser\nparser = configparser.ConfigParser()\nparser.optionxform = str\n"
        "parser.read_string('[a]\\nKey = 1')\nlist(parser['a']) == ['Key']",
    },
    "PIL": {
        "a way to draw": "from PIL import Image, ImageDraw\ndraw = ImageDraw.Draw(Image.new('L', (2, 2)))\n"
        "draw.fontmode = '1'\ndraw.fontmode == '1'",
    },
    "jinja2": {
        "settings": "import jinja2\nenvironment = jinja2.Environment()\nenvironment.trim_blocks = True\n"
        "environment.from_string('{% if 1 %}\\nx{% endif %}').render() == 'x'",
    },
    "networkx": {
        "a path": "import networkx as nx\nnx.shortest_path(nx.path_graph(4), 0, 3) == [0, 1, 2, 3]",
        "ranks": "import networkx as nx\nlen(nx.pagerank(nx.karate_club_graph())) == 34",
        "communities": "import networkx as nx\nfrom networkx.algorithms.community import girvan_newman, modularity\n"
        "from networkx.algorithms import bipartite\nclub = nx.karate_club_graph()\n"
        "found = nx.community.louvain_communities(club, seed=1)\nassert next(girvan_newman(club)) and nx.bipartite.sets\n"
        "nx.algorithms.community.modularity(club, found) == modularity(club, found) > 0.3",
        "parts by where they are": "import networkx as nx\nfrom networkx.utils import UnionFind\ngraph = nx.path_graph(3)\n"
        "from networkx.generators.community import LFR_benchmark_graph\nassert list(nx.utils.pairwise('abc')) and UnionFind('a')\n"
        "nx.coloring.greedy_color is nx.algorithms.coloring.greedy_color is nx.greedy_color and "
        "nx.drawing.layout.spring_layout is nx.spring_layout and nx.generators.classic.path_graph is nx.path_graph",
        "files": "import networkx as nx\ngraph = nx.path_graph(3)\nnx.write_gml(graph, path='g.gml')\n"
        "with open('g.xml', 'wb') as file: nx.write_graphml(graph, file)\nnx.bipartite.write_edgelist\n"
        "list(nx.read_gml('g.gml', destringizer=int)) == list(nx.read_graphml('g.xml', node_type=int)) == [0, 1, 2]",
    },
}


@pytest.mark.parametrize(
    ("library", "source"),
    [
        pytest.param(library, source, id=f"{library}: {what}")
        for library, of in ORDINARY.items()
        for what, source in of.items()
    ],
)
def test_ordinary_use_of_a_library_works(library, source):
    outcome = run(library, source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value in (True,) or str(outcome.value) == "True"


EVIL = '__import__("builtins").reached.append(1)'
WITHHELD = {
    "sympy": {
        "sympify": f"import sympy\nsympy.sympify('{EVIL}')",
        "sin": f"import sympy\nsympy.sin('{EVIL}')",
        "S": f"import sympy\nsympy.S('{EVIL}')",
        "parse_expr": f"import sympy\nsympy.parse_expr('{EVIL}')",
        "unevaluated": f"import sympy\nsympy.parse_expr('{EVIL}', evaluate=False)",
        "subs": f"import sympy\nsympy.Symbol('x').subs('x', '{EVIL}')",
        "solve": f"import sympy\nsympy.solve('{EVIL}')",
        "a matrix": f"import sympy\nsympy.Matrix(['{EVIL}'])",
        "Poly": f"import sympy\nsympy.Poly('{EVIL}')",
        "globals": "import sympy\nsympy.sympify('globals()')",
        "an attribute": "import sympy\nsympy.sympify('x.func.__class__')",
        "getattr": "import sympy\nsympy.sympify('getattr(x, y)')",
        "a transformation": "import sympy\nf = lambda tokens, a, b: [(1, 'exec'), (54, '('), (3, '\"1\"'), (54, ')')]\n"
        "sympy.parse_expr('x', transformations=(f,))",
        "lambdify of a text": f"import sympy\nsympy.lambdify('x', '{EVIL}')(1)",
        "lambdify of a symbol": f"import sympy\nsympy.lambdify((), sympy.Symbol('{EVIL}'))()",
        "lambdify of a function": "import sympy\nx = sympy.Symbol('x')\nsympy.lambdify(x, sympy.Function('open')(x), 'math')('/etc/passwd')",
        "a sum": f"import sympy\nn = sympy.Symbol('n')\ns = sympy.Sum(sympy.Symbol('{EVIL}')/2**n, (n, 1, sympy.oo)).evalf()\nraise ValueError",
        "a chance": f"import sympy.stats as stats\nstats.P('{EVIL}')",
        "a unit": f"from sympy.physics import units\nunits.convert_to('{EVIL}', units.meter)",
        "var, by its part": "from sympy.core.symbol import var\nvar('print')",
        "a parser by its part": f"from sympy.parsing.sympy_parser import parse_expr\nparse_expr('{EVIL}')",
        "a module of a part": "import sympy.core\nsympy.core.sympify.sys",
        "eval of a part": "import sympy.parsing.sympy_parser as p\np.eval_expr",
        "var": "import sympy\nsympy.var('print')",
        "plot": "import sympy\nsympy.plot(sympy.Symbol('x'))",
        "preview": "import sympy\nsympy.preview(1)",
    },
    "scipy": {
        "a file": "from scipy import sparse\nsparse.save_npz('/etc/reached.npz', sparse.eye(3))",
        "a file to read": "from scipy import sparse\nsparse.load_npz('/etc/hostname')",
        "qhull": "from scipy.spatial import ConvexHull\nConvexHull([[0, 0], [1, 0], [0, 1]], qhull_options='TO reached')",
        "io": "import scipy.io",
        "weave": "import scipy._lib",
    },
    "sklearn": {
        "memory": "from sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import StandardScaler as A\n"
        "make_pipeline(A(), A(), memory='here').fit([[1], [2]])",
        "memory set later": "from sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import StandardScaler as A\n"
        "p = make_pipeline(A(), A())\np.memory = 'here'\np.fit([[1], [2]])",
        "a drawn tree": "from sklearn import tree\ntree.export_graphviz(tree.DecisionTreeClassifier().fit([[0], [1]], [0, 1]), '/etc/reached.dot')",
        "externals": "from sklearn.externals import joblib",
        "parts of utils": "import sklearn.utils.parallel",
        "checks left out": "import sklearn\nsklearn.set_config(assume_finite=True)",
        "checks left out for a while": "import sklearn\nwith sklearn.config_context(skip_parameter_validation=True): pass",
        "checks left out by what it is made of": "import sklearn\nwith sklearn.config_context().func(assume_finite=True): pass",
        "words of a file": "from sklearn.feature_extraction.text import CountVectorizer\n"
        "CountVectorizer(input='filename').fit(['/etc/hostname'])",
        "data of the network": "from sklearn.datasets import fetch_openml\nfetch_openml('x')",
    },
    "configparser": {
        "a setting of all parsers": "import configparser\nconfigparser.ConfigParser.optionxform = str",
    },
    "jinja2": {
        "a class": "import jinja2\njinja2.Environment.trim_blocks = True",
        "a module": "import jinja2\njinja2.Template = 1",
    },
    "networkx": {
        "reading": "import networkx as nx\nnx.read_gml('/etc/hostname')",
        "writing": "import networkx as nx\nnx.write_gml(nx.Graph(), '/etc/reached.gml')",
        "reading edges of two kinds": "from networkx.algorithms import bipartite\nbipartite.read_edgelist(path='/etc/hostname')",
        "a reader": "import networkx as nx\nlist(nx.GraphMLReader()(path='/etc/hostname'))",
    },
    "matplotlib": {
        "an image of the host": "import matplotlib.image as images\nimages.imread('/etc/hostname')",
        "usetex": "import matplotlib.pyplot as plt\nplt.text(0, 0, 'x', usetex=True)\nplt.savefig('a.png')",
        "usetex by rc": "import matplotlib.pyplot as plt\nwith plt.rc_context({'text.usetex': True}):\n    plt.title('x')\n    plt.savefig('a.png')",
        "pgf": "import matplotlib.pyplot as plt\nplt.title('x')\nplt.savefig('a.pdf', backend='pgf')",
        "a backend": "import matplotlib\nmatplotlib.use('module://os')",
    },
    "pandas": {
        "a plotting backend": "import pandas as pd\npd.DataFrame({'a': [1]}).plot(backend='antigravity')",
        "a plotting backend, by option": "import pandas as pd\npd.set_option('plotting.backend', 'antigravity')",
        "a plotting backend, by attribute": "import pandas as pd\npd.options.plotting.backend = 'antigravity'",
    },
}


@pytest.mark.parametrize(
    ("library", "source"),
    [
        pytest.param(library, source, id=f"{library}: {what}")
        for library, of in WITHHELD.items()
        for what, source in of.items()
    ],
)
def test_a_library_does_nothing_for_a_snippet_that_the_snippet_may_not(library, source, monkeypatch):
    monkeypatch.setattr(builtins, "reached", [], raising=False)
    outcome = run(library, source)
    assert outcome.failure is not None
    assert builtins.reached == []
    assert "antigravity" not in __import__("sys").modules


@pytest.mark.parametrize("source", ["import numpy", "import numpy.char as c"])
def test_a_name_that_numpy_is_about_to_drop_keeps_no_snippet_from_it_where_warnings_are_errors(source):
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        assert run("numpy", source).failure is None


def test_outside_a_snippet_a_library_does_what_it_always_did():
    sympy = pytest.importorskip("sympy")
    run("sympy", "import sympy")
    assert str(sympy.sympify("len('abc')")) == "3"


def test_a_library_works_without_a_cage_where_python_has_to_find_out_how_processes_start(monkeypatch):
    real = multiprocessing.get_context

    @functools.cache
    def found_out() -> object:  # as Python does from 3.14 on
        with tempfile.NamedTemporaryFile():
            return real()

    monkeypatch.setattr(multiprocessing, "get_context", found_out)
    sinks.watch()
    source = "from sklearn.compose import ColumnTransformer\nfrom sklearn.preprocessing import StandardScaler\n"
    fitted = run("sklearn", f"{source}ColumnTransformer([('own', StandardScaler(), [0])]).fit([[1.0]])")
    assert fitted.failure is None, fitted.failure
