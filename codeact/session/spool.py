"""Entries of a session's log: the last ones in memory, the many before them in a file without a name."""

from __future__ import annotations

import marshal
import struct
import tempfile
from collections.abc import Iterator
from typing import IO, Any

from codeact.alarms import is_of_the_system
from codeact.journal import Entry
from codeact.wire.parts import Uncrossable
from codeact.wire.values import DEPTH, UNBOUNDED, Unpacker, pack

_LENGTH = struct.Struct("Q")
_MOST_ENTRIES = 4_096
_MOST_BYTES = 16 << 20
_ALL = UNBOUNDED._replace(depth=2 * DEPTH, parts=UNBOUNDED.nodes)  # each value was counted, and now lies in others


def _open() -> IO[bytes]:
    return tempfile.TemporaryFile(prefix="codeact-log-", buffering=0)  # what failed to be written is not tried later


def _write(file: IO[bytes], entry: Entry) -> None:
    fields = {name: _tree(value) for name, value in entry.fields.items()}
    written = marshal.dumps((entry.kind, fields))  # nobody else reads it, and it takes a third of JSON's time
    _put(file, _LENGTH.pack(len(written)) + written)


def _tree(value: Any) -> Any:
    try:
        return pack(value, _ALL)
    except Uncrossable:  # no honest worker sends such a value; kept in memory, it would keep all others there
        if type(value) is dict:
            return {name: pack(item, _ALL, lossy=True) for name, item in value.items()}
        return pack(value, _ALL, lossy=True)


def _put(file: IO[bytes], content: bytes) -> None:
    left = memoryview(content)
    while left:  # the last of a full disk takes a part
        left = left[file.write(left) :]


class Spool:
    """A list of entries that only grows, and whose memory does not."""

    def __init__(self) -> None:
        self._recent: list[Entry] = []
        self._file: IO[bytes] | None = None
        self._length = 0  # of what was moved to the file whole; behind it, and wherever it stands, it is as it was left
        self._bytes = 0  # of what is in memory

    def add(self, entry: Entry) -> None:
        """Add an entry at the end."""
        self._recent.append(entry)

    def ends_with(self, entry: Entry) -> bool:
        """Whether this very entry was added last."""
        return bool(self._recent) and self._recent[-1] is entry

    def relieve(self, more_bytes: int) -> None:
        """Move what is in memory to the file where it is much; the entries since the last time take `more_bytes`.

        Where there is no place for a file, or no room in it, the entries stay in memory until the next time.
        """
        self._bytes += more_bytes
        if len(self._recent) < _MOST_ENTRIES and self._bytes < _MOST_BYTES:
            return
        self._bytes = 0
        try:
            if self._file is None:
                self._file = _open()
            self._file.seek(self._length)
            for entry in self._recent:
                _write(self._file, entry)
        except OSError as error:
            if self._file is not None:
                self._file.truncate(self._length)
            if not is_of_the_system(error):
                raise
            return
        self._length, self._recent = self._file.tell(), []  # at once, so that nothing interrupted is there twice

    def __iter__(self) -> Iterator[Entry]:
        """Give all entries, the first one first."""
        if self._file is not None:
            self._file.seek(0)
            while self._file.tell() < self._length:
                length = _LENGTH.unpack(self._file.read(_LENGTH.size))
                kind, fields = marshal.loads(self._file.read(*length))  # noqa: S302  # we wrote it
                yield Entry(kind, {name: Unpacker(_ALL).unpack_whole(tree) for name, tree in fields.items()})
        yield from list(self._recent)

    def copied(self) -> Spool:
        """Give a spool of its own with the same entries, in memory where there is no room for a second file."""
        copy = Spool()
        copy._recent = list(self._recent)
        if self._file is None:
            return copy
        try:
            copy._file = _open()
            self._file.seek(0)
            while part := self._file.read(min(_MOST_BYTES, self._length - self._file.tell())):
                _put(copy._file, part)
            copy._length = self._length
        except OSError:
            copy.close()
            copy._recent = list(self)
        return copy

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
