"""Places whose names the host's locale cannot say."""

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
