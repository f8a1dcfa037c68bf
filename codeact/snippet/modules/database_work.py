"""One statement of a database at a time: counted, kept to the rules, and told the time by the session's clocks.

Compiled code holds on to a statement while it calls a function, a factory or a converter of a snippet's, so that
nothing else may use the connection meanwhile: one that was closed then was gone as the statement went on.
"""

from __future__ import annotations

import datetime
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

from codeact.snippet.endings import CallRefused
from codeact.snippet.modules import database_rules, waits
from codeact.snippet.modules.row import Room
from codeact.snippet.running import our_own_work

#: Instructions of SQLite's own machine between two looks at the budget, and the elements they are charged as.
_INSTRUCTIONS, _ELEMENTS = 4096, 1024

#: Another connection has the database, or a table of it; the seconds until it is asked for again.
_IN_THE_WAY, _PAUSE = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}), 0.05

#: SQLite's functions of time → where they are told the moment.
_MOMENT_AT = {"date": 0, "time": 0, "datetime": 0, "julianday": 0, "unixepoch": 0, "strftime": 1}
_FORMS = {"current_date": "%Y-%m-%d", "current_time": "%H:%M:%S", "current_timestamp": "%Y-%m-%d %H:%M:%S"}


class _AtWork:
    """Whether compiled code works on a connection, or on one of those that share its memory."""

    now = False


