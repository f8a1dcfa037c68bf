"""What a zygote knows of its sessions; none is forked for it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from codeact.worker import family, rlimits, sessions
from codeact.worker.family import Family, Member
from codeact.worker.page import Page
from codeact.worker.sessions import Sessions


def test_copies_that_say_for_ever_that_they_freeze_a_state_are_waited_for_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(sessions, "time", SimpleNamespace(sleep=slept.append))
    monkeypatch.setattr(family, "group_of", lambda pid: 2)
    monkeypatch.setattr(rlimits, "make_room", lambda *_: None)
    kin = Family(2, 0, "", 0)
    members = [Member(kin, Page(), now=3, alone=1, processes=3, memory_bytes=100, place="") for _ in range(20)]
    zygotes = Sessions.__new__(Sessions)
    zygotes.plan = SimpleNamespace(zygote_pid=1, uid_range=(1, 2))  # type: ignore[assignment]  # no more of it is asked
    zygotes._members = dict(enumerate(members))
    zygotes._share_out(kin, settling=members)

    assert 0 < sum(slept) < 0.1


def test_no_session_bears_the_number_of_another_which_would_take_its_places_where_few_numbers_are_to_be_had(
    tmp_path: Path,
) -> None:
    zygotes = Sessions.__new__(Sessions)
    zygotes.plan = SimpleNamespace(uid_range=(1, 20), without=(), small_root=False)  # type: ignore[assignment]  # no more
    zygotes._home, zygotes._members = str(tmp_path), {}
    for number in range(21):
        kin = Family(number, zygotes.lodge(()).uid, "", 0)
        zygotes._members[number] = Member(kin, Page(), now=3, alone=1, processes=3, memory_bytes=100, place="")
    born = [member.family.uid for member in zygotes._members.values()]

    assert sorted(born[:20]) == [*range(1, 21)]
    assert 1 <= born[20] <= 20, "there is none left"


def test_the_kernel_is_asked_about_no_more_processes_than_a_session_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(family, "group_of", lambda pid: asked.append(pid) or 2)  # type: ignore[func-returns-value]  # None
    page = Page()
    page.write([5] * 1_000)
    member = Member(Family(2, 0, "", 0), page, now=3, alone=1, processes=3, memory_bytes=100, place="")

    assert member.pids() == asked == [5, 5, 5]
