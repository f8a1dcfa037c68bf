"""Ordinary programs of many kinds, each run in plain CPython and in ours: what they do is the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import in_cpython, in_ours

PROGRAMS = {
    "a logger that keeps its records to itself": """
import logging, sys
class Mark(logging.Filter):
    def filter(self, record):
        record.user, record.levelname = "ann", record.levelname[0]
        return "secret" not in record.getMessage()
handler = logging.StreamHandler(sys.stdout)
handler.addFilter(Mark())
handler.terminator = ";\\n"
handler.setFormatter(logging.Formatter("%(levelname)s %(user)s %(message)s"))
log = logging.getLogger("app")
log.addHandler(handler)
log.propagate = False
log.warning("disk %d%%", 90), log.error("secret"), log.propagate
""",
    "a logger that tells where": """
import logging, sys
log, handler = logging.getLogger("where"), logging.StreamHandler(sys.stdout)
handler.setFormatter(logging.Formatter("%(funcName)s:%(lineno)d %(message)s"))
log.addHandler(handler)
log.propagate = False
def f():
    log.warning("here")
    log.warning("there", stacklevel=2)
class A:
    def m(self): [log.error("in a method") for _ in [1]]
f()
A().m()
""",
    "namespaces printed in lines": """
import pprint, types
data = types.SimpleNamespace(first=list(range(9)), second={"a": list(range(20))}, third="text " * 9)
class Own(types.SimpleNamespace): pass
pprint.pprint(data)
pprint.pprint([data, Own(**vars(data))], width=40)
pprint.pformat(types.SimpleNamespace(a=1))
""",
    "texts that do not parse": """
import pathlib
for name in ("<name>", b"bytes.py", pathlib.PurePath("some.py")):
    for text in ("a b", "if 1:\\nx", "f("):
        try: compile(text, name, "exec")
        except SyntaxError as e:
            print(type(e).__name__, e, e.filename, e.lineno, e.offset, e.text, e.end_lineno, e.end_offset, e.args)
            e.msg = e.filename = "changed"
try: eval("a b")
except SyntaxError as e: print(e, e.args)
for name in (5, None):
    try: compile("a", name, "exec")
    except TypeError: print("no name")
""",
    "memory given back": """
import gc, weakref
class Ring: pass
ring = Ring()
ring.itself, seen = ring, weakref.ref(ring)
del ring
gc.disable(), gc.collect() > 0, seen(), gc.isenabled(), gc.enable(), gc.isenabled()
""",
    "functions that are timed": """
import timeit
from timeit import default_timer
start, calls = default_timer(), []
times = timeit.repeat(lambda: calls.append(1), setup=lambda: calls.append("set up"), repeat=2, number=3)
times += timeit.Timer(lambda: calls.append(2)).repeat(number=1, repeat=2) + [timeit.Timer(len, list).timeit(0)]
timeit.timeit(calls.clear, number=0) >= 0, default_timer() >= start, [t >= 0 for t in times], calls
""",
    "a proxy of an object": """
import weakref
class A:
    def __bytes__(self): return b"own"
    def __iter__(self): return iter([1, 2])
class B:
    def __init__(self): self.n = 1
a, b = A(), B()
p, q = weakref.proxy(a), weakref.proxy(b)
print(bytes(p), bytearray(p), list(p))
try: bytes(q)
except Exception as e: print(type(e).__name__, e)
q.x = 5
q.n += 1
setattr(q, "y", 3)
print(vars(b), q.x, q.n)
del q.x
print(hasattr(b, "x"))
""",
    "generic classes and their arguments": """
from copy import Error, error
from typing import Generic, TypeVar
T = TypeVar("T")
class Node(Generic[T]): pass
Node[int]().__orig_class__ == Node[int], error is Error
""",
    "an XML tree that is built": """
import xml.etree.ElementTree as ET
root = ET.Element("list")
for number in range(2):
    item = ET.SubElement(root, "item", {"n": str(number)})
    item.text, item.tail = f"text {number}", "|"
root[0].tag = "first"
ET.tostring(root, encoding="unicode")
""",
    "names given to columns": """
