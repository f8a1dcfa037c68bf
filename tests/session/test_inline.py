"""Sessions in this very process: what they warn of, what they take in, and what they leave behind."""

from __future__ import annotations

import gc
import importlib.util
import mimetypes
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

from codeact import Limits, Policy, Session
from codeact.errors import UsageError
from codeact.snippet.machine_files import MACHINE_FILES
from codeact.snippet.modules.row import Room
from codeact.snippet.running import StepOf
from codeact.worker.folder import Folder

pytestmark = pytest.mark.filterwarnings("ignore:isolation=:RuntimeWarning")

AGENT = """
from codeact import Agent, Session
from codeact.testing import ScriptedModel
def work():
    Agent(ScriptedModel(["x"]), isolation="inline", runs=None).run("go")
work()
Session(isolation="inline").close()
"""


def test_the_warning_names_the_callers_line_and_comes_once(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(AGENT)
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.count("RuntimeWarning") == 1
    assert f"program.py:5: RuntimeWarning: isolation={chr(34)}inline" in done.stderr


@pytest.mark.parametrize("isolation", ["caged", "inline"])
def test_what_is_no_file_is_not_read_for_one(isolation: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", tmp_path / "pipe", tmp_path):
        with pytest.raises(UsageError, match="this is not a file"):
            Session(files={"a": path}, isolation=isolation)  # type: ignore[arg-type]  # one of the two


def test_the_folder_of_a_forgotten_session_goes_also_where_it_is_collected_while_a_snippet_runs(tmp_path: Path) -> None:
    forgotten = Session(isolation="inline")
    folder = forgotten._life._link.worker.folder
    gc.disable()  # so that what is forgotten is found by the collection below
    try:
        forgotten.itself = forgotten  # type: ignore[attr-defined]  # as an object that knows its session
        del forgotten
        with StepOf(Room(folder=Folder(str(tmp_path)))):  # as of another session in this thread
            gc.collect()
    finally:
        gc.enable()
    assert not Path(folder).exists()


def test_what_a_session_made_and_held_goes_with_it() -> None:
    with Session(isolation="inline") as session:
        assert session.run("class OnlyHere: pass\nheld = OnlyHere()\nheld.x = 1\nheld.x").value == 1
        made = _classes_called("OnlyHere")
    assert len(made) == 1
    del made
    assert _classes_called("OnlyHere") == []


@pytest.mark.parametrize("imports", [[], ["numpy"]])
def test_what_the_steps_of_a_session_worked_with_goes_with_it(imports: list[str]) -> None:
    for name in imports:
        pytest.importorskip(name)
    before = _rooms()
    with Session(isolation="inline", policy=Policy(imports)) as session:
        assert session.run("import sys, threading\nthreading.Lock(), threading.Condition(), sys.stdout").ok
        assert _rooms() == before + 1
    del session

    assert _rooms() == before


def _rooms() -> int:
    gc.collect()
    return sum(type(it) is Room for it in gc.get_objects())


def _classes_called(name: str) -> list[type]:
    gc.collect()
    return [it for it in gc.get_objects() if type(it) is type and it.__name__ == name]


def test_after_inline_steps_the_host_is_profiled_as_before() -> None:
    """An exception left for a thread, and taken back, kept CPython 3.11 from getting past the next profiled call."""
    script = """
import sys, threading, warnings
from codeact import Limits, Session
warnings.simplefilter("ignore")
def stop() -> None:
    'Has the step stopped.'
    threading.Thread(target=session.interrupt).start()
with Session(isolation="inline", tools=[stop]) as session:
    for source in ("1 + 1", "stop()\\nwhile True: pass"):
        print(session.run(source).ok)
        sys.setprofile(lambda *_: None)
        print(len("profiled"), session.run("2 + 2").value)
        sys.setprofile(None)
"""
    run = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=60)
    assert run.stdout.split() == ["True", "8", "4", "False", "8", "4"], run.stderr


def test_the_class_of_an_object_no_module_has_shown_is_told_in_a_process_with_inline_sessions() -> None:
    """Its methods are looked at as it is told: the watch over what reaches into the interpreter is not for that."""
    pytest.importorskip("pyarrow")
    script = """
import warnings
from codeact import Policy, Session
warnings.simplefilter("ignore")
steps = "import pandas as pd", "pd.DataFrame({'a': [1]}).to_parquet('a', metadata_collector=(kept := []))", "type(kept[0])"
with Session(isolation="inline", policy=Policy(["pandas"])) as session:
    for step in steps:
        seen = session.run(step)
    print(seen.text, seen.failure)
"""
    run = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=60)
    assert run.stdout == "<class FileMetaData> None\n", run.stderr


