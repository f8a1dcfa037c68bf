"""The record of a run: JSON lines, append-only, each line written before the run goes on.

    {"kind": "header", "format": "codeact-journal", "version": 1, "task": …, "inputs": …, "model": …, "replies": …}
    {"kind": "reply", …} {"kind": "call", …} {"kind": "step", …} … {"kind": "answer", …}

A line's `after_seconds` is the time the run had worked when it was written, without the pauses between its parts and
without the time in which a person was asked. The header's `replies` says how the replies came about. A last line torn
by a crash is recognised and left out. Secrets never get in: what environment variables with a name like a key's hold
is replaced by the variable's name, and the line's `not_recorded` names the variable.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from codeact.alarms import is_of_the_system
from codeact.clock import Clock
from codeact.errors import JournalError
from codeact.journal import lock
from codeact.journal.hidden import Hidden, secrets_of
from codeact.journal.shapes import wrong_with
from codeact.journal.values import decode, encode
from codeact.paths import as_path
from codeact.snippet.describe import describe

FORMAT = "codeact-journal"
VERSION = 1
AS_IT_WAS = "the recording was changed or is damaged: put the line back as it was, or record anew"
SESSION = "session"  # what a header says the journal `holds`; that of a run says nothing


class Entry(msgspec.Struct, frozen=True):  # and no dataclass, which takes ten times as long to make
    """One line of a journal after the header."""

    kind: str
    fields: Mapping[str, Any]
    after_seconds: float = 0.0
    not_recorded: tuple[str, ...] = ()  # the names of the secrets that were left out of it
    place: str = "the recording"  # the file and the line it was read from

    def __getitem__(self, name: str) -> Any:
        """Give one field; JournalError where the line has none of that name."""
        if name not in self.fields:
            raise JournalError(f"{self.place}: a {self.kind!r} line without {name!r}; {AS_IT_WAS}")
        return self.fields[name]


class Recording(msgspec.Struct, frozen=True):
    """A journal as read: `torn` is True where its last line was cut off while it was written."""

    path: Path
    header: Mapping[str, Any]
    entries: tuple[Entry, ...]
    torn: bool = False

    @property
    def holds_session(self) -> bool:
        """Whether it is the journal of a session, not of a run."""
        return self.header.get("holds") == SESSION

    @property
    def seconds_used(self) -> float:
        """How long the run had worked when its last line was written."""
        return max((entry.after_seconds for entry in self.entries), default=0.0)

    def of(self, *kinds: str) -> Iterator[Entry]:
        """Give the entries of these kinds, in order."""
        return (entry for entry in self.entries if entry.kind in kinds)


class Journal:
    """A journal being written."""

    _descriptor: int | None = None

    def __init__(
        self, path: Path, *, secrets: Mapping[str, str] | None = None, clock: Clock | None = None, _fresh: bool = True
    ) -> None:
        self.path = path.absolute()  # tools may change the current folder
        self.recording = Recording(path, {}, ())  # what it held when it was opened again
        self._writing = threading.Lock()
        self.lines = 0  # that were written here, the one that is owed included
        self._owed, self._begins = b"", -1  # a line there was no room for, written before the next; where it begins
        self.owes_all = False  # also those that come while one is owed: what they say is so, written or not
        self._clock = clock or Clock()
        self._begun = self._clock.now()
        self._hidden = Hidden({**secrets_of(os.environ), **(secrets or {})})
        is_new = _fresh and not os.path.lexists(path)
        try:
            self._open(path, fresh=_fresh)
        except BaseException as error:
            self.leave()
            if is_new and not isinstance(error, JournalError):  # Ctrl-C: the next try has the place to itself
                path.unlink(missing_ok=True)
            raise

    def _open(self, path: Path, *, fresh: bool) -> None:
        flags = os.O_WRONLY | os.O_APPEND | (os.O_CREAT | os.O_EXCL if fresh else 0)
        try:
            if fresh:
                _make_folder(path.parent)
            self._descriptor = os.open(path, flags, 0o600)
        except FileExistsError as error:
            raise JournalError(f"{path} is there already: name another file for this recording") from error
        except OSError as error:
            if not is_of_the_system(error):
                raise
            raise JournalError(f"{path} cannot be written ({error.strerror}): name another place") from error
        lock.take(self._descriptor, path, self)

    @classmethod
    def create(
        cls, path: Path, *, secrets: Mapping[str, str] | None = None, clock: Clock | None = None, **header: Any
    ) -> Journal:
        """Start a journal at a path where there is no file yet."""
        journal = cls(path, secrets=secrets, clock=clock)
        try:
            journal.append("header", format=FORMAT, version=VERSION, **header)
        except BaseException:
            journal.close()
            path.unlink()
            raise
        return journal

    @classmethod
    def reopen(cls, path: Path, *, clock: Clock | None = None) -> Journal:
        """Go on with a journal as its `recording` is; a torn last line is cut off first."""
        if not path.is_file():
            read(path)  # says what is there instead
        journal = cls(path, clock=clock, _fresh=False)
        try:  # nobody else writes it any more
            journal.recording, whole = read(path), path.read_bytes()
            if journal.recording.torn:
                os.truncate(path, whole.rfind(b"\n") + 1)
            elif not whole.endswith(b"\n"):
                with path.open("ab") as file:
                    file.write(b"\n")
        except BaseException:
            journal.close()
            raise
        journal._begun -= journal.recording.seconds_used
        return journal

    def leave_out(self, secrets: Mapping[str, str]) -> None:
        """Keep these out of all lines to come as well: value → name."""
        self._hidden.add(secrets)

    def append(self, kind: str, **fields: Any) -> None:
        """Write one line; it is with the operating system when this returns.

        One that could not be written is written before the next; meanwhile the file ends with the last whole line.
        """
        said: dict[str, Any] = {"kind": kind, "after_seconds": round(self._clock.now() - self._begun, 4)}
        left_out: set[str] = set()
        redact = partial(self._hidden.redacted, left_out)
        said |= {name: encode(value, redact) for name, value in fields.items()}
        if left_out:
            said["not_recorded"] = sorted(left_out)
        line = json.dumps(said, ensure_ascii=False, allow_nan=False)
        written = line.encode("utf-8", "backslashreplace") + b"\n"
        with self._writing:
            if not self.owes_all:
                self._settle()
            self._owed, self.lines = self._owed + written, self.lines + 1  # nothing comes between these
            self._settle()

    def settle(self) -> None:
        """Write what is owed, so that the next line has all before it; JournalError where that cannot be done."""
        with self._writing:
            self._settle()

    def _settle(self) -> None:
        if (descriptor := self._descriptor) is None:
            raise JournalError(f"{self.path} was closed before")
        if not self._owed:
            return
        left = memoryview(self._owed)
        try:
            self._cut_back(descriptor)
            while left:
                left = left[os.write(descriptor, left) :]
        except BaseException as error:
            if is_of_the_system(error):
                with suppress(OSError):  # a disk that is gone takes neither: it is done before the next line
                    self._cut_back(descriptor)
                remedy = "make room there, and go on: the line is written with the next one"
                raise JournalError(f"{self.path} cannot be written to ({error.strerror}): {remedy}") from error
            if os.fstat(descriptor).st_size == self._begins + len(self._owed):
                self._owed, self._begins = b"", -1  # Ctrl-C came when it was there already
            raise
        self._owed, self._begins = b"", -1

    def _cut_back(self, descriptor: int) -> None:
        """Cut off what there is of the line that is owed, which begins where the last whole one ends."""
        size = os.fstat(descriptor).st_size
        if self._begins < 0:
            self._begins = size
        elif self._begins < size:
            os.ftruncate(descriptor, self._begins)

    def close(self) -> None:
        """Close the file; doing so again is harmless."""
        if self._descriptor is not None:
            with suppress(JournalError):  # what is still owed has been told to whoever wrote it
                self.settle()
            lock.give_back(self._descriptor)
            self.leave()

    def leave(self) -> None:
        """Let go of the file as it is: a forked process leaves it to the one that writes it."""
        descriptor, self._descriptor = self._descriptor, None  # first: after Ctrl-C its number may be another's
        if descriptor is not None:
            os.close(descriptor)

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        """Close the file of a journal that was forgotten: somebody else may go on with it."""
        if not is_finalizing():
            self.close()

    def __enter__(self) -> Self:
        """Give the journal."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the file."""
        self.close()


