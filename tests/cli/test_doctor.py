"""`codeact doctor`: the walls, as they stand here."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from codeact.session.attacks.run import KINDS, sources
from tests.cli.command import codeact


def test_the_doctor_names_each_wall_and_its_exit_code_says_whether_a_session_could_start(tmp_path: Path) -> None:
    shown, told = codeact("doctor", folder=tmp_path), codeact("doctor", "--json", folder=tmp_path)
    assert shown.code == told.code == (0 if told.json["ok"] else 1)
    assert {"landlock", "syscalls"} <= {wall["name"] for wall in told.json["walls"]}
    assert all(wall["name"] in shown.out for wall in told.json["walls"])


def test_every_wall_that_is_off_comes_with_a_remedy(tmp_path: Path) -> None:
    walls = codeact("doctor", "--json", folder=tmp_path).json["walls"]
    assert [wall["name"] for wall in walls if not wall["holds"] and not wall["remedy"]] == []


@pytest.mark.slow
def test_the_doctor_makes_every_attack_and_tells_that_none_got_through(tmp_path: Path) -> None:
    told = codeact("doctor", "--attack", "--json", folder=tmp_path)
    through = [attempt for attempt in told.json["attacks"] if attempt["through"]]
    made = Counter(attempt["kind"] for attempt in told.json["attacks"])
    assert made == {kind: len(sources(kind)) for kind in KINDS}
    assert through == []
    assert told.code == (1 if through or not told.json["ok"] else 0)
