"""What may not stand in the text of the project."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = {".py", ".md", ".toml", ".json", ".jsonl", ".csv", ".yml", ".yaml", ".cfg", ".txt", ""}
# Spelled in pieces, so that this file does not contain what it looks for.
MACHINE_PATHS = re.compile(
    "|".join(("/" + "root/", "/" + r"home/\w", "/" + r"Users/\w", r"/wo" + "rk/", r"/op" + "t/pypi"))
)
REGISTRY_HOSTS = re.compile(
    "|".join(("pypi" + r"\.org", "pythonhosted" + r"\.org", "index" + "-url", "find" + "-links"))
)
BARE_IGNORE = re.compile(r"#\s*type:\s*ignore(?!\[)|#\s*no" + r"qa(?!:)")
UNREASONED_IGNORE = re.compile(r"#\s*type:\s*ignore\[[^\]]+\]\s*$")

FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
DOCUMENT_COLUMNS = 130


def _tracked() -> list[Path]:
    """Every file of the project: what git tracks, or all there is where this is no checkout."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = [name for name in listed.stdout.split("\0") if name]
    if listed.returncode:
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if ".venv" not in path.parts]
    paths = [ROOT / name for name in names]
    return [path for path in paths if path.is_file() and path.suffix in TEXT]


def _lines_with(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in paths
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]


def _python() -> list[Path]:
    return [path for path in _tracked() if path.suffix == ".py"]


def test_no_path_of_one_machine_is_written_down() -> None:
    assert _lines_with(MACHINE_PATHS, _tracked()) == []


def test_no_registry_is_named() -> None:
    assert _lines_with(REGISTRY_HOSTS, _tracked()) == []


def test_every_ignore_names_its_code() -> None:
    assert _lines_with(BARE_IGNORE, _python()) == []


def test_every_ignored_type_gives_its_reason() -> None:
    assert _lines_with(UNREASONED_IGNORE, _python()) == []


@pytest.mark.parametrize("word", ["TO" + "DO", "FIX" + "ME", "XX" + "X"])
def test_nothing_is_left_for_later_in_the_code(word: str) -> None:
    inside = [path for path in _python() if "tests" not in path.relative_to(ROOT).parts]
    assert _lines_with(re.compile(rf"\b{word}\b"), inside) == []


def test_lines_of_documents_are_short_but_for_tables_and_code() -> None:
    written = [path for path in _tracked() if path.suffix == ".md" and path.name != "language.md"]  # it is generated
    long = [
        f"{path.relative_to(ROOT)}: {line[:100]}"
        for path in written
        for line in FENCED.sub("", path.read_text()).splitlines()
        if len(line) > DOCUMENT_COLUMNS and not line.startswith("|")
    ]
    assert long == []
