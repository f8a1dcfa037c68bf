"""A session that is closed while the very thread gives its zygote another order: by a signal, or collected as garbage."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from codeact.errors import WorkerDied
from codeact.limits import Policy
from codeact.sandbox import zygotes
from codeact.wire import orders
from tests.sandbox.conftest import Spoken, descendants, ended


@pytest.mark.parametrize("use", [lambda other: other.fork(), lambda other: other.worker.close()])
def test_it_is_ended_as_soon_as_that_order_is_answered(
    use: Callable[[Spoken], Any], speak: Callable[..., Spoken], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = speak()
    before = set(descendants(os.getpid()))
    first = speak()
    own = set(descendants(os.getpid())) - before
    zygote = zygotes.for_policy(Policy(), frozenset())
    exchange = zygote._exchange

    def meanwhile(*order: Any) -> orders.Answer:
        monkeypatch.setattr(zygote, "_exchange", exchange)
        first.worker.close()
        assert [waiting.session for waiting in zygote._put_off] == [first.worker._session]
        with pytest.raises(WorkerDied, match="in this very thread"):
            zygote.ask(orders.Stir(other.worker._session))
        return exchange(*order)

    monkeypatch.setattr(zygote, "_exchange", meanwhile)
    use(other)
    assert own
    assert not zygote._put_off
    assert all(ended(pid) for pid in own)
    assert speak().run("1 + 1") == 2


_FORGETS = """
import gc, sys, faulthandler
from codeact import Session
faulthandler.dump_traceback_later(60, exit=True)
gc.set_threshold(5)

def forgotten():
    def known() -> int:
        \"\"\"Knows its session.\"\"\"
        return len(sessions)
    sessions = [Session([known])]

for number in range(60):
    forgotten()
"""


def test_sessions_that_are_collected_while_others_start_hold_up_nobody() -> None:
    told = subprocess.run([sys.executable, "-c", _FORGETS], capture_output=True, text=True, timeout=120, check=False)
    assert told.returncode == 0, told.stderr[-3000:]


_CLOSES = """
import os, signal
from codeact import Session
from codeact.sandbox import zygotes

def stopped(number, frame):
    for session in kept:
        session.close()

kept = [Session(), Session()]
signal.signal(signal.SIGTERM, stopped)
receive = zygotes.Zygote._receive

def interrupted(self, seconds):
    zygotes.Zygote._receive = receive
    os.kill(os.getpid(), signal.SIGTERM)
    return receive(self, seconds)

zygotes.Zygote._receive = interrupted
with Session(files={"a.txt": b"none that is kept ready"}) as session:
    print(session.run("1 + 1").value)
"""


def test_a_signals_handler_closes_sessions_while_another_one_starts() -> None:
    told = subprocess.run([sys.executable, "-c", _CLOSES], capture_output=True, text=True, timeout=60, check=False)
    assert told.stdout == "2\n", told.stderr
