"""What is built: the wheel carries the starter tools and skills, and claims one top-level name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


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


def test_without_a_new_enough_python_the_install_script_says_so_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    script = shutil.copy(ROOT / "scripts" / "install", tmp_path / "scripts")
    old = tmp_path / "old-python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    ran = subprocess.run(
        [script, "dev"], env=os.environ | {"PYTHON": str(old)}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert "a Python of 3.11 to 3.13 is needed" in ran.stderr
    assert not (tmp_path / ".venv").exists()


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
