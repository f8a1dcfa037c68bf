"""Older kernels, and containers that forbid things: what holds is said, what is missing is covered for, or nothing starts."""

from __future__ import annotations

import importlib.util
import os

import pytest

from codeact.worker import landlock
from tests.sandbox.elsewhere import WORKS, elsewhere, inspect

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0, reason="filters for whole programs take root"),
]

GAPS = {3: "truncating files", 4: "TCP ports", 5: "device controls", 6: "signals and abstract sockets"}
IN_THE_GAPS = """
from codeact.testing import raw_session
ATTEMPTS = '''
import ctypes, fcntl, os, socket, sys
through = []
for what, attempt in {
    "truncated": lambda: os.truncate(os.__file__, 0), "emptied": lambda: os.open(os.__file__, os.O_RDONLY | os.O_TRUNC),
    "a port": lambda: socket.socket(socket.AF_INET).connect(("127.0.0.1", 1)),
    "a device": lambda: fcntl.ioctl(os.open("/dev/urandom", os.O_RDONLY), 0x5201, 0),
    "a signal": lambda: os.kill(os.getppid(), 0),
    "an abstract socket": lambda: socket.socket(socket.AF_UNIX).connect(chr(0) + "x"),
    "moved": lambda: (open("f", "w").close(), os.rename("f", "../f")),
    "linked": lambda: os.link(os.__file__, "linked"),
}.items():
    try:
        attempt()
        through.append(what)
    except ConnectionRefusedError:
        through.append(what)
    except OSError:
        pass
open("mine", "w").write("long")
os.mkdir("d")
try:
    os.rename("mine", "d/mine")
    moves = True
except OSError:
    moves = False
os.ftruncate(os.open("d/mine" if moves else "mine", os.O_WRONLY), 1)
through, moves
'''
with raw_session() as session:
    print(session.run(ATTEMPTS).value)
"""


@pytest.mark.parametrize("version", range(1, 7))
def test_an_older_landlock_says_what_it_lacks_and_what_covers_for_it(version):
    fit, found = inspect(f"landlock-version-{version}")
    holds, detail, remedy = found["landlock"]

    assert fit
    assert holds
    assert detail.startswith(f"version {version}")
    assert [gap for gap in GAPS.values() if gap in detail] == [gap for since, gap in GAPS.items() if version < since]
    assert ("the filter of system calls does" in detail) == bool(remedy) == (version < 6)


@pytest.mark.parametrize("version", [1, 2, 3, 5])
def test_what_an_older_landlock_lacks_is_held_off_without_namespaces_too(version):
    said = elsewhere("no-namespaces", f"landlock-version-{version}", program=IN_THE_GAPS)

    assert said == f"([], {version >= 2})\n"


@pytest.mark.skipif(landlock.version() < 7, reason="this kernel logs nothing of it")
def test_what_landlock_refuses_is_not_written_to_the_hosts_log():
    assert elsewhere("no-landlock-log", program=WORKS) == elsewhere(program=WORKS)


def test_an_older_landlock_tells_that_nothing_covers_where_the_filter_is_left_out():
    program = """
from codeact import Session
with Session(without=["syscalls"]) as session:
    print({wall.name: wall.detail for wall in session.walls}["landlock"])
"""
    assert "which the filter does not either" in elsewhere("landlock-version-4", program=program)


@pytest.mark.parametrize(
    "wishes",
    [
        ("no-landlock", "no-mounts"),
        ("landlock-switched-off", "no-namespaces"),
        ("user", "no-landlock", "no-pivot"),
        ("user", "landlock-switched-off", "proc-read-only"),
        ("user", "no-landlock", "no-user-namespaces"),
    ],
)
def test_where_nothing_hides_files_nothing_starts(wishes):
    fit, found = inspect(*wishes)

    assert not fit
    assert list(found) == ["landlock"]
    assert "nothing would hide files" in found["landlock"][1]
    assert "mount namespaces" in found["landlock"][2]


