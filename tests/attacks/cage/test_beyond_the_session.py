"""What code without the language does to the zygote, which all sessions share, and to what outlives a copy."""

from __future__ import annotations

import os

import pytest

from codeact import Limits, Policy
from codeact.sandbox import zygotes
from codeact.testing import raw_session
from tests.attacks.cage.conftest import PRELUDE
from tests.sandbox.conftest import none_ready, until

pytestmark = pytest.mark.slow

LIMITS = Limits(memory_bytes=128 << 20, folder_bytes=16 << 20, wall_seconds=20, checkpoints=6)

# The first thread of a child ends, and another one goes on. Its places are those of the states, which are let go of.
GOES_ON_IN_A_THREAD = """
import gc
states = next(found for found in gc.get_objects() if type(found).__name__ == "Checkpoints")._states
for state in states:
    os.write(state.pipe, b"\\xff")
def hide():
    for _ in range(200):
        try:
            threading.Thread(target=time.sleep, args=(120,)).start()
        except RuntimeError:
            time.sleep(0.01)
        else:
            libc.syscall(60 if os.uname().machine == "x86_64" else 93, 0)
    os._exit(1)
for _ in range(200):
    try:
        while os.waitpid(-1, os.WNOHANG)[0]: pass
    except OSError: pass
    try:
        hidden = os.fork()
        break
    except OSError:
        time.sleep(0.01)
if not hidden:
    hide()
time.sleep(0.1)
"""

HOLDS_ON = """
receive, names, held = socket.recv_fds, [], []
def noting(*arguments):
    found = receive(*arguments)
    names.append(found[0].decode())
    return found
socket.recv_fds = noting
"""

FILLS = """
held.append(os.open(names[-1], os.O_TMPFILE | os.O_RDWR, 0o600))
try:
    while True: os.write(held[-1], bytes(1 << 20))
except OSError: pass
"""


@pytest.mark.parametrize("called", [b"\xff", b"caf\xc3", b"\x80) R 1"])
def test_a_process_that_calls_itself_what_is_no_text_ends_no_other_session(called):
    with raw_session(limits=LIMITS) as other, raw_session(limits=LIMITS) as session:
        other.run("kept = 1")
        zygote = zygotes.for_policy(Policy(), frozenset())

        assert session.run(f"{PRELUDE}libc.prctl(15, {called!r}, 0, 0, 0)\ntime.sleep(0.5)").ok
        assert session.run("time.sleep(0.3)\nlibc.prctl(15, b'python', 0, 0, 0)").ok
        assert zygote.alive
        assert other.run("kept").value == 1


def test_a_process_that_goes_on_in_a_thread_when_its_first_has_ended_is_seen_all_the_same():
    with none_ready(), raw_session(limits=LIMITS) as session:
        for _ in range(2):
            session.run("1")
        before = _without_a_first_thread()
        assert session.run(PRELUDE + GOES_ON_IN_A_THREAD).ok
        until(lambda: _without_a_first_thread() <= before)


def _without_a_first_thread() -> int:
    """How many processes there are whose first thread has ended, and another one has not."""
    count = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                ended = file.read().rpartition(b")")[2].split()[0] == b"Z"
            count += ended and len(os.listdir(f"/proc/{name}/task")) > 1
        except OSError:
            continue
    return count


def test_what_a_session_holds_of_its_closed_copies_is_no_more_than_one_folder():
    with none_ready(), raw_session(limits=LIMITS) as first, raw_session(limits=LIMITS) as session:
        for one, copies in ((first, 1), (session, 2)):
            one.run(PRELUDE + HOLDS_ON)
            for _ in range(copies):
                with one.fork():
                    assert one.run(FILLS).ok
        until(lambda: not session.run("len(held)").ok)
        assert first.run("len(held)").value == 1, "what one folder may hold is borne: it may be a part that is mapped"