import csv
reader = csv.DictReader(["1,2", "3,4"])
reader.fieldnames = ["a", "b"]
list(reader)
""",
    "a count kept on a cached function": """
from functools import lru_cache, singledispatch
@lru_cache(maxsize=None)
def fib(n):
    fib.calls = getattr(fib, "calls", 0) + 1
    return n if n < 2 else fib(n - 1) + fib(n - 2)
@singledispatch
def kind(x): return "other"
kind.note = "by type"
fib(30), fib.calls, kind.note, kind(1)
""",
    "containers with attributes": """
from collections import Counter, OrderedDict, deque
tally, order = Counter("aab"), OrderedDict(a=1)
tally.source, order.note = "text", "kept"
print(tally.source, tally, order.note, order)
class Ring(deque):
    pass
ring = Ring([1], maxlen=2)
ring.name = "r"
print(ring.name, ring)
""",
    "a syntax tree that is changed": """
import ast
tree = ast.parse("total = price * 2")
for node in ast.walk(tree):
    if isinstance(node, ast.Constant):
        node.value += 1
ast.unparse(tree)
""",
    "a syntax tree that is rewritten and run": """
import ast
source = "def f(a, b=2):\\n    'about f'\\n    print(a)\\n    return a + b * 3\\ndef g(): pass"
tree = ast.parse(source)
print(ast.get_docstring(tree.body[0]), ast.get_source_segment(source, tree.body[1]), ast.Name._fields, tree._attributes)
print([name for name, _ in ast.iter_fields(tree.body[0])], [type(n).__name__ for n in ast.iter_child_nodes(tree)])
class Simpler(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.copy_location(ast.Constant(node.value * 2), node) if isinstance(node.value, int) else node
    def visit_BinOp(self, node):
        self.generic_visit(node)
        return node.left if isinstance(node.op, ast.Mult) else node
    def visit_Expr(self, node): return None
    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        return [node, ast.FunctionDef(node.name + "2", node.args, node.body or [ast.Pass()], [])]
changed = ast.fix_missing_locations(Simpler().visit(tree))
print(ast.unparse(changed), ast.increment_lineno(changed, 3).body[0].lineno)
names = {}
exec(compile(changed, "<tree>", "exec"), names)
for mode in ("exec", "single"):
    try: compile(ast.parse("1", mode="eval"), "<tree>", mode)
    except (TypeError, ValueError) as error: print(type(error).__name__ in ("TypeError", "ValueError"))
names["f2"](1), eval(compile(ast.parse("1 + 1", mode="eval"), "<tree>", "eval"))
""",
    "a scanner, callers that show themselves, and a logger with a context": """
import io, logging, operator, re
print(re.Scanner([(r"\\d+", lambda scanner, text: int(text)), (r"\\s+", None)]).scan("12 34 x"))
print(operator.methodcaller("replace", "a", "b"), operator.methodcaller("sort", reverse=True), operator.attrgetter)
text = io.StringIO()
handler = logging.StreamHandler(text)
handler.setFormatter(logging.Formatter("%(levelname)s %(user)s %(message)s %(funcName)s:%(lineno)d"))
log = logging.getLogger("adapted")
log.addHandler(handler)
log.propagate = False
class Request(logging.LoggerAdapter):
    def process(self, message, settings): return f"[{self.extra['user']}] {message}", {**settings, "extra": self.extra}
def f(): Request(log, {"user": "bob"}).error("b")
logging.LoggerAdapter(log, {"user": "ann"}).warning("a %d", 1), f()
print(logging.LoggerAdapter(log), logging.LoggerAdapter(log).name)
text.getvalue()
""",
    "output that is caught": """
import contextlib, io, pprint, sys, traceback
before = sys.stdout
class Tee:
    def __init__(self, *files): self.files = files
    def write(self, text): [file.write(text) for file in self.files]
    def flush(self): [file.flush() for file in self.files]
class Pieces(list):
    write = list.append
    def flush(self): self.append("flushed")
kept, pieces, out, err = io.StringIO(), Pieces(), io.StringIO(), io.StringIO()
with contextlib.redirect_stdout(Tee(kept, sys.stdout)): print("both", 1, flush=True)
print("a", 1, sep="-", file=pieces), print("b", end="", file=pieces, flush=True), print(file=pieces)
print(repr(kept.getvalue()), pieces)
with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
    print("out"), pprint.pprint(["out"]), sys.stdout.write("out"), print("err", file=sys.stderr), sys.stderr.write("err\\n")
    try: 1 / 0
    except ZeroDivisionError: traceback.print_exc()
    print(sys.stdout is out, sys.stderr is err)
print(repr(out.getvalue()), err.getvalue()[:8], err.getvalue().splitlines()[-1])
with contextlib.redirect_stderr(io.StringIO()): print("shown")
with contextlib.redirect_stdout(None): print("hidden")
again = contextlib.redirect_stdout(out)
with again:
    with again: print("twice")
    print("once")
print(out.getvalue()[-11:], sys.stdout is before)
""",
    "a calendar that begins on Sunday": """
import calendar
weeks = calendar.Calendar()
weeks.firstweekday = calendar.SUNDAY
list(weeks.iterweekdays()), weeks.monthdayscalendar(2024, 2)[0]
""",
    "a module that is missing": """
try:
    import no_such_module_anywhere
except ImportError as error:
    print(type(error).__name__, isinstance(error, ModuleNotFoundError), error.name)
""",
    "classes that do not go together": 'type("Both", (int, str), {})',
    "a dispatcher over patterns": """
from dataclasses import dataclass
@dataclass
class Point:
    x: int
    y: int
def told(value):
    match value:
        case None | True | False: return "constant"
        case int(n) if n > 9: return f"large {n}"
        case int() | float(): return "number"
        case [first, *rest] if rest: return (first, rest)
        case {"at": [x, y], **more}: return (x, y, more)
        case Point(0, y): return f"on the axis at {y}"
        case Point(x=x): return f"x is {x}"
        case str(text): return text.upper()
    return "?"
[told(v) for v in (None, 10, 2.5, [1, 2], {"at": (1, 2), "z": 3}, Point(0, 4), Point(1, 1), "a", [], b"")]
""",
    "workers over a queue": """
import asyncio
async def worker(queue, done):
    while True:
        done.append(await queue.get() ** 2)
        queue.task_done()
async def main():
    queue, done = asyncio.Queue(), []
    for number in range(4): queue.put_nowait(number)
    async with asyncio.timeout(5):
        tasks = [asyncio.create_task(worker(queue, done)) for _ in range(2)]
        await queue.join()
    for task in tasks: task.cancel()
    kinds = [type(end).__name__ for end in await asyncio.gather(*tasks, return_exceptions=True)]
    return sorted(done), kinds
asyncio.run(main())
""",
    "patterns of what a dataclass is made with": """
from dataclasses import InitVar, dataclass, field, make_dataclass
from typing import ClassVar
@dataclass
class Price:
    net: int
    rate: InitVar[int] = 20
    unit: ClassVar[str] = "EUR"
    shop: str = "here"
    gross: int = field(init=False, default=0)
    def __post_init__(self, rate): self.gross = self.net * (100 + rate) // 100
match Price(100, 10, "there"):
    case Price(net, rate, shop): print(net, rate, shop)
Price.__match_args__, make_dataclass("Made", [("x", InitVar[int]), "y"]).__match_args__
""",
    "groups of exceptions": """
def read(items):
    wrong = []
    for item in items:
        try: int(item)
        except (ValueError, TypeError) as error: wrong.append(error)
    if wrong: raise ExceptionGroup("bad items", wrong)
try: read(["1", "x", None])
except* TypeError as group: print(group.exceptions)
except* ValueError as group: print([str(e) for e in group.exceptions])
read(["y"])
""",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_an_ordinary_program_does_what_it_does_in_cpython(source):
    ours, _ = in_ours(source.lstrip("\n"))
    assert ours == in_cpython(source.lstrip("\n"))
