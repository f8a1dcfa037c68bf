"""What libraries hold for all who import them: a session without a cage leaves it as it was."""

from __future__ import annotations

import importlib
import importlib.util
import logging

import pytest

from codeact.session import apart
from codeact.snippet import shared
from tests.attacks.language.uncaged import uncaged

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def part(name: str):
    return importlib.import_module(name)


#: Library → a change, and what the host sees of it.
CHANGES = {
    "what random numbers are drawn from": (
        "numpy",
        "import numpy as np\nnp.random.set_bit_generator(np.random.PCG64(1))",
        lambda: type(part("numpy").random.get_bit_generator()).__name__,
    ),
    "a lock of what random numbers are drawn from": (
        "numpy",
        "import numpy as np\nnp.random.get_bit_generator().lock.acquire()",
        lambda: (lock := part("numpy").random.get_bit_generator().lock).acquire(blocking=False) and not lock.release(),
    ),
    "a table of a class": (
        "matplotlib",
        "import matplotlib.lines as l\nl.Line2D.markers.clear()",
        lambda: len(part("matplotlib.lines").Line2D.markers),
    ),
    "a list of a colour map": (
        "matplotlib",
        "import matplotlib.pyplot as plt\nplt.cm.Accent_r.colors.append(1)",
        lambda: len(part("matplotlib.cm").Accent_r.colors),
    ),
    "a colour map, by its method": (
        "matplotlib",
        "import matplotlib.pyplot as plt\nplt.cm.viridis.set_bad('red')",
        lambda: part("matplotlib.cm").viridis.get_bad().tolist(),
    ),
    "a colour": (
        "matplotlib",
        "import matplotlib.colors as c\nc.get_named_colors_mapping()['red'] = '#000000'\nc.to_rgba('red')",
        lambda: part("matplotlib.colors").to_rgba("red"),
    ),
    "a row of colours": (
        "matplotlib",
        "import matplotlib\nmatplotlib.color_sequences.register('own', ['red'])",
        lambda: list(part("matplotlib").color_sequences),
    ),
    "styles of boxes": (
        "matplotlib",
        "from matplotlib.patches import BoxStyle, Circle\nBoxStyle.get_styles()['round'] = Circle",
        lambda: part("matplotlib.patches").BoxStyle.get_styles()["round"].__name__,
    ),
    "styles of arrows, by a class of its own": (
        "matplotlib",
        "from matplotlib.patches import ArrowStyle, Circle\nclass Own(ArrowStyle):\n    _Base = object\n"
        "Own.register('->', Circle)",
        lambda: part("matplotlib.patches").ArrowStyle.get_styles()["->"].__name__,
    ),
    "shapes with corners": (
        "matplotlib",
        "from matplotlib.markers import MarkerStyle\nclass Own(int):\n    def __hash__(self): return hash(5)\n"
        "    def __eq__(self, other): return other == 5\n"
        "shapes = [MarkerStyle((Own(3), 0, 0)), MarkerStyle((Own(3), 1, 0))]",
        lambda: [
            len(part("matplotlib.path").Path.unit_regular_polygon(5)),
            len(part("matplotlib.path").Path.unit_regular_star(5)),
        ],
    ),
    "the first day of charts": (
        "matplotlib",
        "import matplotlib.dates as d\nd.set_epoch('2000-01-01')",
        lambda: part("matplotlib.dates")._epoch,
    ),
    "what charts look like at first": (
        "matplotlib",
        "import matplotlib.pyplot as plt\nplt.rcParamsDefault['lines.linewidth'] = 9",
        lambda: part("matplotlib").rcParamsDefault["lines.linewidth"],
    ),
    "what a library tells of itself": (
        "matplotlib",
        "import matplotlib.pyplot as plt\nplt.set_loglevel('debug')",
        lambda: logging.getLogger("matplotlib").level,
    ),
    "the name of a level": (
        "logging",
        "import logging\nclass S(str): pass\nlogging.addLevelName(30, S('OWN'))\nlogging.getLevelName(30)",
        lambda: (logging.getLevelName(30), logging.getLevelName("OWN")),
    ),
    "an array of a class": (
        "numpy",
        "import numpy as np\nnp.polynomial.Polynomial.domain[0] = 9",
        lambda: part("numpy.polynomial").Polynomial.domain[0],
    ),
    "an array of a module": (
        "numpy",
        "import numpy as np\nnp.polynomial.polynomial.polydomain[0] = 9",
        lambda: part("numpy.polynomial.polynomial").polydomain[0],
    ),
    "an array of polynomials of another kind": (
        "numpy",
        "import numpy as np\nnp.polynomial.legendre.legdomain[0] = 9",
        lambda: part("numpy.polynomial.legendre").legdomain[0],
    ),
    "how models are shown": (
        "sklearn",
        "import sklearn\nsklearn.set_config(transform_output='pandas')",
        lambda: part("sklearn").get_config(),
    ),
    "kinds of values in charts": (
        "pandas",
        "from pandas.plotting import register_matplotlib_converters\nregister_matplotlib_converters()",
        lambda: dict(part("matplotlib.units").registry),
    ),
    "how polynomials are written": (
        "numpy",
        "import numpy as np\nnp.polynomial.set_default_printstyle('ascii')",
        lambda: str(part("numpy.polynomial").Polynomial([1, 2])),
    ),
    "how what is masked is written": (
        "numpy",
        "import numpy as np\nnp.ma.masked_print_option.set_display('X')",
        lambda: str(part("numpy").ma.masked),
    ),
    "what a class is known to be": (
        "sympy",
        "import sympy\nsympy.Basic.default_assumptions['zero'] = True",
        lambda: dict(part("sympy").Basic.default_assumptions),
    ),
    "what stands in a legend": (
        "matplotlib",
        "import matplotlib.legend as l, matplotlib.lines as li\nl.Legend.update_default_handler_map({li.Line2D: print})",
        lambda: dict(part("matplotlib.legend").Legend.get_default_handler_map()),
    ),
    "all that stands in a legend": (
        "matplotlib",
        "import matplotlib.legend as l\nl.Legend.set_default_handler_map({})",
        lambda: dict(part("matplotlib.legend").Legend.get_default_handler_map()),
    ),
    "a shape": (
        "matplotlib",
        "import matplotlib.path as p\ns = p.Path.unit_rectangle().vertices\ns.setflags(write=True)\ns[0] = 9",
        lambda: float(part("matplotlib.path").Path.unit_rectangle().vertices[0, 0]),
    ),
    "what changes nothing": (
        "matplotlib",
        "import matplotlib.transforms as t\nt.IdentityTransform().get_matrix()[0, 0] = 9",
        lambda: part("matplotlib.transforms").IdentityTransform().get_matrix().tolist(),
    ),
    "the prefix of a namespace": (
        "numpy",
        "import xml.etree.ElementTree as ET\nET.register_namespace('own', 'urn:own')",
        lambda: dict(part("xml.etree.ElementTree")._namespace_map),
    ),
    "the settings of a printer": (
        "sympy",
        "import sympy\nsympy.StrPrinter.set_global_settings(order='none')",
        lambda: dict(part("sympy").StrPrinter._global_settings),
    ),
}