@pytest.mark.parametrize(
    ("wishes", "wall", "remedy"),
    [
        (("no-seccomp",), "syscalls", "without=['syscalls']"),
        (("user", "no-seccomp"), "syscalls", "without=['syscalls']"),
        (("no-landlock-rules",), "landlock", "without=['landlock']"),
        (("no-landlock-layers",), "landlock", "without=['landlock']"),
        (("no-process-descriptors",), "zygote", "pidfd_open"),
        (("no-prctl",), "privileges", "a container, that allows it"),
        (("no-capabilities",), "folder", "as an ordinary user"),
        (("no-override",), "folder", "CAP_DAC_OVERRIDE"),
    ],
)
def test_a_wall_the_kernel_refuses_stops_the_start_with_a_remedy(wishes, wall, remedy):
    fit, found = inspect(*wishes)

    assert not fit
    assert list(found) == [wall]
    assert remedy in found[wall][2]
    assert "Traceback" not in found[wall][1]


SPARED = """
import re
from codeact import Session
from codeact.errors import CageError
try:
    Session()
except CageError as error:
    with Session(without=re.findall(r"without=\\['(.*?)'\\]", error.remedy)) as session:
        print(session.run("1 + 1").value)
"""


@pytest.mark.parametrize("wish", ["no-seccomp", "no-landlock-rules", "no-capabilities", "no-override"])
def test_a_session_starts_without_the_wall_that_the_remedy_names(wish):
    assert elsewhere(wish, program=SPARED) == "2\n"


def test_what_a_copy_takes_and_is_refused_is_said_in_words():
    program = """
from codeact import Session
from codeact.errors import CageError
with Session() as session:
    try:
        session.fork()
    except CageError as error:
        print(error)
"""

    assert "could not be followed ([Errno 1] Operation not permitted)" in elsewhere("no-ftruncate", program=program)


@pytest.mark.parametrize("wishes", [("no-mounts",), ("user", "no-mounts"), ("no-pivot",), ("user", "no-pivot")])
def test_where_mounting_is_forbidden_landlock_hides_files_and_what_is_off_is_said(wishes):
    fit, found = inspect(*wishes)

    assert fit
    assert {name for name, (holds, *_) in found.items() if not holds} == {"files", "pids", "folder"}
    assert "the host's /proc tells which there are" in found["pids"][1]


def test_a_user_who_may_be_nobody_in_a_namespace_gets_the_other_walls():
    fit, found = inspect("user", "proc-read-only")

    assert fit
    assert {name for name, (holds, *_) in found.items() if not holds} == {"files", "pids", "network", "ipc", "folder"}
    assert "apparmor" in found["files"][2]


@pytest.mark.parametrize(
    "wishes",
    [
        ("no-pivot",),
        ("user", "no-pivot"),
        ("user", "no-mounts"),
        ("mount-setattr-forbidden",),
        ("user", "no-mount-setattr"),
        ("user", "proc-read-only"),
        ("no-proc",),
        ("user", "no-proc"),
        ("user", "no-proc", "no-namespaces"),
        ("user", "no-namespaces", "landlock-version-1"),
    ],
)
def test_sessions_work_where_less_is_allowed(wishes):
    assert elsewhere(*wishes, program=WORKS).split() == ["True", "1", "6000000"]


@pytest.mark.skipif(importlib.util.find_spec("openpyxl") is None, reason="openpyxl is not installed")
def test_sheets_are_written_where_landlock_alone_hides_files():  # their library reads /etc/mime.types, where it is
    program = """
from codeact import Policy, Session
with Session(policy=Policy(imports=["pandas"])) as session:
    print(session.run("import pandas as pd; pd.DataFrame({'x': [7]}).to_excel('o.xlsx'); len(pd.read_excel('o.xlsx'))"))
"""
    assert "Value: 1" in elsewhere("user", "no-namespaces", program=program)


@pytest.mark.parametrize("wish", ["no-mount-setattr", "mount-setattr-forbidden", "no-wish"])
def test_what_is_mounted_below_a_readable_place_cannot_be_written_to(wish):
    program = """
from codeact.testing import raw_session
with raw_session() as session:
    print(session.run("import os; os.listdir('/usr/local/lib')").value)
    print(session.run("open('/usr/local/lib/a b/x', 'w')").failure.message)
"""
    said = elsewhere("mounted-below", "no-landlock", wish, program=program).splitlines()

    assert said == ["['a b']", "[Errno 30] Read-only file system: '/usr/local/lib/a b/x'"]
