"""Arrays of objects hold addresses: a snippet writes none, whatever lends it their memory, and looks at none that is gone."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from codeact import Policy, Session
from tests.snippet.running import Step

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed"),
]

_IMPORTS = "import numpy as np, io, struct, operator, numpy.typing as npt\n"
_IMPORTS += (
    "a = np.array([1.5, 'x'], dtype=object)\nnumber = np.array([id(a[1])])\nraw = id(a[1]).to_bytes(8, 'little')\n"
)
_PROTOCOL = "class A:\n    def __array_function__(self, f, types, given, named): return types\n"

#: Each makes an array of an address, and takes what is there for an object.
TAKEN = {
    "an array": "np.ndarray((1,), 'O', buffer=number)",
    "by place": "np.ndarray((1,), 'O', number)",
    "of fields": "np.ndarray((1,), [('a', 'O')], buffer=number)",
    "of texts of any length": "np.ndarray((1,), np.dtypes.StringDType(), buffer=bytes(16))",
    "by the type of another": "type(a)((1,), 'O', number)",
    "of a class of its own": "class B(np.ndarray): pass\nB((1,), 'O', number)",
    "by super": "class B(np.ndarray):\n    def __new__(cls): return super().__new__(cls, (1,), 'O', number)\nB()",
    "by __new__": "np.ndarray.__new__(np.ndarray, (1,), 'O', number)",
    "by an alias": "np.ndarray[int]((1,), 'O', number)",
    "by a type for annotations": "npt.NDArray[np.int64]((1,), 'O', number)",
    "by the types of a protocol": _PROTOCOL + "np.concatenate([A(), a])[1]((1,), 'O', number)",
    "by the class below a mask": "np.ma.array([1]).baseclass((1,), 'O', number)",
    "of records": "np.recarray((1,), [('a', 'O')], buf=number)",
    "of records in bytes": "np.rec.fromstring(raw, dtype=[('a', 'O')])",
}

#: Each writes an address over an object of the array `a`.
WRITTEN = {
    "by a view": "memoryview(a).cast('B')[:8] = raw",
    "by its data": "a.data.cast('B')[:8] = raw",
    "by its data, of the class": "np.ndarray.data.__get__(a).cast('B')[:8] = raw",
    "by its data, in a pattern": "match a:\n    case np.ndarray(data=d): d.cast('B')[:8] = raw",
    "by its data, by name": "operator.attrgetter('data')(a).cast('B')[:8] = raw",
    "by another's data": "a.data[:1] = a.data[1:]",
    "by an array of numbers": "np.frombuffer(a, 'i8')[0] = number[0]",
    "by an array of numbers, made writable": "n = np.frombuffer(a, 'i8')\nn.flags.writeable = True",
    "by a masked array": "np.ma.frombuffer(a, 'i8').data[0] = number[0]",
    "by another array": "np.ndarray((1,), 'i8', buffer=a)[0] = number[0]",
    "by records": "np.recarray((1,), [('n', 'i8')], buf=a).n[0] = number[0]",
    "by characters": "np.char.chararray((1,), itemsize=8, buffer=a)[0] = raw",
    "by packing": "struct.pack_into('q', a, 0, number[0])",
    "by packing, in a pattern of its own": "struct.Struct('q').pack_into(a, 0, number[0])",
    "by reading": "io.BytesIO(raw).readinto(a)",
    "by reading, by name": "operator.methodcaller('readinto', a)(io.BytesIO(raw))",
    "by reading a file": "open('f', 'wb').write(raw)\nopen('f', 'rb').readinto(a)",
    "texts of any length": "t = np.array(['x' * 40], np.dtypes.StringDType())\nnp.frombuffer(t, 'u1')",
}

_COPYING = (
    "with np.nditer(np.arange(9.0), flags=['buffered', 'external_loop'], op_flags=[['readwrite']], op_dtypes=['f4'], "
    "casting='unsafe')"
)

GONE = {
    "resize": "n = np.arange(9)\nseen = n[:]\nn.resize(10**6, refcheck=False)",
    "resize, unbound": "n = np.arange(9)\nseen = n[:]\nnp.ndarray.resize(n, 10**6, refcheck=False)",
    "an iterator's copy": f"{_COPYING} as it: seen = it[0]",
    "an iterator's copy, unbound": f"it = {_COPYING.removeprefix('with ')}\nseen = it[0]\nnp.nditer.close(it)",
    "an iterator's copy, left by an error": f"{_COPYING} as it:\n    seen = it[0]\n    raise KeyError",
    "an iterator's copy of it all": _COPYING.replace("'buffered', ", "").replace(
        "'readwrite'", "'readwrite', 'updateifcopy'"
    )
    + " as it:\n    for seen in it: pass",
}

#: Each makes an array `n` of the memory of `b`; numpy itself gives the loan back at once.
LENT = {
    "an array": "n = np.ndarray((1000,), 'u1', buffer=b)",
    "by place": "n = np.ndarray((1000,), 'u1', b)",
    "of a view": "n = np.ndarray((1000,), 'u1', memoryview(b))",
    "of a part of a view": "n = np.ndarray((900,), 'u1', memoryview(b)[100:])",
    "of a class of its own": "class B(np.ndarray): pass\nn = B((1000,), 'u1', b)",
    "by super": "class B(np.ndarray):\n    def __new__(cls, *given): return super().__new__(cls, *given)\nn = B((1000,), 'u1', b)",
    "of a subclass": "class B(bytearray): pass\nb = B(b)\nn = np.ndarray((1000,), 'u1', b)",
    "of records": "n = np.recarray((1000,), [('a', 'u1')], buf=b)",
    "of records in bytes": "n = np.rec.fromstring(b, dtype=[('a', 'u1')], shape=(1000,))",
    "of characters": "n = np.char.chararray((1000,), 1, False, b)",
    "of a buffer": "n = np.frombuffer(b, 'u1')",
}

if sys.version_info >= (3, 12):
    OWN = "class B:\n    def __buffer__(self, flags): return memoryview(b)\n"
    LENT["an own buffer"] = f"{OWN}n = np.frombuffer(B(), 'u1')"
    LENT["an own buffer, masked"] = f"{OWN}n = np.ma.frombuffer(B(), 'u1')"
    LENT["an own buffer, as an array"] = f"{OWN}n = np.ndarray((1000,), 'u1', B())"
    LENT["an own buffer below a protocol"] = (
        "import typing\nclass P(typing.Protocol):\n    def __buffer__(self, flags): return memoryview(b)\n"
        "class B(P): pass\nn = np.frombuffer(B(), 'u1')"
    )
    LENT["an array's own buffer"] = (
        f"{OWN.replace('B:', 'B(np.ndarray):')}n = np.ndarray((1000,), 'u1', np.zeros(1000, 'u1').view(B))"
    )
    LENT["a buffer that is another when asked again"] = (
        "first = []\nclass B:\n    def __buffer__(self, flags):\n"
        "        first.append(flags)\n        return memoryview(b if len(first) == 1 else bytearray(1000))\n"
        "n = np.ndarray((1000,), 'u1', B())\nassert len(first) == 1"
    )


def run(source: str):
    return Step(check_first=False, imports=("numpy",)).run(_IMPORTS + source)


@pytest.mark.parametrize("source", TAKEN.values(), ids=TAKEN)
def test_no_bytes_are_taken_for_objects(source):
    assert run(source).failure is not None


#: What the library says it returns; from Python 3.12 on numpy's type may be a type statement's, which has the class in its value.
_RETURNED = "getattr(l.__annotations__['return'], '__value__', l.__annotations__['return'])"

#: Each hands out the class of arrays itself, past what stands for it.
HANDED_OUT = {
    "an annotation": "c.__annotations__['win']",
    "a part of an annotation": "typing.get_args(c.__annotations__['return'])[0]",
    "the origin of an annotation": f"typing.get_origin({_RETURNED})",
    "an annotation as a type for annotations": _RETURNED,
    "the types of a function": "typing.get_type_hints(c)['win']",
}


@pytest.mark.parametrize("source", HANDED_OUT.values(), ids=HANDED_OUT)
def test_no_bytes_are_taken_for_objects_by_a_class_that_a_library_hands_out(source):
    pytest.importorskip("scipy")
    before = f"{_IMPORTS}import typing\nfrom scipy.signal import closest_STFT_dual_window as c, lombscargle as l\n"
    step = Step(check_first=False, imports=("numpy", "scipy"))
    assert step.run(f"{before}kind = {source}\nkind((1,), 'i8').size").value == 1
    assert "addresses" in step.run("kind((1,), 'O', number)").failure.message


@pytest.mark.parametrize("source", WRITTEN.values(), ids=WRITTEN)
def test_no_bytes_are_written_over_objects(source):
    assert (
        run(f"try:\n    {source.replace(chr(10), chr(10) + '    ')}\nfinally: kept = a[0] == 1.5").failure is not None
    )


@pytest.mark.parametrize("source", GONE.values(), ids=GONE)
def test_no_view_is_left_on_memory_that_is_gone(source):
    assert run(source).failure is not None


def test_what_an_iterator_goes_through_stays_as_long_as_an_array_looks_at_it():
    source = (
        "with np.nditer(np.arange(10.0**5), flags=['external_loop']) as it: seen = it[0]\ndel it\n"
        "others = [np.full(100, 7.0) for _ in range(10**4)]\ninner = np.nested_iters(np.ones((2, 3)), [[0], [1]])\n"
        "inner[1].close()\nnext(inner[0]), next(inner[0])\nbool((seen == np.arange(10.0**5)).all())"
    )
    assert run(source).value is True


@pytest.mark.parametrize("source", LENT.values(), ids=LENT)
def test_memory_an_array_was_made_of_is_not_let_go(source):
    outcome = run(f"b = bytearray(b'x' * 1000)\n{source}\nb.extend(b'y' * 10**5)")
    assert outcome.failure is not None
    assert outcome.failure.type == "BufferError"


@pytest.mark.parametrize("kind", ["np.ndarray(-1, 'V0', b'abc')", "np.recarray(-1, [], np.arange(3))"])
def test_memory_is_not_counted_in_things_that_have_no_size(kind):
    with Session(policy=Policy(("numpy",))) as session:  # with the cage: numpy divided by nothing, and that was the end
        assert "itemsize cannot be zero" in session.run(f"import numpy as np\n{kind}").failure.message


@pytest.mark.parametrize(
    "iterator",
    [
        "np.nditer([n], ['ranged', 'c_index'])",
        "np.nditer(n, flags=[b'f_index', b'ranged', b'refs_ok'])",
        "np.nested_iters(n, [[], [0]], ('ranged', 'c_index'))[1]",
    ],
)
def test_no_iterator_goes_on_outside_of_its_array(iterator):
    with Session(policy=Policy(("numpy",))) as session:  # with the cage: what it gave was anywhere in memory
        source = f"import numpy as np\nn = np.arange(9)\n[int(x) for x in {iterator}]"
        assert "loses its place" in session.run(source).failure.message


ORDINARY = {
    "types": "[type(a) is np.ndarray, isinstance(a, np.ndarray), issubclass(np.matrix, np.ndarray)] == [True] * 3",
    "an array of bytes": "np.ndarray((2,), 'u1', buffer=b'ab').tolist() == [97, 98]",
    "an array of memory that is shared": "b = bytearray(8)\nnp.frombuffer(b, 'i8')[0] = 5\nb[0] == 5",
    "an array over memory of any kind": "b = bytearray(6)\nn = np.ndarray(np.array([2, 3]), 'u1', b, np.int64(0))\nn[1, 1] = 5\n"
    "f = np.asfortranarray(np.arange(4.0).reshape(2, 2))\n"
    "[b[4], np.ndarray((0,), 'u1', bytearray()).size, np.ndarray((2, 2), 'f8', memoryview(f), order='F').tolist()] == [5, 0, f.tolist()]",
    "a class of its own": "class N(np.ndarray):\n    def __new__(cls, x): return np.asarray(x).view(cls)\n"
    "    def total(self): return int(self.sum())\nN([1, 2]).total() == 3 and type(N([1])) is N",
    "a pattern": "match a:\n    case np.ndarray(shape=(n,)): pass\nn == 2",
    "a function for each type": "import functools\n@functools.singledispatch\ndef f(x): return 0\n"
    "@f.register(np.ndarray)\ndef _(x): return 1\n@f.register\ndef _(x: int | str): return 2\n"
    "[f(a), f(3), f('a'), f(2.5), np.ndarray in f.registry] == [1, 2, 2, 0, True]",
    "records of objects": "np.rec.fromrecords([(1, 'a')], dtype=[('n', 'i8'), ('o', 'O')]).o[0] == 'a'",
    "a view": "m = memoryview(bytearray(b'abc'))\nm[0] = 65\n"
    "m.tobytes() == memoryview.tobytes(m) == b'Abc' and type(m) is memoryview",
    "memory that is filled": "n = np.zeros(1, 'i8')\nio.BytesIO(bytes([7] + [0] * 7)).readinto(n)\nstruct.pack_into('b', n, 1, 1)\n"
    "int(n[0]) == 263",
    "iterators": "n, m = np.arange(6.0), np.arange(5.0)\nwith np.nditer(n, op_flags=['readwrite']) as it:\n"
    "    for x in it: x[...] = 2 * x\n"
    + _COPYING.replace("np.arange(9.0)", "m")
    + " as it:\n    for x in it: x[...] = 9\n"
    "def squares(given):\n    with np.nditer([given, None]) as it:\n        for x, y in it: y[...] = x * x\n"
    "        return it.operands[1]\n[n.tolist(), m.tolist(), squares([1, 2]).tolist()] == [[0, 2, 4, 6, 8, 10], [9] * 5, [1, 4]]",
    "iterators with flags": "n, it = np.array([1, 2]), np.nditer(flags=['c_index'], op=np.arange(6).reshape(2, 3))\nboth = np.nditer([n, n], ('buffered', 'ranged', 'f_index'))\n"
    "part = np.nditer(np.arange(9), ['ranged', 'multi_index'])\npart.iterrange = 2, 4\n"
    "[[it.index for x in it], [int(x) for x, y in both], [int(x) for x in part], [i for i in np.ndindex(2)]]"
    " == [[*range(6)], [1, 2], [2, 3], [(0,), (1,)]]",
    "the bytes of objects": "len(memoryview(a).tobytes()) == 16",
    "what makes arrays": "refused = 0\nfor kind in (int, 5, object):\n    try: np.ndarray.__new__(kind, (2,))\n"
    "    except TypeError: refused += 1\n[refused, np.ndarray((2,), 'f4').shape] == [3, (2,)]",
    "a protocol": _PROTOCOL + "np.concatenate([A(), a]) == (A, np.ndarray)",
}


@pytest.mark.parametrize("source", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_use_of_memory_works(source):
    outcome = run(source)
    assert outcome.failure is None, outcome.failure
    assert outcome.value is True
