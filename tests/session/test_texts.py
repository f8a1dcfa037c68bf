"""Identifiers, addresses and paths between tools and snippets."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterator
from ipaddress import IPv4Network
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from codeact import Session

TEXTS = [uuid.UUID(int=7), Path("orders.csv"), PurePosixPath("a"), IPv4Network("10.0.0.0/8"), datetime.UTC]


def texts() -> list[Any]:
    """Gives some."""
    return TEXTS


def are_texts(values: list[Any]) -> bool:
    """Takes them."""
    return values == TEXTS


@pytest.fixture(params=["caged", "inline"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    with Session(tools=[texts, are_texts], isolation=request.param) as opened:
        yield opened


def test_they_cross_both_ways(session: Session) -> None:
    seen = session.run("given = texts()\nassert are_texts(given)\ngiven")
    assert seen.value == TEXTS
    assert session.variables()["given"].text == repr(TEXTS)


def test_they_are_recorded_and_given_again(tmp_path: Path) -> None:
    with Session(tools=[texts, are_texts]) as session:
        session.run("given = texts()")
        session.save(tmp_path / "texts.session")
    with Session.resume(tmp_path / "texts.session", tools=[texts, are_texts]) as resumed:
        assert resumed.run("given").value == TEXTS


def test_a_path_that_is_given_is_one_of_the_working_folder(session: Session) -> None:
    source = "import pathlib\npath = texts()[1]\npath.write_text('a,b')\ntype(path) is pathlib.Path, path.read_text()"
    assert session.run(source).value == (True, "a,b")
    session.assign({"canary": Path(__file__)})
    failure = session.run("canary.read_text()").failure
    assert failure is not None
    assert failure.type == "PermissionError"
