"""Entries of a session's log: the last ones in memory, the many before them in a file without a name."""

from __future__ import annotations

import marshal
import shutil
import struct
import tempfile
from collections.abc import Iterator
from typing import IO

from codeact.journal import Entry
from codeact.journal.values import decode, encode

_LENGTH = struct.Struct("Q")
_MOST_ENTRIES = 4_096
_MOST_BYTES = 16 << 20


class Spool:
    """A list of entries that only grows, and whose memory does not."""

    def __init__(self) -> None:
        self._recent: list[Entry] = []
        self._file: IO[bytes] | None = None
        self._bytes_then = 0

    def add(self, entry: Entry) -> None:
        """Add an entry at the end."""
        self._recent.append(entry)

    def relieve(self, bytes_so_far: int) -> None:
        """Move what is in memory to the file where it is much; `bytes_so_far` have crossed the wall in all."""
        if len(self._recent) < _MOST_ENTRIES and bytes_so_far - self._bytes_then < _MOST_BYTES:
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="codeact-log-")  # noqa: SIM115  # open as long as the session
        for entry in self._recent:
            fields = {name: encode(value, str) for name, value in entry.fields.items()}
            written = marshal.dumps((entry.kind, fields))  # nobody else reads it, and it takes a third of JSON's time
            self._file.write(_LENGTH.pack(len(written)))
            self._file.write(written)
        self._file.flush()
        self._recent.clear()
        self._bytes_then = bytes_so_far

    def __iter__(self) -> Iterator[Entry]:
        """Give all entries, the first one first."""
        if self._file is not None:
            self._file.seek(0)
            while length := self._file.read(_LENGTH.size):
                kind, fields = marshal.loads(self._file.read(*_LENGTH.unpack(length)))  # noqa: S302  # we wrote it
                yield Entry(kind, {name: decode(value) for name, value in fields.items()})
            self._file.seek(0, 2)
        yield from list(self._recent)

    def copied(self) -> Spool:
        """Give a spool of its own with the same entries."""
        copy = Spool()
        copy._recent = list(self._recent)
        if self._file is not None:
            copy._file = tempfile.TemporaryFile(prefix="codeact-log-")  # noqa: SIM115  # as above
            self._file.seek(0)
            shutil.copyfileobj(self._file, copy._file)
        return copy

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
