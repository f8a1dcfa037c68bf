"""Nothing is left: no process, descriptor or folder, whoever dies first."""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from codeact.errors import UsageError
from codeact.limits import Limits, Policy
from codeact.sandbox import launch, zygotes
from codeact.testing import raw_session
from codeact.wire import orders
from tests.sandbox.conftest import SECONDS, until

pytestmark = pytest.mark.slow

HOST = """
import os, sys
from codeact.limits import Limits, Policy
from codeact.sandbox import launch, zygotes
workers = [launch.start(policy=Policy(), limits=Limits(), checked=False) for _ in range(3)]
print(zygotes.for_policy(Policy(), frozenset()).pid, flush=True)
"""


def test_closing_a_session_leaves_none_of_its_processes(speak, zygote_pid, below):
    session = speak(checkpoints=3)
    session.run("x = 1")
    before = len(below(zygote_pid()))
    session.worker.close()
    session.worker.close()

    assert before >= 4
    assert len(below(zygote_pid())) == before - 4


def test_a_closed_session_cannot_keep_running(speak, zygote_pid, below):
    session = speak()
    before = below(zygote_pid())
    other = speak()
    other.begin(
        "import signal\n"
        "for s in range(1, 65):\n"
        "    try: signal.signal(s, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\n"
        "while True: pass"
    )
    other.worker.close()

    assert set(below(zygote_pid())) == set(before)
    assert session.run("1") == 1


SAYS_ITS_END_AND_GOES_ON = """
import os, msgspec
from codeact.wire.messages import Finished, Spent
said = Finished(1, "1", None, Spent(0, 0, 0, 0.0, 0), False, None, [], [], 1 << 32)
os.write(3, bytes([3]) + msgspec.msgpack.encode(said))
while True: pass
"""


def test_a_forgotten_session_ends_with_what_it_runs_also_where_the_collector_closes_its_socket_first(
    speak, zygote_pid, below, has_ended
):
    speak()
    before = set(below(zygote_pid()))
    forgotten = raw_session()
    forgotten.itself = forgotten  # as an object that knows its session
    assert forgotten.run(SAYS_ITS_END_AND_GOES_ON).value == 1
    started = set(below(zygote_pid())) - before
    del forgotten
    gc.collect()

    assert started
    assert all(map(has_ended, started))


def test_the_zygote_does_not_wait_until_a_large_session_has_given_back_its_memory(speak, zygote_pid, below):
    session, zygote = speak(memory_bytes=1 << 30), zygotes.for_policy(Policy(), frozenset())
    before = len(below(zygote_pid()))
    session.run(f"x = b'x' * ({512 << 20})")
    end = orders.Kill(session.worker._session, whole=True)

    assert zygote.ask(end) == orders.Killed(left=True)
    assert until(lambda: zygote.ask(end) == orders.Killed(left=False))
    assert len(below(zygote_pid())) < before


def test_opening_and_closing_leaks_neither_descriptors_nor_folders(speak):
    speak()
    descriptors = len(os.listdir("/proc/self/fd"))
    folders = set(os.listdir(tempfile.gettempdir()))
    for _ in range(50):
        launch.start(policy=Policy(), limits=Limits(), checked=False, files={"a": b"x"}).close()

    assert len(os.listdir("/proc/self/fd")) == descriptors
    assert not [name for name in set(os.listdir(tempfile.gettempdir())) - folders if name.startswith("codeact-page")]


@pytest.mark.parametrize(
    "end", ["os._exit(0)", "sys.exit(0)", "os.kill(os.getpid(), 9)", "raise RuntimeError", "os.abort()"]
)
def test_when_the_host_ends_its_zygote_and_sessions_end(has_ended, end):
    host = subprocess.run([sys.executable, "-c", HOST + end], capture_output=True, text=True, check=False, timeout=60)

    assert has_ended(int(host.stdout)), host.stderr


