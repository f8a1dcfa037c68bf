"""Parts of libraries that are imported by where names are from, as programs have them."""

from __future__ import annotations

import importlib.util

import pytest

from tests.snippet.running import Step

GIVEN = {
    "room beside axes": "import matplotlib.pyplot as plt\nfrom mpl_toolkits.axes_grid1 import make_axes_locatable\n"
    "figure, axes = plt.subplots()\nbar = figure.colorbar(axes.imshow([[0, 1]]), cax=make_axes_locatable(axes).append_axes('right', '5%'))\n"
    "plt.close('all')\nlen(figure.axes) == 2 and bar.ax is figure.axes[1]",
    "texts that stand out": "import matplotlib.pyplot as plt\nimport matplotlib.patheffects as effects\n"
    "from matplotlib.offsetbox import AnchoredText\nfrom matplotlib.font_manager import FontProperties\naxes = plt.figure().add_subplot()\n"
    "axes.add_artist(AnchoredText('a', loc='upper left'))\n"
    "text = axes.text(0, 0, 'a', path_effects=[effects.withStroke(linewidth=3)], fontproperties=FontProperties(size=9))\n"
    "plt.savefig('t.png')\nplt.close('all')\ntext.get_fontsize() == 9",
    "two lines in a legend": "import matplotlib.pyplot as plt\nfrom matplotlib.legend_handler import HandlerTuple\n"
    "a, b = plt.plot([0, 1], [[0, 1], [1, 0]])\n"
    "told = plt.legend([(a, b)], ['both'], handler_map={tuple: HandlerTuple(ndivide=None)})\nplt.savefig('l.png')\nplt.close('all')\n"
    "told.get_texts()[0].get_text() == 'both'",
    "pages": "import matplotlib.pyplot as plt\nfrom matplotlib.backends.backend_pdf import PdfPages\n"
    "with PdfPages('p.pdf') as pages:\n    for n in range(2):\n        figure = plt.figure()\n        pages.savefig(figure)\n"
    "    pages.savefig()\n    count = pages.get_pagecount()\nplt.close('all')\ncount == 3 and open('p.pdf', 'rb').read(5) == b'%PDF-'",
    "a canvas": "from matplotlib.figure import Figure\nfrom matplotlib.backends.backend_agg import FigureCanvasAgg\n"
    "figure = Figure()\ncanvas = FigureCanvasAgg(figure)\ncanvas.print_png('c.png')\nopen('c.png', 'rb').read(4) == b'\\x89PNG'",
    "scores of clusters": "from sklearn.metrics.cluster import adjusted_rand_score\nfrom sklearn import metrics\n"
    "adjusted_rand_score is metrics.adjusted_rand_score and adjusted_rand_score([0, 0, 1], [1, 1, 0]) == 1",
    "points and permutations": "from sympy.geometry.point import Point\nfrom sympy.combinatorics.permutations import Permutation\n"
    "import sympy\nPoint is sympy.Point and Permutation([1, 0]).order() == 2",
    "deep parts of sympy": "from sympy.polys.polyfuncs import interpolate\nfrom sympy.simplify.radsimp import collect\n"
    "from sympy.series.fourier import fourier_series\nfrom sympy.abc import x\nimport sympy\ninterpolate([1, 4, 9], x) == x**2 and collect is sympy.collect",
    "windows": "from scipy import signal\nfrom scipy.signal.windows import hann\n"
    "hann is signal.windows.hann and signal.windows.gaussian(3, 1)[1] == 1 and hann(3).tolist() == [0, 1, 0]",
    "outliers, and how two columns go together": "import numpy as np\nfrom scipy import stats\nfrom scipy.stats.mstats import winsorize\n"
    "from scipy.stats.contingency import association\n"
    "winsorize(np.array([1, 2, 3, 4, 99]), limits=[0, 0.2]).max() == 4 and stats.contingency.association(stats.contingency.crosstab([0, 1] * 9, [0, 1] * 9)[1]) > 0.7",
    "a kernel that is approximated": "from sklearn.kernel_approximation import RBFSampler\n"
    "RBFSampler(n_components=3, random_state=0).fit_transform([[0.0], [1.0]]).shape == (2, 3)",
    "a matrix": "import numpy as np\n(np.asmatrix([[1, 2], [3, 4]]) * np.asmatrix('1; 1')).tolist() == [[3], [7]]",
}
WITHHELD = {
    "pages elsewhere": "from matplotlib.backends.backend_pdf import PdfPages\nPdfPages('/etc/reached.pdf')",
    "pages elsewhere, by keyword": "from matplotlib.backends.backend_pdf import PdfPages\nPdfPages(filename='../reached.pdf')",
    "what is no axes": "from mpl_toolkits.axes_grid1 import make_axes_locatable\nclass A:\n    def get_figure(): return 'N'\n"
    "make_axes_locatable(A)",
    "what says that it is axes": "from mpl_toolkits.axes_grid1 import make_axes_locatable\nfrom matplotlib.axes import Axes\n"
    "class A: __class__ = property(lambda self: Axes)\nmake_axes_locatable(A())",
    "a font elsewhere": "from matplotlib.font_manager import FontProperties\nFontProperties(fname='/etc/hostname')",
    "fonts that are looked for": "from matplotlib.font_manager import findfont",
    "the file below pages": "from matplotlib.backends.backend_pdf import PdfPages\nPdfPages('p.pdf')._file",
    "text as a formula, by a deep part": "from sympy.geometry.point import Point\nPoint('open(1)', 2)",
    "names that are looked up": "import numpy as np\nA = 1\nnp.bmat('A')",
}
ATTACHED = {
    "models": "import sklearn\nsklearn.svm.SVC is sklearn.__getattr__('svm').SVC and sklearn.metrics.pairwise.cosine_similarity([[1, 0]], [[2, 0]])[0, 0] == 1",
    "charts": "import matplotlib as mpl\nmpl.transforms.Affine2D().rotate_deg(0).get_matrix()[0, 0] == 1 and mpl.path.Path.MOVETO == 1",
    "algebra": "import sympy as sp\nisinstance(sp.Symbol('x') + 1, sp.core.add.Add) and sp.geometry.point.Point is sp.Point",
    "arrays": "from scipy import stats, signal\nstats.mstats.gmean([1, 4]) == 2 and signal.windows.hann(3)[1] == 1",
}
NOT_ATTACHED = (
    "sklearn.externals",
    "sklearn.nothing",
    "matplotlib.sys",
    "sympy.core.cache",
    "scipy.io",
    "sympy.external",
)
_NEEDED = ("matplotlib", "sympy", "sklearn", "numpy", "scipy")
pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(any(importlib.util.find_spec(name) is None for name in _NEEDED), reason="not all are installed"),
]


@pytest.mark.parametrize("source", [*GIVEN.values(), *ATTACHED.values()], ids=[*GIVEN, *ATTACHED])
def test_parts_give_what_programs_import_of_them_or_find_once_their_library_is_imported(source: str) -> None:
    outcome = Step(imports=_NEEDED).run(source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value in (True,) or str(outcome.value) == "True"


@pytest.mark.parametrize("asked", NOT_ATTACHED)
def test_other_modules_are_not_there_by_their_library(asked: str) -> None:
    step, root = Step(check_first=False, imports=_NEEDED), asked.partition(".")[0]
    failure = step.run(f"import {root}\n{asked}").failure
    assert failure is not None
    assert (failure.type, failure.message) == (
        "AttributeError",
        f"module {asked.rpartition('.')[0]!r} has no attribute {asked.rpartition('.')[2]!r}",
    )


@pytest.mark.parametrize("source", WITHHELD.values(), ids=WITHHELD)
def test_parts_lead_nowhere_else(source: str) -> None:
    failure = Step(check_first=False, imports=_NEEDED).run(source).failure
    assert failure is not None
    assert failure.type in ("AttributeError", "ImportError", "PermissionError", "RuntimeError", "TypeError"), failure
