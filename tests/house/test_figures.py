"""Figures and names that stand in the documents are those of the code."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from codeact import Agent, CodeactError, Limits, errors
from codeact.agent import finding, handed_in, nesting
from codeact.loading import load_tools
from codeact.records import FailureKind
from codeact.session.attacks.calls import CALLS
from codeact.session.attacks.programs import ENDINGS, FILES, MEMORY, PROCESSES
from codeact.wire.orders import WALLS

ROOT = Path(__file__).parents[2]
LIMITS = Limits()
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
    "a picture": ("agent.md", f"up to {handed_in._LARGEST_BYTES >> 20} MiB each, the first {COUNTED[handed_in._MOST]}"),
    "agents in agents": ("agent.md", f"Agents may call agents {COUNTED[nesting.DEEPEST + 1]} deep"),
    "stubs": ("skills.md", f"at most {COUNTED[inspect.signature(Agent).parameters['skill_count'].default]} stubs"),
    "functions": ("skills.md", f"the {COUNTED[finding.WITHIN_REACH]} that fit best are functions"),
    "operations": ("session.md", f"`operations` | {LIMITS.operations:,} |"),
    "time": ("session.md", f"`wall_seconds` | {LIMITS.wall_seconds:g} |"),
    "memory": ("session.md", f"`memory_bytes` | {LIMITS.memory_bytes >> 30} GiB |"),
    "folder": ("session.md", f"`folder_bytes` | {LIMITS.folder_bytes >> 20} MiB |"),
    "what is shown": ("session.md", f"`text_chars` | {LIMITS.output_chars:,} and {LIMITS.text_chars:,} |"),
    "calls": ("session.md", f"`value_bytes` | {LIMITS.tool_calls:,} and {LIMITS.value_bytes >> 20} MiB |"),
}
# a row of the table in the README → that of the page on what was measured
BESIDE = {
    "processor time, times CPython's": "processor time, geometric mean",
    "bombs stopped in time, of 12": "bombs stopped in time",
    "first session of a process": "first session of a process, its imports included",
    "a fresh one and `1 + 1`": "fresh session and `1 + 1`",
    "a tool call and back": "a tool call and back",
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


def test_the_page_on_sessions_names_every_kind_of_failure_and_no_other() -> None:
    table = (ROOT / "docs/session.md").read_text("utf-8").partition("| `failure.kind` |")[2].partition("\n\n")[0]
    kinds = [line.split("|")[1] for line in table.splitlines()[2:]]
    assert sorted(re.findall(r"\w+", " ".join(kinds))) == sorted(get_args(FailureKind))


def test_the_page_on_sessions_names_every_kind_of_error_and_no_other() -> None:
    table = (ROOT / "docs/session.md").read_text("utf-8").partition("| error |")[2].partition("\n\n")[0]
    kinds = [
        kind.__name__ for kind in vars(errors).values() if isinstance(kind, type) and kind.__base__ is CodeactError
    ]
    assert re.findall(r"^\| `(\w+)`", table, re.MULTILINE) == kinds


def _row(document: Path, label: str) -> list[str]:
    """The cells of the row of a table that begins so."""
    [row] = [line for line in document.read_text("utf-8").splitlines() if line.startswith(f"| {label} |")]
    return [cell.strip() for cell in row.split("|")[2:-1]]


@pytest.mark.parametrize("label", BESIDE)
def test_what_the_readme_sets_beside_others_is_what_was_measured(label: str) -> None:
    ours, _, _, monty, smolagents, _, docker = _row(ROOT / "docs/benchmarks.md", BESIDE[label])
    measured = [re.sub(r" x$| of 12$", "", cell) for cell in (ours, monty, smolagents, docker)]
    assert _row(ROOT / "README.md", label) == measured


def test_the_probes_of_the_readme_are_those_that_were_measured() -> None:
    measured = [_row(ROOT / "docs/benchmarks.md", name)[2] for name in ("codeact", "pydantic-monty", "smolagents")]
    assert _row(ROOT / "README.md", "language probes that pass, of 79") == [*measured, ""]
