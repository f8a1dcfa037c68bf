"""Facades: what a snippet can import, and everything that hangs off it."""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import sys
import types

import pytest

from codeact.snippet.builtins_ import make_builtins
from codeact.snippet.endings import Refused
from codeact.snippet.facade import Facades, Room, public_names
from codeact.snippet.modules import REFUSED, ROWS
from codeact.worker.folder import Folder
from tests.snippet.reach import Reached
from tests.snippet.running import Step, value_of

#: One of each kind of object a snippet gets from the modules.
MADE = """
import asyncio, calendar, collections, concurrent.futures, contextlib, contextvars, copy, csv, dataclasses, datetime, decimal
import difflib, enum, fractions, functools, graphlib, hashlib, hmac, html.parser, io, ipaddress, itertools, json, logging, operator
import pathlib, pprint, queue, random, re, reprlib, statistics, string, struct, sys, textwrap, threading, time, traceback
import types, typing, uuid, warnings, weakref, zlib, zoneinfo, gzip, ast, array, codecs
import xml.etree.ElementTree as ET, bz2, lzma, zipfile, email.policy, email.mime.text, mimetypes, plistlib, sched, tokenize, wave

def generator(): yield 1
async def coroutine(): return 1
async def async_generator(): yield 1
class A:
    @functools.cached_property
    def cached(self): return 1
    @functools.singledispatchmethod
    def dispatched(self, x): return 1
class E(enum.Enum): X = 1
@dataclasses.dataclass
class D: x: int = 1
@contextlib.contextmanager
def managed(): yield 1
def caught(call):
    try: call()
    except Exception as error: return error
async def inside():
    task = asyncio.current_task()
    return [task, asyncio.get_running_loop(), asyncio.Queue(), asyncio.Lock(), asyncio.Event(), asyncio.timeout(1)]
c = coroutine()
made = [
    generator(), c, c.__await__(), async_generator(), A(), A, A().cached, A().dispatched, E.X, E, D(), managed(), asyncio.run(inside()),
    caught(lambda: 1 / 0), caught(lambda: [][1]), caught(lambda: {}['a']), caught(lambda: json.loads('{')), caught(lambda: None.x),
    caught(lambda: open('missing')), caught(lambda: int('x')), caught(lambda: b'\\xff'.decode()), caught(lambda: re.compile('(')),
    caught(lambda: decimal.Decimal('x')), caught(lambda: struct.unpack('i', b'')),
    re.compile('a'), re.match('a', 'a'), re.finditer('a', 'a'), io.StringIO(), io.BytesIO(), io.TextIOWrapper(io.BytesIO()),
    io.BufferedReader(io.BytesIO()), csv.reader(['a']), csv.writer(io.StringIO()), csv.DictReader(['a', 'b']), csv.Sniffer(),
    datetime.datetime.now(), datetime.timezone.utc, zoneinfo.ZoneInfo('UTC'), time.localtime(), calendar.TextCalendar(),
    collections.Counter('a'), collections.OrderedDict(), collections.defaultdict(list), collections.deque(), collections.ChainMap(),
    collections.UserDict(), collections.namedtuple('P', 'x')(1), array.array('i'), queue.Queue(), queue.SimpleQueue(),
    decimal.getcontext(), decimal.localcontext(), fractions.Fraction(1), random.Random(), statistics.NormalDist(),
    functools.partial(abs), functools.lru_cache(abs), functools.singledispatch(abs), functools.cmp_to_key(max),
    operator.attrgetter('a'), operator.methodcaller('a'), operator.itemgetter(1), itertools.count(), itertools.chain(), itertools.tee([1]),
    json.JSONEncoder(), json.JSONDecoder(), hashlib.sha256(), hmac.new(b'k', b'm', 'sha256'), zlib.compressobj(), struct.Struct('i'),
    string.Template('a'), string.Formatter(), textwrap.TextWrapper(), difflib.SequenceMatcher(), difflib.Differ(), reprlib.Repr(),
    pprint.PrettyPrinter(), html.parser.HTMLParser(), ipaddress.ip_network('10.0.0.0/30'), uuid.uuid4(), graphlib.TopologicalSorter(),
    logging.getLogger(), logging.getLogger('a'), logging.StreamHandler(), logging.Formatter(), logging.NullHandler(),
    contextlib.ExitStack(), contextlib.suppress(ValueError), contextlib.redirect_stdout(None), contextvars.ContextVar('v'),
    contextvars.copy_context(), threading.Lock(), threading.RLock(), threading.Condition(), threading.Event(), threading.local(),
    threading.current_thread(), concurrent.futures.ThreadPoolExecutor(), concurrent.futures.ThreadPoolExecutor().submit(abs, 1),
    weakref.ref(A), weakref.WeakValueDictionary(), types.SimpleNamespace(), types.MappingProxyType({}), types.MethodType(abs, 1),
    typing.List[int], typing.Optional[int], typing.TypeVar('T'), typing.NewType('N', int), typing.Callable[[int], int],
    warnings.catch_warnings(record=True), ET.fromstring('<a/>'), ET.ElementTree(), ast.parse('a'), pathlib.Path('a'),
    sys.stdout, sys.stdin, sys.exc_info(), sys.flags, sys.implementation, codecs.getincrementaldecoder('utf-8')(),
    property(abs), classmethod(abs), staticmethod(abs), super(A, A()), slice(1), range(1), memoryview(b''), zip(), map(abs, []),
    filter(abs, []), enumerate([]), reversed([]), iter([]), iter(abs, 1), {}.keys(), {}.items(), object(), [].append, ''.join, int.__add__,
    gzip.open('a.gz', 'w'), bz2.open('a.bz2', 'w'), lzma.open('a.xz', 'w'), pathlib.PurePath('a'), pathlib.PureWindowsPath('a'),
    zipfile.ZipFile('a.zip', 'w'), zipfile.ZipFile(io.BytesIO(), 'w').open('a', 'w'), zipfile.ZipInfo('a'),
    email.policy.default, email.message_from_string('To: a\\n\\nb', policy=email.policy.default)['to'], email.mime.text.MIMEText('a'),
    email.header.Header('a'), email.headerregistry.Address('a'), email.parser.FeedParser(), mimetypes.types_map, mimetypes.guess_type,
    plistlib.UID(1), sched.scheduler(), wave.open('a.wav', 'w'), tokenize.TokenInfo(1, 'a', (1, 0), (1, 1), 'a'),
    type, lambda: 1, generator, gzip.compress, abs, print, getattr, open, globals(), locals(), Ellipsis, NotImplemented,
]
made
"""

