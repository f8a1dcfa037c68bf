"""Programs that work on databases, each run in plain CPython and in ours in a folder of its own: all is the same."""

from __future__ import annotations

import pytest

from tests.fidelity.comparing import printed_in_folders

_BEFORE = """
import datetime, decimal, os, sqlite3, sys
c = sqlite3.connect(":memory:")
c.executescript("create table t (a integer primary key, b text not null, c real unique); create table u (x);")
c.executemany("insert into t values (?, ?, ?)", [(n, f"n{n}", n / 2) for n in range(1, 6)])
def all_of(sql, *given): print(c.execute(sql, *given).fetchall())
def fail(act):
    try: print(act())
    except Exception as error: print(type(error).__name__, error, getattr(error, "sqlite_errorname", ""))
"""

PROGRAMS = {
    "rows, one by one": "cursor = c.execute('select * from t')\nprint(next(cursor), cursor.fetchone(), cursor.fetchmany(2))\n"
    "print([*cursor], cursor.fetchone(), cursor.fetchall(), cursor.description, cursor.rowcount)",
    "many at once": "cursor = c.cursor()\ncursor.arraysize = 3\n"
    "print(cursor.execute('select a from t').fetchmany(), cursor.arraysize, cursor.fetchmany(size=1), cursor.fetchmany(9))",
    "what was changed": "cursor = c.execute('update t set b = b where a > 2')\nprint(cursor.rowcount, cursor.lastrowid)\n"
    "cursor.execute('insert into u values (1)')\nprint(cursor.lastrowid, c.total_changes, c.in_transaction)\n"
    "c.commit()\nprint(c.in_transaction, c.isolation_level)",
    "parameters": "all_of('select ?, ?, ?, ?, ?', (1, 2.5, 'x', b'y', None))\nall_of('select :a, @b, $c', {'a': 1, 'b': 2, 'c': 3})\n"
    "all_of('select ?', [True])\nall_of('select ?', (bytearray(b'z'),))\nall_of('select ?', (memoryview(b'z'),))\n"
    "class N(int): pass\nclass T(str): pass\nall_of('select ?, ?', (N(4), T('u')))",
    "parameters that do not fit": "for given in [(1,), (1, 2, 3), 5, {'a': 1}, None]: fail(lambda: c.execute('select ?, ?', given))\n"
    "fail(lambda: c.execute('select :a, :b', {'a': 1}))\n"
    "for value in [object(), [1], 1j, decimal.Decimal(1), 1 << 70]: fail(lambda: c.execute('select ?', (value,)))",
    "statements that are none": "fail(lambda: c.execute('selec 1'))\nfail(lambda: c.execute('select 1; select 2'))\n"
    "fail(lambda: c.execute('select * from nowhere'))\nfail(lambda: c.execute('select nothing from t'))\n"
    "fail(lambda: c.execute(5))\nfail(lambda: c.executemany('select 1', [()]))\n"
    "fail(lambda: c.executescript(b'x'))\nprint(sqlite3.complete_statement('select 1;'), sqlite3.complete_statement('select'))",
    "rules of a table": "fail(lambda: c.execute(\"insert into t values (1, 'x', 9)\"))\n"
    "fail(lambda: c.execute('insert into t values (7, null, 9)'))\nfail(lambda: c.execute(\"insert into t values (7, 'x', .5)\"))\n"
    "try: c.execute(\"insert into t values (1, 'x', 9)\")\n"
    "except sqlite3.IntegrityError as error: print(error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)",
    "transactions": "c.commit()\nwith c: c.execute('insert into u values (1)')\n"
    "try:\n    with c:\n        c.execute('insert into u values (2)')\n        c.execute('insert into u values (nothing)')\n"
    "except sqlite3.OperationalError as error: print(error)\nall_of('select * from u')\nc.execute('insert into u values (3)')\n"
    "c.rollback()\nall_of('select * from u')\nc.isolation_level = None\nc.execute('begin')\nprint(c.in_transaction)\n"
    "c.execute('rollback')\nprint(c.in_transaction, c.isolation_level)",
    "rows by name": "c.row_factory = sqlite3.Row\nrow = c.execute('select a, b as B, 7 from t').fetchone()\n"
    "print(tuple(row), row['a'], row['b'], row[-1], row[0:2], row.keys(), len(row), dict(row), [*row], 1 in row)\n"
    "fail(lambda: row['nothing'])\nfail(lambda: row[9])\nprint(row == c.execute('select a, b as B, 7 from t').fetchone())\n"
    "print(isinstance(row, sqlite3.Row), [r['a'] for r in c.execute('select a from t')])",
    "rows by a function": "c.row_factory = lambda cursor, row: {column[0]: value for column, value in zip(cursor.description, row)}\n"
    "print(c.execute('select a, b from t').fetchall()[:2], next(c.execute('select 1 as one')))\n"
    "cursor = c.cursor()\ncursor.row_factory = None\nprint(cursor.execute('select 1').fetchone(), cursor.connection is c)\n"
    "c.row_factory = lambda cursor, row: 1 / 0\nfail(lambda: c.execute('select 1').fetchone())",
    "texts by a function": "c.text_factory = bytes\nall_of('select b from t where a = 1')\nc.text_factory = lambda raw: raw.decode()[::-1]\n"
    "all_of('select b, ? from t where a = 1', (b'raw',))\nc.text_factory = str\nall_of('select b from t where a = 1')",
    "functions": "c.create_function('twice', 1, lambda x: x * 2)\nall_of('select twice(a), twice(b) from t where a = 3')\n"
    "c.create_function('many', -1, lambda *given: len(given), deterministic=True)\nall_of('select many(), many(1, 2)')\n"
    "c.create_function('bad', 0, lambda: 1 / 0)\nfail(lambda: c.execute('select bad()').fetchall())\n"
    "c.create_function('odd', 0, lambda: [])\nfail(lambda: c.execute('select odd()').fetchall())\nfail(lambda: c.execute('select twice()'))\n"
    "c.create_function('twice', 1, None)\nfail(lambda: c.execute('select twice(1)').fetchall())",
    "aggregates": "class Longest:\n    def __init__(self): self.found = ''\n    def step(self, text): self.found = max(self.found, text, key=len)\n"
    "    def finalize(self): return self.found\nc.create_aggregate('longest', 1, Longest)\n"
    "all_of(\"select longest(b || a) from t\")\nall_of('select a % 2, longest(b) from t group by a % 2')\n"
    "class Bad(Longest):\n    def step(self, text): raise ValueError(text)\nc.create_aggregate('bad', 1, Bad)\n"
    "fail(lambda: c.execute('select bad(b) from t').fetchall())",
    "windows": "class Sum:\n    def __init__(self): self.sum = 0\n    def step(self, n): self.sum += n\n    def inverse(self, n): self.sum -= n\n"
    "    def value(self): return self.sum\n    def finalize(self): return self.sum\nc.create_window_function('own_sum', 1, Sum)\n"
    "all_of('select own_sum(a) over (order by a rows between 1 preceding and 1 following) from t')",
    "orders": "c.create_collation('backwards', lambda a, b: (a < b) - (a > b))\nall_of('select b from t order by b collate backwards')\n"
    "c.create_collation('backwards', None)\nfail(lambda: c.execute('select b from t order by b collate backwards'))",
    "adapters and converters": "class Point:\n    def __init__(self, x, y): self.x, self.y = x, y\n    def __repr__(self): return f'Point({self.x}, {self.y})'\n"
    "sqlite3.register_adapter(Point, lambda p: f'{p.x};{p.y}')\n"
    "sqlite3.register_converter('point', lambda raw: Point(*map(int, raw.split(b';'))))\n"
    "d = sqlite3.connect(':memory:', detect_types=sqlite3.PARSE_DECLTYPES | sqlite3.PARSE_COLNAMES)\n"
    "d.execute('create table p (p point, q)')\nd.execute('insert into p values (?, ?)', (Point(1, 2), Point(3, 4)))\n"
    "print(d.execute('select p, q, q as \"q [point]\" from p').fetchall())\n"
    "class Conforming:\n    def __conform__(self, protocol): return 'conforms' if protocol is sqlite3.PrepareProtocol else None\n"
    "all_of('select ?', (Conforming(),))",
    "dates": "d = sqlite3.connect(':memory:', detect_types=sqlite3.PARSE_DECLTYPES)\nd.execute('create table p (d date, t timestamp)')\n"
    "d.execute('insert into p values (?, ?)', (datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 1, 2, 3, 4)))\n"
    "print(d.execute('select * from p').fetchall())\nfor sql in [\"date('2024-01-31', '+1 month')\", \"strftime('%Y/%W', '2024-05-06')\",\n"
    "    \"julianday('2024-01-01') - julianday('2023-01-01')\", \"datetime(1e9, 'unixepoch')\", 'date(null)', \"time('12:30', '-1 hour')\",\n"
    "    \"typeof(random())\", 'length(randomblob(9))', \"date('now') >= '2024'\", \"current_timestamp = datetime('now')\",\n"
    "    'length(current_date || current_time)', \"date() = strftime('%Y-%m-%d')\"]: all_of(f'select {sql}')",
    "files": "d = sqlite3.connect('x.db')\nd.execute('create table p (a)')\nd.execute('insert into p values (1)')\nd.commit()\nd.close()\n"
    "print(sqlite3.connect('x.db').execute('select * from p').fetchall(), os.path.exists('x.db'), os.listdir('.'))\n"
    "fail(lambda: sqlite3.connect('nowhere/x.db'))\nopen('no.db', 'w').write('no database' * 99)\n"
    "fail(lambda: sqlite3.connect('no.db').execute('select * from p'))\n"
    "fail(lambda: sqlite3.connect('file:x.db?mode=ro', uri=True).execute('insert into p values (2)'))\n"
    "fail(lambda: sqlite3.connect('file:none.db?mode=rw', uri=True))\n"
    "a, b = [sqlite3.connect('file:shared?mode=memory&cache=shared', uri=True) for _ in range(2)]\n"
    "a.execute('create table q (z)')\nprint(b.execute('select count(*) from q').fetchall())\nos.remove('x.db')\nprint(os.listdir('.'))",
    "what is closed": "cursor = c.cursor()\ncursor.close()\nfail(lambda: cursor.execute('select 1'))\nc.close()\nc.close()\n"
    "for act in (lambda: c.execute('select 1'), lambda: c.commit(), lambda: c.in_transaction, lambda: c.cursor()): fail(act)",
    "what describes it": "print(c.execute('pragma table_info(t)').fetchall(), c.execute('pragma user_version').fetchone())\n"
    'all_of("select type, name from sqlite_master order by name")\nprint([*c.iterdump()][:3])\n'
    "d = sqlite3.connect(':memory:')\nc.commit()\nc.backup(d)\nprint(d.execute('select count(*) from t').fetchone())\n"
    "print(sqlite3.apilevel, sqlite3.paramstyle, sqlite3.threadsafety in (0, 1, 3), len(sqlite3.sqlite_version_info))",
    "what tells": "said = []\nc.set_trace_callback(said.append)\nc.execute('select 1').fetchall()\nc.set_trace_callback(None)\nprint(said)\n"
    "c.backup(sqlite3.connect(':memory:'), pages=1, progress=lambda *given: said.append(len(given))) if not c.commit() else 0\nprint(said[1:])",
    "kinds of errors": "print([issubclass(sqlite3.IntegrityError, sqlite3.DatabaseError), c.Error is sqlite3.Error])\n"
    "print(isinstance(c, sqlite3.Connection), isinstance(c.cursor(), sqlite3.Cursor), type(c).__name__, type(c).__module__)\n"
    "print(repr(c)[:27], repr(c.cursor())[:23])\nimport copy\nfail(lambda: copy.copy(c))\nfail(lambda: copy.deepcopy(c.cursor()))",
    "threads that wait for each other": "import threading, time\nsqlite3.connect('w.db').execute('create table w (a)')\n"
    "def first():\n    d = sqlite3.connect('w.db')\n    d.execute('insert into w values (1)')\n    begun.set()\n    time.sleep(0.2)\n"
    "    d.commit()\n    d.close()\nbegun = threading.Event()\nthread = threading.Thread(target=first)\nthread.start()\nbegun.wait()\n"
    "d = sqlite3.connect('w.db')\nd.execute('insert into w values (2)')\nd.commit()\nthread.join()\n"
    "print(d.execute('select a from w').fetchall())\nd.execute('insert into w values (3)')\n"
    "fail(lambda: sqlite3.connect('w.db', timeout=0).execute('insert into w values (4)'))",
    "texts that are searched": "c.execute('create virtual table f using fts5(text)')\n"
    "c.executemany('insert into f values (?)', [('red apple',), ('green pear',), ('apple pie',)])\n"
    "all_of(\"select text from f where f match 'apple' order by rank, text\")",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_does_with_databases_what_it_does_in_cpython(tmp_path, source):
    ours, plain = printed_in_folders(tmp_path, _BEFORE + source)
    assert ours == plain
