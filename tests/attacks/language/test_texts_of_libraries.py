"""Texts that libraries evaluate, and objects they hand out: neither leads to a module, a file or the interpreter."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from tests.snippet.running import Step

pytestmark = pytest.mark.filterwarnings("ignore")


def run(library, source):
    """The outcome of a step that may import the library."""
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    return Step(check_first=False, imports=("numpy", library)).run(source)


def stopped(library, source):
    """Fail where the step ended well, or in an assertion of the test's own."""
    failure = run(library, source).failure
    assert failure is not None
    assert failure.kind in ("raised", "refused")
    assert failure.type != "AssertionError", failure
    return failure


FRAME = "import pandas as pd, os\ndf = pd.DataFrame({'a': [1, 2], 'g': ['x', 'y']})\n"
QUERIES = {
    "a text that lies about its lines": "class K(str):\n    def splitlines(self, *a): return ['@arguments[0].take(1)']\n"
    "    def take(self, x): raise KeyError\nraise ValueError if len(df.query(K('a>0'))) == 2 else KeyError",
    "an object that says it is a text": "class K:\n    n = 0\n    @property\n    def __class__(self):\n        K.n += 1\n"
    "        return int if K.n == 1 else str\n    def strip(self): return self\n    def splitlines(self): return ['@pd']\n"
    "df.query(K())",
    "backticks inside of texts": 'df.query(\'g == "`" + g.sum() + "`"\')',
    "a method that calls": "df.query('a.map(\"{0.__class__}\".format) == 1')",
    "a method that writes": "df.eval('z = a.to_csv(\"reached\")')",
    "a method of no column": "df.eval('(a if 1 else a).pipe')",
    "a special name of a method": "df.eval('a.isin.__self__')",
    "a name that is called": "df.eval('open(\"reached\")')",
    "an item of a column": "df.eval('z = a.str[0]')",
    "a function on the spot": "df.eval('z = (lambda: a)()')",
    "a line pandas sees in a comment": "df.eval('z = a # \\u2028y = a.to_csv(\"reached\")')",
    "a target that is an attribute": "df.eval('a.name = 1')",
    "statements": "df.eval('import os')",
    "a target of one's own": "df.eval('z = a', target=[])",
    "own resolvers": "df.query('a > b', resolvers=[{'b': 0}])",
    "own names": "df.query('a > b', local_dict={'b': 1})",
    "another level": "df.query('a > 0', level=1)",
    "a module by its name": "df.query('a > @pd')",
    "a function by its name": "df.query('a in @len')",
    "a class by its name": "class C: pass\ndf.query('a == @C')",
    "an object by its name": "class C:\n    def __eq__(self, other): return True\nc = [C()]\ndf.query('a == @c')",
    "a list that is not one": "class L(list): pass\nc = L([1])\ndf.query('a in @c')",
    "an attribute of a variable": "n = 1\ndf.query('a > @n.real')",
    "a call of a variable": "n = 1\ndf.query('a > @n()')",
    "an item of a variable": "n = [1]\ndf.query('a > @n[0]')",
    "a mark that is not seen": "n = pd\ndf.query('a > __pd_eval_local_n')",
    "a mark on another line": "n = pd\ndf.query('a > (\\n@n)')",
    "the names of the session": "df.query('a > @__builtins__')",
    "the frame of a library": "n = 1\ndf.pipe(type(df).query, 'a > @n')",
}
NAMED = {
    "texts in an index": "pd.Series([1]).agg(pd.Index(['to_pickle']))",
    "texts in a view": "pd.Series([1]).agg({'x': 'to_pickle'}.values())",
    "texts of a generator": "pd.Series([1]).agg(x for x in ['to_pickle'])",
    "texts in a series": "df.agg(pd.Series({'a': 'to_pickle'}))",
    "texts in an object": "class L:\n    def __iter__(self): return iter(['to_pickle'])\ndf['a'].agg(L())",
    "texts in a list that lies": "class L(list):\n    def __iter__(self): return iter(['sum'])\ndf['a'].agg(L(['to_pickle']))",
    "a text that is equal to another": "class K(str):\n    def __hash__(self): return hash('to_pickle')\n"
    "    def __eq__(self, o): return True\ndf['a'].agg(K('to_nothing'))",
}


@pytest.mark.parametrize("source", QUERIES.values(), ids=QUERIES)
def test_a_query_is_the_text_that_was_checked(source):
    assert stopped("pandas", FRAME + source).type in (
        "ValueError",
        "TypeError",
        "SyntaxError",
        "UndefinedVariableError",
        "RuntimeError",
    )