LIBRARIES = ("numpy", "pandas", "matplotlib", "scipy", "sklearn", "sympy", "networkx")
DEFAULT = sorted(name for name, row in ROWS.items() if not row.needs and sys.version_info >= row.since)
INSTALLED = [name for name in LIBRARIES if importlib.util.find_spec(name)]


def facades(*imports, folder="/nonexistent"):
    return Facades(imports, Room(folder=Folder(folder), output=lambda text: None))


def walked(made):
    starts = {
        name: made.import_module(name) for name in made.names() if importlib.util.find_spec(name.partition(".")[0])
    }
    starts |= {
        name: value for name, value in make_builtins(facades=made, names={}).items() if not name.startswith("__")
    }
    reached = Reached({id(module) for module in made._made.values()})
    reached.walk(starts)
    return reached


def test_no_path_of_public_names_leads_out_of_the_facades():
    reached = walked(facades())
    assert len(reached.seen) > 5_000
    assert reached.problems == []


@pytest.mark.filterwarnings("ignore")  # every name is looked at, also those that are on their way out
def test_no_path_of_public_names_leads_out_of_what_the_modules_make(tmp_path):
    step = Step(check_first=False)
    outcome = step.run(MADE)
    assert outcome.failure is None
    reached = Reached({id(module) for module in step.namespace._facades._made.values()})
    reached.walk({"made": outcome.value}, depth=5)
    assert reached.problems == []


