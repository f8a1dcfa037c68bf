"""Files where no mount protects those that can be named: their modes, times and contents."""

from __future__ import annotations

import os

import pytest

from tests.sandbox.elsewhere import elsewhere

pytestmark = pytest.mark.slow

root_alone = pytest.mark.skipif(os.geteuid() != 0, reason="becoming somebody else takes root")


@root_alone
def test_without_namespaces_a_user_keeps_the_packages_as_they_are():
    program = """
import os, sys, tempfile
place = tempfile.mkdtemp() + "/site-packages"
os.mkdir(place)
open(place + "/one.py", "w").close()
os.chmod(place + "/one.py", 0o644)
sys.path.append(place)
from codeact.testing import raw_session
with raw_session() as session:
    session.run(f"place = {place!r}")
    for name in (place, place + "/one.py"):
        before = os.stat(name)
        for change in ("os.fchmod(file, 0o777)", "os.utime(file, (1, 1))"):
            print(session.run(f"import os; file = os.open({name!r}, os.O_RDONLY); {change}").failure.type)
        print(os.stat(name)[:9] == before[:9])
"""
    assert elsewhere("user", "no-namespaces", program=program).splitlines() == ["PermissionError"] * 2 + ["True"] + [
        "PermissionError"
    ] * 2 + ["True"]


@root_alone
@pytest.mark.parametrize("version", ["landlock-version-1", "landlock-version-2", "landlock-version-6"])
def test_a_file_opened_for_neither_reading_nor_writing_is_not_emptied(version):
    program = """
import tempfile
own = tempfile.mkdtemp() + "/own"
open(own, "w").write("text")
from codeact.testing import raw_session
with raw_session() as session:
    for how in ("3", "3 | os.O_TRUNC", "3 | os.O_TRUNC | os.O_APPEND"):
        seen = session.run(f"import os; os.open({own!r}, {how})")
        print(seen.failure and seen.failure.type, open(own).read())
"""
    found = elsewhere("user", "no-namespaces", version, program=program)
    assert found == "PermissionError text\n" * 3


@root_alone
@pytest.mark.parametrize("user", [[], ["user"]], ids=["root", "user"])
def test_without_namespaces_a_step_that_is_undone_leaves_files_and_folders_as_they_were(user):
    program = """
from codeact.testing import raw_session
FILES = "import time, os; [(name, oct(os.stat(name).st_mode)) for name in sorted(os.listdir())], made"
with raw_session() as session:
    session.run("import os, time; made = time.monotonic_ns()")  # a state that was lost could not be built again
    session.run("os.close(os.open('run', os.O_CREAT, 0o755)); os.mkdir('own', 0o700)")
    before = session.run(FILES).value
    print(session.run("os.unlink('run'); os.rmdir('own'); os.mkdir('closed', 0); os._exit(1)").rolled_back)
    print(session.run(FILES).value == before, before[0])
    with session.fork() as copy:
        print(copy.run(FILES).value == before)
"""
    found = elsewhere(*user, "no-namespaces", program=program).splitlines()
    assert found == ["True", "True [('own', '0o40700'), ('run', '0o100755')]", "True"]
