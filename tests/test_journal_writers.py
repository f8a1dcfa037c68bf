"""A journal has one writer, and a place of its own."""

import errno
import fcntl
import gc
import os
import signal

import pytest

from codeact import Session
from codeact.errors import JournalError
from codeact.journal import Journal, read


def test_a_journal_has_one_writer_until_it_is_closed(tmp_path):
    path = tmp_path / "run.jsonl"
    with Journal.create(path) as journal:
        with pytest.raises(JournalError, match="is being written by another process"):
            Journal.reopen(path)
        journal.append("step", index=1)
    with Journal.reopen(path) as journal:
        assert [entry["index"] for entry in journal.recording.entries] == [1]
    with Journal.reopen(path):
        pass


def test_a_session_that_is_forgotten_holds_its_journal_no_longer(tmp_path):
    forgotten = Session(journal=tmp_path / "live.jsonl")
    forgotten.run("x = 1")
    del forgotten
    gc.collect()
    with Journal.reopen(tmp_path / "live.jsonl") as journal:
        assert journal.recording.entries[-1].kind == "step"


def test_a_journal_that_is_replaced_as_it_is_opened_is_not_written_into_nowhere(tmp_path, monkeypatch):
    path, lock = tmp_path / "run.jsonl", fcntl.flock
    for each in ("run.jsonl", "newer.jsonl"):
        Journal.create(tmp_path / each).close()

    def late(descriptor, operation):
        (tmp_path / "newer.jsonl").replace(path)
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(JournalError, match="was just written anew by another process"):
        Journal.reopen(path)
    monkeypatch.undo()
    with Journal.reopen(path):
        pass


def test_a_journal_that_cannot_be_gone_on_with_is_not_held(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    for _ in range(2):
        with pytest.raises(JournalError, match="is not a recording"):
            Journal.reopen(tmp_path / "notes.txt")
    with pytest.raises(JournalError, match="cannot be read"):
        Journal.reopen(tmp_path / "nothing.jsonl")


def test_a_forked_process_neither_holds_nor_writes_the_journal_of_its_parent(tmp_path):
    journal = Journal.create(tmp_path / "run.jsonl")
    reads, writes = os.pipe()
    if not (child := os.fork()):
        try:
            journal.append("step", index=2)
        except JournalError:
            os.write(writes, b"refused")
        signal.pause()
    try:
        assert os.read(reads, 10) == b"refused"
        with pytest.raises(JournalError, match="is being written"):
            Journal.reopen(journal.path)
        journal.leave()  # as a process that is killed does
        with Journal.reopen(journal.path) as again:
            assert again.recording.entries == ()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reads)
        os.close(writes)


def test_where_a_file_system_has_no_locks_a_journal_goes_without(tmp_path, monkeypatch):
    def lacking(descriptor, operation):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", lacking)
    with Journal.create(tmp_path / "run.jsonl") as journal:
        journal.append("step", index=1)
    assert len(read(tmp_path / "run.jsonl").entries) == 1


def test_a_file_on_the_way_to_a_recording_is_not_taken_for_it(tmp_path):
    (tmp_path / "notes").touch()
    with pytest.raises(JournalError, match=r"notes/run\.jsonl cannot be written \(Not a directory\)"):
        Journal.create(tmp_path / "notes" / "run.jsonl")
