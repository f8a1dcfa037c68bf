"""The folders and the index as one: what lies on the shelf, in which state it counts here, and how it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from codeact.errors import SkillError
from codeact.records import whole
from codeact.skills import layout
from codeact.skills.cards import Entry
from codeact.skills.index import NAME, Index
from codeact.skills.meaning import shape_of
from codeact.skills.record import Event, Example, Skill, State, folder_of
from codeact.skills.store import Store
from codeact.warned import warn


class Shelf:
    """The skills below `root`. With `accept`, folders that were not verified here count as agreed to by the caller."""

    def __init__(self, root: Path, *, accept: bool) -> None:
        self.store = Store(root)
        self.accept = accept
        self._index: Index | None = None

    def __reduce__(self) -> tuple[Callable[..., Shelf], tuple[Path]]:
        """A copy, here or in another process, opens the index for itself."""
        return partial(Shelf, accept=self.accept), (self.store.root,)

    @property
    def index(self) -> Index:
        """The index, equal to the folders when it was last refreshed."""
        if self._index is None:
            if self.store.root.is_dir():
                self._try_prepare()
            self._index = Index(self.store.own / NAME)
        return self._index

    def _try_prepare(self) -> None:
        try:
            self.store.prepare()
        except SkillError:  # a read-only library is read all the same; its index then lives in memory
            return

    def refresh(self, *, fully: bool = False) -> None:
        """Brings the index up to the folders; cheap where none came, went or was replaced.

        With `fully`, files that were edited within their folders are noticed too.
        """
        root = self.store.root_stamp()
        if root == self.index.root() and not fully:
            return
        stamps, indexed = self.store.stamps(deep=fully), self.index.stamps()
        changed = [folder for folder in sorted(stamps) if not indexed.get(folder, "").startswith(stamps[folder])]
        gone = [folder for folder in indexed if folder not in stamps]
        self.index.update([self.entry(folder) for folder in changed], gone=gone, root=root)

    def rebuild(self) -> None:
        """Builds the index again from the folders; counters and history stay."""
        self.index.clear()
        self.refresh(fully=True)

    def close(self) -> None:
        """Closes the index."""
        if self._index is not None:
            self._index.close()

    def entry(self, folder: str) -> Entry:
        """What the index is to know of a folder: broken ones are named, never fatal to the others."""
        stamp = self.store.stamp(folder)
        try:
            skill, state, reason = self.read(folder)
        except SkillError as error:
            return Entry(folder, stamp, None, reason=str(error))
        tools = tuple((spec.name, layout.tool_hash(spec)) for spec in skill.tools)
        return Entry(folder, stamp, skill, state, reason, shape_of(skill.code), tools)

    def read(self, folder: str) -> tuple[Skill, State, str]:
        """A skill with the state it counts in here, edits and origin considered, and the reason for it."""
        files = self.store.read(folder)
        skill, changed = layout.read(folder, files)
        if skill.state == "retired":
            return skill, skill.state, skill.reason
        trusted = self.store.accepted(files)
        if changed and not trusted:
            return skill, "quarantined", f"changed since it was verified: {changed}; verify it to use it"
        if not trusted and not self.accept:
            if self.store.known(folder):
                return skill, "quarantined", "changed since it was verified here: manifest.json; verify it to use it"
            return skill, "quarantined", "it comes from elsewhere; verify it and accept what it may use"
        return skill, skill.state, skill.reason

    def active(self, names: Iterable[str]) -> dict[str, Skill]:
        """The skills among these names that may be called here, as their folders have them."""
        found: dict[str, Skill] = {}
        for name in names:
            folder = folder_of(name)
            try:
                skill, state, _ = self.read(folder) if self.store.stamp(folder) else (None, "", "")
            except SkillError:  # broken: it counts for no one
                continue
            if skill is not None and skill.name == name and state == "active":
                found[name] = skill
        return found

    def needed(self, skill: Skill, path: tuple[str, ...] = ()) -> dict[str, Skill]:
        """The skills a skill calls, and those they call; SkillError where they call each other in a circle."""
        if skill.name in path:
            raise SkillError(f"the skills {' → '.join((*path, skill.name))} call each other in a circle")
        found: dict[str, Skill] = {}
        for name in skill.skills:
            other = self.read(folder_of(name))[0]
            found |= {name: other, **self.needed(other, (*path, skill.name))}
        return found

    def trust(self, other: Store) -> None:
        """Takes the folders that are the same, to the byte, in another place as verified and agreed to.

        A library that cannot be written remembers it as long as this shelf is used.
        """
        self.refresh()
        waiting = {card.folder for card in self.index.cards() if card.state == "quarantined"}
        for folder in sorted(waiting & other.stamps().keys()):
            files = self.store.read(folder)
            if files == other.read(folder) and not self.store.accepted(files):
                try:
                    with self.store.lock():
                        self.store.accept(folder, files)
                except SkillError:
                    self.store.accept_here(folder, files)
                self.index.update([self.entry(folder)])

    def examples(self, folder: str) -> list[Example]:
        """The recorded uses of a skill; SkillError where there are none or one cannot be read."""
        files = self.store.read(folder)
        if "examples.jsonl" not in files:
            raise SkillError(f"the skill {folder} has no examples.jsonl: it cannot be verified")
        return layout.read_examples(files["examples.jsonl"])

    def put(self, skill: Skill, examples: Iterable[Example], *, keep: int | None = None) -> None:
        """Writes a skill and indexes it. The store's lock must be held."""
        self._put(skill.folder, layout.write(skill, examples), keep=keep, accept=True)

    def _put(self, folder: str, files: Mapping[str, bytes], *, keep: int | None, accept: bool) -> None:
        current = self.store.root_stamp() == self.index.root()
        self.store.put(folder, files, keep=keep, accept=accept)
        root = self.store.root_stamp() if current else None
        self.index.update([self.entry(folder)], root=root)

    def set_state(self, name: str, state: State, reason: str) -> None:
        """Moves a skill to another state and notes it in the history."""
        folder, reason = folder_of(name), whole(reason)
        with self.store.lock():
            self.refresh()
            files = self.store.read(folder)
            skill, _ = layout.read(folder, files)
            # a folder that was edited or not accepted stays so: only its state changes
            accept = self.accept or self.store.accepted(files)
            self._put(folder, layout.restated(files, state, reason), keep=None, accept=accept)
        self.note(skill.name, state, reason)

    def set_aside(self, name: str, reason: str) -> None:
        """Quarantines a skill: with a warning, and for this process alone, where the library cannot be written."""
        try:
            self.set_state(name, "quarantined", reason)
        except SkillError as error:
            warn(f"{error}; the skill {name} is not offered by this process: {reason}")
            self.index.update([replace(self.entry(folder_of(name)), state="quarantined", reason=reason)])

    def note(self, name: str, what: str, detail: str) -> None:
        """Adds a line to the history."""
        self.index.note(Event(datetime.now(UTC).isoformat(timespec="seconds"), name, what, detail))
