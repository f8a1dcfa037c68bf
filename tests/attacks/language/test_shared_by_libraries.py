"""What libraries hold for all who import them: a session without a cage leaves it as it was."""

from __future__ import annotations

import importlib
import importlib.util
import warnings

import pytest

from codeact import Limits, Policy, Session

pytestmark = pytest.mark.filterwarnings("ignore")


def started(library: str) -> Session:
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says once, loudly, that there is no cage
        policy = Policy(imports=[library, "numpy"], check_first=False)
        return Session(isolation="inline", policy=policy, limits=Limits(wall_seconds=20))


def part(name: str):
    return importlib.import_module(name)


#: Library → a change, and what the host sees of it.
CHANGES = {
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
    "the first day of charts": (
        "matplotlib",
        "import matplotlib.dates as d\nd.set_epoch('2000-01-01')",
        lambda: part("matplotlib.dates")._epoch,
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
    "a set of a distribution": (
        "scipy",
        "import scipy.stats as s\ns.norm.generic_moment.excluded.add(0)",
        lambda: len(part("scipy.stats").norm.generic_moment.excluded),
    ),
    "what a class is known to be": (
        "sympy",
        "import sympy\nsympy.Basic.default_assumptions['zero'] = True",
        lambda: dict(part("sympy").Basic.default_assumptions),
    ),
    "the settings of a printer": (
        "sympy",
        "import sympy\nsympy.StrPrinter.set_global_settings(order='none')",
        lambda: dict(part("sympy").StrPrinter._global_settings),
    ),
}


@pytest.mark.parametrize(("library", "source", "seen"), CHANGES.values(), ids=CHANGES)
def test_a_change_of_what_a_library_shares_ends_with_the_step(library, source, seen):
    with started(library) as session:
        before = seen()
        assert session.run(source).failure is None
        assert seen() == before


STORED = {
    "a function of a distribution": ("scipy", "import scipy.stats as s\ns.norm.generic_moment.pyfunc = print"),
    "a part of a function": ("numpy", "import numpy as np\nnp.ma.sqrt.domain.critical_value = 9"),
    "a member of an enum": ("matplotlib", "import matplotlib.pyplot as plt\nplt.MouseButton.LEFT.evil = 1"),
}


@pytest.mark.parametrize(("library", "source"), STORED.values(), ids=STORED)
def test_nothing_is_stored_on_what_hangs_off_a_librarys_object(library, source):
    with started(library) as session:
        assert session.run(source).failure.kind == "refused"


def test_parts_of_ones_own_objects_take_attributes_as_ever():
    source = (
        "import numpy as np, scipy.stats as s\nf = np.vectorize(abs)\nf.otypes = 'd'\nn = s.norm(1)\nn.random_state = 7\n"
        "a = np.arange(4)\na.shape = (2, 2)\n[f.otypes, a.shape, float(n.rvs()) == float(s.norm(1).rvs(random_state=7))]"
    )
    with started("scipy") as session:
        assert session.run(source).value == ["d", (2, 2), True]
