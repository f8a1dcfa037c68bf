"""The index of a library: one SQLite file that answers searches and can be deleted and built again from the folders.

Beside the index proper it holds the counters and the history of uses, which no folder knows.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from functools import partial
from pathlib import Path

from codeact.errors import SkillError
from codeact.skills.cards import Card, Entry, Hit
from codeact.skills.lexicon import lexicon
from codeact.skills.record import Broken, Event, State, Usage
from codeact.skills.terms import terms

VERSION = "6"
NAME = "index.sqlite"
_BUSY_SECONDS = 60.0
_WEIGHTS = "4.0, 2.0, 1.0, 2.0, 2.0"  # name, description, signature, tags, tasks

_USAGE = "name, uses, successes, failures, operations, wall_seconds, tokens"
_KEPT = """
CREATE TABLE IF NOT EXISTS usage (name TEXT PRIMARY KEY, uses INT, successes INT, operations INT, wall_seconds REAL,
    tokens INT, failures INT DEFAULT 0);
CREATE TABLE IF NOT EXISTS history (number INTEGER PRIMARY KEY, moment TEXT, name TEXT, what TEXT, detail TEXT);
CREATE INDEX IF NOT EXISTS history_name ON history (name);
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT);
"""
_BUILT = """
DROP TABLE IF EXISTS skills; DROP TABLE IF EXISTS broken; DROP TABLE IF EXISTS fts; DROP TABLE IF EXISTS vocabulary;
CREATE TABLE skills (number INTEGER PRIMARY KEY, folder TEXT UNIQUE, name TEXT, stamp TEXT, state TEXT, reason TEXT,
    version INT, meaning TEXT, shape TEXT, card TEXT, words TEXT);
