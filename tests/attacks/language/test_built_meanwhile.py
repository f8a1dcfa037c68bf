"""Trees that are built: what they are added to may be a snippet's, which builds on in the middle of that."""

from __future__ import annotations

import pytest

_OWN = """
import xml.etree.ElementTree as E
class Text:
    asked = 0
    def __add__(self, more):
        self.asked += 1
        if self.asked == 1: meanwhile()
        return 'text'
"""
_BUILT = (
    "def meanwhile():\n    builder.end('b')\n    builder.start('c', {})\n    tree.clear()\n    builder.data('y')\n"
    "tree = builder.start('a', {})\nbuilder.start('b', {}).text = Text()\nbuilder.data('x')\nbuilder.end('b')"
)
_READ = (
    "def meanwhile(): parser.feed('<x>' + 'y' * 100_000)\nparser = E.XMLPullParser(['start'])\nparser.feed('<a><b>')\n"
    "[*parser.read_events()][1][1].text = Text()\nparser.feed('x</b>')"
)

#: Each lets go of the element that C is about to give its text to, or moves the text that is being read.
BUILT = {
    "a builder": f"{_OWN}builder = E.TreeBuilder()\n{_BUILT}",
    "one with a factory": f"{_OWN}builder = E.TreeBuilder(lambda tag, given: E.Element(tag, given))\n{_BUILT}",
    "a parser that is fed": f"{_OWN}{_READ}",
    "a parser that is closed": f"{_OWN}{_READ}".replace("parser.feed('<x>' + 'y' * 100_000)", "parser.close()"),
}


@pytest.mark.parametrize("source", BUILT.values(), ids=BUILT)
def test_what_builds_a_tree_is_not_entered_again(session, source):
    assert session.run(source).failure.type == "RuntimeError"


def test_no_class_is_told_of_the_parser_below_one_that_takes_a_text_in_parts(run):
    source = (
        "import xml.etree.ElementTree as E\nclass Told:\n    def __set__(self, of, parser): told.append(parser)\n"
        "told = []\nclass Parser(E.XMLPullParser):\n    _parser = Told()\nParser()"
    )
    assert run(source).failure.type == "TypeError"
    assert run("told").value == []


def test_trees_are_built_as_ever(run):
    built = (
        "import xml.etree.ElementTree as E\nclass Builder(E.TreeBuilder):\n    def start(self, tag, attributes):\n"
        "        return super().start(tag.upper(), attributes)\n"
        "builder = Builder()\nbuilder.start('a', {})\nbuilder.data('x')\nbuilder.data('y')\nbuilder.end('A')\n"
        "E.tostring(builder.close())"
    )
    assert run(built).value == b"<A>xy</A>"
    read = (
        "parser = E.XMLPullParser(['end'])\nfor part in ('<a><b>x', 'y</b>z</', 'a>'): parser.feed(part)\n"
        "parser.close()\n[(element.tag, element.text, element.tail) for _, element in parser.read_events()]"
    )
    assert run(read).value == [("b", "xy", "z"), ("a", None, None)]
