"""Workers and zygotes that die while a session begins."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from codeact import Limits, Policy, Session
from codeact.errors import CageError
from codeact.sandbox import launch, zygotes
from tests.sandbox.elsewhere import elsewhere

KIND = Policy(imports=["colorsys"])  # a zygote of its own


@pytest.fixture
def zygote() -> int:
    """The zygote of that kind."""
    with Session(policy=KIND):
        pass
    return zygotes.for_policy(KIND, frozenset()).pid


def kill_children(zygote: int, most: int, over: threading.Event) -> None:
    """Kill so many of its children, each as soon as it is there."""
    killed: set[int] = set()
    while len(killed) < most and not over.is_set():
        with suppress(OSError), open(f"/proc/{zygote}/task/{zygote}/children", encoding="ascii") as children:
            for child in {int(word) for word in children.read().split()} - killed:
                os.kill(child, signal.SIGKILL)
                killed.add(child)


@pytest.fixture
def killed(zygote: int) -> Iterator[Callable[[int], None]]:
    """Have the next sessions of this zygote killed while they begin."""
    over, killers = threading.Event(), []

    def kill(most: int) -> None:
        killers.append(threading.Thread(target=kill_children, args=(zygote, most, over)))
        killers[-1].start()

    yield kill
    over.set()
    for killer in killers:
        killer.join()


def test_a_worker_killed_while_it_is_caged_is_replaced_and_loses_no_file(killed: Callable[[int], None]) -> None:
    content = os.urandom(5 << 20)
    killed(2)
    with Session(policy=KIND, files={"a.bin": content}, limits=Limits(value_bytes=8 << 20)) as session:
        assert session.read_file("a.bin") == content


KILLED_BY_A_CALL = """
from codeact.worker import bpf, kernel, seccomp, syscalls
rules = [bpf.Rule(syscalls.numbers()["capset"], (), bpf.KILL)]  # which nobody calls but a session being caged
here = dict(architecture=syscalls.audit_architecture(), first_unknown=1 << 20, unknown=bpf.ALLOW, default=bpf.ALLOW)
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
seccomp.load(bpf.assemble(rules, **here))
from codeact import Session
from codeact.errors import CageError
try:
    Session()
except CageError as error:
    print(error)
"""


def test_where_each_worker_is_killed_it_is_said_at_last() -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED_BY_A_CALL], capture_output=True, text=True, check=True, timeout=60
    )

    assert "the worker died while its cage was put on; that was the last of 4 tries" in done.stdout


@pytest.mark.parametrize(("isolation", "free"), [("inline", 1), *(("caged", free) for free in range(1, 8))])
def test_a_session_that_gets_too_few_descriptors_says_so_and_leaves_none_open(isolation: str, free: int) -> None:
    program = f"""
import ctypes, gc, os, resource  # the library ctypes stands on may keep a descriptor of itself
from codeact import Session
from codeact.errors import SessionError
from codeact.session import bell
def opened():
    return [number for number in range(99) if os.path.exists(f"/proc/self/fd/{{number}}")]
bell.mine()
before = opened()
limit = [number for number in range(99) if number not in before][{free}]
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, 99))
try:
    Session(isolation="{isolation}")
except SessionError:
    resource.setrlimit(resource.RLIMIT_NOFILE, (99, 99))
gc.collect()
print(set(opened()) - set(before))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "set()\n", done.stderr


def test_a_zygote_that_finds_no_place_for_folders_keeps_nothing_of_the_sessions_it_could_not_make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no folder").touch()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "no folder"))
    zygote = zygotes.for_policy(KIND, frozenset({"files"}))

    def pages() -> int:
        for _ in range(10):
            with pytest.raises(CageError, match="no place for it"):
                Session(policy=KIND, without=["files"])
        return Path(f"/proc/{zygote.pid}/maps").read_text().count("/dev/zero")

    assert pages() == pages()
    zygote.close()


def test_where_folders_of_sessions_lie_on_disk_nobody_else_reads_their_names() -> None:
    worker = launch.start(policy=KIND, limits=Limits(), without=frozenset({"files"}))
    modes = [stat.S_IMODE(folder.stat().st_mode) for folder in Path(worker.folder).parents[:2]]
    worker.close()

    assert modes == [0o711] * 2


@pytest.mark.skipif(os.geteuid() != 0, reason="becoming somebody else takes root")
def test_a_host_that_may_start_too_few_processes_is_told_of_its_limit() -> None:
    told = elsewhere("user", program=TOO_FEW)

    assert "(ulimit -u)" in told
    assert "Traceback" not in told


# However many processes that user has elsewhere: with some of these, the zygote is the last that may be started.
TOO_FEW = """
import resource
from codeact import Session
from codeact.errors import CodeactError
_, most = resource.getrlimit(resource.RLIMIT_NPROC)
for processes in range(1, 13):
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, most))
    try:
        Session().close()
    except CodeactError as error:
        print(error)
"""
