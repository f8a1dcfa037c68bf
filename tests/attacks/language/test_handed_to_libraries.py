"""What libraries set attributes of, where it is handed to them: no class and no function that everybody shares."""

from __future__ import annotations

import importlib

import pytest

from tests.snippet.running import Step

pytestmark = pytest.mark.filterwarnings("ignore")

_DOCUMENT = "import json\nfrom xml.dom import minidom\nd = minidom.Document()\n"
_AXES = "import json\nimport matplotlib.pyplot as plt\nfrom matplotlib.lines import Line2D\naxes = plt.figure().add_subplot()\n"

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
    "a function": (("json", "dumps", "axes"), f"{_AXES}axes.add_artist(json.dumps)"),
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