@pytest.mark.parametrize(("library", "source", "seen"), CHANGES.values(), ids=CHANGES)
def test_a_change_of_what_a_library_shares_ends_with_the_step(library, source, seen):
    with uncaged(library, "numpy") as session:
        before = seen()
        assert session.run(source).failure is None
        assert seen() == before


READ_ONLY = {
    "a set of a distribution": ("scipy", "import scipy.stats as s\ns.norm.generic_moment.excluded.add(0)"),
    "what a function is for": ("networkx", "import networkx as nx\nnx.shortest_path.graphs['X'] = 1"),
    "who does its work": ("networkx", "import networkx as nx\nnx.shortest_path.backends.clear()"),
}


@pytest.mark.parametrize(("library", "source"), READ_ONLY.values(), ids=READ_ONLY)
def test_what_functions_of_libraries_are_noted_by_can_be_read_alone(library, source):
    with uncaged(library, "numpy") as session:
        assert session.run(source).failure.type in ("TypeError", "AttributeError")


def test_no_step_inline_copies_a_table_for_each_function_of_a_library():
    with uncaged("networkx", "numpy") as session:
        session.run("import networkx")
        assert len(shared.contents()) < 1_000


STORED = {
    "a distribution": ("scipy", "import scipy.stats as st\nst.norm.pdf = str"),
    "a function": ("numpy", "import numpy as np\nnp.mean.evil = 1"),
    "a value": ("pandas", "import pandas as pd\npd.NaT.evil = 1"),
    "the colour maps": ("matplotlib", "import matplotlib.pyplot as plt\nplt.colormaps.evil = 1"),
    "a function of a distribution": ("scipy", "import scipy.stats as s\ns.norm.generic_moment.pyfunc = print"),
    "a part of a function": ("numpy", "import numpy as np\nnp.ma.sqrt.domain.critical_value = 9"),
    "what is known of a kind of numbers": ("numpy", "import numpy as np\nnp.finfo(np.float64).eps = 9"),
    "the type of a column": ("pandas", "import pandas as pd\npd.array([1]).dtype.type = str"),
    "the type of a table's column": (
        "pandas",
        "import pandas as pd\npd.Series([1.5], dtype='Float64').dtype.own = print",
    ),
    "what is no axes": ("matplotlib", "import matplotlib.pyplot as plt\nplt.gca().add_child_axes(type(plt.gca()))"),
    "a member of an enum": ("matplotlib", "import matplotlib.pyplot as plt\nplt.MouseButton.LEFT.evil = 1"),
}


