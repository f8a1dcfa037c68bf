"""The tables of a library's index, and how a file comes to have them."""

from __future__ import annotations

import sqlite3

from codeact.skills.lexicon import lexicon

VERSION = "9"
BUSY_SECONDS = 60.0
USAGE = "name, uses, successes, failures, operations, wall_seconds, tokens"
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


def prepared(name: str) -> sqlite3.Connection:
    """The file of that name opened, with all tables; those of another version are made anew."""
    database = sqlite3.connect(name, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=NORMAL")
    database.executescript(_KEPT)
    if not _counts_failures(database):
        database.execute("BEGIN IMMEDIATE")
        # an index of before counted what nobody had checked as a success: of its failures alone one can be sure
        if not _counts_failures(database):
            database.execute("ALTER TABLE usage ADD COLUMN failures INT DEFAULT 0")
            database.execute("UPDATE usage SET failures = uses - successes")
        database.execute("COMMIT")
    version = f"{VERSION} {lexicon().mark}"
    if meta(database, "version") != version:
        database.execute("BEGIN IMMEDIATE")
        if meta(database, "version") != version:
            for statement in _BUILT.split(";"):
                database.execute(statement)
            set_meta(database, "version", version)
            set_meta(database, "root", "")
        database.execute("COMMIT")
    return database


def no_room(error: BaseException | None) -> bool:
    """True for what SQLite says where a disk is full, be it of the index or of a file beside it."""
    full = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF in full


def _counts_failures(database: sqlite3.Connection) -> bool:
    return any(row[1] == "failures" for row in database.execute("PRAGMA table_info(usage)"))


def meta(database: sqlite3.Connection, key: str) -> str:
    """What the file says of itself under a key; empty where nothing."""
    row = database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return "" if row is None else str(row[0])


def set_meta(database: sqlite3.Connection, key: str, value: str) -> None:
    """Lets the file say something of itself."""
    database.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
    )
