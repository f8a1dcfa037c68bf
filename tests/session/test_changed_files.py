"""Files that are handed in, and moved, changed or taken away afterwards: no session is built again with others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codeact import Session
from codeact.errors import SessionError, UsageError
from codeact.toolbox import Pause


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    """A file to hand in."""
    (file := tmp_path / "orders.csv").write_text("pear,3")
    return file


def ask() -> str:
    """Asks somebody."""
    raise Pause("somebody has to say")


def built_again(session: Session) -> None:
    """Lose the worker: inline, that is what a pause costs."""
    assert session.run("ask()").paused is not None


def session_with(file: Path | str) -> Session:
    """A session that has read the file."""
    session = Session(tools=[ask], files={"orders.csv": file}, isolation="inline")
    session.run("book = open('orders.csv').read()")
    return session


def test_a_file_named_from_the_folder_the_host_was_in_is_found_again_when_it_is_in_another(
    orders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with session_with(orders.name) as session:
        monkeypatch.chdir("/")
        built_again(session)
        assert session.run("book").value == "pear,3"
        session.save(tmp_path / "moved.session")


def test_a_state_is_not_built_again_with_a_file_that_holds_something_else_by_now(orders: Path) -> None:
    with session_with(orders) as session:
        orders.write_text("plum,17")
        built_again(session)
        with pytest.raises(SessionError, match=r"lost.*orders\.csv: changed"):
            session.run("book")
        session.run("book = open('orders.csv').read()")
        built_again(session)
        assert session.run("book").value == "plum,17"


def test_a_session_is_not_saved_with_a_file_that_holds_something_else_by_now(orders: Path, tmp_path: Path) -> None:
    with session_with(orders) as session:
        orders.write_text("plum,17")
        with pytest.raises(UsageError, match=r"orders\.csv: changed"):
            session.save(tmp_path / "changed.session")
        orders.unlink()
        with pytest.raises(UsageError, match="No such file"):
            session.save(tmp_path / "changed.session")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("journal", [False, True])
@pytest.mark.parametrize("what", ["nothing", "a folder", "a pipe"])
def test_what_is_no_file_is_a_usage_error_also_where_a_journal_would_hold_it(
    what: str, journal: bool, tmp_path: Path
) -> None:
    if what == "a folder":
        (tmp_path / "orders.csv").mkdir()
    elif what == "a pipe":
        os.mkfifo(tmp_path / "orders.csv")
    path = tmp_path / "live.jsonl" if journal else None
    with pytest.raises(UsageError, match=r"files=\{'orders.csv'"):
        Session(files={"orders.csv": tmp_path / "orders.csv"}, journal=path)
