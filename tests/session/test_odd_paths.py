"""Places whose names the host's locale cannot say, and such as are gone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["näme".encode(), b"n\xe4me"])
def test_paths_that_the_host_cannot_read_as_text_are_no_obstacle(name: bytes, tmp_path: Path) -> None:
    place = os.fsencode(tmp_path) + b"/" + name
    os.mkdir(place)
    Path(os.fsdecode(place), "lying_there.py").write_text("X = 41")
    program = f"""
import os, sys
from codeact import Policy, Session
sys.path.append(os.fsdecode({place!r}))
for without in ((), ("files",)):
    with Session(policy=Policy(["lying_there"]), without=without) as session, session.fork() as copy:
        print(copy.run("import lying_there; lying_there.X").value)
"""
    env = {**os.environb, b"TMPDIR": place, b"LC_ALL": b"C", b"PYTHONUTF8": b"0", b"PYTHONCOERCECLOCALE": b"0"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=env)

    assert done.stdout == "41\n41\n", done.stderr


def test_a_host_whose_folder_is_gone_has_sessions_whatever_it_imports_from_there(tmp_path: Path) -> None:
    program = """
import os, sys
from codeact import Session
sys.path.append("lib")
os.rmdir(os.getcwd())
with Session() as session, session.fork() as copy:
    print(copy.run("import json; json.loads('41')").value)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)

    assert done.stdout == "41\n", done.stderr


def test_what_is_no_text_among_the_places_of_modules_is_passed_over_as_python_does() -> None:
    program = """
import sys
from pathlib import Path
sys.path.insert(0, Path("/tmp"))
from codeact import Session
for isolation in ("caged", "inline"):
    with Session(isolation=isolation) as session:
        print(session.run("import json; json.loads('41')").value, session.run("1 / 0").failure.type)
"""
    command = [sys.executable, "-W", "ignore", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.stdout == "41 ZeroDivisionError\n" * 2, done.stderr


@pytest.mark.parametrize("executable", [None, ""])
def test_a_python_inside_another_program_is_told_that_it_cannot_start_sessions(executable: str | None) -> None:
    program = f"""
import sys
sys.executable = {executable!r}
from codeact import Session
from codeact.errors import CageError
try: Session()
except CageError as error: print(error.wall, error.reason)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert done.stdout.startswith("zygote a Python inside another program cannot be started"), done.stderr
