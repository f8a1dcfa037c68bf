"""What a session without a cage leaves of its host, and of another session beside it: nothing is changed."""

from __future__ import annotations

import abc
import calendar
import collections.abc
import copy
import csv
import decimal
import enum
import gc
import importlib.util
import ipaddress
import logging
import os
import random
import re
import statistics
import sys
import textwrap
import threading
import typing
import warnings

import pytest

from codeact import Session
from codeact.snippet import running
from tests.attacks.language.uncaged import uncaged

INSTALLED = [name for name in ("numpy", "pandas", "matplotlib") if importlib.util.find_spec(name)]


def started(*imports: str) -> Session:
    return uncaged(*imports, operations=300_000)


def host() -> dict[str, object]:
    return {
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "recursion": sys.getrecursionlimit(),
        "path": list(sys.path),
        "streams": (sys.stdout, sys.stderr, sys.stdin),
        "hooks": (sys.excepthook, sys.displayhook, sys.unraisablehook, sys.gettrace(), sys.getprofile()),
        "decimals": (repr(decimal.getcontext()), repr(decimal.DefaultContext)),
        "chance": random.getstate(),
        "dialects": (csv.list_dialects(), csv.field_size_limit()),
        "handlers": (list(logging._handlerList), dict(logging._handlers), list(logging.root.handlers)),
        "loggers": (set(logging.root.manager.loggerDict), logging.root.level, logging.root.manager.disable),
        "filters": list(warnings.filters),
        "flags": dict(re.RegexFlag._member_map_),
        "classes": (list(calendar.HTMLCalendar.cssclasses), dict(textwrap.TextWrapper.unicode_whitespace_trans)),
        "enums": (list(enum.Enum._member_names_), dict(enum.Enum._member_map_), dict(enum.Enum._value2member_map_)),
        "slots": dict(statistics.NormalDist.__slots__),
        "implementation": dict(vars(sys.implementation)),
        "protocols": dict(vars(typing.Protocol)),
        "generics": dict(vars(typing.Generic)),
        "kinds": (isinstance(1, collections.abc.Mapping), isinstance("", abc.ABC)),
    }


CHANGES = {
    "a dialect": "import csv\ncsv.register_dialect('own', delimiter=';')\ncsv.field_size_limit(3)\ncsv.unregister_dialect('unix')",
    "a generator": "import random\nrandom.seed(1)\nrandom.random()",
    "a handler": "import logging\nclass H(logging.Handler):\n    def close(self): print('late')\nh = H()\nh.name = 'own'\n"
    "logging.getLogger('own').addHandler(h)\nk = logging.NullHandler()\nk.set_name('own')\nlogging.basicConfig(level=10)",
    "a copy of a logger": "import copy, logging\ncopy.copy(logging.getLogger('copied'))",
    "a lock for a handler": "import logging\nh = logging.StreamHandler()\nfor i in range(9): h.createLock()",
    "a class that is told of itself": "import typing\ntyping.Protocol.__init_subclass__()",
    "a class that is told of itself, by name": "import typing\ngetattr(typing.Generic, '__init_' + 'subclass__')()",
    "a kind": "import collections.abc\ncollections.abc.Mapping.register(int)",
    "the members of an enum": "import re\nre.RegexFlag._member_map_.clear()",
    "the names that make an enum final": "import enum\nclass E(enum.Enum): pass\nsuper(E, E)._member_names_.append('x')",
    "the values of an enum that has none": "import enum\nclass E(enum.Enum): pass\ndel E._value2member_map_\n"
    "E._value2member_map_[1] = 2",
    "a list of a class": "import calendar\ncalendar.HTMLCalendar.cssclasses.append('x')",
    "a table of a class": "import textwrap\ntextwrap.TextWrapper.unicode_whitespace_trans[97] = 98",
    "a table of a class, handed to a text": "import textwrap\nclass T:\n    def expandtabs(self, n): return self\n"
    "    def translate(self, table): table[97] = 98\ntextwrap.fill(T())",
    "slots of a class": "import statistics\nstatistics.NormalDist.__slots__['x'] = 1",
    "facts of the interpreter": "import sys\nsys.implementation.name = 'x'\nvars(sys.implementation)['y'] = 1",
    "a decimal context": "import decimal\ndecimal.getcontext().prec = 3\ndecimal.DefaultContext.prec = 2",
    "a recursion limit, and a failure": "import sys\nsys.setrecursionlimit(9000)\n1 / 0",
    "a limit": "while True: pass",
    "an interrupt": "raise KeyboardInterrupt",
    "an exit": "import sys\nsys.exit(1)",
    "the members of an enum, by comparison": "import re\nclass E:\n    def __eq__(self, other):\n        other.clear()\n"
    "        return True\nre.RegexFlag.__members__ == E()",
    "the log of a library": "import concurrent.futures\nf = concurrent.futures.Future()\ndef late(f): raise ValueError\n"
    "f.add_done_callback(late)\nf.set_result(1)",
    "a loop that is debugged": "import asyncio, time\nasync def m(): time.sleep(0.2)\nasyncio.run(m(), debug=True)",
    "annotations": "import functools, calendar\ndef f(): pass\nfunctools.wraps(calendar.timegm)(f)\nf.__annotations__['x'] = 1",
}


