"""What a session's folder is furnished with; no session is needed for it."""

from __future__ import annotations

import os

from codeact.worker import mounts


def test_a_file_is_handed_in_whole_also_where_a_worker_that_had_read_it_died(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source").write_bytes(b"whole" * 1000)
    with open(tmp_path / "source", "rb") as source:
        for name in ("first", "second"):
            mounts.put_file(name, source.fileno(), os.getuid())

    assert (tmp_path / "second").read_bytes() == b"whole" * 1000
