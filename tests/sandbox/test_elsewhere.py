"""The cage for ordinary users, and where namespaces or Landlock are not to be had."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from codeact import Policy, Session
from tests.sandbox.elsewhere import INSPECT, WORKS, elsewhere, inspect

pytestmark = pytest.mark.slow

root_alone = pytest.mark.skipif(os.geteuid() != 0, reason="becoming somebody else takes root")

NAMESPACES = {"files", "pids", "network", "ipc"}


def test_every_wall_stands_an_attack_here():
    done = subprocess.run([sys.executable, "-c", INSPECT], capture_output=True, text=True, check=True, timeout=60)

    assert [name for name, (holds, *_) in json.loads(done.stdout)[1].items() if not holds] == []


@root_alone
def test_every_wall_stands_an_attack_for_an_ordinary_user():
    _, found = inspect("user")

    assert [name for name, (holds, *_) in found.items() if not holds] == []
    assert found["identity"][1] == "the user's own, without rights"


@root_alone
def test_without_namespaces_root_gets_the_other_walls_and_is_told():
    _, found = inspect("no-namespaces")

    assert {name for name, (holds, *_) in found.items() if not holds} == NAMESPACES | {"folder"}
    assert all(remedy for holds, _, remedy in found.values() if not holds)


@root_alone
def test_without_namespaces_sessions_of_root_import_what_they_may_though_they_cannot_read_it():
    program = """
from codeact import Session
with Session() as session:
    print(session.run("import asyncio, statistics, zipfile, xml.etree.ElementTree, concurrent.futures, datetime").text)
    print(session.run("str(datetime.datetime.strptime('2026', '%Y')), 'x'.encode('cp1252')").value)
"""
    found = elsewhere("no-namespaces", program=program)

    assert found.splitlines() == ["", "('2026-01-01 00:00:00', b'x')"]


@root_alone
def test_without_namespaces_a_user_gets_the_other_walls_and_is_told():
    _, found = inspect("user", "no-namespaces")

    assert {name for name, (holds, *_) in found.items() if not holds} == NAMESPACES | {"folder", "processes"}
    assert all(remedy for holds, _, remedy in found.values() if not holds)


@root_alone
def test_without_landlock_the_small_root_hides_files():
    _, found = inspect("no-landlock")

    assert found["landlock"][0] is False
    assert found["files"][0] is True


@root_alone
def test_the_doctor_is_content_where_another_wall_covers_for_one_that_is_off():
    program = "import sys; sys.argv = ['codeact', 'doctor']; from codeact.cli import main; sys.exit(main())"
    said = elsewhere("no-landlock", program=program)  # which asks for exit code 0

    assert "landlock      is off" in said
    assert "what is off is covered for" in said


@root_alone
def test_with_neither_landlock_nor_namespaces_nothing_starts():
    _, found = inspect("no-landlock", "no-namespaces")

    assert list(found) == ["landlock"]
    assert "nothing would hide files" in found["landlock"][1]


@root_alone
def test_a_killed_step_is_rolled_back_for_an_ordinary_user():
    assert elsewhere("user", program=WORKS).split() == ["True", "1", "6000000"]


@root_alone
def test_without_namespaces_what_was_handed_in_is_back_after_a_step_that_lost_it_is_undone():
    program = """
from codeact.testing import raw_session
with raw_session(files={"in/a": b"given"}) as session:
    for _ in range(2):
        print(session.run("import os; os.rename('in', 'out'); open('out/new', 'w'); os._exit(1)").rolled_back)
        print(session.run("import os; open('in/a').read(), os.listdir('.'), os.listdir('in')").value)
"""
    assert elsewhere("no-namespaces", program=program).splitlines() == ["True", "('given', ['in'], ['a'])"] * 2


@root_alone
def test_without_namespaces_a_user_keeps_files_and_folders_as_they_are():
    program = """
import os, tempfile
own = tempfile.mkdtemp() + "/own"
open(own, "w").write("text")
os.chmod(own, 0o600)
from codeact.testing import raw_session
ATTEMPTS = '''
import os
through = []
for what, attempt in {
    "mode": lambda: os.chmod(PATH, 0o666), "size": lambda: os.truncate(PATH, 0), "times": lambda: os.utime(PATH, (1, 1)),
    "emptied": lambda: os.open(PATH, os.O_RDONLY | os.O_TRUNC), "read": lambda: open(PATH), "gone": lambda: os.unlink(PATH),
}.items():
    try:
        attempt()
        through.append(what)
    except OSError:
        pass
for _ in range(2000):
    os.mkdir("n")
    os.chdir("n")
through
'''
with raw_session() as session:
    folder = session.run("import os; os.getcwd()").value
    print(session.run(f"PATH = {own!r}" + ATTEMPTS).value, oct(os.stat(own).st_mode), open(own).read())
print(os.path.exists(folder))
with raw_session() as session, session.fork() as copy:
    print(copy.run("1").value)
"""
    assert elsewhere("user", "no-namespaces", program=program).splitlines() == ["[] 0o100600 text", "False", "1"]


@root_alone
def test_without_namespaces_a_user_is_left_no_folder_whose_parts_were_made_closed():
    program = """
