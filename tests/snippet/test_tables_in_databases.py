"""pandas reads and writes tables of databases by the connections a snippet has."""

from __future__ import annotations

import sqlite3

import pytest

from tests.attacks.language.uncaged import uncaged

pytest.importorskip("pandas")

_BEFORE = """
import datetime, sqlite3
import pandas as pd
c = sqlite3.connect('t.db')
df = pd.DataFrame({'a': [1, 2, 3], 'b': ['x', None, 'z'], 'd': pd.to_datetime(['2024-01-01'] * 3), 't': [datetime.time(1, 2)] * 3})
"""


def test_tables_go_into_a_database_and_come_back() -> None:
    with uncaged("pandas") as session:
        assert session.run(_BEFORE + "df.to_sql('t', c, index=False)").value == 3
        assert session.run("df.to_sql('t', c, index=False, if_exists='append', method='multi')").value == 3
        found = session.run("pd.read_sql('select * from t where a > ?', c, params=(1,), parse_dates=['d'])").value
        assert found["a"].tolist() == [2, 3, 2, 3]
        assert found["d"].dt.year.tolist() == [2024] * 4
        assert session.run("[len(part) for part in pd.read_sql_query('select * from t', c, chunksize=4)]").value == [
            4,
            2,
        ]


@pytest.mark.parametrize(
    "source",
    ["pd.read_sql('select 1', 'sqlite:///t.db')", "df.to_sql('t', 'sqlite:///u.db')", "pd.read_sql('t', object())"],
)
def test_what_is_no_connection_of_the_snippets_is_refused(source: str) -> None:
    with uncaged("pandas") as session:
        failure = session.run(_BEFORE + source).failure
        assert failure is not None
        assert (failure.kind, "sqlite3.connect" in failure.message) == ("refused", True)


def test_the_program_itself_uses_pandas_with_databases_as_ever() -> None:
    import pandas as pd

    with uncaged("pandas") as session:
        assert session.run(_BEFORE).ok
        assert pd.read_sql("select 1 as one", sqlite3.connect(":memory:"))["one"].tolist() == [1]
