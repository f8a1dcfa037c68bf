"""Tables within the tables of libraries, and what hangs off classes no facade names: a step inline leaves them alone."""

from __future__ import annotations

import importlib

import pytest

from tests.attacks.language.uncaged import uncaged

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def part(name: str):
    return importlib.import_module(name)


_RC = "import matplotlib.pyplot as plt\n"
_CM = "import matplotlib.cm as cm\n"

#: Library → a change, and what the host sees of it.
CHANGES = {
    "who looks at a setting": (
        "matplotlib",
        f"{_RC}plt.rcParams.validate['lines.linewidth'] = lambda value: 42",
        lambda: part("matplotlib").rcParams.validate["lines.linewidth"],
    ),
    "what a setting may be": (
        "matplotlib",
        f"{_RC}plt.rcParams.validate['markers.fillstyle'].valid.clear()",
        lambda: len(part("matplotlib").rcParams.validate["markers.fillstyle"].valid),
    ),
    "a list among settings": (
        "matplotlib",
        f"{_RC}plt.rcParams['axes.formatter.limits'].append(3)",
        lambda: (part("matplotlib").rcParams | {})["axes.formatter.limits"],
    ),
    "a list among the first settings": (
        "matplotlib",
        f"{_RC}plt.rcParamsDefault['axes.formatter.limits'].append(3)",
        lambda: list(part("matplotlib").rcParamsDefault["axes.formatter.limits"]),
    ),
    "a cycle of colours": (
        "matplotlib",
        f"{_RC}plt.rcParams['axes.prop_cycle'].change_key('color', 'x')",
        lambda: repr(part("matplotlib").rcParams["axes.prop_cycle"]),
    ),
    "the cycle of a style": (
        "matplotlib",
        f"{_RC}plt.style.use('ggplot')\nplt.rcParams['axes.prop_cycle'].change_key('color', 'x')",
        lambda: repr(part("matplotlib.style").library["ggplot"]["axes.prop_cycle"]),
    ),
    "the first cycle": (
        "matplotlib",
        f"{_RC}plt.rcdefaults()\nplt.rcParams['axes.prop_cycle'].change_key('color', 'x')",
        lambda: repr(part("matplotlib").rcParamsDefault["axes.prop_cycle"]),
    ),
    "a colour map in a table": (
        "matplotlib",
        f"{_CM}cm.cmaps_listed['magma'].name = 'own'\ncm.cmaps_listed['magma'].set_bad('red')",
        lambda: (part("matplotlib.cm").cmaps_listed["magma"].name, part("matplotlib").colormaps["magma"].get_bad()[0]),
    ),
    "a map of two colours": (
        "matplotlib",
        f"{_CM}cm.bivar_cmaps['BiPeak'].name = 'own'",
        lambda: part("matplotlib.cm").bivar_cmaps["BiPeak"].name,
    ),
    "a row of a colour map": (
        "matplotlib",
        f"{_CM}cm.berlin.colors[0][0] = 9",
        lambda: list(part("matplotlib.cm").berlin.colors[0]),
    ),
    "a row of a colour map by its name": (
        "matplotlib",
        f"{_RC}plt.get_cmap('vanimo').colors[0][0] = 9",
        lambda: list(part("matplotlib.cm").vanimo.colors[0]),
    ),
    "what a colour map is made of": (
        "matplotlib",
        f"{_CM}cm.datad['autumn']['red'] = 9",
        lambda: part("matplotlib.cm").datad["autumn"]["red"],
    ),
    "what a part of a colour map is worked out with": (
        "matplotlib",
        f"{_CM}cm.datad['cubehelix']['red'].keywords['own'] = 9",
        lambda: part("matplotlib.cm").datad["cubehelix"]["red"].keywords,
    ),
    "places of labels": (
        "matplotlib",
        "from matplotlib.ticker import StrMethodFormatter\nStrMethodFormatter('{x}').locs.append(9)",
        lambda: list(part("matplotlib.ticker").StrMethodFormatter("{x}").locs),
    ),
    "kinds of distances": (
        "sklearn",
        "import sklearn.neighbors as n\nn.VALID_METRICS['kd_tree'].append('x')\nn.VALID_METRICS_SPARSE['brute'].clear()",
        lambda: (
            "x" in part("sklearn.neighbors").VALID_METRICS["kd_tree"],
            len(part("sklearn.neighbors").VALID_METRICS_SPARSE["brute"]),
        ),
    ),
    "what is known of a number": (
        "sympy",
        "import sympy\nsympy.pi.default_assumptions['zero'] = True",
        lambda: dict(part("sympy").pi.default_assumptions),
    ),
    "who answers what is prime": (
        "sympy",
        "import sympy\nsympy.Q.prime.handler.funcs[sympy.Symbol,] = print\nsympy.Q.prime.handler.ordering.clear()",
        lambda: (len(part("sympy").Q.prime.handler.funcs), len(part("sympy").Q.prime.handler.ordering)),
    ),
}