STYLED = importlib.util.find_spec("jinja2") is not None
LIBRARIES_MADE = (
    f"STYLED = {STYLED}"
    + """
import io, numpy as np, pandas as pd
text = 'a,b\\n1,2\\n'
np.savez('a.npz', x=np.arange(3))
df = pd.read_csv(io.StringIO(text))
[
    pd.read_csv(io.StringIO(text), iterator=True), pd.read_json(io.StringIO('{"a":1}'), lines=True, chunksize=1),
    np.load('a.npz'), np.arange(3), np.array(1.5), np.dtype('i4'), np.add, np.random.default_rng(), np.nditer(np.arange(2)), np.ma.array([1]),
    np.errstate(), np.vectorize(abs), np.poly1d([1]), np.arange(3).flat, np.float64(1), np.datetime64('2020-01-01'), np.finfo(float),
    df, df.a, df.index, df.columns, df.groupby('a'), df.rolling(1), df.iloc, df.dtypes, df.values, df.a.array, df.a.rolling(1), df.resample,
    pd.Timestamp('2020'), pd.Timedelta('1d'), pd.Period('2020'), pd.Interval(1, 2), pd.Categorical(['a']), pd.NA, pd.NaT, pd.options,
    pd.Series(['a']).str, pd.Series(pd.to_datetime(['2020'])).dt, pd.offsets.Day(), pd.Grouper('a'),
    *([df.style.format('{:.1f}').set_tooltips(df)] if STYLED else []),
]
"""
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif("pandas" not in INSTALLED, reason="pandas is not installed")
def test_no_path_of_public_names_leads_out_of_what_the_libraries_make():
    step = Step(check_first=False, imports=("numpy", "pandas"))
    outcome = step.run(LIBRARIES_MADE)
    assert outcome.failure is None
    reached = Reached({id(module) for module in step.namespace._facades._made.values()})
    reached.walk({"made": outcome.value}, depth=4)
    assert reached.problems == []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not INSTALLED, reason="none of the libraries is installed")
def test_no_path_of_public_names_leads_out_of_the_libraries():
    assert walked(facades(*INSTALLED)).problems == []


def test_the_walk_finds_a_module_that_hangs_off_another():
    reached = Reached(set())
    reached.walk({"statistics": types.SimpleNamespace(inside=importlib.import_module("statistics"))})
    assert reached.problems == ["statistics.inside: the module statistics"]


@pytest.mark.parametrize("name", DEFAULT)
def test_every_name_of_a_table_is_given_and_every_withheld_one_is_not(name):
    row, facade = ROWS[name], facades().import_module(name)
    real = importlib.import_module(row.source or row.name) if row.source is not None else None
    for word in row.names.split():
        assert hasattr(facade, word) or not hasattr(real, word), word
    for word in row.withheld:
        assert not hasattr(facade, word) or vars(facade)[word] is not getattr(real, word, None), word
    for word in row.replaced:
        assert vars(facade).get(word) is not getattr(real, word, None) or not hasattr(real, word), word


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_refused_module_stays_refused_whatever_the_policy_says(name):
    assert not facades(name).allowed(name)
    with pytest.raises(ImportError, match="is not among the modules a snippet may import"):
        facades(name).import_module(name)


def test_the_facades_of_two_sessions_are_two():
    assert facades().import_module("math") is not facades().import_module("math")
    assert vars(facades().import_module("string")) is not vars(facades().import_module("string"))


def test_two_sessions_draw_from_two_generators():
    one, other = facades().import_module("random"), facades().import_module("random")
    one.seed(1)
    expected = one.random()
    one.seed(1)
    other.random()
    assert one.random() == expected


def test_a_refused_import_names_the_module_the_alternatives_and_the_remedy():
    with pytest.raises(ImportError) as caught:
        facades().import_module("statistic")
    assert "'statistic'" in str(caught.value)
    assert "close to it: statistics" in str(caught.value)
    assert "Policy" not in str(caught.value)  # it would not help


