"""Read and write tables as lists of rows, each a dict: CSV, Parquet (where pyarrow is installed) and SQLite.

Files lie below the folder named by the environment variable TOOLS_FOLDER, else the current folder; nothing outside of
it can be reached. SQLite databases are only read.
"""

from __future__ import annotations

import csv
import io
import math
import os
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from _tools_folder import BEGINNING, encoding_of, inside, is_text, new_file, open_file, written_whole

Row = dict[str, Any]
_QUERY_SECONDS = 20
_ALLOWED_IN_QUERY = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_MOST_VALUE_BYTES, _MOST_RESULT_BYTES = 10_000_000, 30_000_000


def read_csv(
    file: str, columns: list[str] | None = None, delimiter: str = ",", limit: int = 100_000
) -> list[dict[str, Any]]:
    """Read a CSV file with a header line as a list of rows.

    A column of whole numbers becomes int, of numbers float; an empty field is None; all else, dates and codes such as
    "007" among it, stays text. `columns` picks columns, `limit` is the most rows read.
    """
    with os.fdopen(open_file(file), "rb") as content:
        beginning = content.peek(BEGINNING)[:BEGINNING]
        if not is_text(beginning):
            raise ValueError(f"{file!r} is not text, and so no CSV table")
        source = io.TextIOWrapper(content, encoding_of(beginning), errors="replace", newline="")
        reader = csv.reader(source, delimiter=delimiter)
        try:
            header = next(reader, [])
            picked = _picked(header, columns, file)
            lines = [line for _, line in zip(range(limit), (line for line in reader if line), strict=False)]
        except csv.Error as error:
            raise ValueError(f"{file!r} is not a CSV table (line {reader.line_num}): {error}") from error
    if not header:
        raise ValueError(f"{file!r} is empty: a CSV table begins with a line of column names")
    if (wide := next((at for at, line in enumerate(lines, 1) if any(line[len(header) :])), 0)) > 0:
        raise ValueError(f"{file!r}, row {wide} has more fields than the header names: {lines[wide - 1]!r:.200}")
    fields = [_typed([line[at] if at < len(line) else "" for line in lines]) for at in picked]
    return [dict(zip([header[at] for at in picked], row, strict=True)) for row in zip(*fields, strict=True)]


def write_csv(file: str, rows: list[dict[str, Any]], overwrite: bool = False) -> str:
    """Write rows as a CSV file with a header line; gives a sentence saying what was written."""
    path = new_file(file, overwrite=overwrite)
    names = _names(rows)
    with written_whole(path) as part, part.open("w", encoding="utf-8", newline="") as target:
        writer = csv.DictWriter(target, names, restval="")
        writer.writeheader()
        writer.writerows(rows)
    return f"wrote {len(rows):,} rows and {len(names)} columns to {file}"


def read_parquet(file: str, columns: list[str] | None = None, limit: int = 100_000) -> list[dict[str, Any]]:
    """Read a Parquet file as a list of rows; `columns` picks columns, `limit` is the most rows read."""
    parquet = _parquet()
    with os.fdopen(open_file(file), "rb") as source:
        try:
            table = parquet.ParquetFile(source)
            picked = _picked(table.schema_arrow.names, columns, file)
            names = [table.schema_arrow.names[at] for at in picked]
            rows: list[Row] = []
            for batch in table.iter_batches(batch_size=min(limit, 10_000) or 1, columns=names):
                rows.extend(batch.to_pylist())
                if len(rows) >= limit:
                    break
        except OSError as error:  # pyarrow's ArrowInvalid is a ValueError and says enough; this is a broken page
            raise ValueError(f"{file!r} cannot be read as Parquet: {error}") from error
    return rows[:limit]


def write_parquet(file: str, rows: list[dict[str, Any]], overwrite: bool = False) -> str:
    """Write rows as a Parquet file; gives a sentence saying what was written."""
    parquet = _parquet()
    import pyarrow  # type: ignore[import-untyped]  # pyarrow ships no types

    path = new_file(file, overwrite=overwrite)
    names = _names(rows)
    table = pyarrow.table({name: _arrow_column(name, [row.get(name) for row in rows]) for name in names})
    with written_whole(path) as part:
        parquet.write_table(table, part)
    return f"wrote {len(rows):,} rows and {len(names)} columns to {file}"


def sqlite_tables(file: str) -> dict[str, list[str]]:
    """The tables and views of a SQLite database, each with its columns as `name TYPE`."""
    with _database(file) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
        names = [name for (name,) in found if not name.startswith("sqlite_")]
        query = "SELECT name, type FROM pragma_table_info(?)"
        return {
            name: [f"{column} {kind}".strip() for column, kind in connection.execute(query, (name,))] for name in names
        }


def query_sqlite(
    file: str, query: str, parameters: list[Any] | dict[str, Any] | None = None, limit: int = 10_000
) -> list[dict[str, Any]]:
    """Read rows from a SQLite database by one SELECT.

    Give values as `parameters`, never inside the text: `query_sqlite(f, "SELECT * FROM t WHERE city = ?", ["Rome"])`,
    or `:city` with a dict. `limit` is the most rows given back.
    """
    with _database(file) as connection:
        connection.set_authorizer(_only_reads)
        ends = time.monotonic() + _QUERY_SECONDS
        connection.set_progress_handler(lambda: time.monotonic() > ends, 10_000)
        try:
            found = connection.execute(query, parameters if parameters is not None else [])
            names = [column[0] for column in found.description or ()]
            if twice := next((name for name in names if names.count(name) > 1), None):
                raise ValueError(f"the query gives the column {twice!r} more than once: name them apart with AS")
            return [dict(zip(names, row, strict=True)) for row in _within(found, limit)]
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise ValueError(_explained(error)) from error