@pytest.mark.parametrize("source", NAMED.values(), ids=NAMED)
def test_texts_that_name_methods_are_those_that_were_checked(source):
    failure = stopped("pandas", f"{FRAME}{source}")
    assert "path" not in failure.message, failure


def test_frames_are_asked_in_every_ordinary_way():
    source = (
        "import numpy as np, functools\ndf['b c'] = [3, 4]\ng = df.groupby('g')\nstore = []\n"
        "df['a'].apply(lambda x, s: s.append(x), args=(store,))\n"
        "[len(df.query('a > 1 & `b c` < 6')), len(df.query(expr=\"g in ['x']\")), g.agg({'a': ['sum', np.max]}).shape[1],\n"
        " list(g.agg(t=('a', 'sum'), u=pd.NamedAgg('a', lambda s: s.sum()))), list(g['a'].agg(x='sum', y=max)),\n"
        " int(df['a'].agg(functools.partial(np.quantile, q=0))), len(df['a'].agg(np.array(['sum', 'min']))), store,\n"
        " list(df['a'].agg([np.mean, lambda s: 1]).index), len(pd.pivot_table(df, 'a', 'g', aggfunc=['sum', 'mean']))]"
    )
    outcome = run("pandas", FRAME + source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value == [1, 1, 2, ["t", "u"], ["x", "y"], 1, 2, [1, 2], ["mean", "<lambda>"], 2]


def test_a_query_sees_the_data_of_the_variables_it_names():
    source = (
        "import numpy as np\nlimit, names, text, s = 1, ['x', 'z'], 'x@y', pd.Series([2])\n"
        "df['d'] = pd.to_datetime(['2024-01-01', '2024-03-01'])\n"
        "def asked(day, k=2):\n    one = np.int64(1)\n"
        "    return [len(df.query('a > @one')), len(df.query('d > @day')), len(df.query('@k == a'))], [len(df.query('a == @n')) for n in (1, 9)]\n"
        "[len(df.query(q)) for q in ('a > @limit', 'g in @names and a <= @limit', 'g == \"x@y\" or g == @text', '@limit < a')], "
        "asked(pd.Timestamp(2024, 2, 1)), len(df.query('a in @s'))"
    )
    outcome = run("pandas", FRAME + source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value == ([1, 1, 0, 1], ([1, 1, 1], [1, 0]), 1)


ASKED = (
    *("g.str.contains('x')", "g.str.upper() == 'Y'", "day.dt.year == 2024 and a.isin([1, 3])", "a == a.max()"),
    *("none.isna()", "~g.str.startswith('x', na=False)", "a.between(1, 1)", "sqrt(a) > 1", "`b c`.abs() > 3"),
)
MADE = ("a * 2", "z = a + `b c`", "\n  z = a ** 2\n  y = z - a.mean()\n", "half = a / 2.0", "g.str.len() + 1")


def test_texts_about_columns_use_their_methods_and_make_new_ones() -> None:
    frame = (
        FRAME + "df['day'], df['b c'], df['none'] = pd.to_datetime(['2024-01-01', '2023-01-01']), [3, 4], [None, 'n']\n"
    )
    ours = run("pandas", f"{frame}[df.query(q).a.tolist() for q in {ASKED}], [df.eval(q).to_dict() for q in {MADE}]")
    assert ours.failure is None, ours.failure
    names: dict[str, Any] = {}
    exec(frame, names)
    plain = names["df"]
    assert ours.value == (
        [plain.query(text, engine="python").a.tolist() for text in ASKED],
        [plain.eval(text, engine="python").to_dict() for text in MADE],
    )


PRINTS = "class E(sympy.Symbol):\n    def _numpycode(self, printer):\n        {}\n        return {!r}\n"
FORMULAS = {
    "given names": "g = {'Integer': sympy.Integer}\nsympy.parse_expr('1', global_dict=g)\ng['__builtins__']",
    "an own transformation": "sympy.parse_expr('1', transformations=(lambda tokens, l, g: tokens,))",
    "own code names a module": PRINTS.format("pass", "numpy") + "sympy.lambdify([], E('x'), 'numpy')",
    "own code names the builtins": PRINTS.format("pass", "builtins") + "sympy.lambdify([], E('x'), 'numpy')",
    "own code imports": PRINTS.format("printer.module_imports['numpy.lib.format'].add('open_memmap')", "open_memmap")
    + "sympy.lambdify([], E('x'), 'numpy')",
    "an own printer": "class P:\n    module_imports = {}\n    def doprint(self, e): return 'pi'\n"
    "sympy.lambdify([], sympy.pi, 'numpy', printer=P())",
    "names of an object": "sympy.lambdify([], '_given', modules=[open])",
}


@pytest.mark.parametrize("source", FORMULAS.values(), ids=FORMULAS)
def test_a_formula_gives_no_module_and_no_builtins(source):
    stopped("sympy", f"import sympy\n{source}")


def test_formulas_are_read_and_compiled_in_every_ordinary_way():
    source = (
        "import sympy as sp, numpy as np\nx, y = sp.symbols('x y')\n"
        "[sp.parse_expr('2x', transformations='all') == 2*x, sp.parse_expr('x+1', global_dict={'Symbol': sp.Symbol, "
        "'Integer': sp.Integer}) == x + 1, str(sp.sympify('abs(x)')) == 'Abs(x)', sp.parse_expr('x**2', evaluate=False) == x**2,\n"
        " sp.lambdify(x, sp.Piecewise((x, x < 0), (x**2, True)))(np.array([-1., 2.])).tolist() == [-1.0, 4.0],\n"
        " sp.lambdify([(x, y)], x + y)((1, 2)) == 3, sp.lambdify(x, sp.gamma(x), 'math')(5) == 24.0,\n"
        " sp.lambdify(x, sp.sin(x), [{'sin': lambda v: 9}, 'numpy'])(3) == 9, sp.lambdify(x, sp.sin(x), modules=[np])(0) == 0,\n"
        " sp.lambdify(x, [x, x**2], cse=True)(2) == [2, 4], abs(sp.lambdify(x, sp.zeta(x), 'mpmath')(2) - 1.6449) < 1e-3]"
    )
    outcome = run("sympy", source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value == [True] * 11


MODULES = {
    "shapes of a distribution": (
        "scipy",
        "import scipy.stats as st\nclass L:\n    n = 0\n    def __iter__(self):\n        L.n += 1\n"
        "        return iter(['a'] if L.n == 1 else [\"a): 0\\nprint(1)\\n'''#\"])\n    def __len__(self): return 1\nclass K(str):\n"
        "    def replace(self, *a): return self\n    def split(self, *a): return L()\nst.rv_continuous(shapes=K('a'))",
    ),
    "scipy's namespace": ("scipy", "import scipy.cluster.hierarchy as h\nh.array_namespace()"),
    "scipy's other namespace": ("scipy", "import scipy.cluster.vq as h\nh.array_namespace()"),
    "scikit-learn's namespace": ("sklearn", "import sklearn.pipeline as p\np.get_namespace()"),
    "sympy's lazy function": ("sympy", "import sympy\nsympy.lazy_function('os', 'getcwd')()"),
    "sympy's timer": ("sympy", "import sympy\nsympy.timed('import os', limit=0)"),
    "sympy's timer, set up": ("sympy", "import sympy\nsympy.timed(print, setup='import os', limit=0)"),
    "the names of a module": ("sympy", "import sympy\nsympy.public(sympy.cancel)"),
    "what starts processes": ("sklearn", "import sklearn.pipeline as p\np.Parallel(n_jobs=1).n_jobs = 2"),
    "the real copy": ("sklearn", "import sklearn.pipeline as p\np.deepcopy"),
    "backends": ("matplotlib", "import matplotlib.pyplot as plt\nplt.backend_registry"),
    "a backend": (
        "matplotlib",
        "import matplotlib.pyplot as plt\n"
        "try: plt.gcf().savefig('x.png', backend='module://this')\nexcept AttributeError: pass",
    ),
}


@pytest.mark.parametrize(("library", "source"), MODULES.values(), ids=MODULES)
def test_a_library_hands_out_no_module(library, source):
    assert stopped(library, source).type in ("AttributeError", "RuntimeError", "NameError")


def test_distributions_and_backends_work():
    source = (
        "import scipy.stats as st, io\nclass G(st.rv_continuous):\n    def _pdf(self, x, a): return 2.0\n"
        "[float(G(a=0).pdf(1.0, a=2)), st.rv_continuous(shapes='a, b').numargs, float(st.gamma(1).mean())]"
    )
    outcome = run("scipy", source)
    assert outcome.value == [2.0, 2, 1.0], outcome.failure
    source = "import matplotlib.pyplot as plt, io\nb = io.BytesIO()\nplt.figure().savefig(b, format='png', backend='agg')\nb.tell() > 9"
    assert run("matplotlib", source).value is True


FILE = "class F:\n    asked = 0\n    def fileno(self):\n        F.asked += 1\n        return -1\n    def write(self, data): return len(data)\n"
FILE += "    def flush(self): pass\n    def tell(self): return 0\n    def seek(self, *a): return 0\n"
TRY = "\ntry: {}\nexcept Exception as e: print(e)\nF.asked"
DESCRIPTORS = {
    "an array": ("numpy", "import numpy as np" + TRY.format("np.arange(3).tofile(F())")),
    "an array, by a buffer": (
        "numpy",
        "import numpy as np, io\nclass G(F):\n    closed = False\n    def readable(self): return True\n"
        "    writable = seekable = readable" + TRY.format("np.arange(3).tofile(io.TextIOWrapper(G()))"),
    ),
    "an own buffer": (
        "numpy",
        "import numpy as np, io\nclass G(io.BytesIO): fileno = F.fileno" + TRY.format("np.arange(3).tofile(G())"),
    ),
    "an image": ("matplotlib", "import matplotlib.pyplot as plt" + TRY.format("plt.gcf().savefig(F(), format='jpg')")),
    "a canvas": ("matplotlib", "import matplotlib.pyplot as plt" + TRY.format("plt.gcf().canvas.print_tif(F())")),
}


@pytest.mark.parametrize(("library", "source"), DESCRIPTORS.values(), ids=DESCRIPTORS)
def test_no_library_asks_an_object_for_a_descriptor(library, source):
    outcome = run(library, FILE + source)
    assert outcome.value == 0, outcome


def test_a_truth_is_no_descriptor():
    assert stopped("numpy", "import numpy as np\nnp.arange(0).tofile(True)").type == "PermissionError"


def test_objects_are_written_to_and_read_from_like_files():
    source = (
        "import numpy as np, pandas as pd, io\nclass W:\n    def __init__(self): self.parts = []\n"
        "    def write(self, data): self.parts.append(data)\nclass B(io.BytesIO): pass\nw, b, n = W(), B(), B()\n"
        "pd.DataFrame({'a': [1]}).to_csv(w, index=False)\npd.DataFrame({'a': [1]}).to_csv(b, index=False)\n"
        "np.save(n, np.arange(3))\nn.seek(0)\nb.seek(0)\nclass L(list): pass\n"
        "[''.join(w.parts), b.getvalue(), int(np.load(n).sum()), len(pd.read_csv(b)), np.loadtxt(L(['1', '2'])).tolist()]"
    )
    outcome = run("pandas", source)
    assert outcome.value == ["a\n1\n", b"a\n1\n", 3, 1, [1.0, 2.0]], outcome.failure


#: Texts by which pandas writes numbers.
WRITTEN = {
    "a table as text": "df.to_string(float_format=T)",
    "a table as CSV": "df.to_csv(float_format=T)",
    "a table as HTML": "df.to_html(float_format=T)",
    "a column": "df.a.to_csv(float_format=T)",
    "columns as LaTeX": "df.to_latex(formatters={'a': T})",
    "a text that answers for itself": "class S(str):\n    def format(self, *given): return given[0]\n    def __contains__(self, part): return False\n"
    "df.to_csv(float_format=S(T))",
}


@pytest.mark.parametrize("source", WRITTEN.values(), ids=WRITTEN)
def test_a_format_of_numbers_names_no_attribute_that_is_refused(source):
    outcome = run("pandas", "import pandas as pd\nT = '{0.__class__}'\ndf = pd.DataFrame({'a': [1.5]})\n" + source)
    assert "__class__" in outcome.failure.message


def test_formats_of_numbers_work():
    source = (
        "import pandas as pd\npd.DataFrame({'a': [1.5]}).to_csv(float_format='%.3f', index=False) == 'a\\n1.500\\n'"
    )
    assert run("pandas", source).value is True


@pytest.mark.parametrize("module", ["matplotlib", "matplotlib.pyplot"])
def test_settings_of_figures_are_read_from_the_working_folder_alone(module):
    outcome = run("matplotlib", f"import {module} as m\nwith m.rc_context(fname='/etc/hostname'): pass")
    assert outcome.failure.type == "PermissionError"
    source = f"import {module} as m\nopen('rc', 'w').write('lines.linewidth: 7')\n"
    source += "with m.rc_context({'font.size': 9}, 'rc'): found = [m.rcParams['lines.linewidth'], m.rcParams['font.size']]\nfound"
    assert run("matplotlib", source).value == [7.0, 9.0]
