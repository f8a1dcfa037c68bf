"""The watch over memory."""

from __future__ import annotations

import pytest

from codeact.worker import census, family, watch
from codeact.worker.family import Family, Member
from codeact.worker.page import Page


def test_a_session_that_froze_a_state_while_it_was_weighed_loses_no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    monkeypatch.setattr(watch, "kill", killed.extend)
    monkeypatch.setattr(census, "own_bytes", lambda proc, pid: 100)
    monkeypatch.setattr(census, "weigh", lambda proc, pid: (100, 100))
    monkeypatch.setattr(family, "group_of", lambda pid: 2)
    page = Page()
    page.write([2, 7])  # 7 was forked, and 6 dismissed, after the processes were listed
    member = Member(Family(2, 0, "", 0), page, now=3, alone=1, processes=3, memory_bytes=100, place="")

    watch.Watch(0, 50)._hold([member], [2, 6], [])

    assert killed == [6]
