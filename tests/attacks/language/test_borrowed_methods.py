"""Methods of library classes taken from their class and given something else to store on."""

from __future__ import annotations

import json
import logging

import pytest

from codeact.limits import Policy
from codeact.worker.namespace import Namespace

BORROWED = {
    "a setter": "import logging\nlogging.Handler.setFormatter(json.JSONEncoder, 3)",
    "a setter that is looked up": "import logging\ngetattr(logging.Handler, 'setLevel')(json.JSONEncoder, 3)",
    "a setter of an instance": "import logging\nlogging.Handler.setLevel(json.JSONDecoder(), 3)",
    "a setter, of a module": "import logging\nlogging.Handler.setFormatter(json, 3)",
    "what a snippet's own class inherits": "import calendar\nclass C(calendar.Calendar): pass\nC.setfirstweekday(json.JSONEncoder, 3)",
    "through a partial function": "import calendar, functools\nfunctools.partial(calendar.Calendar.setfirstweekday)(json.JSONEncoder, 3)",
    "what starts anew": "import html.parser\nhtml.parser.HTMLParser.reset(json.JSONEncoder)",
    "a property": "import csv\ncsv.DictReader.fieldnames.fset(json.JSONEncoder, 3)",
    "a property, looked up": "import csv\ngetattr(csv.DictReader.fieldnames, 'fset')(json, 3)",
    "a property, by what properties have": "import csv\ntry: property.fset.__get__(csv.DictReader.fieldnames)(json.JSONEncoder, 3)\n"
    "except AttributeError: csv.DictReader.fieldnames.fset(json.JSONEncoder, 3)",
    "an operator": "import csv\ncsv.DictReader.__next__(json.JSONEncoder)",
    "a coroutine": "import asyncio\nawait asyncio.Timeout.__aenter__(json.JSONEncoder)",
    "a method of ours": "import threading\nthreading.Thread.setName(json.JSONEncoder, 'x')",
    "a private method of ours": "import threading\nthreading.Thread._Thread__work(json.JSONEncoder)",
    "a private method of a lock": "import threading\nthreading.RLock._acquire_restore(json.JSONEncoder, (1, 1))",
    "a method of a handler": "import logging\nlogging.Handler.set_name(json.JSONEncoder, 'x')",
    "what makes a lock for a handler": "import logging\nlogging.Handler.createLock(json.dumps)",
    "what names a property": "import enum\nenum.property.__set_name__(json.JSONEncoder, int, 'x')",
    "a method of a message": "import email.message\nemail.message.Message.set_payload(json.JSONEncoder, 'x')",
    "a method of a module nobody reviewed": "import cmd\ncmd.Cmd.complete(json.JSONEncoder, 'x', 1)",
}


@pytest.fixture
def run(tmp_path):
    namespace = Namespace(Policy(imports=["cmd"], check_first=False), folder=str(tmp_path), output=print)
    return lambda source: namespace.run(source, operations=100_000, text_chars=500)


@pytest.mark.parametrize("source", BORROWED.values(), ids=BORROWED)
def test_a_borrowed_method_stores_on_nothing_of_a_library(run, source):
    run("import json")  # what a snippet knows is closed to addresses
    before = {**vars(json.JSONEncoder)}, set(vars(json))
    failure = run("import json\n" + source).failure
    assert failure.type == "AttributeError"
    assert "cannot be set or deleted: it is not your own" in failure.message
    assert ({**vars(json.JSONEncoder)}, set(vars(json))) == before


def test_a_function_of_a_module_nobody_reviewed_stores_on_nothing_of_a_library(tmp_path, monkeypatch):
    (tmp_path / "marking.py").write_text("def mark(subject, word):\n    subject.word = word\n")
    monkeypatch.syspath_prepend(tmp_path)
    namespace = Namespace(Policy(imports=["marking"]), folder=str(tmp_path), output=print)
    source = "import json, marking\nmarking.mark(json.JSONEncoder, 3)"
    failure = namespace.run(source, operations=100_000, text_chars=500).failure
    assert "cannot be set or deleted: it is not your own" in failure.message
    assert not hasattr(json.JSONEncoder, "word")