import os, tempfile
from codeact.testing import raw_session
with raw_session() as session:
    print(session.run("import os; os.makedirs('a/b'); os.mkdir('a/b/c', 0); os.mkdir('d', 0); sorted(os.listdir('.'))").value)
print(os.listdir(tempfile.gettempdir()))
"""
    assert elsewhere("user", "no-namespaces", program=program).splitlines() == ["['a', 'd']", "[]"]


READ_ONLY = """
import warnings
warnings.simplefilter("ignore")
from codeact import Agent, Session
from codeact.errors import CodeactError
from codeact.testing import ScriptedModel
def session(): Session()
def inline(): Session(isolation="inline")
def run(): Agent(ScriptedModel(["x"])).run("go")
for attempt in (session, inline, run):
    try:
        attempt()
        print("nothing")
    except CodeactError as error:
        print(error)
"""


@root_alone
def test_where_no_file_can_be_written_sessions_work():
    assert elsewhere("read-only", program=WORKS).split() == ["True", "1", "6000000"]


@root_alone
def test_what_needs_a_folder_on_disk_says_so_where_none_can_be_written():
    session, inline, run = elsewhere("read-only", "no-namespaces", program=READ_ONLY).splitlines()

    assert session.startswith("the folder wall cannot be put up: there is no place for it")
    assert session.endswith("Set TMPDIR to a folder that can be written, or allow mount namespaces")
    assert inline.startswith(
        'isolation="inline": no working folder can be made (No usable temporary directory found in'
    )
    assert inline.endswith("Set TMPDIR to a folder that can be written")
    assert run.endswith("Name another folder with runs=…, or keep no record with runs=None")


@root_alone
@pytest.mark.parametrize("whose", [(), ("user",)])
def test_a_session_without_mounts_of_its_own_lives_where_the_host_keeps_temporary_files(whose):
    program = """
import os, tempfile
place = tempfile.mkdtemp()
os.chmod(place, 0o755)
os.environ["TMPDIR"] = place
from codeact.testing import raw_session
with raw_session() as session:
    print(session.run("import os; os.getcwd()").value.startswith(place + "/codeact-"))
print(os.listdir(place))
os.rmdir(place)
"""
    assert elsewhere(*whose, "no-namespaces", program=program).split() == ["True", "[]"]


@pytest.mark.parametrize("closed", ["<&-", "<&- >&-", "<&- >&- 2>&-"])
def test_a_host_that_closed_its_standard_streams_gets_its_sessions(closed, tmp_path):
    told = tmp_path / "told"
    program = f"import sys; sys.stdout = open({str(told)!r}, 'w')\n{WORKS}"
    subprocess.run(["sh", "-c", f'"$0" -c "$1" {closed}', sys.executable, program], check=False, timeout=60)

    assert told.read_text().split() == ["True", "1", "6000000"]


@pytest.mark.parametrize("whose", ["user", "root"])
def test_a_host_that_ignores_the_ends_of_its_children_gets_its_sessions_and_keeps_no_folder_of_theirs(whose):
    program = """
import os, signal, tempfile, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
from codeact import Session
from codeact.sandbox import zygotes
with Session(without=["files"]) as session:
    print(session.run("1 + 1").value, bool(os.listdir(tempfile.gettempdir())))
    for zygote in zygotes._zygotes.values():
        os.kill(zygote.pid, signal.SIGKILL)
    until = time.monotonic() + 30
    while left := os.listdir(tempfile.gettempdir()):
        if time.monotonic() > until:
            break
    print(left)
"""
    assert elsewhere(whose, program=program) == "2 True\n[]\n"


def test_a_host_with_few_descriptors_gets_its_sessions():
    program = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
from codeact import Session
with Session(files={"a.csv": b"1"}) as session:
    print(session.run("open('a.csv').read()").value)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)

    assert done.stdout == "1\n", done.stderr


@root_alone
def test_a_host_that_may_start_no_thread_is_told_of_its_limit_and_keeps_its_session():
    program = """
import resource
from codeact import Session
from codeact.errors import SessionError
def same(n: int) -> int:
    'Gives it back.'
    return n
with Session(tools=[same]) as session:
    session.run("x = 1")
    soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, hard))
    try:
        session.run("same(5)")
    except SessionError as error:
        print("(ulimit -u)" in str(error))
    resource.setrlimit(resource.RLIMIT_NPROC, (soft, hard))
    print(session.run("same(x)").value)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, hard))
    with Session() as second, Session() as third:
        print(second.run("1").value, third.run("2").value)
"""
    assert elsewhere("user", program=program).split() == ["True", "1", "1", "2"]


def test_reading_parquet_finds_the_threads_it_needs():
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    with Session(policy=Policy(["pandas"])) as session:
        seen = session.run(
            "import pandas\npandas.DataFrame({'a': [1, 2]}).to_parquet('t.parquet')\nlen(pandas.read_parquet('t.parquet'))"
        )

    assert seen.value == 2


def test_clusters_are_found_where_no_process_can_be_looked_at():
    pytest.importorskip("sklearn")
    with Session(policy=Policy(["sklearn"])) as session:
        seen = session.run(
            "from sklearn.cluster import KMeans\n"
            "KMeans(2, n_init=1, random_state=0).fit([[0.0], [1.0], [9.0]]).cluster_centers_.ravel().tolist()"
        )

    assert sorted(seen.value) == [0.5, 9.0]