def test_no_module_is_named_that_is_spelt_quite_differently():
    assert facades().alternatives("numpyy") == []


def test_the_refusal_of_an_installed_module_says_how_to_allow_it_and_names_no_other_that_is_spelt_alike():
    with pytest.raises(ImportError) as caught:
        facades().import_module("pytest")
    assert "Policy(imports=[" in str(caught.value)
    assert "close to it" not in str(caught.value)


@pytest.mark.parametrize(("module", "caught"), [("socket", ImportError), ("nothing_of_the_kind", ModuleNotFoundError)])
def test_a_refused_import_is_a_refusal_that_a_snippet_may_catch_as_an_import_error(module, caught):
    with pytest.raises(caught) as refused:
        facades().import_module(module)
    assert isinstance(refused.value, Refused)
    assert refused.value.name == module
    assert isinstance(refused.value, ModuleNotFoundError) == (caught is ModuleNotFoundError)


def test_a_refused_import_that_is_not_caught_ends_the_step_as_refused():
    failure = Step(check_first=False).run("import socket").failure
    assert (failure.kind, failure.type) == ("refused", "ImportError")


def test_from_import_never_falls_back_on_the_real_module():
    with pytest.raises(ImportError, match="cannot import name 'scanner' from 'json'"):
        facades().import_("json", fromlist=("scanner",))


def test_a_star_import_gives_the_names_of_the_facade():
    space = {"__builtins__": {"__import__": facades().import_}}
    exec("from math import *\nfrom statistics import *", space)
    assert space["sqrt"] is math.sqrt
    assert "sys" not in space


def test_an_imported_part_hangs_off_its_parent():
    top = facades().import_("urllib.parse")
    assert public_names(top) == ["parse"]
    assert top.parse.quote("a b") == "a%20b"


def test_a_withheld_function_says_why_and_what_instead():
    with pytest.raises(RuntimeError, match=r"os\.system is not available in a snippet: .*ask for a tool"):
        facades().import_module("os").system("true")


def test_a_module_without_a_row_is_given_whole_but_for_other_modules():
    made = facades("cmd").import_module("cmd")
    assert hasattr(made, "Cmd")
    assert not any(isinstance(value, types.ModuleType) for value in vars(made).values())


def test_a_facade_keeps_no_way_to_the_loader():
    made = facades().import_module("json")
    assert made.dumps is json.dumps
    assert made.__spec__ is None
    assert made.__loader__ is None


def test_coroutines_are_run_by_the_loop_that_is_asked_for():
    source = """
import asyncio
class Later:
    def __await__(self):
        yield from asyncio.sleep(0).__await__()
        return "later"
async def double(n):
    await asyncio.sleep(0)
    return n * 2, asyncio.get_event_loop().is_running()
async def fails(): raise ValueError("bad")
loop, told = asyncio.get_event_loop(), []
for given in (fails(), 5):
    try: loop.run_until_complete(given)
    except (ValueError, TypeError) as error: told.append(str(error))
(loop.is_running(), loop.run_until_complete(double(2)), loop.run_until_complete(Later()), told)
"""
    told = ["bad", "An asyncio.Future, a coroutine or an awaitable is required"]
    assert value_of(source) == (False, (4, True), "later", told)


def test_a_part_that_nobody_can_allow_is_not_said_to_be_allowed_by_the_user():
    facades = Facades(("sympy",))
    for part in ("xml.sax.expatreader", "sympy.plotting", "pandas.core.frame"):
        assert "Policy(" not in facades.refusal(part)
    assert facades.refusal("datetime.datetime").endswith("; write from datetime import datetime")
    assert facades.refusal("collections.all", ["deque", "Counter"]).endswith("from collections import deque, Counter")
    assert "write from" not in facades.refusal("collections.all", ["deque", "nothing"])
    assert "write from" not in facades.refusal("os.paths", ["path"])
    assert 'Policy(imports=["numpy"])' in facades.refusal("numpy.linalg")
    assert facades.refusal("cmd").endswith('the user can allow it with Policy(imports=["cmd"]), or --import cmd')