def summarise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row for each column: types, how many values there are, miss and differ, least, greatest, mean, median."""
    return [_summary(name, [row.get(name) for row in rows]) for name in _names(rows)]


def _summary(name: str, values: list[Any]) -> Row:
    there = [value for value in values if value is not None and not _is_nan(value)]
    summary: Row = {
        "column": name,
        "types": sorted({type(value).__name__ for value in there}),
        "values": len(there),
        "missing": len(values) - len(there),
        "distinct": len({repr(value) for value in there}),
    }
    numbers = [value for value in there if isinstance(value, int | float) and not isinstance(value, bool)]
    try:
        summary |= {"least": min(there), "greatest": max(there)} if there else {}
    except TypeError:  # values of several types have no order
        summary |= {"least": None, "greatest": None}
    if numbers and len(numbers) == len(there) and all(math.isfinite(number) for number in numbers):
        summary |= {"mean": statistics.fmean(numbers), "median": statistics.median(numbers)}
    return summary


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _names(rows: Iterable[Row]) -> list[str]:
    """The columns of all rows, in the order they first appear."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _picked(header: list[str], columns: list[str] | None, file: str) -> list[int]:
    twice = sorted({name for name in header if header.count(name) > 1}) if len(header) < 10_000 else []
    if twice:
        raise ValueError(f"{file!r} has the column {twice[0]!r} more than once: rename one of them")
    if columns is None:
        return list(range(len(header)))
    unknown = [name for name in columns if name not in header]
    if unknown:
        raise ValueError(f"{file!r} has no column {unknown[0]!r}; its columns are {', '.join(header[:50])}")
    return [header.index(name) for name in columns]


def _typed(fields: list[str]) -> list[Any]:
    """The fields of a column as int or float where all of them are, else as text; None where empty."""
    there = [field for field in fields if field != ""]
    if not there or any(_is_code(field) for field in there):
        return [field or None for field in fields]
    for convert in _CONVERSIONS:
        try:
            values = iter([convert(field) for field in there])
        except ValueError:
            continue
        return [next(values) if field != "" else None for field in fields]
    return [field or None for field in fields]


_CONVERSIONS: tuple[Callable[[str], Any], ...] = (int, float)


def _is_code(field: str) -> bool:
    """True for what has digits but is no number: "007", "1_000", " 5", "nan" and numbers too long for a float."""
    digits = field.lstrip("+-")
    leading_zero = len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()
    return leading_zero or not digits[:1].isascii() or len(field) > 300 or not set(field) <= set("0123456789+-.eE")


def _parquet() -> Any:
    try:
        import pyarrow.parquet  # type: ignore[import-untyped]  # pyarrow ships no types
    except ImportError as error:
        raise RuntimeError("Parquet files need pyarrow: install it with `pip install pyarrow`") from error
    return pyarrow.parquet


def _arrow_column(name: str, values: list[Any]) -> Any:
    import pyarrow

    try:
        return pyarrow.array(values)
    except (ValueError, TypeError) as error:  # pyarrow's own errors are of these kinds
        raise ValueError(f"the column {name!r} cannot be written: {error}") from error


class _database:
    """A SQLite database opened for reading only, and closed at the end."""

    def __init__(self, file: str) -> None:
        descriptor = open_file(file)
        beginning = os.read(descriptor, 16)
        os.close(descriptor)
        if beginning != b"SQLite format 3\0":
            raise ValueError(f"{file!r} is not a SQLite database")
        self.connection = sqlite3.connect(f"{inside(file).as_uri()}?mode=ro", uri=True, timeout=5)
        self.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE_BYTES)

    def __enter__(self) -> sqlite3.Connection:
        return self.connection

    def __exit__(self, *_: object) -> None:
        self.connection.close()


def _within(found: Iterable[tuple[Any, ...]], limit: int) -> Iterator[tuple[Any, ...]]:
    """The first rows of a result; raises where they hold more than a reply may."""
    total = 0
    for _, row in zip(range(limit), found, strict=False):
        total += sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)
        if total > _MOST_RESULT_BYTES:
            raise ValueError(f"the result holds more than {_MOST_RESULT_BYTES:,} bytes: ask for fewer rows or columns")
        yield row


def _only_reads(action: int, first: str | None, second: str | None, *_: object) -> int:
    """Deny all but reading: no ATTACH, which opens other files, no PRAGMA, no writing."""
    allowed = action in _ALLOWED_IN_QUERY and second != "load_extension"
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _explained(error: Exception) -> str:
    text = str(error)
    if isinstance(error, sqlite3.DatabaseError) and getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_AUTH:
        return f"only one SELECT that reads this database is allowed: {text}"
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
        return f"the query took longer than {_QUERY_SECONDS} seconds and was stopped"
    return f"the query failed: {text}"


for _tool in (read_csv, read_parquet, sqlite_tables, query_sqlite, summarise):
    _tool.__dict__["effect"] = "read"  # what a call changes: nothing