@pytest.mark.parametrize("source", CHANGES.values(), ids=CHANGES)
def test_a_step_in_this_process_changes_nothing_of_the_host(source, capfd):
    before = host()
    with started() as session:
        session.run(source)
    after = host()
    assert [what for what in before if before[what] != after[what]] == []
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "source",
    [
        "import asyncio\nasync def m(): asyncio.current_task().print_stack()\nasyncio.run(m())",
        "import asyncio\nasync def m(): return asyncio.current_task().get_stack()\nx = asyncio.run(m())[0]",
    ],
)
def test_a_task_shows_no_frames(source, capfd):
    with started() as session:
        assert session.run(source).failure.kind == "refused"
    assert capfd.readouterr().err == ""


def test_a_generator_collected_after_its_step_says_nothing_to_the_host(capfd):
    source = (
        "class A: pass\ndef g(a):\n    try: yield 1\n    finally:\n        for i in range(3): print('late')\n"
        "a = A()\na.g, a.me = g(a), a\nnext(a.g)\ndel a\n"
    )
    gc.disable()
    try:
        with started() as session:
            assert session.run(source).ok
            assert session.run(source + "while True: pass").failure.kind == "limit"
            gc.collect()
    finally:
        gc.enable()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("ask", ["{}.lock.acquire()", "logging.Handler.acquire({})", "getattr({}, 'lock').acquire()"])
def test_no_lock_that_a_library_needs_is_held_by_a_snippet(ask):
    cached = vars(ipaddress._BaseNetwork)["broadcast_address"]
    with started() as session:
        network = "ipaddress.IPv4Network.broadcast_address"
        assert session.run(f"import ipaddress, logging\n{ask.format(network)}").failure.type == "AttributeError"
        assert session.run("str(ipaddress.ip_network('10.0.0.0/8').broadcast_address)").value == "10.255.255.255"
    lock = vars(cached).get("lock", threading.RLock())  # there is none from Python 3.12 on
    assert lock.acquire(blocking=False)
    lock.release()


@pytest.mark.skipif(len(INSTALLED) < 3, reason="numpy, pandas and matplotlib are not installed")
@pytest.mark.filterwarnings("ignore")
def test_settings_of_libraries_are_each_sessions_own():
    import matplotlib.pyplot as plt
    import numpy as np
    import pandas as pd

    plt.close("all")
    figure = plt.figure()
    np.random.seed(5)  # the global generator is what is asked about
    expected, rows, width = (
        np.random.get_state()[1].tolist(),
        pd.get_option("display.max_rows"),
        plt.rcParams["lines.linewidth"],
    )
    one, other = started("numpy", "pandas", "matplotlib"), started("numpy", "pandas", "matplotlib")
    change = (
        "import numpy as np, pandas as pd, matplotlib.pyplot as plt\nnp.random.seed(1)\n"
        "pd.set_option('display.max_rows', 3)\nplt.rcParams['lines.linewidth'] = 7\nfound = plt.get_fignums()"
    )
    ask = "[pd.get_option('display.max_rows'), float(plt.rcParams['lines.linewidth']), float(np.random.rand()), found]"
    with one, other:
        assert one.run(change).ok
        seen = other.run("import numpy as np, pandas as pd, matplotlib.pyplot as plt\nfound = []\n" + ask).value
        assert seen[:2] == [60, 1.5]
        assert one.run(ask).value == [3, 7.0, 0.417022004702574, []]
    assert np.random.get_state()[1].tolist() == expected
    assert (pd.get_option("display.max_rows"), plt.rcParams["lines.linewidth"]) == (rows, width)
    assert plt.get_fignums() == [figure.number]
    plt.close(figure)


def test_a_host_may_draw_its_random_numbers_from_what_it_likes():
    numbers = pytest.importorskip("numpy").random
    kept = numbers.get_bit_generator()
    numbers.set_bit_generator(numbers.PCG64(1))
    expected = numbers.RandomState(numbers.PCG64(1)).rand(2).tolist()
    try:
        first = numbers.rand()
        with started("numpy") as session:
            assert (
                session.run("import numpy as np\nnp.random.seed(1)\nfloat(np.random.rand())").value == 0.417022004702574
            )
            assert session.run("float(np.random.rand())").value == 0.7203244934421581
        assert [first, numbers.rand()] == expected
    finally:
        numbers.set_bit_generator(kept)


