"""Parts of libraries: what they change for the whole process stays as it is, and none of them goes past the walls."""

from __future__ import annotations

import importlib.util

import pytest

from codeact import Policy, Session

pytestmark = pytest.mark.filterwarnings("ignore")


def session(*libraries):
    """A session in this process that may import the libraries."""
    for library in libraries:
        if importlib.util.find_spec(library) is None:
            pytest.skip(f"{library} is not installed")
    return Session(isolation="inline", policy=Policy(imports=list(libraries)))


DEEP = """
import networkx as nx
matcher = nx.isomorphism.GraphMatcher(nx.path_graph(2), nx.empty_graph(60_000))
def deep(n):
    try:
        return deep(n + 1)
    except RecursionError:
        return n
deep(0)
"""


def test_no_graph_makes_calls_deeper_than_the_stack_bears():
    with session("networkx") as one:
        assert 5_000 < one.run(DEEP).value <= 10_000


BUILDER = """
from xml.dom import minidom
implementation = minidom.getDOMImplementation()
builder = implementation.createDOMBuilder(implementation.MODE_SYNCHRONOUS, None)
"""


def test_a_document_is_built_of_no_address(run):
    failure = run(f"{BUILDER}builder.parseURI('file://' + secret)").failure
    assert failure.kind == "refused"
    assert "createDOMBuilder" in failure.message
