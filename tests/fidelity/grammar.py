"""The grammar of generated programs, as a table: each row is a form a rule may take.

`‹rule›` stands for an expansion of that rule, and `‹block +loop -func›` changes what stands around the block. A row that
begins with `word?` is taken only where that word holds: `loop`, `func`, `gen` (a generator), `async`, `class`, or a
version such as `3.12`. Every value goes through `t(number, value)` now and then, which prints the number, so that
the order of evaluation is part of the output.
"""

from __future__ import annotations

from tests.fidelity.expressions import EXPRESSIONS

RULES: dict[str, str] = {
    **EXPRESSIONS,
    "statement": """‹target› = ‹expr› || ‹name› = ‹expr› || ‹target› = ‹iterable› || ‹place› ‹operator›= ‹expr› || ‹place› ‹operator›= ‹expr› || ‹target› = ‹target› = ‹expr›
        || print(‹expr›) || ‹expr› || ‹compound› || ‹compound› || ‹compound› || ‹compound› || del ‹place› || del ‹name›, ‹place› || assert ‹expr›, ‹expr› || pass
        || ‹name›: ‹expr› = ‹expr› || s.x: int = ‹expr› || loop? if ‹expr›: break || loop? if ‹expr›: continue || loop? break || loop? continue
        || func? return || plain? return ‹expr› || plain? return ‹expr›, *‹iterable› || coroutine? return ‹expr› || generator? return ‹expr›
        || raise E(‹n›) || raise F(‹expr›) from E(1) || raise || raise ‹expr› || import math as ‹name› || from math import pi as ‹name›, floor || import os.path
        || outer? global ‹name›; ‹name› = ‹expr› || ‹name›: ‹expr› || raise E('x') from None || 3.12? type A‹n› = list[‹name›] || print(f'‹hole›') || ‹name› = ‹name› = ‹expr›
        || gen? ‹name› = yield ‹expr› || gen? yield ‹expr› || func? print(*sorted(locals())) || exec('‹name› = ‹number›') || print(eval('‹name› + 1'))""",
    "compound": """‹if› || ‹for› || ‹while› || ‹try› || ‹try› || ‹try› || ‹with› || ‹function› || ‹function› || ‹class› || ‹match› || ‹generator› || ‹coroutine› || ‹for›""",
    "if": """if ‹expr›:
    ‹block› || if ‹expr›:
    ‹block›
elif ‹expr›:
    ‹block›
else:
    ‹block›""",
    "for": """for ‹loop_target› in ‹iterable›:
    ‹block +loop› || for ‹target› in ‹iterable›:
    ‹block +loop›
else:
    ‹block› || for ‹name› in ‹expr›, *‹iterable›:
    ‹block +loop› || async? async for ‹target› in later(‹iterable›):
    ‹block +loop›
else:
    ‹block›""",
    "while": """w‹n› = 0
while (w‹same› := w‹same› + 1) < 4 and ‹expr›:
    ‹block +loop› || w‹n› = 3
while w‹same›:
    w‹same› -= 1
    ‹block +loop›
else:
    ‹block› || while True:
    ‹block +loop›
    break || while tick():
    ‹block +loop›
else:
    ‹block›""",
    "try": """try:
    ‹block›
except ‹kinds› as ‹name›:
    ‹block› || try:
    ‹block›
except ‹kinds›:
    ‹block›
except Exception as e:
    print(type(e).__name__, e)
    ‹block›
else:
    ‹block›
finally:
    ‹block› || try:
    ‹block›
finally:
    ‹block› || try:
    ‹block›
except:
    ‹block›
finally:
    ‹block› || try:
    ‹block -loop -func›
except* ‹kinds› as e:
    print(type(e).__name__, e.exceptions)
except* Exception as e:
    ‹block -loop -func›
finally:
    ‹block› || try:
    raise ExceptionGroup('eg', [E(1), F(2), ValueError(‹expr›)])
except* E as ‹name›:
    ‹block -loop -func›
except* (F, TypeError):
    ‹block -loop -func›
else:
    ‹block›""",
    "kinds": "E || (E, F) || Exception || TypeError || t(‹n›, E) || (TypeError, ValueError, AttributeError) || LookupError || ‹expr› || BaseException",
    "with": """with Ctx(‹n›):
    ‹block› || with Ctx(‹n›, ‹expr›) as ‹target›, Ctx(‹n›) as ‹name›:
    ‹block› || with (Ctx(‹n›, True) as ‹name›,):
    ‹block› || with ‹expr› as ‹name›:
    ‹block› || with Ctx(‹n›) as (‹name›, *‹name›):
    ‹block› || async? async with ACtx(‹n›, ‹expr›) as ‹target›:
    ‹block› || with Ctx(‹n›, True), Ctx(‹n›):
    ‹block›""",
    "function": """def f(‹parameters›):
    ‹block =plain,outer,func,noclass›
print(f(‹arguments›)) || def f(‹annotated›) -> ‹expr›:
    'text'
    ‹block =plain,outer,func,noclass›
    return ‹expr›
print(f(‹arguments›), f.__annotations__, f.__doc__) || def f(a=1, *r, **k):
    b = c = 2
    def inner(d=‹expr›):
        nonlocal b, ‹captured›
        ‹block =plain,func,noclass›
        return b
    ‹block =plain,func,noclass›
    return inner(), b, c
print(f(‹arguments›)) || @t(‹n›, deco)
@deco
def f(‹parameters›):
    ‹block =plain,outer,func,noclass›
print(f(‹arguments›)) || def f(n=3, *r, **k):
    ‹block =plain,func,noclass›
    if not isinstance(n, int) or n <= 0: return [n]
    return f(n - 1) + [‹expr›]
print(f(‹arguments›)) || 3.12? def f[T, *Ts, **P](a: T = ‹expr›, *b: *Ts) -> T:
    ‹block =plain,outer,func,noclass›
    return a, f.__type_params__
print(f(‹arguments›)) || 3.13? def f[T = int](a: T = ‹expr›): return a, T
print(f(‹arguments›)) || def f(a=‹expr›, b=2, *r):
    x = [lambda: (a, b, ‹expr›) for one in ‹iterable›]
    a = ‹expr›
    ‹block =plain,func,noclass›
    return [w() for w in x]
print(f(‹arguments›))""",
    "captured": "c || c || b",
    "generator": """def g(‹parameters›):
    ‹block =gen,generator,func,noclass›
    yield ‹expr›
    ‹block =gen,generator,func,noclass›
drive(g(‹arguments›)) || def g(a=1, *r):
    try:
        ‹block =gen,generator,func,noclass›
        got = yield ‹expr›
        print('got', got)
    finally:
        print('closed')
    return ‹expr›
drive(g(‹expr›)) || def g(a=1, *r, **k):
    for ‹name› in ‹iterable›:
        c = yield from h(‹iterable›)
        ‹block =gen,generator,func,noclass,loop›
    return ‹expr›
print(list(g())) || def g(*a):
    with Ctx(‹n›, ‹expr›):
        ‹block =gen,generator,func,noclass›
        yield a
    yield
drive(g(‹expr›))""",
    "coroutine": """async def co(‹parameters›):
    ‹block =async,coroutine,func,noclass›
    return await back(‹expr›)
print(run(co(‹arguments›))) || async def co(a=1, *b):
    async with ACtx(‹n›, ‹expr›) as c:
        ‹block =async,coroutine,func,noclass›
    return [one async for one in later(‹iterable›)]
print(run(co(‹expr›))) || async def ag(a=1):
    ‹block =async,gen,func,noclass›
    yield ‹expr›
    ‹block =async,gen,func,noclass›
async def co():
    try:
        async for one in ag(‹expr›):
            print(one)
            ‹block =async,coroutine,func,noclass,loop›
        else:
            print('else')
    finally:
        print('end')
    return ‹expr›
print(run(co())) || async def co(n=‹expr›):
    return n, ‹expr›
async def both():
    ‹block =async,coroutine,func,noclass›
    return await gather(co(), co(‹expr›))
print(run(both()))""",
    "class": """class C(‹bases›):
    ‹block =class›
print(C.__name__, sorted(k for k in vars(C) if k[0] != '_')) || class C(‹bases›):
    'doc'
    x = ‹expr›
    _y: int = ‹expr›
    __z = 3
    z = [‹name› for ‹name› in ‹iterable›]
    def __init__(self, a=1, *r):
        self._p = a
        self.__q = 2
        ‹block =plain,self,func,noclass›
    @property
    def p(self):
        ‹block =plain,self,func,noclass›
        return self._p, self.__q
    @p.setter
    def p(self, value): self._p = value
    @classmethod
    def make(cls, *a): return cls(*a)
    @staticmethod
    def still(a=‹expr›): return a
c = C(‹expr›)
c.p = ‹expr›
c.p ‹operator›= ‹expr›
print(c.p, C.make(1).p, c.still(), C.still()) || class C(‹bases›):
    def m(self, a=‹expr›):
        ‹block =plain,self,func,noclass›
        return super().m(a) if hasattr(super(), 'm') else __class__.__name__
    def __‹special›__(self, *a):
        print('‹same_special›', len(a))
        ‹block =plain,self,func,noclass›
        return ‹expr›
s = C()
print(s.m(‹arguments›))
‹statement› || class C(metaclass=Meta, flag=‹expr›):
    ‹block =class›
    x = ‹expr›
print(C.x, C.tag) || class Base:
    def __init_subclass__(cls, k=‹expr›, **r):
        print('sub', cls.__name__, r)
        super().__init_subclass__(**r)
class C(Base, k=‹expr›):
    d = Desc(‹n›)
    ‹block =class›
    e = f = Desc(‹n›)
c = C()
c.d = ‹expr›
print(c.d, C.d)
del c.d || class C:
    __slots__ = ('x', '_p')
    def __init__(self): self.x = ‹expr›
c = C()
c.x ‹operator›= ‹expr›
c.y = 1 || @dataclass(‹flags›)
class C:
    a: int
    b: list = field(default_factory=list)
    c: 'str' = ‹text›
print(C(‹arguments›), C(1) == C(1)) || class C(Enum):
    A = ‹expr›
    B = auto()
    def m(self): return self.name, ‹expr›
print(list(C), C.A.m(), C['B'].value) || P‹n› = namedtuple('P', 'x y', defaults=[‹expr›])
print(P‹same›(‹arguments›), P‹same›._fields, P‹same›(1)._replace(x=‹expr›)) || 3.12? class C[T](list[T] if ‹expr› else K):
    ‹block =class›
    def m[U](self, a: U) -> T: return a
print(C.__type_params__)""",
    "flags": "|| frozen=True || order=True, slots=True || eq=False || kw_only=‹expr›",
    "special": "add || eq || getattr || getitem || iter || len || bool || call || contains || enter || iadd || hash || repr || lt || format || radd || index || setattr || get",
    "bases": "|| K || Spy || object || list || dict, K || Exception || int || t(‹n›, K) || Gen || str || ‹expr›",
    "match": """match ‹expr›:
    case ‹pattern›:
        ‹block›
    case ‹pattern› if ‹expr›:
        ‹block›
    case _:
        ‹block› || match ‹expr›, ‹expr›:
    case ‹pattern›, ‹pattern›:
        print(‹expr›)
    case [*_]:
        ‹block› || match ‹expr›:
    case ‹pattern›: print('first')
    case ‹pattern› | ‹constant›: ‹statement_line›
    case K(‹pattern›, b=‹pattern›) as whole: print(whole)""",
    "constant": "1 || 'xy' || None || True || -3 || 2.5 || 1+2j || b'x' || K.tag || 'a' 'b'",
    "statement_line": "print(‹expr›) || pass || ‹name› = ‹expr› || del ‹name›",
    "pattern": """‹name› || _ || ‹constant› || ‹constant› || [‹pattern›, *‹name›] || (‹pattern›, ‹pattern›) || {'k': ‹pattern›, **rest} || {‹constant›: _} || K(‹pattern›)
        || K(a=‹pattern›, b=_) || int() || str(a) || (int(a) | float(a)) || [] || [*_, ‹pattern›] || (‹constant› | ‹constant› | None) || ‹constant› as b || [1, [2, *c], *_]
        || Spy(x=‹pattern›) || {} || list([a, *b]) || dict() || tuple((a, b)) || object(x=_)""",
}
