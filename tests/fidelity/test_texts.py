"""Texts given to exec and eval with a dictionary for their names, in plain CPython and in ours: the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "a name that functions of a text count in": """
ns = {}
exec("x = 0\\ndef inc():\\n    global x\\n    x += 1\\n    return x", ns)
exec("inc(); inc()\\ny = x", ns)
ns['inc'](); print(ns['x'], ns['y'])
ns['x'] = 10; print(ns['inc'](), ns['x'])
exec("x = 100\\ninc()\\nz = x", ns); print(ns['z'])
""",
    "whatever a function of a text binds is told at once": """
ns = {'log': []}
src = '''
def f():
    global a, b, c, d, e, g, h, i, j, k, m, n
    a = 1; log.append(look('a'))
    a += 1; log.append(look('a'))
    for b in range(2): log.append(look('b'))
    with cm() as c: log.append(look('c'))
    try: raise ValueError(3)
    except ValueError as d: log.append(str(look('d')))
    log.append(look('d'))
    import math as e
    from math import pi as g
    def h(): pass
    class i: pass
    if (j := 5) > 3: log.append(look('j'))
    match [1, 2]:
        case [k, *_]: log.append(look('k'))
    (m, n) = 1, 2
    log.append((look('m'), look('n'), look('h').__name__, look('i').__name__, look('e').__name__, look('g') > 3))
    del m
    log.append(look('m'))
    while (n := n - 1) > 0: pass
    log.append(look('n'))
    return a
'''
import contextlib
@contextlib.contextmanager
def cm(): yield 'cm'
ns['cm'] = cm; ns['look'] = lambda n: ns.get(n, 'gone')
exec(src, ns)
print(ns['f']()); print(ns['log'])
""",
    "what is bound by functions inside others": """
ns = {}
exec('''
total = 0
def outer():
    def inner():
        global total
        total += 1
    inner(); inner()
    return total
def gen():
    global total
    for i in range(3):
        total += i
        yield total
class C:
    def m(self):
        global total
        total = -1
        return total
''', ns)
print(ns['outer'](), ns['total'], list(ns['gen']()), ns['total'], ns['C']().m(), ns['total'])
g = ns['gen'](); next(g); ns['total'] = 50; print(next(g), ns['total'])
""",
    "a text without builtins": """
for e in ("1 + 1", "x * 2", "len([1])", "open('f')", "[i for i in (1, 2)]", "print(1)", "(lambda: len)()"):
    try: print(eval(e, {"__builtins__": {}}, {"x": 4}))
    except Exception as x: print(type(x).__name__, x)
""",
    "a text with few builtins": """
safe = {"__builtins__": {"len": len, "print": print, "range": range, "sum": sum}, "k": 3}
exec("def f(n):\\n    t = 0\\n    for i in range(n): t += i\\n    while t > 5: t -= 1\\n    return t + sum(j for j in range(3)) + len([1])\\nprint(f(5), k)", safe)
print(safe['f'](4), sorted(k for k in safe))
for c in ("class A: pass", "import math", "max(1, 2)", "try: 1/0\\nexcept ZeroDivisionError: pass"):
    try: exec(c, safe); print("ok")
    except Exception as x: print(type(x).__name__, x)
""",
    "builtins that come later": """
b = {}; ns = {"__builtins__": b}
exec("def f(): return q", ns)
b['q'] = 5; print(ns['f']())
""",
    "what a dictionary holds afterwards": """
ns = {'a': 1}
exec("b = a + 1", ns)
print(sorted(ns), type(ns['__builtins__']).__name__, 'len' in ns['__builtins__'], ns['__builtins__']['max'](1, 2))
del ns['__builtins__']; print(ns); exec("c = b", ns); print(ns['c'])
n2 = dict(ns); exec("b = 9", n2); print(ns['b'], n2['b'])
print({k: v for k, v in ns.items() if k != '__builtins__'}, ns.pop('__builtins__', None) is not None)
l = {}; exec("z = 1", {}, l); print(l)
ev = {}; eval("1", ev); print(list(ev))
""",
    "a function that calls itself": """