@pytest.mark.parametrize(("library", "source"), STORED.values(), ids=STORED)
def test_nothing_is_stored_on_what_a_library_shares_nor_on_what_hangs_off_it(library, source):
    with uncaged(library, "numpy") as session:
        assert session.run(source).failure.kind == "refused"


def test_parts_of_ones_own_objects_take_attributes_as_ever():
    source = (
        "import numpy as np, scipy.stats as s\nf = np.vectorize(abs)\nf.otypes = 'd'\nn = s.norm(1)\nn.random_state = 7\n"
        "a = np.arange(4)\na.shape = (2, 2)\n[f.otypes, a.shape, float(n.rvs()) == float(s.norm(1).rvs(random_state=7))]"
    )
    with uncaged("scipy", "numpy") as session:
        assert session.run(source).value == ["d", (2, 2), True]


FOR_ALL = {
    "who transforms": (
        "scipy",
        "import scipy.fft, types\nname = '__ua_'\nown = types.SimpleNamespace(**{name + 'domain__': 'numpy.scipy.fft',"
        " name + 'function__': print})\nscipy.fft.set_global_backend(own)",
    ),
    "who transforms, for a while": ("scipy", "import scipy.fft\nscipy.fft.set_backend('scipy').__enter__()"),
    "what is prime": (
        "sympy",
        "import sympy\n@sympy.Q.prime.register(sympy.Integer)\ndef own(x, assumptions): return True",
    ),
}


@pytest.mark.parametrize(("library", "source"), FOR_ALL.values(), ids=FOR_ALL)
def test_no_function_of_a_snippets_is_put_in_place_of_a_librarys(library, source):
    with uncaged(library, "numpy") as session:
        assert "for everyone" in session.run(source).failure.message


def test_no_class_of_a_snippets_is_put_in_place_of_what_a_library_has_one_of():
    with uncaged("sympy", "numpy") as session:
        session.run("import sympy")
        half = part("sympy").S.Half
        assert "everyone's" in session.run("class Half(sympy.Basic): pass\nsympy.S.register(Half)").failure.message
        assert part("sympy").S.Half is half


def test_transforms_and_predicates_of_ones_own_work():
    with uncaged("scipy", "numpy") as session:
        assert session.run("import scipy.fft\nfloat(abs(scipy.fft.fft([1, 2, 3]))[0])").value == 6.0
    source = (
        "import sympy\nclass Big(sympy.Predicate): pass\nbig = Big()\n@Big.register(sympy.Integer)\n"
        "def own(x, assumptions): return x > 9\n[sympy.ask(big(sympy.Integer(n))) == True for n in (4, 10)]"
    )
    with uncaged("sympy", "numpy") as session:
        assert session.run(source).value == [False, True]


@pytest.mark.parametrize("row", apart.ROWS, ids=lambda row: f"{row.module}: {row.what}")
def test_each_setting_is_where_the_installed_libraries_keep_it(row):
    if importlib.util.find_spec(row.module.partition(".")[0]) is None:
        pytest.skip(f"{row.module} is not installed")
    module = part(row.module)
    row.put(module, row.take(module))


def test_a_library_that_keeps_a_setting_elsewhere_ends_no_session(monkeypatch):
    moved = apart.Setting("json", "what is no more", lambda m: m._gone, lambda m, kept: None)
    monkeypatch.setattr(apart, "ROWS", (*apart.ROWS, moved))
    with uncaged("numpy") as session:
        assert [session.run("import json\n1").value for _ in range(2)] == [1, 1]
