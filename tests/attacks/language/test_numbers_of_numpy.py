"""Numbers by which numpy goes: each of these gave what lies elsewhere in memory, wrote there, or ended the process.

Run in a cage.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from codeact import Policy, Session

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed")

NUMBERS = "np.array([1, 2, 3])"
PROTOCOL = "class A:\n    def __array_function__(self, f, types, given, named): return f({})\n"
ELSEWHERE = {
    "memory before what is lent": f"np.ndarray((2,), int, buffer={NUMBERS}, offset=-8)",
    "by place": f"np.ndarray((2,), int, {NUMBERS}, -8)",
    "by an array of a class of its own": f"class B(np.ndarray): pass\nB((2,), int, {NUMBERS}, -8)",
    "by records": "np.recarray((2,), [('a', 'i8')], bytes(100), -8)",
    "by records in bytes": "np.rec.array(bytes(100), dtype=[('a', 'i8')], shape=(2,), offset=-8)",
    "by characters": "np.char.chararray((2,), 5, False, bytearray(100), -64)",
    "more memory than can be counted": "np.ndarray((2**63 - 50,), 'u1', buffer=bytearray(100), offset=100)",
    "a highest number": "np.bincount([2**63 - 1, 5])",
    "a highest number, in an array": "np.bincount(np.array([2**63 - 1, 5]), [1.0, 2.0])",
    "a highest number, by a protocol": f"{PROTOCOL.format('[2**63 - 1, 5]')}np.bincount(A())",
    "a highest number, of an object": "class A:\n    def __index__(self): return 2**63 - 1\nnp.bincount([A(), 5])",
    "a highest number, when asked again": (
        "class A:\n    many = 0\n    def __len__(self):\n        self.many += 1\n        return self.many // 9\n"
        "    def __getitem__(self, at): return [2**63 - 1][at]\nnp.bincount(A())"
    ),
    "more times than can be counted": "np.repeat(np.array([[1, 2], [3, 4]], 'u1'), 2**62)",
    "more of each than can be counted": "np.repeat(np.zeros((4, 1), 'u1'), [2**62] * 4, axis=0)",
    "more in a row than can be counted": (
        "x = np.broadcast_to(np.uint8(1), (2**62,))\nnp.concatenate([np.zeros(10, 'u1'), x, x, x, x])"
    ),
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(policy=Policy(("numpy",), check_first=False)) as session:
        yield session


@pytest.mark.parametrize("source", ELSEWHERE.values(), ids=ELSEWHERE)
def test_no_number_leads_elsewhere(session, source):
    told = session.run(f"import numpy as np\n{source}")
    assert not told.ok
    assert told.failure.type in ("TypeError", "ValueError", "MemoryError", "OverflowError")


def test_the_lowest_of_all_diagonals_has_no_items(session):
    source = "import numpy as np\nn = np.arange(9).reshape(3, 3)\n[n.diagonal(-2**31).size, int(n.trace(-2**31))]"
    assert session.run(source).value == [0, 0]


def test_texts_are_set_by_a_mask_as_texts_by_a_protocol_too(session):
    many = "np.array(['{}' * 40, '{}' * 40], np.dtypes.StringDType())"
    source = f"t, u = {many.format('x', 'y')}, {many.format('z', 'z')}\n{PROTOCOL.format('t, [True, False], u')}"
    told = session.run(f"import numpy as np\n{source}np.putmask(A(), [1], [2])\ndel u\nt.tolist()")
    assert told.value == ["z" * 40, "y" * 40]


def test_arrays_are_made_and_counted_as_ever(session):
    source = f"""
import numpy as np
n = {NUMBERS}
square = np.arange(9).reshape(3, 3)
[
    np.ndarray((2,), int, buffer=n, offset=8).tolist(), np.ndarray(2, int, n, 8, (8,)).tolist(),
    int(np.ndarray((), int, n, 16)), np.ndarray([2, 3], 'u1', bytes(6)).shape, np.ndarray(n[1:], 'u1', bytes(6)).shape,
    np.ndarray((0,), int, b'').size, square.diagonal(-1).tolist(), np.diag(square, k=np.int64(1)).tolist(),
    int(square.trace(offset=1, dtype=int)), np.matrix(square).diagonal().tolist(),
    np.bincount([1, 2, 2]).tolist(), np.bincount([1, 2, 2], [1, 2, 3], minlength=5).tolist(), np.bincount([]).tolist(),
    np.bincount([True, False]).tolist(), np.repeat([1, 2], 3).tolist(), np.repeat([[1], [2]], [1, 2], axis=0).tolist(),
    n.repeat(repeats=2).tolist(), np.repeat([], 0).tolist(), np.broadcast_to(np.uint8(1), (2**30,)).shape,
    np.broadcast_to(3, ()).shape, np.bincount.__name__,
]"""
    value = [
        [[2, 3], [2, 3], 3, (2, 3), (2, 3), 0, [3, 7], [1, 5], 6, [[0, 4, 8]]],
        [[0, 1, 2], [0, 1, 5, 0, 0], [], [1, 1], [1, 1, 1, 2, 2, 2], [[1], [2], [2]], [1, 1, 2, 2, 3, 3], []],
        [(2**30,), (), "bincount"],
    ]
    assert session.run(source).value == [*value[0], *value[1], *value[2]]


OFTEN = """
import numpy as np
class Two:
    def __index__(self): return 2
class Float:
    def __array__(self, dtype=None, copy=None): return np.array([1.0, 2.0])
often = [
    2, 2.0, np.float64(2), np.float32(2.7), np.int8(2), True, np.bool_(1), [2.0], (1, 2), [True, False], range(1, 3), "2",
    b"2", Two(), [Two(), 1], [], None, 2j, {}, -1, np.array(2), np.array(2.0), np.array([2.0]), np.array([1, 2], "i2"),
    np.array(["1"]), Float(), float("nan"), np.timedelta64(2),
]
told = []
for many in often:
    try: told.append(np.repeat([5, 6], many).tolist())
    except Exception as error: told.append(f"{type(error).__name__}: {error}")
"""


def test_what_says_how_often_is_taken_as_numpy_takes_it(session):
    plain: dict[str, list[object]] = {}
    exec(OFTEN, plain)
    assert session.run(f"{OFTEN}told").value == plain["told"]


@pytest.mark.skipif(importlib.util.find_spec("pandas") is None, reason="pandas is not installed")
def test_products_of_levels_and_rows_are_made_by_pandas():
    source = """
import pandas as pd
one, other = pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"b": [1, 2]})
[len(pd.MultiIndex.from_product([["a", "b"], [1, 2]])), len(one.merge(other, how="cross")), len(one.T.stack())]"""
    with Session(policy=Policy(("pandas",))) as session:
        assert session.run(source).value == [4, 4, 2]