CREATE INDEX skills_meaning ON skills (meaning);
CREATE INDEX skills_shape ON skills (shape);
CREATE TABLE broken (folder TEXT PRIMARY KEY, stamp TEXT, reason TEXT);
CREATE VIRTUAL TABLE fts USING fts5(name, description, signature, tags, tasks, tokenize="unicode61 tokenchars '_:'");
CREATE TABLE vocabulary (feature TEXT PRIMARY KEY, skills INT) WITHOUT ROWID;
"""


class Index:
    """The SQLite file at `path`; where the folder is read-only the index lives in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mutex = threading.RLock()
        self._database: sqlite3.Connection | None = None
        self._process = 0

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._mutex:
            if self._database is None or self._process != os.getpid():
                self._database, self._process = self._connect(), os.getpid()
            try:
                yield self._database
            except sqlite3.DatabaseError as error:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise SkillError(f"the index {self.path} failed: {error}. Delete it; it is built again") from error

    def _connect(self) -> sqlite3.Connection:
        try:
            return self._prepared(str(self.path))
        except sqlite3.OperationalError as error:
            if os.access(self.path.parent, os.W_OK):
                raise SkillError(f"the index {self.path} cannot be opened: {error}") from error
            return self._prepared(":memory:")
        except sqlite3.DatabaseError:  # not a database: it can be built again, so it is put aside
            os.replace(self.path, self.path.with_suffix(".broken"))
            return self._prepared(str(self.path))

    def _prepared(self, name: str) -> sqlite3.Connection:
        database = sqlite3.connect(name, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.executescript(_KEPT)
        if not any(row[1] == "failures" for row in database.execute("PRAGMA table_info(usage)")):
            # an index of before counted what nobody had checked as a success: of its failures alone one can be sure
            database.execute("ALTER TABLE usage ADD COLUMN failures INT DEFAULT 0")
            database.execute("UPDATE usage SET failures = uses - successes")
        version = f"{VERSION} {lexicon().mark}"
        if _meta(database, "version") != version:
            database.execute("BEGIN IMMEDIATE")
            if _meta(database, "version") != version:
                for statement in _BUILT.split(";"):
                    database.execute(statement)
                _set_meta(database, "version", version)
                _set_meta(database, "root", "")
            database.execute("COMMIT")
        return database

    def close(self) -> None:
        """Closes the file; the next use opens it again."""
        with self._mutex:
            if self._database is not None and self._process == os.getpid():
                self._database.close()
            self._database = None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
            except BaseException:
                database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")

    def clear(self) -> None:
        """Forgets what came from the folders; counters and history stay."""
        with self._writing() as database:
            for table in ("skills", "broken", "fts", "vocabulary"):
                database.execute(f"DELETE FROM {table}")  # noqa: S608  # the names are the four above
            _set_meta(database, "root", "")

    def root(self) -> str:
        """The mark of the library's folder when the index was last equal to it."""
        with self._open() as database:
            return _meta(database, "root")

    def stamps(self) -> dict[str, str]:
        """The mark of each folder as it was indexed."""
        with self._open() as database:
            return dict(database.execute("SELECT folder, stamp FROM skills UNION ALL SELECT folder, stamp FROM broken"))

    def update(self, entries: Iterable[Entry], *, gone: Iterable[str] = (), root: str | None = None) -> None:
        """Takes folders in, and those that are gone out, in one transaction."""
        with self._writing() as database:
            counts: Counter[str] = Counter()
            for folder in gone:
                counts.subtract(_remove(database, folder))
            for entry in entries:
                counts.subtract(_remove(database, entry.folder))
                counts.update(_insert(database, entry))
            _count(database, counts)
            if root is not None:
                _set_meta(database, "root", root)

    def cards(self) -> list[Card]:
        """All skills by name."""
        with self._open() as database:
            return [_card(*row) for row in database.execute("SELECT card, state, reason FROM skills ORDER BY name")]

    def card(self, name: str) -> Card | None:
        """The skill of that name or folder, if there is one."""
        with self._open() as database:
            statement = "SELECT card, state, reason FROM skills WHERE folder = ?"
            row = database.execute(statement, (name.replace("_", "-"),)).fetchone()
        return None if row is None else _card(*row)

    def alike(self, *, meaning: str = "", shape: str = "") -> list[str]:
        """The names of the skills with this meaning or this shape, oldest first."""
        column, value = ("meaning", meaning) if meaning else ("shape", shape)
        with self._open() as database:
            statement = f"SELECT name FROM skills WHERE {column} = ? ORDER BY number LIMIT 20"  # noqa: S608  # a column above
            return [row[0] for row in database.execute(statement, (value,))]

    def broken(self) -> list[Broken]:
        """The folders that are no skills, with the reason."""
        with self._open() as database:
            return [Broken(*row) for row in database.execute("SELECT folder, reason FROM broken ORDER BY folder")]

    def count(self, features: Sequence[str]) -> tuple[int, dict[str, int]]:
        """The number of skills on offer, and in how many of them each word or sense occurs."""
        marks = ",".join("?" * len(features))
        with self._open() as database:
            total = database.execute("SELECT count(*) FROM skills WHERE state = 'active'").fetchone()[0]
            statement = f"SELECT feature, skills FROM vocabulary WHERE feature IN ({marks}) AND skills > 0"  # noqa: S608  # only question marks
            return total, dict(database.execute(statement, tuple(features)))

    def match(self, words: Sequence[str], limit: int) -> list[Hit]:
        """The skills on offer that hold any of the words, best first by BM25."""
        query = " OR ".join(f'"{word}"' for word in words)
        statement = f"""
            SELECT card, state, reason, words, coalesce(uses, 0), coalesce(successes, 0), coalesce(failures, 0)
            FROM (SELECT rowid AS found, bm25(fts, {_WEIGHTS}) AS best FROM fts WHERE fts MATCH ? ORDER BY best LIMIT ?)
            JOIN skills ON number = found LEFT JOIN usage ON usage.name = skills.name ORDER BY best, skills.name
        """  # noqa: S608  # the weights are ours
        with self._open() as database:
            rows = database.execute(statement, (query, limit)).fetchall()
        found = []
        for card, state, reason, held, *counts in rows:
            name_words, other_words, _ = held.split("|")
            found.append(Hit(name_words, other_words, Usage(*counts), partial(_card, card, state, reason)))
        return found

    def record(self, name: str, usage: Usage) -> Usage:
        """Adds to the counters of a skill and returns the sum."""
        with self._writing() as database:
            database.execute(
                f"INSERT INTO usage ({_USAGE}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET "  # noqa: S608  # our columns
                "uses = uses + excluded.uses, successes = successes + excluded.successes, "
                "failures = failures + excluded.failures, "
                "operations = operations + excluded.operations, tokens = tokens + excluded.tokens, "
                "wall_seconds = wall_seconds + excluded.wall_seconds",
                (name, *astuple(usage)),
            )
            row = database.execute(f"SELECT {_USAGE} FROM usage WHERE name = ?", (name,))  # noqa: S608  # our columns
            return Usage(*row.fetchone()[1:])

    def usages(self) -> dict[str, Usage]:
        """The counters of all skills that were used."""
        with self._open() as database:
            rows = database.execute(f"SELECT {_USAGE} FROM usage ORDER BY name")  # noqa: S608  # our columns
            return {name: Usage(*counts) for name, *counts in rows}

    def checked(self) -> bool:
        """True where the answer of some run with a skill was checked and taken."""
        with self._open() as database:
            return database.execute("SELECT 1 FROM usage WHERE successes > 0 LIMIT 1").fetchone() is not None

    def note(self, event: Event) -> None:
        """Adds a line to the history."""
        with self._writing() as database:
            row = (event.when, event.skill, event.what, event.detail)
            database.execute("INSERT INTO history (moment, name, what, detail) VALUES (?, ?, ?, ?)", row)

    def history(self, name: str | None = None) -> list[Event]:
        """What happened to one skill, or to all, oldest first."""
        statement = "SELECT moment, name, what, detail FROM history WHERE :name IS NULL OR name = :name ORDER BY number"
        with self._open() as database:
            return [Event(*row) for row in database.execute(statement, {"name": name})]


def _remove(database: sqlite3.Connection, folder: str) -> set[str]:
    """Takes a folder out; gives the features it was found by."""
    row = database.execute("SELECT number, state, words FROM skills WHERE folder = ?", (folder,)).fetchone()
    database.execute("DELETE FROM broken WHERE folder = ?", (folder,))
    if row is None:
        return set()
    database.execute("DELETE FROM fts WHERE rowid = ?", row[:1])
    database.execute("DELETE FROM skills WHERE number = ?", row[:1])
    return set(lexicon().expanded(row[2].replace("|", " ").split())) if row[1] == "active" else set()


def _insert(database: sqlite3.Connection, entry: Entry) -> set[str]:
    """Takes a folder in; gives the features it is found by."""
    skill = entry.skill
    if skill is None:
        database.execute("INSERT INTO broken VALUES (?, ?, ?)", (entry.folder, entry.stamp, entry.reason))
        return set()
    parts = (skill.name, skill.description, skill.signature, " ".join(skill.tags), " ".join(skill.tasks[:20]))
    found = [terms(part) for part in parts]
    other = [word for part in (found[1], *found[3:]) for word in part]  # what parameters are called says too little
    words = "|".join(" ".join(dict.fromkeys(part)) for part in (found[0], other, found[2]))
    card = [skill.name, skill.description, skill.signature, skill.version, entry.tools, skill.skills]
    row = (entry.folder, skill.name, entry.stamp, entry.state, entry.reason, skill.version, skill.meaning, entry.shape)
    statement = (
        "INSERT INTO skills (folder, name, stamp, state, reason, version, meaning, shape, card, words) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    number = database.execute(statement, (*row, json.dumps(card), words)).lastrowid
    if entry.state != "active":
        return set()
    values = [[*lexicon().expanded(part)] for part in found]
    database.execute(
        "INSERT INTO fts (rowid, name, description, signature, tags, tasks) VALUES (?, ?, ?, ?, ?, ?)",
        (number, *map(" ".join, values)),
    )
    return {feature for part in values for feature in part}


def _count(database: sqlite3.Connection, counts: Mapping[str, int]) -> None:
    """Adds to the numbers of skills that have a feature."""
    database.executemany(
        "INSERT INTO vocabulary VALUES (?, ?) ON CONFLICT (feature) DO UPDATE SET skills = skills + excluded.skills",
        [(feature, change) for feature, change in counts.items() if change],
    )


def _card(content: str, state: State, reason: str) -> Card:
    name, description, signature, version, tools, skills = json.loads(content)
    pairs = tuple((tool, mark) for tool, mark in tools)
    return Card(name, name.replace("_", "-"), description, signature, version, state, reason, pairs, tuple(skills))


def _meta(database: sqlite3.Connection, key: str) -> str:
    row = database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return "" if row is None else str(row[0])


def _set_meta(database: sqlite3.Connection, key: str, value: str) -> None:
    database.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
    )
