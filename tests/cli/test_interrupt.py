"""Ctrl-C: what was done is saved, the command to go on is printed, and no process is left behind."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codeact import Session
from codeact.cli import EndedByCtrlC
from codeact.testing import FakeProvider, Hangs
from tests.cli.command import clean_environment, codeact, fenced, recorded

PROGRAM = Path(__file__).with_name("interrupted.py")
# A shell reports 130 for both: we left with it, or the signal came before there was anything of ours to catch it.
INTERRUPTED = {130, -2}
TOOLS = '''
import time
from pathlib import Path


def reached() -> str:
    """Says that the snippet got here."""
    Path("reached").touch()
    return "ok"


def stuck() -> str:
    """Blocks for ever."""
    Path("reached").touch()
    time.sleep(3600)
    return "never"
'''


def _interrupt(moment: str, folder: Path, *arguments: str, **environment: str) -> Any:
    ran = subprocess.run(
        [sys.executable, str(PROGRAM), moment, str(folder), *arguments],
        capture_output=True,
        text=True,
        env=clean_environment() | environment,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with tools that tell when they are reached."""
    (tmp_path / "tools.py").write_text(TOOLS)
    return tmp_path


def test_a_snippet_that_is_interrupted_has_shown_what_it_printed(folder: Path) -> None:
    (folder / "loop.py").write_text("print('so far')\nreached()\nwhile True: pass")
    ended = _interrupt("reached", folder, "exec", "loop.py", "--tools", "tools.py")
    assert ended["code"] in INTERRUPTED, ended
    assert "  out  so far\n" in ended["out"]


@pytest.mark.parametrize("code", ["stuck()", "reached()\nwhile True: pass"], ids=["in a tool", "in a loop"])
def test_a_run_interrupted_in_a_step_is_saved_and_says_how_to_go_on(folder: Path, code: str) -> None:
    model = recorded(folder / "replies.jsonl", fenced("kept = 1"), fenced(code))
    ended = _interrupt(
        "reached", folder, "run", "count", "--model", model, "--tools", "tools.py", "--record", "r.jsonl"
    )
    assert ended["code"] == 130, ended
    assert ended["left"] == []
    assert "codeact resume r.jsonl" in ended["err"]
    assert '"kind": "step"' in (folder / "r.jsonl").read_text()
    assert "Traceback" not in ended["err"]


def test_a_run_interrupted_while_the_model_thinks_leaves_nothing_behind(folder: Path) -> None:
    with FakeProvider([Hangs()]) as provider:
        settings = {"OPENAI_API_BASE": provider.url, "OPENAI_API_KEY": "none"}
        arguments = ("run", "count", "--model", "openai/local", "--record", "r.jsonl")
        ended = _interrupt("r.jsonl", folder, *arguments, **settings)
    assert ended["code"] == 130, ended
    assert ended["left"] == []
    # A journal that is not begun yet is taken away again: there is nothing to go on with.
    assert ("codeact resume r.jsonl" in ended["err"]) == (folder / "r.jsonl").exists()


def test_an_interrupted_snippet_leaves_nothing_behind(folder: Path) -> None:
    (folder / "s.py").write_text("reached()\nwhile True: pass\n")
    ended = _interrupt("reached", folder, "exec", "s.py", "--tools", "tools.py")
    assert (ended["code"], ended["left"]) == (130, []), ended


def test_a_run_whose_going_on_is_interrupted_before_it_has_begun_is_said_to_be_as_it_was(folder: Path) -> None:
    model = recorded(folder / "replies.jsonl", fenced("kept = 1"), fenced("final_answer(kept)"))
    codeact("run", "count", "--model", model, "--record", "r.jsonl", "--steps", "1", folder=folder)
    whole = (folder / "r.jsonl").read_text()
    (folder / "slow.py").write_text(TOOLS + "\nstuck()")
    ended = _interrupt("reached", folder, "resume", "r.jsonl", "--model", model, "--tools", "slow.py", "--json")
    said = json.loads(ended["out"])["error"]
    assert (ended["code"], said["type"]) == (130, "Interrupted"), ended
    assert said["message"] == "interrupted: r.jsonl is as it was; the same command goes on with it"
    assert (folder / "r.jsonl").read_text() == whole


def test_a_session_interrupted_as_it_goes_on_says_that_the_same_command_goes_on_with_it(folder: Path) -> None:
    def stuck() -> str:
        """Is told by its journal."""
        return "never"

    with Session(tools=[stuck], journal=folder / "live.jsonl") as session:
        session.run("stuck()")
    lines = (folder / "live.jsonl").read_text().splitlines(keepends=True)
    (folder / "live.jsonl").write_text("".join(line for line in lines if '"call' not in line and '"step"' not in line))
    ended = _interrupt("reached", folder, "resume", "live.jsonl", "--tools", "tools.py")
    assert (ended["code"], ended["left"]) == (130, []), ended
    assert "live.jsonl holds all that was done; the same command goes on from there" in ended["err"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_no_moment_of_a_run_is_a_bad_one_for_an_interrupt(folder: Path, seed: int) -> None:
    model = recorded(folder / "replies.jsonl", fenced("kept = 1"), fenced("stuck()"))
    moment = str(random.Random(seed).randrange(1500))
    ended = _interrupt(moment, folder, "run", "count", "--model", model, "--tools", "tools.py")
    assert ended["code"] in INTERRUPTED or not _had_begun(ended), (moment, ended)
    assert ended["left"] == [], moment


def _had_begun(ended: Any) -> bool:
    """False where Python itself was starting, which ends with 1 and a traceback; nobody can change that from within."""
    return not (ended["code"] == 1 and "Traceback" in ended["err"] and "codeact/cli/app.py" not in ended["err"])


def test_an_interrupt_while_a_class_is_made_is_one(folder: Path) -> None:
    (folder / "made.py").write_text("""
import click
class Asked:
    def __set_name__(self, owner, name):
        raise KeyboardInterrupt
@click.command()
def made():
    class Of:
        part = Asked()
""")
    run = "from codeact.cli import app; app.COMMANDS['init'] = ('made:made', ''); app.main()"
    command = [sys.executable, "-c", run, "init"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=clean_environment(), check=False)
    assert ended.returncode == 130, ended.stderr
    assert "Traceback" not in ended.stderr


def test_an_import_that_fails_leaves_ctrl_c_as_it_was() -> None:
    with pytest.raises(ImportError), EndedByCtrlC():
        raise ImportError
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
