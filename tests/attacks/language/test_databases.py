"""A database is a file, and code that calls back: with the cage off, it leads to no other file and to no memory."""

from __future__ import annotations

import sqlite3

import pytest

_BEFORE = """
import operator, sqlite3
c = sqlite3.connect(":memory:")
c.execute("create table t (a)")
c.executemany("insert into t values (?)", [(n,) for n in range(100)])
c.commit()
class Text(str):
    def startswith(self, *given): return True
    def lower(self): return "user_version"
class Twice:
    def __init__(self, later): self.asked, self.later = 0, later
    def __fspath__(self):
        self.asked += 1
        return 'a' if self.asked < 2 else self.later
"""

WAYS_OUT = {
    "a file elsewhere": "sqlite3.connect(other).execute('select * from secrets').fetchall()",
    "a file above": "sqlite3.connect('../other.db').execute('select * from secrets').fetchall()",
    "a file by an address": "sqlite3.connect(f'file:{other}', uri=True).execute('select * from secrets').fetchall()",
    "a file by an address of many parts": "sqlite3.connect(f'file://localhost{other}?mode=ro', uri=True)",
    "a file by an escaped address": "sqlite3.connect('file:%2e%2e/other.db', uri=True)",
    "a file by a setting": "sqlite3.connect('file:a?vfs=unix-none', uri=True)",
    "a file that is called memory": "sqlite3.connect(f'file:{other}?mode=memory', uri=True).execute('select * from secrets')",
    "a path that answers otherwise": "sqlite3.connect(Twice(other)).execute('select * from secrets').fetchall()",
    "a connection set up anew": "c.__init__(other)",
    "one that is attached": "c.execute(f\"attach '{other}' as o\")",
    "one that is attached by a parameter": "c.execute('attach ? as o', (other,))",
    "one that is attached by a computation": "c.execute(f\"attach '{other[:3]}' || '{other[3:]}' as o\")",
    "one that is attached by an address": "c.execute(f\"attach 'file:{other}' as o\")",
    "one that is attached by a script": "c.executescript(f\"select 1; attach '{other}' as o\")",
    "one that is attached from above": "c.execute(\"attach '../other.db' as o\")",
    "one that is written elsewhere": "c.execute(f\"vacuum into '{canary}'\")",
    "one that is written by a parameter": "c.execute('vacuum into ?', (canary,))",
    "a library": "c.enable_load_extension(True)",
    "a library, by a function": "c.execute(f\"select load_extension('{canary}')\")",
    "a folder for what is sorted": "c.execute(f\"pragma temp_store_directory = '{outer}'\")",
    "files that are told": "c.execute('pragma database_list')",
    "files that are told by a table": "c.execute('select * from pragma_database_list').fetchall()",
    "a schema by hand": "c.execute('pragma writable_schema = on')",
    "a setting in a text of ones own": "c.execute(Text('pragma database_list'))",
    "memory of all databases": "c.execute('pragma hard_heap_limit = 1')",
    "a tokenizer by its address": "c.execute(\"select fts3_tokenizer('x', x'0011223344556677')\")",
    "who decides": "c.set_authorizer(None)",
    "who counts": "c.set_progress_handler(None, 0)",
    "a database of bytes": "c.deserialize(b'x' * 512)",
    "the connection below": "c._work.real",
    "the connection below, by getattr": "getattr(c, '_work')",
    "the connection below, by name": "operator.attrgetter('_work.real')(c)",
    "the cursor below": "c.cursor()._real",
    "the cursor below, by a row": "class Row(sqlite3.Row):\n    def __new__(cls, cursor, row): return cursor",
    "a class built on it": "class Own(sqlite3.Connection):\n    pass",
    "a class built on its type": "type('Own', (type(c.cursor()),), {})",
    "another class of connections": "sqlite3.connect(':memory:', factory=lambda *given, **named: 1)",
    "another class of cursors": "c.cursor(factory=lambda connection: 1)",
    "what is no connection": "class Own:\n    _work = c\nsqlite3.Connection.execute(Own(), 'select 1')",
    "a cursor of what is no connection": "class Own: row_factory = None\nsqlite3.Cursor(Own())",
    "what is no cursor": "class Own: pass\nsqlite3.Cursor.fetchall(Own())",
    "all adapters": "sqlite3.adapters",
    "all converters": "sqlite3.converters",
    "its modules": "sqlite3.dbapi2",
    "a name for all": "sqlite3.Connection.execute = print",
    "a method of ones own": "c.execute = print",
    "an error of the file": "sqlite3.connect(other + '/x').execute('select 1')",
}


@pytest.fixture
def other(tmp_path):
    """A database beside the working folder."""
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("create table secrets as select 'the secret' as a")
    database.close()
    return path


@pytest.mark.parametrize("source", WAYS_OUT.values(), ids=WAYS_OUT)
def test_no_database_leads_out_of_the_working_folder(run, tmp_path, canary, other, source):
    outcome = run(f"{_BEFORE}other, canary, outer = {str(other)!r}, {str(canary)!r}, {str(tmp_path)!r}\n{source}")
    assert outcome.failure is not None
    assert "the secret" not in f"{outcome}"
    assert not canary.exists()


