"""Tables are read and written as rows, below the folder the user gave and nowhere else."""

from __future__ import annotations

import datetime
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.full_disk import room_for

Tool = Callable[[str], Any]

CSV = """day,city,code,rain,price
2024-01-01,Rome,007,3,1.5
2024-01-02,"Paris, FR",010,,2
"""


@pytest.fixture
def database(folder: Path) -> str:
    connection = sqlite3.connect(folder / "shop.db")
    connection.execute("CREATE TABLE orders (id INTEGER, city TEXT, price REAL)")
    connection.executemany(
        "INSERT INTO orders VALUES (?, ?, ?)", [(1, "Rome", 2.5), (2, "Paris", 4.0), (3, "Rome", 1.0)]
    )
    connection.execute("CREATE VIEW dear AS SELECT * FROM orders WHERE price > 2")
    connection.commit()
    connection.close()
    return "shop.db"


def test_a_csv_column_has_the_type_of_all_its_fields(tool: Tool, folder: Path) -> None:
    (folder / "t.csv").write_text(CSV)
    assert tool("read_csv")("t.csv") == [
        {"day": "2024-01-01", "city": "Rome", "code": "007", "rain": 3, "price": 1.5},
        {"day": "2024-01-02", "city": "Paris, FR", "code": "010", "rain": None, "price": 2.0},
    ]


def test_columns_and_limit_choose_what_is_read(tool: Tool, folder: Path) -> None:
    (folder / "t.csv").write_text(CSV.replace(",", ";"))
    assert tool("read_csv")("t.csv", columns=["price", "day"], delimiter=";", limit=1) == [
        {"price": 1.5, "day": "2024-01-01"}
    ]


def test_csv_rows_come_back_as_they_were_written(tool: Tool, folder: Path) -> None:
    rows = [{"a": 1, "b": "x\ny"}, {"a": None, "b": 'quo"te', "c": 2.5}]
    assert tool("write_csv")("out/t.csv", rows) == "wrote 2 rows and 3 columns to out/t.csv"
    assert tool("read_csv")("out/t.csv") == [{"a": 1, "b": "x\ny", "c": None}, {"a": None, "b": 'quo"te', "c": 2.5}]


@pytest.mark.parametrize("field", ["1_000", "nan", "inf", "٣", "0x10", " 5", "9" * 400, "1e5x", "-", ""])
def test_what_only_looks_like_a_number_stays_text(tool: Tool, folder: Path, field: str) -> None:
    (folder / "t.csv").write_text(f"a,b\n{field},1\n")
    assert tool("read_csv")("t.csv") == [{"a": field or None, "b": 1}]


def test_a_byte_order_mark_belongs_to_no_column(tool: Tool, folder: Path) -> None:
    (folder / "t.csv").write_bytes(b"\xef\xbb\xbfa\r\n1\r\n")
    assert tool("read_csv")("t.csv") == [{"a": 1}]


BROKEN = {
    "empty": (b"", "is empty"),
    "twice": (b"a,a\n1,2\n", "column 'a' more than once"),
    "wider than its header": (b"a,b\n1,2,\n1,2,3\n", "row 2 has more fields than the header names"),
    "huge field": (b'a\n"' + b"x" * 200_000 + b'"\n', "line 2"),
}


@pytest.mark.parametrize("case", BROKEN.values(), ids=BROKEN)
def test_a_broken_csv_file_is_refused_with_the_reason(tool: Tool, folder: Path, case: tuple[bytes, str]) -> None:
    (folder / "t.csv").write_bytes(case[0])
    with pytest.raises(ValueError, match=case[1]):
        tool("read_csv")("t.csv")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_text_of_windows_is_read_by_its_byte_order_mark(tool: Tool, folder: Path, encoding: str) -> None:
    (folder / "t.csv").write_text("city,rain\nKöln,3\n", encoding)
    assert tool("read_csv")("t.csv") == [{"city": "Köln", "rain": 3}]
    assert tool("read_text")("t.csv") == "city,rain\nKöln,3"


def test_what_is_no_text_is_no_table(tool: Tool, folder: Path) -> None:
    (folder / "t.csv").write_bytes("city,rain\nKöln,3\n".encode("utf-16-le"))
    with pytest.raises(ValueError, match=r"'t.csv' is not text"):
        tool("read_csv")("t.csv")


def test_an_unknown_column_is_answered_with_the_known_ones(tool: Tool, folder: Path) -> None:
    (folder / "t.csv").write_text(CSV)
    with pytest.raises(ValueError, match="no column 'pric'; its columns are day, city, code, rain, price"):
        tool("read_csv")("t.csv", columns=["pric"])