def test_a_borrowed_method_stores_on_what_is_the_snippets_own(run):
    source = (
        "import logging, calendar\nclass A: pass\na = A()\nlogging.Handler.setFormatter(a, 3)\n"
        "class C(calendar.Calendar):\n    def setfirstweekday(self, day):\n"
        "        calendar.Calendar.setfirstweekday(self, day + 1)\nc = C()\nc.setfirstweekday(2)\n"
        "logging.getLogger('x').setLevel(30)\na.formatter, c.firstweekday, logging.getLogger('x').level"
    )
    assert run(source).value == (3, 3, 30)


def test_the_host_lends_its_methods_to_whom_it_likes(run):
    run("import logging")

    class Like:
        level = 0

    logging.Handler.setLevel(Like, 10)  # type: ignore[arg-type]  # it is no handler
    assert Like.level == 10


LIBRARIES = {
    "a setter of the class of an object": (
        "matplotlib",
        "import matplotlib.pyplot as plt\ntype(plt.plot([1])[0]).set_url(json.JSONEncoder, 'x')",
    ),
    "a property": (
        "matplotlib",
        "import matplotlib.pyplot as plt\ntype(plt.gca()).stale.fset(json.JSONEncoder, True)",
    ),
    "a property of another kind": (
        "pandas",
        "import pandas as pd\npd.Index.is_unique.__get__(json.JSONEncoder, None)",
    ),
    "a method that is decorated": (
        "matplotlib",
        "import matplotlib.pyplot as plt\ntype(plt.gca()).set_aspect(json, 'auto')",
    ),
    "a function": ("networkx", "import networkx as nx\nnx.freeze(json.JSONEncoder)"),
    "what begins a loop": ("networkx", "import networkx as nx\nnx.ArborescenceIterator.__iter__(json.JSONEncoder)"),
    "what gives an item": ("numpy", "import numpy as np\nnp.matrix.__getitem__(json.JSONEncoder, 1)"),
}


@pytest.mark.parametrize(("library", "source"), LIBRARIES.values(), ids=LIBRARIES)
def test_nothing_of_a_library_stores_on_what_is_of_another(library, source, tmp_path):
    pytest.importorskip(library)
    namespace = Namespace(Policy(imports=[library], check_first=False), folder=str(tmp_path), output=print)
    namespace.run("import json", operations=1_000, text_chars=10)  # what a snippet knows is closed to addresses
    before = {**vars(json.JSONEncoder)}, set(vars(json))
    failure = namespace.run("import json\n" + source, operations=100_000, text_chars=500).failure
    after = {**vars(json.JSONEncoder)}, set(vars(json))
    for name in after[0].keys() - before[0].keys():
        delattr(json.JSONEncoder, name)
    assert failure.type == "AttributeError"
    assert after == before


def test_methods_of_libraries_do_what_they_did(tmp_path):
    pytest.importorskip("networkx")
    pytest.importorskip("matplotlib")
    source = """
import matplotlib.pyplot as plt, networkx as nx
from matplotlib.lines import Line2D
class Mine(Line2D):
    def set_url(self, url): Line2D.set_url(self, url + '!')
line, mine = plt.plot([1])[0], Mine([0], [1])
Line2D.set_url(line, 'a')
mine.set_url('b')
stale = type(line).stale
stale.fset(line, False)
g = nx.freeze(nx.path_graph(3))
[line.get_url(), mine.get_url(), stale.fget(line), nx.is_frozen(g), Line2D.set_url.__name__]
"""
    namespace = Namespace(Policy(imports=["matplotlib", "networkx"]), folder=str(tmp_path), output=print)
    assert namespace.run(source, operations=100_000, text_chars=500).value == ["a", "b!", False, True, "set_url"]
