"""Processes: how many, whom they reach, and that none is left."""

from __future__ import annotations

import errno

from codeact import Limits, Policy
from codeact.sandbox import zygotes
from codeact.testing import raw_session


def test_a_step_finds_no_place_to_fork_into(attack):
    assert attack("[refused(os.fork) for _ in range(5)]").value == ["BlockingIOError"] * 5


def test_a_step_starts_no_thread(attack):
    assert attack("refused(threading.Thread(target=time.sleep, args=(1,)).start)").value == "RuntimeError"


def test_the_first_step_of_a_session_with_many_states_finds_no_place_either():
    with raw_session(limits=Limits(checkpoints=4, memory_bytes=128 << 20)) as session:
        seen = session.run("import os\ntry:\n    pid = os.fork()\nexcept OSError:\n    pid = None\npid")

        assert seen.value is None


def test_a_session_without_backups_finds_no_place_either():
    with raw_session(limits=Limits(checkpoints=0, memory_bytes=128 << 20)) as session:
        seen = session.run("import os\ntry:\n    pid = os.fork()\nexcept OSError:\n    pid = None\npid")

        assert seen.value is None


def test_sessions_have_users_of_their_own_or_none_with_rights(attack):
    seen = attack("os.getuid() != 0 and [refused(lambda: os.setuid(0)), refused(lambda: os.setgroups([0]))]")

    assert seen.value == ["PermissionError", "PermissionError"]


def test_no_capability_is_left(attack):
    header, sets = "(ctypes.c_uint32 * 2)(0x20080522, 0)", "(ctypes.c_uint32 * 6)()"
    seen = attack(
        f"[libc.prctl(23, c, 0, 0, 0) for c in range(41)], libc.prctl(39, 0, 0, 0, 0), {header} and {sets} and 0"
    )

    assert seen.value[0] == [0] * 41
    assert seen.value[1] == 1


def test_only_the_sessions_socket_and_the_backups_pipe_are_open(attack):
    seen = attack(
        "import stat\n"
        "kinds = {}\n"
        "for d in range(300):\n"
        "    try: kinds[d] = stat.S_IFMT(os.fstat(d).st_mode)\n"
        "    except OSError: pass\n"
        "[[d for d, k in kinds.items() if k == stat.S_IFSOCK], [d for d, k in kinds.items() if k == stat.S_IFREG]]"
    )

    assert seen.value == [[3], []]


def test_the_environment_is_empty_of_the_hosts(attack, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "sesame")
    seen = attack("[v for v in os.environ.values() if 'sesame' in v], 'PATH' in os.environ")

    assert seen.value == ([], False)


def test_memory_of_every_kind_is_bounded(attack):
    seen = attack(
        "import mmap\n"
        "[refused(lambda: bytearray(400 << 20)), refused(lambda: mmap.mmap(-1, 400 << 20)),\n"
        " refused(lambda: mmap.mmap(-1, 400 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))]"
    )

    assert seen.value[0] == "MemoryError"
    assert None not in seen.value


def test_descriptors_are_bounded(attack):
    assert attack("refused(lambda: [os.dup(0) for _ in range(200)])").value == "OSError"


def test_one_place_is_all_a_step_gains_by_burying_the_dead(attack):
    seen = attack(
        "gained = 0\n"
        "for _ in range(40):\n"
        "    try:\n"
        "        if os.fork() == 0:\n"
        "            time.sleep(30)\n"
        "        gained += 1\n"
        "    except OSError:\n"
        "        try: os.waitpid(-1, os.WNOHANG)\n"
        "        except OSError: pass\n"
        "gained <= 1"
    )

    assert seen.value is True


def test_what_a_step_started_dies_with_its_session(attack):
    seen = attack("try: os.wait()\nexcept OSError: pass\n(os.fork() == 0) and time.sleep(60)")

    assert seen.failure is None or seen.rolled_back


def test_a_session_cannot_end_the_others_by_cutting_off_the_page_of_its_copy():
    zygote = zygotes.for_policy(Policy(), frozenset())
    with raw_session() as other, raw_session() as session:
        other.run("kept = 1")
        session.run("""
import os, socket
receive, told = socket.recv_fds, []
def cut_off(*arguments):
    found = receive(*arguments)
    for descriptor in found[1]:
        for attempt in (lambda: os.ftruncate(descriptor, 0), lambda: os.ftruncate(descriptor, 1 << 20)):
            try:
                attempt()
                told.append("cut off")
            except OSError as error:
                told.append(error.errno)
    return found
socket.recv_fds = cut_off
""")
        with session.fork() as copy:
            assert copy.run("1 + 1").value == 2
        told = session.run("told").value
        assert "cut off" not in told
        assert errno.EPERM in told  # the page; its socket and the rules have no length
        assert zygote.alive
        assert other.run("kept").value == 1


OWN_PAGE_ALONE = """
import ctypes, mmap, sys
libc = ctypes.CDLL(None, use_errno=True)
frame = sys._getframe()
while type(frame.f_locals.get("self")).__name__ != "_Zygote":
    frame = frame.f_back
pages = [member.page._address for member in frame.f_locals["self"].sessions._members.values()]
len(pages), [libc.msync(ctypes.c_void_p(page), mmap.PAGESIZE, 1) for page in pages]
"""


def test_the_pages_by_which_other_sessions_name_their_processes_are_out_of_reach():
    limits = Limits(memory_bytes=128 << 20)
    with raw_session(limits=limits) as one, one.fork(), raw_session(limits=limits) as another:
        count, reached = another.run(OWN_PAGE_ALONE).value

    assert count >= 2
    assert set(reached) == {-1}
