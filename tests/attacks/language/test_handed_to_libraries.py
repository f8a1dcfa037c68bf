"""What libraries set attributes of, where it is handed to them: no class and no function that everybody shares."""

from __future__ import annotations

import importlib
import shlex

import pytest

from tests.snippet.running import Step

pytestmark = pytest.mark.filterwarnings("ignore")

_DOCUMENT = "import shlex\nfrom xml.dom import minidom\nd = minidom.Document()\n"
_AXES = "import shlex\nimport matplotlib.pyplot as plt\nfrom matplotlib.lines import Line2D\naxes = plt.figure().add_subplot()\n"

#: The class or the function, its attribute, and what has a library set it.
HANDED = {
    "a type of documents": (
        ("xml.dom.minidom", "DocumentType", "ownerDocument"),
        f"{_DOCUMENT}minidom.getDOMImplementation().createDocument(None, 'a', minidom.DocumentType)",
    ),
    "a type of documents as a node": (
        ("xml.dom.minidom", "DocumentType", "parentNode"),
        f"{_DOCUMENT}d.appendChild(minidom.DocumentType)",
    ),
    "a class of artists": (("matplotlib.lines", "Line2D", "axes"), f"{_AXES}axes.add_artist(Line2D)"),
    "a class of artists, by its name": (("matplotlib.lines", "Line2D", "axes"), f"{_AXES}axes.add_artist(a=Line2D)"),
    "a class of artists, from the class": (
        ("matplotlib.lines", "Line2D", "axes"),
        f"{_AXES}type(axes).add_artist(axes, Line2D)",
    ),
    "a function": (("shlex", "quote", "axes"), f"{_AXES}axes.add_artist(shlex.quote)"),
}


@pytest.mark.parametrize(("shared", "source"), HANDED.values(), ids=HANDED)
def test_nothing_that_everybody_shares_is_set_up_as_what_was_handed_on(shared, source):
    module, name, attribute = shared
    subject = getattr(pytest.importorskip(module), name)
    before = getattr(subject, attribute, None)
    failure = Step(check_first=False, imports=("matplotlib",)).run(source).failure
    after = getattr(subject, attribute, None)
    if after is not before:
        delattr(subject, attribute)
    assert after is before
    assert (failure.kind, failure.type) == ("refused", "AttributeError")


def test_what_is_handed_on_is_set_up_as_ever():
    importlib.import_module("xml.dom.minidom")
    source = (
        "from xml.dom import minidom\nd = minidom.parseString('<a><b/></a>')\na = d.documentElement\n"
        "a.appendChild(d.createElement('c'))\na.insertBefore(d.createTextNode('t'), a.firstChild)\na.removeChild(a.lastChild)\n"
        "a.setAttribute('k', '1')\nmade = minidom.getDOMImplementation()\n"
        "e = made.createDocument(None, 'e', made.createDocumentType('e', None, None))\n"
        "[a.toxml(), e.doctype.ownerDocument is e]"
    )
    assert Step(check_first=False).run(source).value == ['<a k="1">t<b/></a>', True]
    pytest.importorskip("matplotlib")
    drawn = (
        f"{_AXES}line = axes.add_artist(Line2D([0, 1], [0, 1]))\n(line.axes is axes, axes.findobj(Line2D)[0] is line)"
    )
    assert Step(check_first=False, imports=("matplotlib",)).run(drawn).value == (True, True)


_NODES = "import shlex\nfrom xml.dom import minidom\nd = minidom.parseString('<a><b/></a>')\na, b = d.firstChild, d.firstChild.firstChild\n"
_LOGGERS = (
    "import shlex, logging\nclass Own:\n    __bases__ = (logging.Logger,)\n    def __call__(self, name): return shlex.quote\n"
    "    def createDocument(self, *given): return shlex.quote\nmanager = logging.getLogger('a').manager\n"
)

#: Each has a library come upon a function of the host's by itself, and set an attribute of it.
FOUND = {
    "among the nodes of a node": f"{_NODES}a.childNodes.append(shlex.quote)\na.appendChild(d.createElement('c'))",
    "beside a node": f"{_NODES}b.nextSibling = shlex.quote\na.removeChild(b)",
    "as the parent of a node": f"{_NODES}b.parentNode = shlex.quote\nb.ownerDocument = b\nb.normalize()\na.replaceChild(b, b)\n"
    "b.nextSibling = b.previousSibling = shlex.quote\na.replaceChild(d.createElement('c'), b)",
    "made by an implementation": f"{_NODES}{_LOGGERS}d.implementation = Own()\nd.cloneNode(True)",
    "made by what poses as a class of loggers": f"{_LOGGERS}manager.setLoggerClass(Own())\nmanager.getLogger('b')",
    "made by a stack": "import contextlib, shlex\nclass Own(contextlib.ExitStack):\n"
    "    _create_cb_wrapper = staticmethod(lambda *given: shlex.quote)\nOwn().callback(print)",
    "given by a stack that is asked": "import contextlib, shlex\nclass Own(contextlib.AsyncExitStack):\n"
    "    def __getattribute__(self, name): return lambda *given: shlex.quote\n"
    "contextlib.AsyncExitStack.push_async_callback(Own(), print)",
}


@pytest.mark.parametrize("source", FOUND.values(), ids=FOUND)
def test_nothing_that_everybody_shares_is_set_up_wherever_a_library_finds_it(source):
    try:
        failure = Step(check_first=False).run(source).failure
        assert vars(shlex.quote) == {}
        assert failure is None or failure.type in ("AttributeError", "TypeError")
    finally:
        vars(shlex.quote).clear()


def test_what_a_library_finds_and_makes_is_set_up_as_ever():
    source = (
        "from contextlib import ExitStack, AsyncExitStack\nfrom xml.dom import minidom\nseen = []\n"
        "with ExitStack() as stack:\n    stack.callback(seen.append, 1)\n    later = stack.pop_all()\nlater.close()\n"
        "async def noted(x): seen.append(x)\nasync def entered():\n    async with AsyncExitStack() as stack:\n"
        "        stack.push_async_callback(noted, 2)\nawait entered()\n"
        "d = minidom.parseString('<a><b/>t<c/></a>')\na = d.firstChild\na.replaceChild(d.createElement('e'), a.firstChild)\n"
        "a.removeChild(a.lastChild)\na.appendChild(d.createTextNode('u'))\na.normalize()\nseen + [d.cloneNode(True).firstChild.toxml()]"
    )
    assert Step(check_first=False).run(source).value == [1, 2, "<a><e/>tu</a>"]


@pytest.mark.parametrize("holder", ["Matrix", "ImmutableDenseMatrix", "SparseMatrix"])
def test_what_stands_for_a_matrix_is_told_no_real_class(holder):
    pytest.importorskip("sympy")
    source = (
        "import sympy, io\nheld = []\nclass Own:\n    def __getattr__(self, name): return lambda *given: held.extend(given)\n"
        f"sympy.{holder}.atoms(Own(), open('a', 'wb', 0), lambda: 1)\n"
        f"held == [io.FileIO, type(lambda: 1)], sympy.{holder}([[sympy.Symbol('x'), 1]]).atoms(sympy.Symbol('y'))"
    )
    told, atoms = Step(check_first=False, imports=("sympy",)).run(source).value
    assert told
    assert [str(atom) for atom in atoms] == ["x"]
