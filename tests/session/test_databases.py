"""Databases go back, are copied and are lived again as all that a session holds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeact import Limits, Session

MADE = "import sqlite3\nc = sqlite3.connect('{}')\nc.execute('create table t (a)')\nc.execute('insert into t values (1)')\nc.commit()"
ALL = "c.execute('select a from t').fetchall()"
ENDLESS = "\nwhile True: pass"


@pytest.fixture(params=["t.db", ":memory:"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    with Session(limits=Limits(operations=200_000, checkpoints=3)) as session:
        assert session.run(MADE.format(request.param)).ok
        yield session


@pytest.mark.parametrize("end", ["", "\nc.commit()", "\nc.rollback()", "\nc.close()"])
def test_what_an_undone_step_did_to_a_database_is_undone(session: Session, end: str) -> None:
    assert session.run("c.execute('insert into t values (2)')" + end + ENDLESS).rolled_back

    assert session.run(ALL).value == [(1,)]
    assert session.run("c.execute('insert into t values (3)')\nc.commit()\n" + ALL).value == [(1,), (3,)]


def test_changes_that_are_not_committed_outlive_an_undone_step(session: Session) -> None:
    assert session.run("c.execute('insert into t values (2)')").ok
    assert session.run("c.rollback()" + ENDLESS).rolled_back

    assert session.run("c.commit()\n" + ALL).value == [(1,), (2,)]


def test_a_database_goes_back_with_the_session(session: Session) -> None:
    assert session.run("c.execute('insert into t values (2)')\nc.commit()").ok
    session.rewind(1)

    assert session.run(ALL).value == [(1,)]


@pytest.mark.parametrize("kept", ["\nc.commit()", ""])
def test_a_copy_has_a_database_of_its_own(session: Session, kept: str) -> None:
    assert session.run(
        "c.create_function('twice', 1, lambda x: x * 2)\nc.execute('insert into t values (2)')" + kept
    ).ok
    with session.fork() as copy:
        assert copy.run("c.execute('insert into t values (twice(4))')\nc.commit()\n" + ALL).value == [(1,), (2,), (8,)]
        assert session.run("c.execute('insert into t values (3)')\nc.commit()\n" + ALL).value == [(1,), (2,), (3,)]
        assert copy.run("c.execute('select count(*), sum(a) from t').fetchall()").value == [(3, 11)]


def test_copies_share_no_memory_by_a_log_of_changes() -> None:
    with Session() as session:
        assert session.run(MADE.format("t.db")).ok
        asked = session.run("c.execute('pragma journal_mode = wal').fetchall()\nc.execute('insert into t values (2)')")
        assert asked.ok
        assert [file.name for file in asked.files if file.name.endswith(("-wal", "-shm"))] == []
        assert session.run("c.execute('pragma journal_mode').fetchall()").value == [("delete",)]


def test_a_session_that_is_lived_again_has_the_same_chance_and_time(tmp_path) -> None:
    asked = "select random(), hex(randomblob(8)), datetime('now'), current_timestamp, julianday(), strftime('%f')"
    with Session(journal=tmp_path / "journal") as session:
        first = session.run(f"{MADE.format('t.db')}\nfound = c.execute({asked!r}).fetchall()\nfound").value
    with Session.resume(tmp_path / "journal") as again:
        assert again.run("found").value == first


def test_the_time_of_a_deterministic_session_is_that_of_its_clock() -> None:
    with Session(deterministic=True) as session:
        assert session.run(MADE.format(":memory:") + "\nc.execute(\"select date('now')\").fetchall()").value == [
            ("2024-01-01",)
        ]


def test_a_database_that_is_handed_in_is_read_and_a_copy_of_it_written(tmp_path) -> None:
    import sqlite3

    with sqlite3.connect(tmp_path / "given.db") as given:
        given.execute("pragma journal_mode = wal")
        given.execute("create table t as select 1 as a")
    given.close()
    with Session(files={"given.db": tmp_path / "given.db"}) as session:
        assert session.run("import sqlite3\nc = sqlite3.connect('given.db')\n" + ALL).value == [(1,)]
        assert (
            session.run("c.execute('insert into t values (2)')").failure.message
            == "attempt to write a readonly database"
        )
        written = "import shutil\nshutil.copy('given.db', 'own.db')\nc = sqlite3.connect('own.db')\n"
        assert session.run(f"{written}c.execute('insert into t values (2)')\nc.commit()\n{ALL}").value == [(1,), (2,)]
