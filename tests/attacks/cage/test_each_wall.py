"""What holds an attack back is the wall it is aimed at: with that one left out, the same attack gets through."""

from __future__ import annotations

import pytest

from codeact import Limits
from codeact.testing import raw_session

ATTACKS = {
    "syscalls": "import socket; pair = socket.socketpair(); pair[0].sendmsg([b'x']) == 1",
    "landlock": "import os; 'forks' in os.listdir('/')",
    "limits": "len(bytearray(600 << 20)) > 0",
    "processes": (
        "import os, time\n"
        "pids = []\n"
        "for _ in range(5):\n"
        "    pid = os.fork()\n"
        "    if pid == 0:\n"
        "        time.sleep(60)\n"
        "    pids.append(pid)\n"
        "len(pids) == 5"
    ),
    "folder": "[open(str(n), 'wb').write(bytes(1 << 20)) for n in range(24)] != []",
    "files": "import os; os.stat('/etc/passwd').st_size > 0",
    "pids": "import os; os.getppid() != 1",
    "identity": "import os; os.stat('/session').st_uid == os.getuid() and os.getuid() < 1 << 30",
}
LIMITS = Limits(memory_bytes=128 << 20, folder_bytes=8 << 20)


@pytest.mark.parametrize("wall", ATTACKS)
def test_an_attack_gets_through_where_its_wall_is_left_out(wall):
    with raw_session(limits=LIMITS, without=[wall]) as session:
        assert not next(found.holds for found in session.walls if found.name == wall)
        seen = session.run(ATTACKS[wall])

    assert seen.value is True, seen


@pytest.mark.parametrize("wall", ATTACKS)
def test_the_same_attack_is_held_back_where_all_walls_stand(wall):
    with raw_session(limits=LIMITS) as session:
        seen = session.run(ATTACKS[wall])

    assert seen.value is not True, seen
