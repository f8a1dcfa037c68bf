"""The form of an array stays while C goes by it: each of these read or wrote what lies beyond, or ended the process.

Run in a cage.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from codeact import Policy, Session

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed")

#: An item `e` of an array of objects, in whose methods something is done with the array `a`.
_ITEM = """class E:
    def __float__(self): {0}; return 1.0
    __int__ = __index__ = __float__
    def __bool__(self): {0}; return True
    def __lt__(self, other): {0}; return False
e = E()
o = np.full((1, 1000), 1.0, object)
o[0, 0] = e
"""


def item(act: str) -> str:
    return _ITEM.format(act)


LONGER = "np.zeros(1000, 'u1')"
ROW = "a = np.zeros((1, 1000))\n"
JOINED = "np.concatenate([o, a], dtype=float, casting='unsafe')"
OF_A_MASK = "m = np.ma.array(np.zeros((1, 1000)), mask=True)\na = np.ma.getmask(m)\n"
CHANGED = {
    "items of an iterator": f"a = {LONGER}\nf = a.flat\na.dtype = 'S1000'\nf[999]",
    "items of an iterator that are written": f"a = {LONGER}\nf = a.flat\na.dtype = 'S1000'\nf[999] = b'x' * 1000",
    "items of several arrays": f"a = {LONGER}\nb = np.broadcast(a, a)\na.dtype = 'S1000'\nlist(b)",
    "items with their places": f"a = {LONGER}\ne = np.ndenumerate(a)\na.dtype = 'S1000'\nlist(e)",
    "items, by name": f"a = {LONGER}\nf = a.flat\nsetattr(a, 'dtype', 'S1000')\nf[999]",
    "items, by the class": f"a = {LONGER}\nf = a.flat\nnp.ndarray.dtype.__set__(a, 'S1000')\nf[999]",
    "items, as their type is asked": (
        f"a = {LONGER}\nf = []\nclass T:\n    @property\n    def dtype(self):\n        f.append(a.flat)\n"
        "        return np.dtype('S1000')\na.dtype = T()\nf[0][999]"
    ),
    "a shape, as arrays are joined": f"{ROW}{item('a.shape = 1000, 1')}{JOINED}",
    "a shape, by name": ROW + item("setattr(a, 'shape', (1000, 1))") + JOINED,
    "a shape, by the class": f"{ROW}{item('np.ndarray.shape.__set__(a, (1000, 1))')}{JOINED}",
    "a shape of what is in another": f"{OF_A_MASK}{item('m.shape = 1000, 1')}{JOINED.replace('float', 'bool')}",
    "a type, as arrays are joined": ROW + item("a.dtype = 'u1'") + JOINED,
    "a type, as keys are compared": (
        "a = np.zeros(10**5, 'u1')\n"
        + item("a.dtype = 'S100000'")
        + "o = np.empty(10**5, object)\no[:] = e\nnp.lexsort([o, a])"
    ),
    "a type, as an item is set": f"a = {LONGER}\n" + item("a.dtype = 'S1000'") + "a.flat[[999]] = [e]",
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(policy=Policy(("numpy", "scipy"), check_first=False)) as session:
        yield session


@pytest.mark.parametrize("source", CHANGED.values(), ids=CHANGED)
def test_a_form_stays_while_it_is_gone_by(session, source):
    assert session.run(f"import numpy as np\n{source}").failure.type == "AttributeError"


@pytest.mark.parametrize("begun", ["before", "inside"])
def test_a_form_stays_while_another_thread_goes_by_it(session, begun):
    start = "t = threading.Thread(target=change)\nt.start()\n"
    inside = "global t; t = threading.Thread(target=change); t.start(); " if begun == "inside" else ""
    source = f"""
import threading
import numpy as np
a = np.zeros((1, 1000))
held, refused, go = [a], [], threading.Event()
def change():
    go.wait()
    try:
        held[0].shape = 1000, 1
    except AttributeError as error:
        refused.append(str(error))
{start if begun == "before" else ""}{item(f"{inside}go.set(); t.join()")}{JOINED}
refused"""
    assert "inside what compiled code calls" in session.run(source).value[0]


def test_threads_that_wait_leave_forms_to_others(session):
    source = """
import threading
import numpy as np
held, go = [np.zeros(6)], threading.Event()
waiting = [threading.Thread(target=go.wait) for _ in range(3)]
for thread in waiting: thread.start()
def change():
    held[0].shape = 2, 3
    go.set()
changing = threading.Thread(target=change)
changing.start()
for thread in (changing, *waiting): thread.join()
held[0].shape += 1,
held[0].shape"""
    assert session.run(source).value == (2, 3, 1)


def test_a_sparse_array_is_looked_at_when_its_numbers_have_another_type(session):
    pytest.importorskip("scipy")
    source = "import numpy as np, scipy.sparse as sp\ns = sp.csr_array(np.eye(1000))\ns.data.dtype = 'c16'\ns.toarray()"
    assert session.run(source).failure.type == "ValueError"


def test_forms_are_set_as_ever(session):
    source = """
import numpy as np
def inner(x):
    made = np.zeros(6)
    made.shape = 2, 3
    made.dtype = 'i8'
    return made.shape[1]
class Kept:
    def __init__(self, array):
        self.shape = 3
        self.array = array
        self.array.shape = -1, 1
        array.shape = 1, -1
        self.array.dtype = 'i4'
class Own(np.ndarray): shape_at_first = 5
a = np.zeros((2, 3))
a.shape = 6,
a.shape += (1,)
a.strides = 8, 8
a.dtype = [('x', 'f8')]
b = np.zeros(4, 'u1')
first = b.flat
b.dtype = 'i1'
b.shape = 2, 2
own = np.zeros(4).view(Own)
own.shape = 2, 2
m = np.ma.array([1, 2], mask=[0, 1])
m.shape = 2, 1
[
    np.vectorize(inner)([1.0, 2.0]).tolist(), np.frompyfunc(inner, 1, 1)(1), Kept(np.zeros(6)).array.shape, a.shape,
    a.dtype.names, len(first), b.shape, own.shape, m.mask.shape,
]"""
    value = [[3, 3], 3, (1, 12), (6, 1), ("x",), 4, (2, 2), (2, 2), (2, 1)]
    assert session.run(source).value == value
