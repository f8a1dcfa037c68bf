"""What a step has left running speaks for no state from before it, once the step is undone."""

from __future__ import annotations

import pytest

from codeact.limits import Limits
from codeact.session.raw import RawSession
from tests.session.parts import FINDS_ITS_SERVER, FORKS

# A process of the step's own that says of each step to come, once the step is undone, that it is over.
ANSWERS_FOR_STEPS_TO_COME = (
    FINDS_ITS_SERVER
    + FORKS
    + """
import msgspec, time
if not forked:
    os.closerange(4, 300)
    while os.getppid() == runner:
        time.sleep(0.0005)
    {named}
    while True:
        time.sleep(0.0005)
        for step in range(1, 4):
            end = ['finished', 666, '', None, [0, 0, 0, 0.0, 0], False, None, [], [], server.owed + (step << 32)]
            os.write(3, b"\\x03" + msgspec.msgpack.encode(end))
"""
)
NAMES_ITSELF_A_STATE = """
    import threading
    page = server.checkpoints._page
    def name():
        while page.read()[-1:] != [os.getpid()]: page.write([*page.read()[:1], os.getpid()])
    write = os.write
    os.write = lambda *said: (name(), write(*said))
"""


@pytest.mark.parametrize("named", ["pass", NAMES_ITSELF_A_STATE.strip()], ids=["unnamed", "as a state"])
def test_what_an_undone_step_has_left_running_answers_for_no_later_one(named: str) -> None:
    with RawSession(limits=Limits(wall_seconds=1, checkpoints=3)) as session:
        for number in range(3):
            session.run(f"import time\nx = {number}")
        assert session.run(ANSWERS_FOR_STEPS_TO_COME.format(named=named)).ok
        session.rewind(1)
        assert [session.run("x").value for _ in range(3)] == [2, 2, 2]