def _make_folder(folder: Path) -> None:
    """Make a folder where there is none; NotADirectoryError where a file has its name."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from error


def read(path: str | Path) -> Recording:
    """Read a journal; JournalError says what is off with a file that is none, is broken or of another version."""
    path = as_path("the recording {}", path)
    try:
        with path.open("rb") as file:  # what begins otherwise may have no end: /dev/zero
            whole = file.read() if file.peek().lstrip().startswith(b"{") else b""
    except OSError as error:
        if not is_of_the_system(error):
            raise
        raise JournalError(f"{path} cannot be read: {error.strerror}") from error
    first = _parsed(whole.strip().partition(b"\n")[0])
    if not isinstance(first, dict) or first.get("kind") != "header" or first.get("format") != FORMAT:
        raise JournalError(f"{path} is not a recording of codeact: its first line is no header")
    *lines, rest = whole.split(b"\n")
    entries = [_entry(path, number, _parsed(line)) for number, line in enumerate(lines, 1) if line.strip()]
    torn = bool(rest.strip())
    if torn and (last := _parsed(rest)) is not None:  # complete, only its end of line is missing: hand-made files
        entries.append(_entry(path, len(lines) + 1, last))
        torn = False
    header = {**entries[0].fields, "not_recorded": entries[0].not_recorded}
    if type(header.get("version")) is not int or header["version"] != VERSION:
        which = f"{path} is a recording of version {describe(header.get('version'), 40)}, this codeact reads"
        raise JournalError(f"{which} version {VERSION}: record it again, or use the codeact it was made with")
    recording = Recording(path, header, tuple(entries[1:]), torn)
    if not recording.holds_session:  # which checks what is its own
        for entry in entries:
            if wrong := wrong_with(entry.kind, entry.fields):
                raise JournalError(f"{entry.place}: not a {entry.kind!r} line of a run: {wrong}; {AS_IT_WAS}")
    return recording


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line, parse_constant=int)  # which refuses NaN and its like: no journal is written with them
    except (ValueError, RecursionError):  # also UnicodeDecodeError: a line torn inside a character
        return None


def _entry(path: Path, number: int, parsed: Any) -> Entry:
    place = f"{path}, line {number}"
    if parsed is None:
        raise JournalError(f"{place}: not JSON; {AS_IT_WAS}")
    if not isinstance(parsed, dict) or not isinstance(parsed.get("kind"), str):
        raise JournalError(f"{place}: not an entry of a recording, it has no kind; {AS_IT_WAS}")
    kind, after, left_out = parsed.pop("kind"), parsed.pop("after_seconds", 0.0), parsed.pop("not_recorded", ())
    try:
        seconds = float(after) if isinstance(after, int | float) and after >= 0 else 0.0
        fields = {name: decode(value) for name, value in parsed.items()}
        return Entry(kind, fields, seconds, tuple(map(str, left_out)), place)
    except (JournalError, RecursionError, TypeError, OverflowError) as error:
        raise JournalError(f"{place}: {error}; {AS_IT_WAS}") from error