def test_a_session_that_told_of_its_folder_is_built_again(tmp_path: Path) -> None:
    with Session(isolation="inline") as session:
        told = session.run("import os\nos.getcwd()").value
        session.save(tmp_path / "saved")
    with Session.resume(tmp_path / "saved", isolation="inline") as again:
        assert again.run("os.getcwd()").value == told


@pytest.mark.parametrize("made", ["asyncio.sleep(1)", "asyncio.Queue().get()", "asyncio.to_thread(len, [])"])
def test_a_librarys_coroutine_that_nobody_awaits_is_told_in_its_step_or_to_nobody(made: str) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with Session(isolation="inline") as session:
            assert "was never awaited" in session.run(f"import asyncio\n{made}\n1").stdout
            session.run(f"kept = {made}\nround = [{made}]\nround.append(round)\ndel round")
            session.assign({"kept": 1})
            gc.collect()
            session.run(f"kept = {made}")
        gc.collect()
    assert [str(warning.message) for warning in told if "await" in str(warning.message)] == []


@pytest.mark.parametrize("checkpoints", [1, 3])
def test_a_session_without_a_cage_says_how_far_it_goes_back(checkpoints):
    with Session(isolation="inline", limits=Limits(checkpoints=checkpoints)) as session:
        for number in range(2):
            session.run(f"x = {number}")
        with pytest.raises(UsageError, match=f"cannot go back by 9: {min(checkpoints, 2)} is the most"):
            session.rewind(9)
        session.rewind(1)
        assert session.run("x").value == 0


def test_tables_of_kinds_of_files_are_read_by_libraries_wherever_python_looks_for_them() -> None:
    assert set(mimetypes.knownfiles) <= set(MACHINE_FILES)


def test_what_the_program_adds_to_its_path_is_searched_by_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("own", "added"):
        (tmp_path / name).mkdir()
    Session(isolation="inline").close()  # from now on Python tells what is opened
    monkeypatch.syspath_prepend(str(tmp_path / "added"))
    (tmp_path / "added" / "found_late.py").write_text("x = 1")
    with StepOf(Room(folder=Folder(str(tmp_path / "own")))):
        assert importlib.import_module("found_late").x == 1


@pytest.mark.skipif(importlib.util.find_spec("openpyxl") is None, reason="openpyxl is not installed")
def test_sheets_are_written_and_what_is_written_for_a_while_lies_in_the_working_folder() -> None:
    written = "import pandas as pd\npd.DataFrame({'x': [7]}).to_excel('o.xlsx')\nint(pd.read_excel('o.xlsx').x[0])"
    outside = tempfile.gettempdir()
    with Session(policy=Policy(imports=["pandas"]), isolation="inline") as session:
        seen = session.run(written)
        assert (seen.value, [file.name for file in seen.files]) == (7, ["o.xlsx"]), seen.failure
        assert tempfile.gettempdir() == outside


IS_KILLED = """
import os
from codeact import Session
session = Session(isolation="inline")
session.run("open('left', 'w').write('x')")
print(session._life._link.worker.folder, flush=True)
os.kill(os.getpid(), 9)
"""


def test_the_folder_of_a_process_that_was_killed_is_removed_by_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def left_by_another() -> Path:
        environment, command = {**os.environ, "TMPDIR": str(tmp_path)}, [sys.executable, "-c", IS_KILLED]
        killed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
        return Path(killed.stdout.strip())

    left = left_by_another()
    assert (left / "left").exists()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Session(isolation="inline") as session:
        in_use = Path(session._life._link.worker.folder)
        assert left.exists()  # it may have been made just now
        for folder in (left, in_use):
            os.utime(folder, (1, 1))

        assert left_by_another().exists()
        assert not left.exists()
        assert in_use.exists()
