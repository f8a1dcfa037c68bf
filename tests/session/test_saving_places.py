"""Where a session is saved, and what else lies there."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codeact import Session
from codeact.errors import Diverged, JournalError, UsageError
from codeact.journal import lock
from codeact.session import link
from tests.full_disk import room_for
from tests.session.parts import UNRECORDED, interrupted_once


def test_saving_in_the_place_of_a_journal_that_is_being_written_is_refused_and_the_journal_goes_on(
    tmp_path: Path,
) -> None:
    journal = tmp_path / "live.jsonl"
    with Session(journal=journal) as session:
        session.run("kept = 1")
        with pytest.raises(JournalError, match="is being written"):
            session.save(journal)
        session.run("kept = 2")
    with Session.resume(journal) as again:
        assert again.run("kept").value == 2
        again.save(journal)
    assert os.listdir(tmp_path) == ["live.jsonl"]


def test_saving_removes_what_a_host_killed_while_it_saved_there_has_left(tmp_path: Path) -> None:
    path, killed = tmp_path / "orders.session", "import os, sys; os.replace = lambda *_: os.kill(os.getpid(), 9); "
    save = "from codeact import Session; Session(isolation='inline').save(sys.argv[1])"
    subprocess.run([sys.executable, "-W", "ignore", "-c", killed + save, path], check=False)
    (left,) = tmp_path.iterdir()
    written, other = tmp_path / ".orders.session.0.part", tmp_path / ".orders.session.bak"
    other.touch()
    with Session() as session, Session(journal=written):
        for file in (left, written, other):
            os.utime(file, (0, 0))
        session.save(path)

    assert {*tmp_path.iterdir()} == {path, written, other}


def test_ctrl_c_while_a_session_is_saved_leaves_nothing_beside_what_was_there(tmp_path: Path) -> None:
    with Session() as session:
        session.save(tmp_path / "kept.session")
        before = (tmp_path / "kept.session").read_bytes()
        interrupted_once(lock, "refuse_written")
        with pytest.raises(KeyboardInterrupt):
            session.save(tmp_path / "kept.session")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [before]


def test_ctrl_c_while_a_session_begins_leaves_its_journals_place_free(tmp_path: Path) -> None:
    interrupted_once(lock, "take")
    with pytest.raises(KeyboardInterrupt):
        Session(journal=tmp_path / "live.jsonl")
    with Session(journal=tmp_path / "live.jsonl") as session:
        assert session.run("6 * 7").value == 42


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_while_a_worker_is_linked_is_nothing_but_ctrl_c() -> None:
    interrupted_once(link, "host_channel")
    with pytest.raises(KeyboardInterrupt):
        Session()


def test_a_place_no_file_can_be_saved_at_is_named_as_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with Session() as session, pytest.raises(JournalError) as told:
        session.save(tmp_path / "file/x")
    assert str(told.value) == f"{tmp_path / 'file/x'} cannot be written (Not a directory): name another place"


def test_saving_without_a_descriptor_to_be_had_says_so(tmp_path: Path) -> None:
    with Session() as session:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))  # the standard three are open
        try:
            with pytest.raises(JournalError, match="Too many open files"):
                session.save(tmp_path / "orders.session")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        session.save(tmp_path / "orders.session")


def test_saving_where_there_is_no_room_names_the_place_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "orders.session"
    with Session() as session, room_for(100), pytest.raises(JournalError) as raised:
        session.save(path)
    assert str(raised.value).startswith(f"{path} cannot be written (File too large)")
    assert not [*tmp_path.iterdir()]


def test_saving_takes_the_place_of_files_alone(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with Session(isolation="inline") as session, pytest.raises(JournalError, match="pipe is there, and is no file"):
        session.save(pipe)
    assert pipe.is_fifo()


def test_saving_at_a_link_writes_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "link.session").symlink_to("real.session")
    with Session() as session:
        session.run("kept = 1")
        session.save(tmp_path / "link.session")
    assert os.readlink(tmp_path / "link.session") == "real.session"
    with Session.resume(tmp_path / "real.session") as again:
        assert again.run("kept").value == 1


def _diverging(path: Path) -> Session:
    """Resume what does something else each time."""
    saved = path.with_suffix(".session")
    with Session() as session:
        session.run(f"{UNRECORDED}time.time_ns()")
        session.save(saved)
    return Session.resume(saved, journal=path)


@pytest.mark.parametrize("begin", [lambda path: Session(without=["nonsense"], journal=path), _diverging])
def test_a_session_that_could_not_begin_leaves_no_journal_in_the_way_of_the_next_try(
    begin: Callable[[Path], Session], tmp_path: Path
) -> None:
    for _ in range(2):
        with pytest.raises((UsageError, Diverged)):
            begin(tmp_path / "live.jsonl")
    assert not (tmp_path / "live.jsonl").exists()