class Work:
    """The real connection, and what goes on in it. `find` gives what it is made of, and the path of a file that is.

    `converts`: its columns are read by the session's converters.
    """

    def __init__(
        self,
        room: Room,
        connect: Callable[[str], sqlite3.Connection],
        find: Callable[[], tuple[str, str | None]],
        *,
        converts: bool,
        timeout: float,
    ) -> None:
        self.room, self._connect, self._find, self.converts, self._timeout = room, connect, find, converts, timeout
        self._refused = ""
        self._raised: BaseException | None = None
        self._now: datetime.datetime | None = None
        self._made: list[Callable[[sqlite3.Connection], object]] = []
        self.real: sqlite3.Connection | None = self._open()

    def _open(self) -> sqlite3.Connection:
        name, self._path = self._find()
        # connections that share memory wait for each other for ever where one works within the other
        self._at_work: _AtWork = self.room.settings.setdefault(name, _AtWork()) if "cache=shared" in name else _AtWork()
        with our_own_work():
            ahead = self._path is not None and _is_logged_ahead(self._path)
            real = self._connect(f"{name}&immutable=1" if ahead and not os.access(str(self._path), os.W_OK) else name)
            real.execute("PRAGMA temp_store = MEMORY")  # what is sorted goes to no file
            if ahead:
                real.execute("PRAGMA locking_mode = EXCLUSIVE")  # or copies of the session would share its index
        if hasattr(real, "setconfig"):  # from Python 3.12 on
            real.setconfig(vars(sqlite3)["SQLITE_DBCONFIG_DEFENSIVE"], True)
        real.set_progress_handler(self.guarded(lambda: self.room.charge(_ELEMENTS)), _INSTRUCTIONS)
        if waits.READINGS in self.room.settings:
            self._tell_the_time(real)
        self._tell_chance(real)
        for made in self._made:
            made(real)
        real.set_authorizer(self._ask)
        return real

    # ------------------------------------------------------------------------------------------------- one at a time

    def call(self, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Call what works on the real connection, or on something of its own."""
        if self._at_work.now:
            raise sqlite3.ProgrammingError("a function that a statement calls cannot use its connection meanwhile")
        self.room.charge(1)
        self._at_work.now, self._raised, self._refused, self._now = True, None, "", None
        try:
            return function(*given, **named)
        except sqlite3.Error as error:
            if self._raised is not None:
                raise self._raised from None  # what ended the step, which compiled code swallowed
            if self._refused:
                raise CallRefused(self._refused) from error
            raise
        finally:
            self._at_work.now, self._raised = False, None

    def call_in_time(self, function: Callable[..., Any], *given: Any) -> Any:
        """The same, again and again while another connection is in the way: its thread goes on in between."""
        time, waited = vars(self.room.facades.import_module("time")), 0.0
        while True:
            try:
                return self.call(function, *given)
            except sqlite3.OperationalError as error:
                if waited >= self._timeout or getattr(error, "sqlite_errorcode", 0) & 0xFF not in _IN_THE_WAY:
                    raise
            time["sleep"](_PAUSE)
            waited += _PAUSE

    def opened(self) -> sqlite3.Connection:
        """The real connection; in a copy of the session, where its file is another, one to that."""
        if self.real is None:
            raise sqlite3.ProgrammingError("Cannot operate on a closed database.")
        if self._path is not None and not self._at_work.now and self._find()[1] != self._path:
            old, self.real = self.real, self._open()
            if old.in_transaction:  # which cannot go on there: what it has changed is kept
                with closing(sqlite3.connect(":memory:")) as changed:
                    changed.deserialize(old.serialize())
                    changed.backup(self.real)
        return self.real

    def keep(self, make: Callable[[sqlite3.Connection], object]) -> None:
        """Put a function of the snippet's into the connection, and into one that is opened in its place."""
        self.call(make, self.opened())
        self._made.append(make)

    def close(self) -> None:
        """Close the connection; more calls do nothing."""
        if self.real is not None:
            self.call(self.real.close)
            self.real = None

    def guarded(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of the snippet's as compiled code calls it, which swallows what it raises."""

        def call(*given: Any) -> Any:
            try:
                return function(*given)
            except Exception:
                raise
            except BaseException as ending:
                self._raised = ending
                raise

        return call

    # --------------------------------------------------------------------------------------------- what SQLite asks

    def _ask(self, action: int, first: str | None, second: str | None, *_: object) -> int:
        if why := database_rules.why_not(self.room, action, first, second):
            self._refused = why
            return sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_IGNORE if database_rules.is_left_out(action, first, second) else sqlite3.SQLITE_OK

    def _tell_chance(self, real: sqlite3.Connection) -> None:
        def random() -> int:
            return int.from_bytes(os.urandom(8), "little", signed=True)

        def randomblob(size: Any) -> bytes:
            self.room.charge(int(size) // 8)
            return os.urandom(max(1, int(size)))

        real.create_function("random", 0, self.guarded(random))
        real.create_function("randomblob", 1, self.guarded(randomblob))

    def _tell_the_time(self, real: sqlite3.Connection) -> None:
        computing = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)

        def of_moment(name: str, at: int) -> Callable[..., Any]:
            def call(*given: Any) -> Any:
                told = given[at] if len(given) > at else "now"
                if type(told) is str and told.lower() in {"now", "subsec", "subsecond"}:
                    modifiers = given[at + (told.lower() == "now") :]
                    given = (*given[:at], self._moment().isoformat(" ", "milliseconds"), *modifiers)
                return computing.execute(f"SELECT {name}({', '.join('?' * len(given))})", given).fetchone()[0]

            return call

        for name, at in _MOMENT_AT.items():
            real.create_function(name, -1, of_moment(name, at), deterministic=True)
        for name, form in _FORMS.items():
            real.create_function(name, 0, lambda form=form: self._moment().strftime(form))

    def _moment(self) -> datetime.datetime:
        """The time in UTC, the same for all that one call of the library computes."""
        if self._now is None:
            clock = vars(self.room.facades.import_module("time"))["time"]
            self._now = datetime.datetime.fromtimestamp(clock(), datetime.UTC).replace(tzinfo=None)
        return self._now


def _is_logged_ahead(path: str) -> bool:
    """True for the file of a database whose changes go to a log first: all who have it open share memory of it."""
    try:
        with open(path, "rb") as file:
            return file.read(20)[18:] == b"\2\2"
    except OSError:
        return False
