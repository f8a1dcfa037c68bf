"""What the documents show runs: Python blocks of README and docs, each example; and what they name is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from codeact.cli.app import cli

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"\bcodeact (\w+)(.*)")
CLAIM = re.compile(r"^(?P<expression>[^#\n]+?)\s+# → (?P<shown>.+)$", re.MULTILINE)
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
EXAMPLE_LINES = 40


def _documents() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _program(document: Path) -> str:
    """All Python blocks of a document in order; `expression  # → shown` becomes a check of its repr."""
    blocks = BLOCK.findall(document.read_text())
    return CLAIM.sub(lambda claim: f"_shows(({claim['expression']}), {claim['shown']!r})", "\n".join(blocks))


CHECK = """
def _shows(value, shown):
    assert repr(value) == shown, f"the document shows {shown}, the code gives {value!r}"
"""


@pytest.mark.parametrize("document", [path for path in _documents() if _program(path)], ids=lambda path: path.name)
def test_the_python_in_a_document_runs_and_gives_what_it_shows(document: Path, tmp_path: Path) -> None:
    program = CHECK + _program(document)
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("document", [*_documents(), ROOT / "CHANGELOG.md"], ids=lambda path: path.name)
def test_a_document_names_only_commands_and_options_that_exist(document: Path) -> None:
    text = document.read_text()
    blocks = [block for language, block in FENCED.findall(text) if not language]
    words = re.findall(r"`([^`\n]+)`", FENCED.sub("", text))
    named = {(command, *rest.split()) for part in (*blocks, *words) for command, rest in COMMAND.findall(part)}
    assert named or document.name != "README.md"
    assert [line for line in named if _unknown(line)] == []


def _unknown(words: tuple[str, ...]) -> bool:
    """Whether a line of words, without the `codeact` before them, names a command or an option that is not there."""
    found = cli
    context = click.Context(cli)
    for word in words:
        if isinstance(found, click.Group) and word.isalpha() and word.islower():
            found = found.get_command(context, word)
        elif word.startswith("--") and word not in {name for option in found.params for name in option.opts}:
            return True
        if found is None:
            return True
    return False


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_what_it_says_it_prints(path: Path, tmp_path: Path) -> None:
    """The expected output stands in the example's docstring, indented, below `Prints:`."""
    ran = subprocess.run([sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    promised = path.read_text().split('"""')[1].split("Prints:\n", 1)[1]
    assert ran.stdout.split("\n") == [line.removeprefix("    ") for line in promised.strip("\n").split("\n")] + [""]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short(path: Path) -> None:
    code = path.read_text().split('"""', 2)[2]
    assert len([line for line in code.splitlines() if line.strip()]) <= EXAMPLE_LINES
