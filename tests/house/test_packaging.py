"""What is built: the wheel carries the starter tools and skills, and claims one top-level name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PYTHONS = range(*map(int, re.findall(r"3\.(\d+)", PROJECT["requires-python"])))  # minor versions, the last excluded
SUITABLE = f"3.{PYTHONS[0]} to 3.{PYTHONS[-1]}"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder)], cwd=ROOT, check=True, capture_output=True
    )
    return folder


def _wheel_names(built: Path) -> list[str]:
    return zipfile.ZipFile(next(built.glob("*.whl"))).namelist()


def test_the_wheel_claims_no_top_level_name_but_codeact(built: Path) -> None:
    tops = {name.split("/")[0] for name in _wheel_names(built)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"codeact"}


def test_the_wheel_carries_the_starter_tools_and_skills(built: Path) -> None:
    names = set(_wheel_names(built))
    tools = {f"codeact/starter/tools/{path.name}" for path in (ROOT / "tools").glob("*.py")}
    assert tools
    assert tools <= names
    assert "codeact/starter/skills/README.md" in names


def test_the_wheel_carries_no_bytecode_and_nothing_left_over(built: Path) -> None:
    assert [name for name in _wheel_names(built) if name.endswith(".pyc") or "sqlite" in name] == []


def test_the_wheel_is_typed_and_licensed(built: Path) -> None:
    names = _wheel_names(built)
    assert "codeact/py.typed" in names
    assert [name for name in names if name.endswith("licenses/LICENSE")]


def test_the_source_archive_holds_what_the_tests_need(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    wanted = {
        "Makefile",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
        ".ci/run",
        "tests/house/test_packaging.py",
        "scripts/install",
    }
    assert wanted <= names


@pytest.mark.parametrize("minor", [PYTHONS.start - 1, PYTHONS.stop])
def test_the_install_script_refuses_a_python_that_does_not_suit_and_changes_nothing(minor: int, tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    script = shutil.copy(ROOT / "scripts" / "install", tmp_path / "scripts")
    python = tmp_path / "python"
    pretence = f"import sys; sys.version_info = (3, {minor}, 0); exec(sys.argv[1])"
    python.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{pretence}' \"$2\"\n")
    python.chmod(0o755)
    ran = subprocess.run(
        [script, "dev"], env=os.environ | {"PYTHON": str(python)}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert f"a Python of {SUITABLE} is needed" in ran.stderr
    assert not (tmp_path / ".venv").exists()


def test_the_readme_and_the_classifiers_name_the_pythons_that_suit() -> None:
    assert f"a machine with Python {SUITABLE} and make" in (ROOT / "README.md").read_text()
    assert [name for name in PROJECT["classifiers"] if name.startswith("Programming Language :: Python :: 3.")] == [
        f"Programming Language :: Python :: 3.{minor}" for minor in PYTHONS
    ]


def test_make_says_in_one_line_what_each_target_does() -> None:
    ran = subprocess.run(["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [line.split()[1] for line in ran.stdout.splitlines()] == [
        "help",
        "demo",
        "test",
        "check",
        "bench",
        "bench-skills",
        "clean",
    ]


def test_an_installed_codeact_makes_projects_from_the_tools_it_carries(built: Path, tmp_path: Path) -> None:
    installed = tmp_path / "site"
    zipfile.ZipFile(next(built.glob("*.whl"))).extractall(installed)
    command = [sys.executable, "-m", "codeact", "init", "project"]
    subprocess.run(
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(installed)}, check=True, capture_output=True
    )
    made = {path.name for path in (tmp_path / "project" / "tools").glob("*.py")}
    assert {path.name for path in (ROOT / "tools").glob("*.py")} < made


def test_ci_runs_what_the_readme_says_runs_the_tests() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text().rstrip().endswith("make --no-print-directory test")