ns = {}
exec("def fib(n):\\n    global calls\\n    calls += 1\\n    return n if n < 2 else fib(n-1) + fib(n-2)\\ncalls = 0", ns)
print(ns['fib'](10), ns['calls'])
""",
    "dictionaries that find more than they hold": """
from collections import defaultdict, OrderedDict, ChainMap
d = OrderedDict(); exec("b = 1\\na = 2\\ndef f(): return a + b", d); print([k for k in d if k[0] != '_'], d['f']())
d = defaultdict(lambda: 7); print(eval("foo + bar", d), d['foo'])
class Log(dict):
    def __setitem__(self, k, v): print('set', k); super().__setitem__(k, v)
g = Log(); exec("x = 1\\ny = x + 1\\ndef f(): return y\\nz = f()", g); print(g['z'])
""",
    "a text that fails": """
ns = {}
try: exec("a = 1\\nb = 1/0\\nc = 3", ns)
except ZeroDivisionError: print(sorted(k for k in ns if k[0] != '_'))
""",
    "two dictionaries": """
def make():
    ns = {}
    exec("count = 0\\ndef bump():\\n    global count\\n    count += 1\\n    return count", ns)
    return ns['bump'], ns
f, n = make(); g, m = make(); f(); f(); g(); print(n['count'], m['count'])
""",
    "lines that are run one by one": """
env = {}
for line in ["x = 1", "def add(n):\\n  global x\\n  x += n", "add(4)", "y = x * 2", "del x", "import math", "r = math.sqrt(y - 1)"]:
    exec(compile(line, "<repl>", "exec"), env)
print({k: v for k, v in env.items() if isinstance(v, (int, float))})
try: env['add'](1)
except NameError as e: print(e)
""",
    "await outside of functions": """
async def f(): return 1
try: exec("x = await f()"); print("ran")
except SyntaxError as e: print(e)
try: print(eval("await f()"))
except SyntaxError as e: print(e)
try: compile("async with f(): pass", "f", "exec")
except SyntaxError as e: print(e)
try: compile("[x async for x in y]", "f", "eval")
except SyntaxError as e: print(e)
exec("async def g():\\n    return await f()")
""",
    "await outside of functions, where that is asked for": """
import ast, asyncio, inspect
async def f(): return 5
co = compile("r = await f()", "?", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
g = {'f': f}
c = eval(co, g); print(inspect.iscoroutine(c))
asyncio.run(c)
print(g['r'])
co = compile("await f()", "?", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
print(asyncio.run(eval(co, {'f': f})))
co = compile("a = 10", "?", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT); g = {}; exec(co, g); print(g['a'])
""",
    "a tree in place of a program": """
import ast
t = compile("x = 1\\ny = x + 2", "f", "exec", ast.PyCF_ONLY_AST); print(ast.dump(t)); print(ast.unparse(t))
t.body[0].value.value = 5
g = {}; exec(compile(t, "f", "exec"), g); print(g['y'])
try: compile("1 +", "file.py", "exec", ast.PyCF_ONLY_AST)
except SyntaxError as e: print(e.msg, e.filename, e.lineno)
""",
    "what compile is not given": """
import ast
for k in ({'mode': 'x'}, {'flags': 0xf}, {'optimize': 9}):
    try: compile(**{'source': '1', 'filename': 'f', 'mode': 'eval', **k})
    except Exception as e: print(type(e).__name__, e)
print(compile('1', 'f', 'eval', optimize=0, dont_inherit=True) is not None)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_text_does_what_it_does_in_cpython(name: str) -> None:
    ours, failure = in_ours(PROGRAMS[name])
    assert failure is None
    assert ours == in_cpython(PROGRAMS[name])
