"""Snippets put the ready-made tools together, and cannot widen what they reach."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeact.loading import load_tools
from codeact.session import Session

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture
def session(folder: Path) -> Iterator[Session]:
    with Session(tools=load_tools([TOOLS])) as session:
        yield session


def test_one_snippet_reads_converts_and_writes(session: Session, folder: Path) -> None:
    (folder / "trips.csv").write_text("day,miles\n12 March 2024,5\n13 March 2024,10\n")
    seen = session.run(
        """
trips = read_csv("trips.csv")
rows = [{"day": parse_date(t["day"]), "km": convert_units(t["miles"], "mi", "km")} for t in trips]
write_csv("out.csv", rows)
sum(row["km"] for row in rows)
"""
    )
    assert seen.failure is None
    assert seen.value == pytest.approx(24.14016)
    assert (folder / "out.csv").read_text().splitlines() == ["day,km", "2024-03-12,8.04672", "2024-03-13,16.09344"]


def test_a_tools_error_can_be_caught_for_what_it_is(session: Session) -> None:
    seen = session.run("try:\n    read_csv('../secret.txt')\nexcept PermissionError as error:\n    print(error)")
    assert seen.ok
    assert "outside the folder" in seen.stdout


def test_a_call_that_cannot_fit_is_refused_before_any_is_made(session: Session, folder: Path) -> None:
    seen = session.run("write_csv('a.csv', [{'a': 1}])\nread_csv(path='a.csv')")
    assert seen.failure is not None
    assert seen.failure.kind == "refused"
    assert "read_csv(file: str" in seen.failure.excerpt
    assert seen.calls == ()
    assert list(folder.iterdir()) == []


def test_a_snippet_cannot_move_the_folder(session: Session) -> None:
    session.run("import os\nos.environ['TOOLS_FOLDER'] = '/'")
    seen = session.run("read_text('/etc/passwd')")
    assert seen.failure is not None
    assert seen.failure.type == "PermissionError"