@pytest.mark.skipif("numpy" not in INSTALLED, reason="numpy is not installed")
def test_what_a_library_warns_of_follows_the_filters_of_the_session(capfd):
    source = (
        "import warnings, numpy as np\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n"
        "    np.log(np.array([-1.0]))\nwith warnings.catch_warnings():\n    warnings.simplefilter('error')\n"
        "    try: np.sqrt(np.array([-1.0]))\n    except RuntimeWarning: print('raised')\n"
        "np.array([1.0]) / 0"
    )
    with started("numpy") as session, warnings.catch_warnings():
        warnings.simplefilter("always")
        printed = session.run(source).stdout
    told = "<snippet>:9: RuntimeWarning: divide by zero encountered in divide\n  np.array([1.0]) / 0\n"
    assert printed == f"raised\n{told}"
    assert capfd.readouterr().err == ""


@pytest.mark.skipif("pandas" not in INSTALLED, reason="pandas is not installed")
def test_what_a_library_prints_is_the_steps_output(capfd):
    with started("pandas") as session:
        printed = session.run("import pandas as pd\npd.DataFrame({'a': [1]}).info()").stdout
    assert "RangeIndex: 1 entries" in printed
    assert capfd.readouterr() == ("", "")


LABELS = {
    "a formatter": "StrMethodFormatter('{x.__globals__}')(json.dumps, 1)",
    "a formatter's text, set later": "f = StrMethodFormatter('{x}')\nf.fmt = '{x.__globals__}'\nf(json.dumps, 1)",
    "a formatter of its own class": "class F(StrMethodFormatter):\n    def __init__(self): self.fmt = '{x.__globals__}'\n"
    "F()(json.dumps, 1)",
    "a text for an axis": "plt.gca().xaxis.set_major_formatter('{x.__class__}')\nplt.gcf().canvas.draw()",
    "a text for bars": "plt.bar_label(plt.bar([1], [2]), fmt='{0.__class__}')",
}


@pytest.mark.skipif("matplotlib" not in INSTALLED, reason="matplotlib is not installed")
@pytest.mark.parametrize("source", LABELS.values(), ids=LABELS)
def test_no_label_of_a_chart_names_what_may_not_be_said(source):
    imports = "import json, matplotlib.pyplot as plt\nfrom matplotlib.ticker import StrMethodFormatter\n"
    with started("matplotlib") as session:
        assert session.run(imports + source).failure.kind == "refused"
        assert session.run("plt.bar_label(plt.bar([1], [2]), fmt='{:.1f}')[0].get_text()").value == "2.0"


def test_a_deep_copy_of_the_hosts_looks_once_for_whose_it_is_and_is_whole(monkeypatch):
    with started() as session:
        session.run("1")
    looked, real = [], running.in_a_snippet
    monkeypatch.setattr(running, "in_a_snippet", lambda: looked.append(1) or real())
    shared = [[1], "a", open]

    made = copy.deepcopy({"a": shared, "b": (shared, (2,))})

    assert (made["a"], made["b"]) == (shared, (shared, (2,)))
    assert made["a"] is made["b"][0] is not shared
    assert made["a"][0] is not shared[0]
    assert len(looked) == 1


#: Library functions on ways to files, programs, addresses and threads that no facade has, called as a library would.
SINKS = {
    "a file elsewhere": "open('/etc/hostname')",
    "a file made elsewhere": "open('/tmp/reached', 'w')",
    "a program": "__import__('subprocess').run(['true'])",
    "a shell": "__import__('os').system('true')",
    "a fork": "__import__('os').fork()",
    "an address": "__import__('socket').create_connection(('127.0.0.1', 9))",
    "a folder": "__import__('os').chdir('/')",
    "a variable": "__import__('os').putenv('a', 'b')",
    "a listing": "__import__('os').listdir('/')",
    "a removal": "__import__('os').remove('/tmp/reached')",
    "a database": "__import__('sqlite3').connect('/tmp/reached')",
    "a trace": "__import__('sys').settrace(print)",
    "every object": "__import__('gc').get_objects()",
}

if sys.version_info >= (3, 12):  # before, Python tells no hook of a thread
    SINKS["a thread"] = "__import__('threading').Thread(target=print).start()"

if sys.version_info >= (3, 14):
    SINKS["a script for a process"] = "__import__('sys').remote_exec(__import__('os').getpid(), '/tmp/reached')"


@pytest.mark.parametrize("source", SINKS.values(), ids=SINKS)
def test_python_itself_refuses_what_a_library_would_do_in_a_step_without_a_cage(source, tmp_path):
    from codeact.snippet import sinks
    from codeact.snippet.endings import CallRefused
    from codeact.snippet.facade import Room
    from codeact.worker.folder import Folder

    sinks.watch()
    code = compile(source, "<library>", "eval")
    with (
        running.StepOf(Room(folder=Folder(str(tmp_path)))),
        pytest.raises(CallRefused, match="is refused in a snippet"),
    ):
        eval(code, {})  # the library's own code
