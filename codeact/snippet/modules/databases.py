"""`sqlite3` in a snippet: databases in memory and in files of the working folder.

The objects of compiled code stay here: a snippet has what stands for them. It gives them plain values alone, counts
what they do, and lets nothing use a connection while a statement of it runs (`database_work.py`).
"""

from __future__ import annotations

import os
import sqlite3
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any, Literal, NoReturn, Self

from codeact.snippet import running, special, types_
from codeact.snippet.endings import AttributeRefused, CallRefused
from codeact.snippet.library_texts import exact, exact_path
from codeact.snippet.modules.database_cursors import Cursor, work_of
from codeact.snippet.modules.database_values import of_room
from codeact.snippet.modules.database_work import Work
from codeact.snippet.modules.row import Room, named

_ERRORS = (
    *(sqlite3.Error, sqlite3.DatabaseError, sqlite3.DataError, sqlite3.IntegrityError, sqlite3.InterfaceError),
    *(sqlite3.InternalError, sqlite3.NotSupportedError, sqlite3.OperationalError, sqlite3.ProgrammingError),
    sqlite3.Warning,
)


def databases(room: Room) -> dict[str, Any]:
    """The replaced names of sqlite3."""
    converting = of_room(room)

    def connect(database: Any, *arguments: Any, **settings: Any) -> Connection:
        return Connection(database, *arguments, **settings)

    def adapt(obj: Any, *_: Any) -> Any:
        return converting.plain(obj)

    return {
        **named(connect, adapt, converting.register_adapter, converting.register_converter),
        "Connection": Connection,
        "Cursor": Cursor,
    }


def _place(room: Room, database: Any, uri: bool) -> Callable[[], tuple[str, str | None]]:
    """Finds what the real module is told to open, and the path of the file that is; None for a database in memory.

    A copy of the session has its files elsewhere, so that it is found anew there.
    """
    text = os.fsdecode(exact_path(database))
    if not (uri and text.startswith("file:")):
        return _in_memory(text) if text in {"", ":memory:"} else _in_folder(room, text)
    told = urllib.parse.urlsplit(text)
    asked = dict(urllib.parse.parse_qsl(told.query))
    if asked.keys() - {"mode", "cache"} or told.netloc not in {"", "localhost"}:
        raise CallRefused("an address of a database takes mode= and cache= alone inside a snippet")
    name, mode = urllib.parse.unquote(told.path), asked.get("mode", "rwc")
    if mode != "memory" and name not in {"", ":memory:"}:
        return _in_folder(room, name, mode)
    shared = f"file:/{id(room)}/{urllib.parse.quote(name)}?mode=memory&cache=shared"
    return _in_memory(shared if asked.get("cache") == "shared" else ":memory:")


def _in_memory(name: str) -> Callable[[], tuple[str, None]]:
    return lambda: (name, None)


def _in_folder(room: Room, name: str, mode: str = "rwc") -> Callable[[], tuple[str, str]]:
    def find() -> tuple[str, str]:
        path = room.folder.path(name)
        return f"file:{urllib.parse.quote(path)}?mode={urllib.parse.quote(mode)}", path

    return find


