"""What an import costs and drags in, each counted in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "codeact"
HEAVY = {"pydantic", "litellm", "rich", "click", "httpx", "numpy", "pandas", "matplotlib", "asyncio"}
HOST_ROOMS = {
    "codeact.session",
    "codeact.agent",
    "codeact.sandbox",
    "codeact.toolbox",
    "codeact.models",
    "codeact.reply",
    "codeact.skills",
    "codeact.cli",
}


def _modules_after(statement: str) -> set[str]:
    """The names of all modules loaded in a fresh process that ran one statement."""
    program = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.split())


def _worker_modules() -> list[str]:
    paths = [path for path in (PACKAGE / "worker").rglob("*.py") if path.name != "__init__.py"]
    return sorted("codeact." + ".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in paths)


def test_importing_codeact_loads_no_room_and_no_dependency() -> None:
    loaded = _modules_after("import codeact")
    assert {name for name in loaded if name.startswith("codeact.")} == set()
    assert loaded & HEAVY == set()


def test_a_worker_loads_nothing_heavy_and_nothing_of_the_host() -> None:
    loaded = _modules_after("\n".join(f"import {name}" for name in _worker_modules()))
    assert loaded & (HEAVY - {"asyncio"}) == set()
    assert loaded & HOST_ROOMS == set()


def test_a_session_loads_no_records_of_runs_and_a_worker_none_of_steps() -> None:
    session = _modules_after("from codeact import Session\nwith Session() as session: session.run('1 + 1')")
    worker = _modules_after("import codeact.worker.main")
    assert {name for name in session if name.startswith("codeact.records.")} == {
        "codeact.records.shared",
        "codeact.records.steps",
    }
    assert {name for name in worker if name.startswith("codeact.records.")} == {"codeact.records.shared"}


@pytest.mark.parametrize("room", ["worker", "snippet", "wire"])
def test_the_workers_own_records_are_structs_a_dataclass_takes_fifty_times_as_long_to_define(room: str) -> None:
    texts = {path: path.read_text() for path in (PACKAGE / room).rglob("*.py")}
    assert [path.name for path, text in texts.items() if re.search(r"^@(dataclasses\.)?dataclass", text, re.M)] == []


def test_a_session_without_tools_leaves_their_checks_and_the_language_to_others() -> None:
    loaded = _modules_after("from codeact import Session\nwith Session() as session: session.run('1 + 1')")
    assert loaded & (HEAVY | {"pydantic_core", "concurrent.futures"}) == set()
    assert "codeact.snippet.modules" not in loaded


def test_no_module_warns_of_itself_when_it_is_imported() -> None:
    of_its_own = "import warnings\nwarnings.filterwarnings('error', module=r'codeact\\.')\n"
    rooms = ("codeact.snippet.check", "codeact.snippet.facade", *_worker_modules())
    assert set(rooms) <= _modules_after(of_its_own + "\n".join(f"import {name}" for name in rooms))


@pytest.mark.parametrize("room", ["session", "agent", "skills.library", "models", "toolbox"])
def test_no_room_loads_litellm_before_a_model_is_called(room: str) -> None:
    assert "litellm" not in _modules_after(f"import codeact.{room}")


def test_the_command_line_answers_help_without_the_rest_of_codeact() -> None:
    loaded = _modules_after(
        "import sys\nfrom codeact.cli import main\nsys.argv = ['codeact', '--help']\n"
        "import contextlib, io\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()): main()"
    )
    assert loaded & ((HEAVY - {"click"}) | HOST_ROOMS - {"codeact.cli"}) == set()


def test_the_command_line_hears_ctrl_c_before_anything_is_imported() -> None:
    loaded = _modules_after("from codeact.cli import main") - _modules_after("")
    assert loaded <= {"codeact", "codeact.cli"}
