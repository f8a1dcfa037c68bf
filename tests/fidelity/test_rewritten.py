"""What is written in places where no other syntax may stand means the same as in plain CPython."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "patterns of values by names that are answered for": """
import enum
class Kind(enum.Enum):
    raw = 1
    zip = 2
    format = "zip"
    _old = 3
def told(value):
    match value:
        case Kind.raw | Kind.format: return "as it is"
        case Kind.zip: return "packed"
        case {Kind.zip.name: Kind._old}: return "found"
        case [Kind.zip, *others] if others: return others
        case Kind.__name__ | Kind._old.name: return "the name"
[told(value) for value in (Kind.raw, Kind.zip, {"zip": Kind._old}, [Kind.zip, 5], "Kind", "_old", "zip", 5)]
""",
    "patterns of classes by private names": """
class Shapes:
    class _Dot: __match_args__ = ("x",)
    class _Line(_Dot): pass
    def parser(self): return type(self)
    zip = _Dot
def made(kind, x):
    one = kind()
    one.x = x
    return one
def told(shape, where=Shapes):
    match shape:
        case None: return "none"
        case where._Line(2): return "a line"
        case [where._Dot(x), where._Line(x=y)]: return x, y
        case Shapes.zip(x=str() as text): return text
        case where._Dot(): return "a dot"
dot, line = made(Shapes._Dot, 1), made(Shapes._Line, 2)
print(told(None), told(line), told([dot, line]), told(made(Shapes._Dot, "t")), told(dot))
print(told([1, 2]))
told(5, int)
""",
    "expressions that are gone through": """
class Row:
    def __init__(self, price): self.price, self.seen = price, {price}
def asked():
    given = yield "rows"
    return given
def work(rows):
    again = [row.price for row in sorted(rows, key=lambda row: row.price * 1_000_000)]
    sets = {len(s) for s in map(lambda row: row.seen.union(rows), rows)}
    shifted = [n for n in (lambda n: 1 << n.price + 1)(rows[0]).to_bytes(4, "big")]
    found = [x for x in (yield from asked())]
    return again, sets, shifted, found, {x: y for x in [(lambda r: r.price * 99_999)(rows[0])] for y in rows[0].seen}
work_of = work([Row(3), Row(1)])
print(next(work_of))
try: work_of.send("ab")
except StopIteration as end: print(end.value)
""",
    "what is never reached": """
def one():
    while True:
        break
    else:
        yield 1
def other():
    while 1:
        if callable(x): break
    else:
        x = 1
print(list(one()))
x = print
other()
""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_stands_where_nothing_else_may_means_the_same(program: str) -> None:
    ours, _ = in_ours(program)
    assert ours == in_cpython(program)