class Connection:
    """Stands for `sqlite3.Connection`."""

    __slots__ = ("_row_factory", "_text_factory", "_work")

    def __init__(  # noqa: PLR0913, PLR0917  # these are the parameters of sqlite3.connect
        self,
        database: Any,
        timeout: float = 5.0,
        detect_types: int = 0,
        isolation_level: str | None = "",
        check_same_thread: bool = True,  # threads of a snippet take turns, so that they may share it
        factory: Any = None,
        cached_statements: int = 128,
        uri: bool = False,
        **settings: Any,
    ) -> None:
        if factory is not None and factory is not Connection:
            raise CallRefused("a connection is of sqlite3.Connection inside a snippet: leave factory out")
        room: Room = running.room()
        settings |= {"detect_types": int(detect_types), "cached_statements": int(cached_statements), "uri": True}
        level: Any = None if isolation_level is None else exact(isolation_level, "an isolation level")

        def connect(name: str) -> sqlite3.Connection:
            made: sqlite3.Connection = sqlite3.connect(
                name, timeout=0, isolation_level=level, check_same_thread=False, **settings
            )
            return made

        place = _place(room, database, bool(uri))
        self._work = Work(room, connect, place, converts=bool(detect_types), timeout=float(timeout))
        self._row_factory, self._text_factory = None, str

    # -------------------------------------------------------------------------------------------------- statements

    def cursor(self, factory: Any = None) -> Cursor:
        """A cursor for statements."""
        if factory is not None and factory is not Cursor:
            raise CallRefused("cursors are of sqlite3.Cursor inside a snippet: leave factory out")
        return Cursor(self)

    def execute(self, sql: Any, parameters: Any = (), /) -> Cursor:
        """Run one statement on a cursor of its own."""
        return Cursor(self).execute(sql, parameters)

    def executemany(self, sql: Any, parameters: Any, /) -> Cursor:
        """Run one statement for each of some parameters."""
        return Cursor(self).executemany(sql, parameters)

    def executescript(self, sql_script: Any, /) -> Cursor:
        """Run several statements."""
        return Cursor(self).executescript(sql_script)

    def commit(self) -> None:
        """Keep what was changed."""
        work = work_of(self)
        work.call_in_time(work.opened().commit)

    def rollback(self) -> None:
        """Undo what was changed since the last commit."""
        self._do("rollback")

    def interrupt(self) -> None:
        """End a statement that runs: none does while a snippet does something else."""
        work_of(self).opened()

    def close(self) -> None:
        """Close the connection; what was not committed is gone."""
        work_of(self).close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, value: object, traceback: object, /) -> Literal[False]:
        (self.rollback if kind is not None else self.commit)()
        return False

    def _do(self, method: str, *given: Any, **named: Any) -> Any:
        work = work_of(self)
        return work.call(getattr(work.opened(), method), *given, **named)

    # ------------------------------------------------------------------------------------------------- what it has

    @property
    def in_transaction(self) -> bool:
        """Whether there is something to commit."""
        return work_of(self).opened().in_transaction

    @property
    def total_changes(self) -> int:
        """How many rows were changed since the connection was opened."""
        return work_of(self).opened().total_changes

    @property
    def isolation_level(self) -> str | None:
        """How transactions begin; None where only the snippet begins them."""
        return work_of(self).opened().isolation_level

    @isolation_level.setter
    def isolation_level(self, level: Any) -> None:
        level = None if level is None else exact(level, "an isolation level")
        self._do("__setattr__", "isolation_level", level)

    @property
    def row_factory(self) -> Any:
        """What its cursors make rows by."""
        return self._row_factory

    @row_factory.setter
    def row_factory(self, factory: Any) -> None:
        work_of(self)
        self._row_factory = factory

    @property
    def text_factory(self) -> Any:
        """What texts are made by."""
        return self._text_factory

    @text_factory.setter
    def text_factory(self, factory: Any) -> None:
        work = work_of(self)
        made = factory if any(factory is kind for kind in (str, bytes, bytearray)) else work.guarded(factory)
        work.keep(lambda real: setattr(real, "text_factory", made))
        self._text_factory = factory

    def iterdump(self) -> Iterator[str]:
        """The statements that make the same database."""
        from sqlite3.dump import _iterdump  # type: ignore[attr-defined]  # typeshed hides it

        found: Iterator[str] = _iterdump(self)
        return found

    def backup(
        self, target: Any, *, pages: int = -1, progress: Any = None, name: str = "main", sleep: float = 0.25
    ) -> None:
        """Copy the database into that of another connection."""
        work, there = work_of(self), work_of(target)

        def going_on(*told: int) -> None:  # it goes on for ever where one of them is in use
            work.room.charge(1)
            if progress is not None:
                progress(*told)

        settings = {"pages": int(pages), "progress": going_on, "name": exact(name, "the name of a database")}
        there.call(work.call, work.opened().backup, there.opened(), sleep=float(sleep), **settings)

    def serialize(self, *, name: str = "main") -> bytes:
        """The database as bytes, such as a file holds."""
        return bytes(self._do("serialize", name=exact(name, "the name of a database")))

    # ---------------------------------------------------------------------------------------- functions of its own

    def create_function(self, name: str, narg: int, func: Any, /, *, deterministic: bool = False) -> None:
        """Let statements call a function."""
        self._keep("create_function", name, int(narg), func, deterministic=bool(deterministic))

    def create_collation(self, name: str, callable: Any, /) -> None:
        """Let statements compare texts by a function."""
        self._keep("create_collation", name, callable)

    def create_aggregate(self, name: str, n_arg: int, aggregate_class: Any, /) -> None:
        """Let statements put rows together by objects of a class."""
        self._keep("create_aggregate", name, int(n_arg), self._aggregate(aggregate_class))

    def create_window_function(self, name: str, num_params: int, aggregate_class: Any, /) -> None:
        """Let statements put moving rows together by objects of a class."""
        self._keep("create_window_function", name, int(num_params), self._aggregate(aggregate_class))

    def set_trace_callback(self, trace_callback: Any) -> None:
        """Have each statement that is run told to a function."""
        self._keep("set_trace_callback", trace_callback)

    def _keep(self, method: str, *given: Any, **named: Any) -> None:
        work = work_of(self)
        *plain, called = given
        if plain:
            plain[0] = exact(plain[0], "the name of a function")
        function = called if called is None else work.guarded(called)
        work.keep(lambda real: getattr(real, method)(*plain, function, **named))

    def _aggregate(self, cls: Any) -> Any:
        guarded = work_of(self).guarded

        class Aggregate:
            def __init__(self) -> None:
                self._own = cls()

            def __getattr__(self, name: str) -> Any:
                return guarded(getattr(self._own, name))

        return None if cls is None else Aggregate

    def __getattr__(self, name: str) -> NoReturn:
        if hasattr(sqlite3.Connection, name):
            raise AttributeRefused(f"{name} of a connection is refused: it reaches past the database")
        raise AttributeError(f"'sqlite3.Connection' object has no attribute {name!r}")

    def __reduce_ex__(self, protocol: object, /) -> NoReturn:
        raise TypeError("cannot pickle 'sqlite3.Connection' object")


for _error in _ERRORS:
    setattr(Connection, _error.__name__, _error)
special.final.add(Connection)
types_.present(Connection, sqlite3.Connection)