#: Each calls the connection, or lets go of it, while its compiled code works; what is left has to be whole.
MEANWHILE = {
    "closed by a function": "c.create_function('f', 1, lambda x: c.close())\nc.execute('select f(a) from t').fetchall()",
    "closed by its rows": "c.row_factory = lambda cursor, row: c.close()\nc.execute('select a from t').fetchall()",
    "closed by its texts": "c.text_factory = lambda raw: c.close()\nc.execute(\"select 'x' from t\").fetchall()",
    "closed by parameters": "c.executemany('insert into t values (?)', (c.close() or (1,) for _ in range(9)))",
    "closed by a parameter": "class P:\n    def __conform__(self, p): c.close()\n"
    "c.executemany('insert into t values (?)', ([P()] for _ in range(9)))",
    "closed by the names of parameters": "class Named(dict):\n    def __missing__(self, name): c.close()\n"
    "c.execute('insert into t values (:a)', Named())",
    "closed by a sequence": "class S:\n    def __len__(self): return 1\n    def __getitem__(self, at): c.close()\n"
    "c.execute('insert into t values (?)', S())",
    "closed by an aggregate": "class A:\n    def step(self, x): c.close()\n    def finalize(self): c.close()\n"
    "c.create_aggregate('f', 1, A)\nc.execute('select f(a) from t').fetchall()",
    "closed by an order": "c.create_collation('f', lambda a, b: c.close())\nc.execute('select a from t order by a || a collate f').fetchall()",
    "closed by who listens": "c.set_trace_callback(lambda sql: c.close())\nc.execute('select a from t').fetchall()",
    "closed by a backup": "d = sqlite3.connect(':memory:')\nc.backup(d, pages=1, progress=lambda *given: (c.close(), d.close()))",
    "closed by a converter": "sqlite3.register_converter('k', lambda raw: d.close())\n"
    "d = sqlite3.connect(':memory:', detect_types=sqlite3.PARSE_DECLTYPES)\nd.execute('create table k (k k)')\n"
    "d.execute('insert into k values (1)')\nd.execute('select k from k').fetchall()",
    "set up anew by a function": "c.create_function('f', 1, lambda x: c.__init__(':memory:'))\nc.execute('select f(a) from t').fetchall()",
    "asked again by a function": "cursor = c.cursor()\nc.create_function('f', 1, lambda x: cursor.execute('select 1'))\n"
    "cursor.execute('select f(a) from t').fetchall()",
    "a function that goes as it works": "c.create_function('f', 1, lambda x: c.create_function('f', 1, None))\n"
    "c.execute('select f(a) from t').fetchall()",
    "a cursor set up anew": "cursor = c.execute('select a from t')\ncursor.__init__(c)\ncursor.fetchall()",
    "asked by one that shares its memory": "a, b = [sqlite3.connect('file:m?mode=memory&cache=shared', uri=True) for _ in 'ab']\n"
    "a.execute('create table t as select 1 as x')\na.commit()\n"
    "a.create_function('f', 0, lambda: b.execute('select count(*) from t').fetchone()[0])\na.execute('select f() from t').fetchall()",
    "closed with a cursor open": "cursor = c.execute('select a from t')\nnext(cursor)\nc.close()\ncursor.fetchall()",
}


@pytest.mark.parametrize("source", MEANWHILE.values(), ids=MEANWHILE)
def test_a_connection_that_is_used_by_what_it_calls_is_whole_afterwards(run, source):
    run(f"{_BEFORE}{source}")
    assert run("d = sqlite3.connect(':memory:')\nd.execute('select 7').fetchall()").value == [(7,)]


ENDLESS = {
    "a query": "c.execute('with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n').fetchall()",
    "rows": "for row in c.execute('with recursive n(x) as (select 1 union all select x + 1 from n) select x from n'): pass",
    "parameters": "import itertools\nc.executemany('insert into t values (?)', ((n,) for n in itertools.count()))",
    "a function": "c.create_function('f', 0, lambda: sum(1 for _ in iter(int, 1)))\nc.execute('select f()').fetchall()",
    "a function whose end is swallowed": "def f():\n    while True: pass\nc.create_function('f', 0, f)\n"
    "while True:\n    try: c.execute('select f()').fetchall()\n    except BaseException: pass",
    "a large blob of chance": "c.execute('select randomblob(100000000)').fetchall()",
    "a join": "c.execute('select count(*) from t a, t b, t c, t d, t e').fetchall()",
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_what_a_database_works_through_is_charged(run, source):
    assert run(_BEFORE + source, operations=200_000).failure.kind == "limit"
    assert run("sqlite3.connect(':memory:').execute('select 7').fetchall()").value == [(7,)]


def test_who_waits_for_a_connection_ends_in_time(run):
    held = "import sqlite3\na, b = [sqlite3.connect('w.db', timeout=1e9) for _ in 'ab']\na.execute('begin exclusive')\n"
    waits = "b.execute('pragma busy_timeout = 1000000000')\nb.execute('select 1 from sqlite_master').fetchall()"
    assert run(held + waits, operations=30).failure.kind == "limit"


def test_adapters_and_converters_are_those_of_the_session(run):
    before = dict(sqlite3.adapters), dict(sqlite3.converters)
    assert run(
        f"{_BEFORE}sqlite3.register_adapter(int, str)\nsqlite3.register_converter('DATE', len)\n"
        "d = sqlite3.connect(':memory:', detect_types=sqlite3.PARSE_DECLTYPES)\nd.execute('create table k (d date)')\n"
        "d.execute(\"insert into k values ('12345')\")\nd.execute('select d from k').fetchall()"
    ).value == [(5,)]
    assert (dict(sqlite3.adapters), dict(sqlite3.converters)) == before
