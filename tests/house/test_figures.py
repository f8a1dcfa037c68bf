"""Figures and names that stand in the documents are those of the code."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from codeact import Agent
from codeact.agent import finding, nesting, pictures
from codeact.loading import load_tools
from codeact.session.attacks.calls import CALLS
from codeact.session.attacks.programs import ENDINGS, FILES, MEMORY, PROCESSES
from codeact.wire.orders import WALLS

ROOT = Path(__file__).parents[2]
COUNTED = {4: "four", 5: "five", 20: "twenty"}


def _words(document: str) -> str:
    """What a document says, each stretch of white space as one space."""
    return " ".join((ROOT / "docs" / document).read_text("utf-8").split())


def _of_tools(tool: str) -> ModuleType:
    """The module of the ready-made tools that a tool is in."""
    [found] = [function for function in load_tools([ROOT / "tools"]) if function.__name__ == tool]
    return sys.modules[found.__module__]


TABLES, SEARCHES, PAGES = map(_of_tools, ("query_sqlite", "search_text", "fetch_page"))
FOLDER = sys.modules["_tools_folder"]  # which they share
ATTACKS = (CALLS, FILES, PROCESSES, MEMORY, ENDINGS)
SAID = {
    "attacks": ("security.md", f"runs {sum(map(len, ATTACKS))} attacks more"),
    "a file a tool reads": (
        "tools.md",
        f"{FOLDER.MOST_BYTES // 10**6} MB; while searching for text {SEARCHES._SEARCHED_BYTES // 10**6} MB",
    ),
    "files a tool looks through": ("tools.md", f"by a search | {SEARCHES._MOST_FILES:,} |"),
    "a query": (
        "tools.md",
        f"{TABLES._QUERY_SECONDS} seconds, {TABLES._MOST_RESULT_BYTES // 10**6} MB of result",
    ),
    "a page": (
        "tools.md",
        f"{PAGES._MOST_BYTES // 10**6} MB unpacked, {PAGES._SECONDS:.0f} seconds in all, {PAGES._MOST_REDIRECTS} redirects",
    ),
    "a picture": ("agent.md", f"up to {pictures._LARGEST_BYTES >> 20} MiB each, the first {COUNTED[pictures._MOST]}"),
    "agents in agents": ("agent.md", f"Agents may call agents {COUNTED[nesting.DEEPEST + 1]} deep"),
    "stubs": ("skills.md", f"at most {COUNTED[inspect.signature(Agent).parameters['skill_count'].default]} stubs"),
    "functions": ("skills.md", f"the {COUNTED[finding.WITHIN_REACH]} that fit best are functions"),
}


@pytest.mark.parametrize("what", SAID)
def test_a_figure_in_a_document_is_that_of_the_code(what: str) -> None:
    document, words = SAID[what]
    assert words in _words(document)


def test_the_page_on_security_names_every_wall_and_no_other() -> None:
    table = re.search(r"\| `session\.walls` \| stops \| (.*?) `codeact doctor`", _words("security.md"))
    assert table is not None
    names = [name for row in re.findall(r"\| (`[^|]+`) \| ", table[1]) for name in re.findall(r"`(\w+)`", row)]
    assert sorted(names) == sorted(WALLS)
