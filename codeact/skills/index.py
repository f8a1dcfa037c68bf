"""The index of a library: one SQLite file that answers searches and can be deleted and built again from the folders.

Beside the index proper it holds the counters and the history of uses, which no folder knows.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import TypeVar

from codeact.errors import SkillError
from codeact.skills.cards import Card, Entry, Hit
from codeact.skills.lexicon import lexicon
from codeact.skills.record import Broken, Event, State, Usage, folder_of
from codeact.skills.tables import BUSY_SECONDS, USAGE, meta, no_room, prepared, set_meta
from codeact.skills.terms import terms
from codeact.warned import warn

T = TypeVar("T")
NAME = "index.sqlite"
_AGAIN_SECONDS = 0.02
_ANY = ""  # the feature of every skill on offer: how many there are stands among the other counts
_WEIGHTS = "4.0, 2.0, 1.0, 2.0, 2.0"  # name, description, signature, tags, tasks


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
            except BaseException as error:
                if self._database.in_transaction:  # also after Ctrl-C: nobody else could write, or open the file
                    self._database.execute("ROLLBACK")
                if not isinstance(error, sqlite3.DatabaseError):
                    raise
                raise SkillError(f"the index {self.path} failed: {error}. Delete it; it is built again") from error

    def _connect(self) -> sqlite3.Connection:
        try:
            return self._waited_for()
        except sqlite3.OperationalError as error:
            if os.access(self.path.parent, os.W_OK):
                if not no_room(error):
                    raise SkillError(f"the index {self.path} cannot be opened: {error}") from error
                self._warn(error)
            return prepared(":memory:")
        except sqlite3.DatabaseError:  # not a database: it can be built again, so it is put aside
            os.replace(self.path, self.path.with_suffix(".broken"))
            return prepared(str(self.path))

    def _waited_for(self) -> sqlite3.Connection:
        """The file opened; SQLite's own waiting does not cover the change of its mode, which many may want at once."""
        deadline = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                return prepared(str(self.path))
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(_AGAIN_SECONDS)

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
            yield database
            database.execute("COMMIT")

    def _write(self, act: Callable[[sqlite3.Connection], T]) -> T:
        """Changes the index; where the disk has no room for that, a copy in memory from then on."""
        try:
            with self._writing() as database:
                return act(database)
        except SkillError as error:
            if not no_room(error.__cause__):
                raise
            self._warn(error.__cause__)
        with self._mutex:
            memory = prepared(":memory:")
            if self._database is not None:
                self._database.backup(memory)
                self._database.close()
            self._database = memory
        with self._writing() as database:
            return act(database)

    def _warn(self, error: BaseException | None) -> None:
        said = (
            f"the index {self.path} cannot be written ({error}): skills are found, but this process keeps its counters"
        )
        warn(f"{said} and history in memory alone")

    def clear(self) -> None:
        """Forgets what came from the folders; counters and history stay."""

        def forget(database: sqlite3.Connection) -> None:
            for table in ("skills", "broken", "fts", "vocabulary"):
                database.execute(f"DELETE FROM {table}")  # noqa: S608  # the names are the four above
            set_meta(database, "root", "")

        self._write(forget)

    def root(self) -> str:
        """The mark of the library's folder when the index was last equal to it."""
        with self._open() as database:
            return meta(database, "root")

    def stamps(self) -> dict[str, str]:
        """The mark of each folder as it was indexed."""
        with self._open() as database:
            return dict(database.execute("SELECT folder, stamp FROM skills UNION ALL SELECT folder, stamp FROM broken"))

    def update(self, entries: Iterable[Entry], *, gone: Iterable[str] = (), root: str | None = None) -> None:
        """Takes folders in, and those that are gone out, in one transaction."""
        taken, left = [*entries], [*gone]

        def change(database: sqlite3.Connection) -> None:
            counts: Counter[str] = Counter()
            for folder in left:
                counts.subtract(_remove(database, folder))
            for entry in taken:
                counts.subtract(_remove(database, entry.folder))
                counts.update(_insert(database, entry))
            _count(database, counts)
            if root is not None:
                set_meta(database, "root", root)

        self._write(change)

    def cards(self) -> list[Card]:
        """All skills by name."""
        with self._open() as database:
            rows = database.execute("SELECT card, folder, state, reason FROM skills ORDER BY name")
            return [_card(*row) for row in rows]

    def card(self, name: str) -> Card | None:
        """The skill of that name or folder, if there is one."""
        with self._open() as database:
            statement = "SELECT card, folder, state, reason FROM skills WHERE folder = ?"
            row = database.execute(statement, (folder_of(name),)).fetchone()
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
        marks = ",".join("?" * (len(features) + 1))
        statement = f"SELECT feature, skills FROM vocabulary WHERE feature IN ({marks}) AND skills > 0"  # noqa: S608  # only question marks
        with self._open() as database:
            counts = dict(database.execute(statement, (_ANY, *features)))
        return counts.pop(_ANY, 0), counts

    def match(self, words: Sequence[str], limit: int) -> list[Hit]:
        """The skills on offer that hold any of the words, best first by BM25."""
        query = " OR ".join(f'"{word}"' for word in words)
        statement = f"""
            SELECT card, folder, state, reason, words, coalesce(uses, 0), coalesce(successes, 0), coalesce(failures, 0)
            FROM (SELECT rowid AS found, bm25(fts, {_WEIGHTS}) AS best FROM fts WHERE fts MATCH ? ORDER BY best LIMIT ?)
            JOIN skills ON number = found LEFT JOIN usage ON usage.name = skills.name ORDER BY best, skills.name
        """  # noqa: S608  # the weights are ours
        with self._open() as database:
            rows = database.execute(statement, (query, limit)).fetchall()
        found = []
        for card, folder, state, reason, held, *counts in rows:
            name_words, other_words, _ = held.split("|")
            found.append(Hit(name_words, other_words, Usage(*counts), partial(_card, card, folder, state, reason)))
        return found

    def record(self, name: str, usage: Usage) -> Usage:
        """Adds to the counters of a skill and returns the sum."""

        def add(database: sqlite3.Connection) -> Usage:
            database.execute(
                f"INSERT INTO usage ({USAGE}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET "  # noqa: S608  # our columns
                "uses = uses + excluded.uses, successes = successes + excluded.successes, "
                "failures = failures + excluded.failures, "
                "operations = operations + excluded.operations, tokens = tokens + excluded.tokens, "
                "wall_seconds = wall_seconds + excluded.wall_seconds",
                (name, *astuple(usage)),
            )
            row = database.execute(f"SELECT {USAGE} FROM usage WHERE name = ?", (name,))  # noqa: S608  # our columns
            return Usage(*row.fetchone()[1:])

        return self._write(add)

    def usages(self) -> dict[str, Usage]:
        """The counters of all skills that were used."""
        with self._open() as database:
            rows = database.execute(f"SELECT {USAGE} FROM usage ORDER BY name")  # noqa: S608  # our columns
            return {name: Usage(*counts) for name, *counts in rows}

    def checked(self) -> bool:
        """True where the answer of some run with a skill was checked and taken."""
        with self._open() as database:
            return database.execute("SELECT 1 FROM usage WHERE successes > 0 LIMIT 1").fetchone() is not None

    def note(self, event: Event) -> None:
        """Adds a line to the history."""
        row = (event.when, event.skill, event.what, event.detail)
        insert = "INSERT INTO history (moment, name, what, detail) VALUES (?, ?, ?, ?)"
        self._write(lambda database: database.execute(insert, row))

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
    return {_ANY, *lexicon().expanded(row[2].replace("|", " ").split())} if row[1] == "active" else set()


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
    return {_ANY, *(feature for part in values for feature in part)}


def _count(database: sqlite3.Connection, counts: Mapping[str, int]) -> None:
    """Adds to the numbers of skills that have a feature."""
    database.executemany(
        "INSERT INTO vocabulary VALUES (?, ?) ON CONFLICT (feature) DO UPDATE SET skills = skills + excluded.skills",
        [(feature, change) for feature, change in counts.items() if change],
    )


def _card(content: str, folder: str, state: State, reason: str) -> Card:
    name, description, signature, version, tools, skills = json.loads(content)
    pairs = tuple((tool, mark) for tool, mark in tools)
    return Card(name, folder, description, signature, version, state, reason, pairs, tuple(skills))