def test_a_host_killed_while_sessions_are_made_ready_leaves_no_process(has_ended, below):
    code = HOST + (
        "import itertools\n"
        "launch.keep_ready(8)\n"
        "for _ in itertools.count():\n"
        "    launch.start(policy=Policy(), limits=Limits()).close()\n"
        "    print('.', flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as host:
        for _ in range(8):
            host.stdout.readline()
        left = below(host.pid)
        host.kill()

    assert len(left) > 3
    assert all(has_ended(pid) for pid in left)


def test_a_host_that_is_gone_before_it_is_answered_leaves_no_folder():
    worker = launch.start(policy=Policy(), limits=Limits(), without=frozenset({"files"}))
    folder, zygote = Path(worker.folder), zygotes.for_policy(Policy(), frozenset({"files"}))
    assert folder.exists()
    zygote._channel.shutdown(socket.SHUT_RD)
    zygote._channel.send(orders.numbered(orders.Kill(0, whole=False)))

    assert zygotes._has_ended(zygote._process, SECONDS)
    assert not folder.parent.exists()


def test_a_fork_of_the_host_neither_ends_nor_keeps_the_sessions(has_ended):
    code = HOST + (
        "import subprocess, time\n"
        "if os.fork() == 0:\n"
        "    workers[0].close()\n"
        "    own = launch.start(policy=Policy(), limits=Limits(), checked=False)\n"
        "    own.close()\n"
        "    sys.exit(0)\n"
        "status = os.wait()[1]  # the child's: the zygote lives on\n"
        "print(status, zygotes.for_policy(Policy(), frozenset()).pid)\n"
    )
    host = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    first, status, still = host.stdout.split()

    assert status == "0", host.stderr
    assert first == still
    assert has_ended(int(first))


def test_all_that_runs_for_a_host_is_seen_below_it(speak, zygote_pid, below):
    speak().run("x = 1")
    seen = set(below(os.getpid()))

    assert {zygote_pid(), *below(zygote_pid())} <= seen


def test_a_zygote_that_dies_takes_its_sessions_along_and_is_replaced(speak, zygote_pid, has_ended):
    session = speak()
    old = zygote_pid()
    os.kill(old, signal.SIGKILL)

    assert has_ended(old)
    assert session.worker.socket.recv(10) == b""
    assert session.worker.kill_step() is False
    assert speak().run("1") == 1
    assert zygote_pid() != old


# In the place of the one that keeps it, and as one that is a state to go back to: it is not ended after the step.
LEAVES_A_CHILD = """
import gc, os, time
os.wait()
if (pid := os.fork()) == 0:
    time.sleep(600)
page = next(it for it in gc.get_objects() if type(it).__name__ == '_Server').checkpoints._page
page.write([*page.read(), pid])
pid
"""


def test_what_code_has_left_without_a_process_namespace_ends_with_a_zygote_that_was_killed(has_ended, below):
    without = frozenset({"pids"})
    with raw_session(without=without) as session:
        session.run("None")
        left, zygote = session.run(LEAVES_A_CHILD).value, zygotes.for_policy(Policy(), without)
        all_left = below(zygote.pid)
        os.kill(zygote.pid, signal.SIGKILL)

    assert left in all_left
    assert all(has_ended(pid) for pid in all_left)


def test_a_zygote_that_is_killed_leaves_no_folder():
    without = frozenset({"files"})
    worker = launch.start(policy=Policy(), limits=Limits(), without=without)
    zygote = zygotes.for_policy(Policy(), without)
    place = next(folder for folder in Path(worker.folder).parents if folder.parent == Path(tempfile.gettempdir()))
    assert place.exists()
    os.kill(zygote.pid, signal.SIGKILL)

    assert until(lambda: not place.exists())
    worker.close()


def test_sessions_start_from_many_threads_at_once(speak):
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(speak().run("6 * 7"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [42] * 8


def test_a_wall_nobody_knows_cannot_be_left_out():
    with pytest.raises(UsageError, match="no such wall"):
        launch.start(policy=Policy(), limits=Limits(), without=frozenset({"moat"}))


@pytest.mark.parametrize("kept", [{"landlock"}, {"syscalls"}, {"landlock", "syscalls"}])
def test_a_wall_that_others_rest_on_is_left_out_with_them_alone(kept):
    left_out = {"privileges", "landlock", "syscalls"} - kept
    with pytest.raises(UsageError, match=f"{' and '.join(sorted(kept))} cannot stand"):
        launch.start(policy=Policy(), limits=Limits(), without=frozenset(left_out))


def test_policies_have_zygotes_of_their_own(speak):
    assert speak(policy=Policy(["sqlite3"])).run("import sqlite3; 1") == 1
    assert zygotes.for_policy(Policy(["sqlite3"]), frozenset()) is not zygotes.for_policy(Policy(), frozenset())


def test_a_zygote_has_one_thread_whatever_it_imported():
    pytest.importorskip("pandas")
    zygote = zygotes.for_policy(Policy(["pandas"]), frozenset())

    assert len(os.listdir(f"/proc/{zygote.pid}/task")) == 1