@pytest.mark.parametrize(("library", "source", "seen"), CHANGES.values(), ids=CHANGES)
def test_what_is_within_what_a_library_shares_is_the_hosts_after_a_step(library, source, seen):
    with uncaged(library) as session:
        first = source.partition("\n")[0]
        assert session.run(first).ok
        before = seen()
        assert session.run(source).failure is None
        assert seen() == before


REFUSED = {
    "what a function in C has": ("numpy", "import numpy as np\nnp.random.seed.func_dict['x'] = 1"),
    "what is below a masked value": ("numpy", "import numpy as np\nnp.ma.masked.base.fill_value = 7"),
    "what is left out": ("numpy", "import numpy as np\nnp.vectorize().pyfunc.own = 1"),
    "what moments leave out": ("scipy", "import scipy.stats as s\ns.poisson.generic_moment.excluded.add(0)"),
    "a table of colours": ("matplotlib", "import matplotlib.colors as c\nc.ColorConverter.colors.own = 1"),
    "what makes a graph": ("networkx", "import networkx as nx\nnx.MultiGraph.__new__.graphs['x'] = 1"),
    "what an algorithm keeps": ("networkx", "import networkx as nx\nnx.hits.preserve_edge_attrs['G']['weight'] = 9"),
}


@pytest.mark.parametrize(("library", "source"), REFUSED.values(), ids=REFUSED)
def test_what_hangs_off_functions_and_classes_of_libraries_takes_nothing(library, source):
    with uncaged(library) as session:
        assert session.run(source).failure.type in ("Refused", "AttributeError", "TypeError")


def test_no_question_of_a_snippets_is_put_among_those_of_algebra():
    with uncaged("sympy") as session:
        assert "for everyone" in session.run("import sympy\nsympy.register_handler('own', print)").failure.message
        assert not hasattr(part("sympy").Q, "own")


def test_a_table_of_a_library_holds_the_classes_a_snippet_knows():
    with uncaged("numpy") as session:
        assert session.run("import numpy as np\nmemoryview in np.ScalarType").value is True


def test_settings_and_colour_maps_of_ones_own_are_changed_in_place():
    source = (
        f"{_RC}plt.rcParams['axes.formatter.limits'].append(3)\nown = plt.get_cmap('berlin').copy()\n"
        "own.colors[0][0] = 0.5\ncycle = plt.cycler(color=['red'])\ncycle.change_key('color', 'c')\n"
        "plt.rcParams['axes.prop_cycle'] = plt.cycler(color=['red']) * plt.cycler(lw=[1, 2])\n"
        "[plt.rcParams['axes.formatter.limits'], float(own(0.0)[0]), cycle.keys, len(plt.rcParams['axes.prop_cycle'])]"
    )
    with uncaged("matplotlib") as session:
        assert session.run(source).value == [[-5, 6, 3], 0.5, {"c"}, 2]
        assert session.run("len(plt.rcParams['axes.prop_cycle'])").value == 2