def test_a_file_that_is_not_there_is_answered_with_those_that_are(tool: Tool, folder: Path) -> None:
    (folder / "orders.csv").write_text(CSV)
    with pytest.raises(FileNotFoundError, match=r"no file 'order\.csv'; the folder holds orders\.csv"):
        tool("read_csv")("order.csv")


OUTSIDE = ["../secret.txt", "/etc/passwd", "link/secret.txt", "secret", "a/../../secret.txt", "./../secret.txt"]


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("reader", ["read_csv", "read_parquet", "sqlite_tables", "read_text"])
def test_no_name_leads_out_of_the_folder(tool: Tool, folder: Path, reader: str, name: str) -> None:
    (folder / "link").symlink_to(folder.parent)
    (folder / "secret").symlink_to(folder.parent / "secret.txt")
    with pytest.raises(PermissionError, match="outside the folder"):
        tool(reader)(name)


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("writer", ["write_csv", "write_parquet"])
def test_nothing_is_written_outside_of_the_folder(tool: Tool, folder: Path, writer: str, name: str) -> None:
    (folder / "link").symlink_to(folder.parent)
    (folder / "secret").symlink_to(folder.parent / "secret.txt")
    with pytest.raises(PermissionError, match="outside the folder"):
        tool(writer)(name, [{"a": 1}], overwrite=True)
    assert (folder.parent / "secret.txt").read_text() == "a secret"


def test_a_link_within_the_folder_may_be_read(tool: Tool, folder: Path) -> None:
    (folder / "t.csv").write_text("a\n1\n")
    (folder / "same.csv").symlink_to("t.csv")
    assert tool("read_csv")("same.csv") == [{"a": 1}]


@pytest.mark.parametrize("name", ["", "  ", "a\0b", "."])
def test_a_name_that_is_none_is_refused(tool: Tool, folder: Path, name: str) -> None:
    with pytest.raises((ValueError, IsADirectoryError)):
        tool("read_csv")(name)


def test_a_file_is_replaced_only_when_asked(tool: Tool, folder: Path) -> None:
    tool("write_csv")("t.csv", [{"a": 1}])
    with pytest.raises(FileExistsError, match="overwrite=True"):
        tool("write_csv")("t.csv", [{"a": 2}])
    tool("write_csv")("t.csv", [{"a": 2}], overwrite=True)
    assert tool("read_csv")("t.csv") == [{"a": 2}]


@pytest.mark.parametrize(("writer", "kind"), [("write_csv", "csv"), ("write_parquet", "parquet")])
def test_rows_that_cannot_be_written_leave_what_was_there(tool: Tool, folder: Path, writer: str, kind: str) -> None:
    place = folder / f"t.{kind}"
    tool(writer)(place.name, [{"a": "mine"}])
    place.chmod(0o640)
    before = place.read_bytes()
    with pytest.raises(ValueError, match=r"column|surrogate"):
        tool(writer)(place.name, [{"a": "x" * 100_000}, {"a": "\ud800"}], overwrite=True)
    with room_for(1024), pytest.raises(OSError, match="File too large"):
        tool(writer)(place.name, [{"a": random.Random(0).randbytes(100_000).hex()}], overwrite=True)
    assert (place.read_bytes(), [path.name for path in folder.iterdir()]) == (before, [place.name])
    tool(writer)(place.name, [{"a": "new"}], overwrite=True)
    assert (place.stat().st_mode & 0o777, place.read_bytes() != before) == (0o640, True)


def test_values_of_several_types_in_a_column_of_parquet_are_named_with_it(tool: Tool, folder: Path) -> None:
    with pytest.raises(ValueError, match=r"the column 'b' cannot be written: .*'x'"):
        tool("write_parquet")("t.parquet", [{"a": 1, "b": 1}, {"a": 2, "b": "x"}])


def test_parquet_keeps_the_types(tool: Tool, folder: Path) -> None:
    pytest.importorskip("pyarrow")
    rows = [{"day": datetime.date(2024, 1, 1), "n": 1, "ok": True}, {"day": None, "n": 2, "ok": False}]
    assert tool("write_parquet")("t.parquet", rows) == "wrote 2 rows and 3 columns to t.parquet"
    assert tool("read_parquet")("t.parquet") == rows
    assert tool("read_parquet")("t.parquet", columns=["n"], limit=1) == [{"n": 1}]


