"""`sqlite3.Cursor` in a snippet: rows are fetched by the real one, and made into what the snippet asked for here."""

from __future__ import annotations

import contextlib
import operator
import sqlite3
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, Self

from codeact.snippet import ownership, special, types_
from codeact.snippet.modules.database_values import of_room

if TYPE_CHECKING:
    from codeact.snippet.modules.database_work import Work


class Cursor:
    """Stands for `sqlite3.Cursor`."""

    __slots__ = ("_arraysize", "_at", "_connection", "_real", "_row_factory", "_work")

    def __init__(self, connection: Any, /) -> None:
        self._work: Work = work_of(connection)
        self._at = self._work.opened()
        self._real = self._work.call(self._at.cursor)
        self._connection, self._row_factory, self._arraysize = connection, connection.row_factory, 1

    def execute(self, sql: Any, parameters: Any = (), /) -> Self:
        """Run one statement."""
        self._run("execute", sql, self._bound(parameters))
        return self

    def executemany(self, sql: Any, seq_of_parameters: Any, /) -> Self:
        """Run one statement for each of some parameters, which are counted as they are taken."""

        def bound() -> Iterable[Any]:
            for parameters in seq_of_parameters:
                self._work.room.charge(1)
                yield self._bound(parameters)

        self._run("executemany", sql, bound())
        return self

    def executescript(self, sql_script: Any, /) -> Self:
        """Run several statements."""
        self._run("executescript", sql_script)
        return self

    def _run(self, name: str, sql: Any, *parameters: Any) -> None:
        work = checked(self)._work
        if (real := work.opened()) is not self._at:
            self._at, self._real = real, work.call(real.cursor)
        with of_room(work.room).in_use() if work.converts else contextlib.nullcontext():
            call = work.call_in_time if name == "execute" else work.call
            call(getattr(self._real, name), exact_sql(name, sql), *parameters)

    def _bound(self, parameters: Any) -> Any:
        """The parameters as plain values, in a dictionary or a list."""
        plain = of_room(checked(self)._work.room).plain
        if type(parameters) in {tuple, list}:
            return [plain(value) for value in parameters]
        if isinstance(parameters, Mapping):
            return {name: plain(parameters[name]) for name in parameters}
        if not hasattr(parameters, "__getitem__") or not hasattr(parameters, "__len__"):
            return None  # which the real one refuses in its own words
        return [plain(parameters[at]) for at in range(len(parameters))]

    # ------------------------------------------------------------------------------------------------------- rows

    def fetchone(self) -> Any:
        """The next row; None where there is none."""
        row = self._fetch("fetchone")
        return None if row is None else self._made(row)

    def fetchmany(self, size: Any = None) -> list[Any]:
        """The next rows, `arraysize` of them unless told otherwise."""
        return self._counted(self._fetch("fetchmany", self._arraysize if size is None else size))

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        return self._counted(self._fetch("fetchall"))

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return self._made(self._fetch("__next__"))

    def _fetch(self, name: str, *given: Any) -> Any:
        return checked(self)._work.call(getattr(self._real, name), *given)

    def _counted(self, rows: list[Any]) -> list[Any]:
        self._work.room.charge(len(rows))
        return rows if self._row_factory is None else [self._made(row) for row in rows]

    def _made(self, row: Any) -> Any:
        factory = self._row_factory
        if factory is None:
            return row
        return sqlite3.Row(self._real, row) if factory is sqlite3.Row else factory(self, row)

    # ------------------------------------------------------------------------------------------------- what it says

    @property
    def connection(self) -> Any:
        """The connection it works on."""
        return checked(self)._connection

    @property
    def row_factory(self) -> Any:
        """What makes a row of the cursor and a tuple; None where rows are tuples."""
        return checked(self)._row_factory

    @row_factory.setter
    def row_factory(self, factory: Any) -> None:
        checked(self)._row_factory = factory

    @property
    def arraysize(self) -> int:
        """How many rows `fetchmany` gives at once."""
        return int(checked(self)._arraysize)

    @arraysize.setter
    def arraysize(self, size: Any) -> None:
        checked(self)._arraysize = operator.index(size)

    @property
    def description(self) -> Any:
        """The columns of the last query."""
        return checked(self)._real.description

    @property
    def rowcount(self) -> int:
        """How many rows the last statement changed; -1 where that is not known."""
        return int(checked(self)._real.rowcount)

    @property
    def lastrowid(self) -> Any:
        """The number of the row that was inserted last."""
        return checked(self)._real.lastrowid

    def setinputsizes(self, sizes: Any, /) -> None:
        """Do nothing, as in `sqlite3`."""

    def setoutputsize(self, size: Any, column: Any = None, /) -> None:
        """Do nothing, as in `sqlite3`."""

    def close(self) -> None:
        """Let go of the statement; the cursor is of no use any more."""
        self._fetch("close")

    def __reduce_ex__(self, protocol: object, /) -> NoReturn:
        raise TypeError("cannot pickle 'sqlite3.Cursor' object")


def work_of(connection: Any) -> Work:
    """What goes on in a connection; TypeError where it is none."""
    from codeact.snippet.modules.databases import Connection  # which makes cursors

    if type(connection) is not Connection:
        raise TypeError(f"a sqlite3.Connection is needed, not {type(connection).__name__!r}")
    return connection._work


def checked(cursor: Any) -> Any:
    """The cursor; TypeError where it is none: the methods can be taken from the class and given anything."""
    if type(cursor) is not Cursor:
        raise TypeError(f"a sqlite3.Cursor is needed, not {type(cursor).__name__!r}")
    return cursor


def exact_sql(name: str, sql: Any) -> str:
    """The text of a statement; TypeError where it is none."""
    if str not in ownership.mro_of(type(sql)):
        which = "argument" if name == "executescript" else "argument 1"
        raise TypeError(f"{name}() {which} must be str, not {type(sql).__name__}")
    return str.__str__(sql)


special.final.update((Cursor, sqlite3.Row))
types_.present(Cursor, sqlite3.Cursor)
