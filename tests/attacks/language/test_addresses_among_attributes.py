"""No object a snippet comes to has an address for numpy among its attributes, whatever library it is of."""

from __future__ import annotations

import importlib.util

import pytest

from tests.snippet.running import Step

pytestmark = pytest.mark.filterwarnings("ignore")

_START = """
import numpy as np, functools, contextlib, types
given = {"__array_interface__": {"data": (id(1), True), "shape": (8,), "typestr": "|u1", "version": 3}}
class Fake:
    __slots__ = ()
    def __call__(self): pass
    @property
    def __class__(self): return np.poly1d
    def __getattr__(self, name):
        if name == "__dict__": return given
        if name.startswith("__"): raise AttributeError(name)
        return "x"
class Names(types.SimpleNamespace):
    def __call__(self): pass
"""

#: What the object is → library, and what makes it `x`.
OBJECTS = {
    "a result of a library, made again": (
        "scipy",
        "import scipy.signal as s\n"
        "r = s.place_poles(np.array([[0., 1], [0, 0]]), np.array([[0.], [1]]), [-1, -2])\nx = type(r)(**given)",
    ),
    "another one": (
        "scipy",
        "import scipy.integrate as s\n"
        "r = s.quad_vec(lambda y: np.array([y]), 0, 1, full_output=True)[2]\nx = type(r)(**given)",
    ),
    "what a distribution answers for its arguments": (
        "sympy",
        "import sympy.stats as s\nclass D(type(s.Normal('n', 0, 1).pspace.distribution)):\n"
        "    _argnames = ('__array_interface__',)\n    args = property(lambda self: list(given.values()))\nx = D(0, 1)",
    ),
    "a copy of what passes for one of its kind": ("numpy", "x = np.poly1d(Fake())"),
    "a function that remembers": ("numpy", "x = functools.lru_cache(Fake())"),
    "a function around another": ("numpy", "x = contextlib.contextmanager(Fake())"),
    "a function around a namespace": ("numpy", "x = functools.lru_cache(Names(**given))"),
}


@pytest.mark.parametrize(("library", "source"), OBJECTS.values(), ids=OBJECTS)
def test_no_object_has_an_address_among_its_attributes(library, source):
    if importlib.util.find_spec(library) is None or importlib.util.find_spec("numpy") is None:
        pytest.skip(f"{library} is not installed")
    step = Step(check_first=False, imports=("numpy", library))
    asked = "try:\n    found = np.asarray(x).dtype\nexcept (AttributeError, TypeError):\n    found = 'none'\nstr(found)"
    outcome = step.run(
        f"{_START}try:\n    {source.replace(chr(10), chr(10) + '    ')}\nexcept AttributeError: x = 1j\n{asked}"
    )
    assert outcome.failure is None, outcome.failure
    assert outcome.value in ("object", "complex128", "none")


def test_the_library_that_knows_addresses_makes_no_array_of_a_snippets():
    pytest.importorskip("numpy")
    source = "import numpy as np\nx = np.lib.stride_tricks.sliding_window_view(np.arange(5), 2)\n"
    source += "while isinstance(x, np.ndarray): x = x.base\n"
    step = Step(check_first=False, imports=("numpy",))
    assert step.run(f"{source}isinstance(x, type(x))").value is True
    failure = step.run("type(x)({'data': (id(1), True), 'shape': (8,), 'typestr': '|u1', 'version': 3})").failure
    assert failure is not None
    assert failure.type == "TypeError"
