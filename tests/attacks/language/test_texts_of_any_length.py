"""Arrays of texts of any length: none reads, clears or lets go of what another keeps. Run in a cage.

Each of these gave what lay elsewhere in memory, or ended the process.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeact import Policy, Session

pytest.importorskip("numpy", minversion="2.3")

BEGIN = """
import numpy as np
T = np.dtypes.StringDType
def told(array): return ' '.join(f'{str(text)[0]}{len(str(text))}' for text in array.tolist())
a, b = np.array(['a' * 50, 'b' * 70, 'c' * 300, 'd'], T()), np.array(['e' * 55, None, 'g' * 60, 'h'], T(na_object=None))
"""
TOLD = {
    "put": ("np.put(a, [0, 2, 7], b, mode='wrap')\ntold(a)", "e55 b70 N4 g60"),
    "put, of lists": ("b.put([1, 2], ['k' * 90])\ntold(b)", "e55 k90 k90 h1"),
    "place": ("np.place(a, [1, 0, 1, 0], b[2:])\ntold(a)", "g60 b70 h1 d1"),
    "place, of lists": ("np.place(b, [1, 0, 1, 0], ['k' * 90, 'l'])\ntold(b)", "k90 N4 l1 h1"),
    "putmask": ("np.putmask(a, [1, 0, 0, 1], b)\ntold(a)", "e55 b70 c300 h1"),
    "choose": ("c = np.choose([0, 1, 0, 1], [a, b])\nf'{told(c)} {c.dtype}'", "a50 N4 c300 h1 StringDType(na_object=None)"),
    "choose, into another": ("np.choose([0, 1, 1, 0], [a, b], out=b)\ntold(b)", "a50 N4 g60 d1"),
    "bytes the other way round": ("told(a.byteswap()) + told(b.byteswap(True))", "a50 b70 c300 d1e55 N4 g60 h1"),
    "one after another, some": ("told(a.flat[[0, 2]]) + told(np.stack([b, b])[:, ::-1].flat[4:])", "a50 c300h1 g60 N4 e55"),
    "one after another, all": ("a.flat = ['q' * 90, 'z']\ntold(a)", "q90 z1 q90 z1"),
    "one after another, changed": ("b.flat[1:3] = 'r' * 90\ntold(b)", "e55 r90 r90 h1"),
    "one after another": ("told(np.array([*a.flat])) + f' {len(a.flat)} {next(iter(b.flat))[:2]}'", "a50 b70 c300 d1 4 ee"),
    "places and texts": ("{place: text[:1] for place, text in np.ndenumerate(a[:2])}", {(0,): "a", (1,): "b"}),
    "a mean of numbers": ("float(np.ma.mean(np.ma.array([1, 2, 3]), 0, out=np.array('x' * 50, T())))", 2.0),
    "long steps": ("told(np.strings.slice(a, None, None, [-10**18, 2**40, 2**63 - 1, -2**63]))", "a1 b1 c1 d1"),
    "steps": ("np.strings.slice(np.array(['hello', 'ab'], T()), None, None, -2).tolist()", ["olh", "b"]),
}  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(policy=Policy(("numpy",), check_first=False)) as session:
        yield session


@pytest.mark.parametrize(("source", "value"), TOLD.values(), ids=TOLD)
def test_texts_are_moved_about_as_texts(session, source, value):
    assert session.run(BEGIN + source).value == value


def test_what_cannot_be_written_to_is_not(session):
    assert session.run(f"{BEGIN}a.flags.writeable = False\na.put([0], 'x')").failure.type == "ValueError"
    assert session.run("told(a)").value == "a50 b70 c300 d1"


def test_arrays_of_anything_else_are_moved_about_as_ever(session):
    source = """
n = np.arange(4)
n.put([0, 5], [9, 8], mode='wrap'), np.place(n, n == 3, [7]), np.putmask(n, n == 2, 6)
type(n.flat) is np.flatiter, n.flat[1:].tolist(), n.byteswap().byteswap().tolist(), np.choose([0, 1], [[1, 2], n[:2]]).tolist()
"""
    assert session.run(BEGIN + source).value == (True, [8, 6, 7], [9, 8, 6, 7], [1, 8])