def test_what_is_no_parquet_file_is_refused(tool: Tool, folder: Path) -> None:
    pytest.importorskip("pyarrow")
    (folder / "t.parquet").write_bytes(b"PAR1 but not really")
    with pytest.raises(ValueError, match=r"Parquet|parquet"):
        tool("read_parquet")("t.parquet")


def test_a_database_tells_its_tables(tool: Tool, database: str) -> None:
    columns = ["id INTEGER", "city TEXT", "price REAL"]
    assert tool("sqlite_tables")(database) == {"dear": columns, "orders": columns}


def test_a_query_takes_its_values_as_parameters(tool: Tool, database: str) -> None:
    query = "SELECT id, price FROM orders WHERE city = ? ORDER BY id"
    assert tool("query_sqlite")(database, query, ["Rome"]) == [{"id": 1, "price": 2.5}, {"id": 3, "price": 1.0}]
    assert tool("query_sqlite")(database, query, ["' OR 1=1 --"]) == []
    assert tool("query_sqlite")(database, "SELECT count(*) n FROM dear WHERE city = :c", {"c": "Rome"}) == [{"n": 1}]
    assert len(tool("query_sqlite")(database, "SELECT * FROM orders", limit=2)) == 2


NOT_READING = [
    *("DELETE FROM orders", "DROP TABLE orders", "INSERT INTO orders VALUES (1, 'a', 1)", "VACUUM INTO 'copy.db'"),
    *(
        "ATTACH '../other.db' AS other",
        "PRAGMA journal_mode = DELETE",
        "CREATE TABLE t (a)",
        "BEGIN; DELETE FROM orders",
    ),
    "SELECT load_extension('x')",
]


@pytest.mark.parametrize("query", NOT_READING)
def test_a_query_can_only_read(tool: Tool, database: str, folder: Path, query: str) -> None:
    before = (folder / database).read_bytes()
    with pytest.raises(ValueError, match=r"only one SELECT|query failed"):
        tool("query_sqlite")(database, query)
    assert (folder / database).read_bytes() == before


def test_a_query_whose_columns_have_one_name_is_refused_and_loses_none(tool: Tool, database: str) -> None:
    with pytest.raises(ValueError, match="the column 'id' more than once: name them apart with AS"):
        tool("query_sqlite")(database, "SELECT a.id, b.id FROM orders a JOIN orders b")
    (row, *_) = tool("query_sqlite")(database, "SELECT a.id AS one, b.id AS other FROM orders a JOIN orders b")
    assert row.keys() == {"one", "other"}


def test_a_wrong_query_is_answered_with_sqlites_reason(tool: Tool, database: str) -> None:
    with pytest.raises(ValueError, match="no such column: town"):
        tool("query_sqlite")(database, "SELECT town FROM orders")


def test_a_query_cannot_make_huge_values(tool: Tool, database: str) -> None:
    with pytest.raises(ValueError, match="too big"):
        tool("query_sqlite")(database, "SELECT hex(zeroblob(9000000))")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT hex(zeroblob(2000000)) FROM n"
    with pytest.raises(ValueError, match="holds more than"):
        tool("query_sqlite")(database, endless)


def test_what_is_no_database_is_refused(tool: Tool, folder: Path) -> None:
    (folder / "t.db").write_text("hello")
    with pytest.raises(ValueError, match="not a SQLite database"):
        tool("query_sqlite")("t.db", "SELECT 1")


def test_a_summary_has_a_row_for_each_column(tool: Tool) -> None:
    rows = [{"a": 1, "b": "x"}, {"a": 3, "b": None}, {"a": float("nan"), "b": "x"}]
    assert tool("summarise")(rows) == [
        {"column": "a", "types": ["int"], "values": 2, "missing": 1, "distinct": 2,
         "least": 1, "greatest": 3, "mean": 2.0, "median": 2},
        {"column": "b", "types": ["str"], "values": 2, "missing": 1, "distinct": 1, "least": "x", "greatest": "x"},
    ]  # fmt: skip


def test_a_summary_of_mixed_values_has_no_order(tool: Tool) -> None:
    (row,) = tool("summarise")([{"a": 1}, {"a": "x"}])
    assert (row["types"], row["least"]) == (["int", "str"], None)


def test_every_tool_has_annotations_and_a_docstring(tool: Tool) -> None:
    names = "read_csv write_csv read_parquet write_parquet sqlite_tables query_sqlite summarise find_files search_text"
    for name in f"{names} read_text fetch_page fetch_json parse_date add_business_days convert_units".split():
        function = tool(name)
        assert function.__doc__
        assert "return" in function.__annotations__
        assert getattr(function, "effect", "write") == ("write" if name.startswith("write") else "read")
