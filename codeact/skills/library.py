"""A library of skills: what worked, found again, called, measured, and retired when it stops paying."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from codeact.errors import SkillError, UsageError
from codeact.paths import lasting_path, whole_path
from codeact.records import Isolation, Run, SkillSource, ToolSpec
from codeact.skills import layout, record, share
from codeact.skills.cards import Card
from codeact.skills.options import folder_there, listed, reason_of, refuse_senseless, use_of
from codeact.skills.record import Broken, Checked, Declined, Event, Example, Promoted, Skill, Usage
from codeact.skills.search import search
from codeact.skills.shelf import Shelf
from codeact.skills.slice import names_of as free_names_of
from codeact.skills.store import Store
from codeact.skills.usage import failing, least_useful, proven
from codeact.skills.vectors import NAME as VECTORS
from codeact.skills.vectors import SkillModels, Vectors, Warn
from codeact.warned import warn

Cards = list[Card]  # inside the class, `list` is its method
Sources = list[SkillSource]
Examples = list[Example]
Brokens = list[Broken]
Events = list[Event]
Numbers = list[int]
Names = list[str]
Checks = list[Checked]


class SkillLibrary:
    """The skills in the folder `root`, which is made for the first of them.

    With `accept=True` the folders are taken as agreed to by the caller, as for a library that ships with a program;
    else a folder that was not verified here is quarantined. `cap` retires the least useful skills beyond it.
    `isolation` is that of the sessions in which skills are run to be verified; `models` names those that help to find
    skills and to word them, if any.
    """

    def __init__(
        self,
        root: str | Path,
        *,
        accept: bool = False,
        cap: int = 20_000,
        isolation: Isolation = "caged",
        models: SkillModels = SkillModels(),  # noqa: B008  # frozen
    ) -> None:
        path = lasting_path("SkillLibrary({})", root)
        if path.exists() and not path.is_dir():
            raise UsageError(f"SkillLibrary({str(root)!r}): a folder is needed, and this is a file")
        refuse_senseless(locals())
        self.root, self.cap, self.isolation, self.models = path, cap, isolation, models
        self.shelf = Shelf(path, accept=accept)
        self._vectors = Vectors(self.shelf.store.own / VECTORS, models)

    # ── finding ──────────────────────────────────────────────────────────────────────────────────────────────────

    def search(
        self,
        text: str,
        k: int = 5,
        *,
        tools: Mapping[str, ToolSpec] | None = None,
        checked: bool = True,
        warn: Warn = warn,
    ) -> Cards:
        """The at most `k` skills that fit a request, best first; none where none fits.

        With `tools`, only skills whose tools are all among them; one whose tool is now called otherwise is quarantined.
        Where nobody will check the answer (`checked=False`), but other answers here were checked, only skills that
        proved themselves there. `warn` is told where the embedding model failed and words alone decided.
        """
        if not self.root.is_dir():
            return []
        self.shelf.refresh()
        found: Cards = []
        only_proven = not checked and self.shelf.index.checked()
        wanted = 3 * k if tools is not None else k
        cards = search(self.shelf.index, text, wanted, only_proven=only_proven)
        if self.models.embeddings is not None:
            usage = self.usage()
            offered = [card for card in self.shelf.index.cards() if card.state == "active"]
            offered = [card for card in offered if not only_proven or proven(usage.get(card.name, Usage()))]
            cards = self._vectors.fuse(text, cards, offered, warn)
        for card in cards:
            if len(found) < k and self._usable(card, tools):
                found.append(card)
        return found

    def list(self) -> Cards:
        """All skills by name, in whatever state."""
        if not self.root.is_dir():
            return []
        self.shelf.refresh(fully=True)
        return self.shelf.index.cards()

    def get(self, name: str, version: int | None = None) -> Skill:
        """A skill by its name, now or as it was in an earlier version; SkillError where there is none."""
        folder = record.folder_of(name)
        skill, state, reason = self.shelf.read(folder)
        if version in (None, skill.version):
            return replace(skill, state=state, reason=reason)
        earlier = self.shelf.store.versions(folder)
        if version not in earlier:
            known = ", ".join(map(str, [*earlier, skill.version]))
            raise SkillError(f"the skill {name} has no version {version}; there are {known}")
        return layout.read(folder, self.shelf.store.read(folder, version))[0]

    def versions(self, name: str) -> Numbers:
        """The numbers of all versions of a skill, the one in use last."""
        return [*self.shelf.store.versions(record.folder_of(name)), self.get(name).version]

    def examples(self, name: str) -> Examples:
        """The recorded uses of a skill."""
        return self.shelf.examples(record.folder_of(name))

    def broken(self) -> Brokens:
        """The folders that are no skills, with the reason; the others are not touched by them."""
        self.shelf.refresh(fully=True)
        return self.shelf.index.broken()

    # ── giving them to a session ─────────────────────────────────────────────────────────────────────────────────

    def stubs(self, names: Iterable[str]) -> str:
        """What a model is shown: each skill's signature and what it does."""
        cards = [self.shelf.index.card(name) for name in listed("stubs({})", names)]
        return "\n\n".join(card.stub for card in cards if card is not None)

    def sources(self, names: Iterable[str]) -> Sources:
        """What `Session(skills=…)` needs, the skills they call first; SkillError where one may not be used."""
        ordered: dict[str, SkillSource] = {}
        for name in listed("sources({})", names):
            self._source(name, ordered, ())
        return [*ordered.values()]

    def _source(self, name: str, ordered: dict[str, SkillSource], path: tuple[str, ...]) -> None:
        if name in path:
            raise SkillError(f"the skills {' → '.join((*path, name))} call each other in a circle")
        skill, state, reason = self.shelf.read(record.folder_of(name))
        if state != "active":
            raise SkillError(f"the skill {skill.name} is {state}: {reason}")
        if skill.name in ordered:
            return
        for other in skill.skills:
            self._source(other, ordered, (*path, skill.name))
        ordered[skill.name] = skill.source

    def _usable(self, card: Card, tools: Mapping[str, ToolSpec] | None) -> bool:
        for tool, mark in card.tools if tools is not None else ():
            if tools is None or tool not in tools:
                return False
            if layout.tool_hash(tools[tool]) != mark:
                self.quarantine(card.name, f"the tool {tool} is called otherwise than when this was verified")
                return False
        try:
            self.sources([card.name])
        except SkillError:  # edited, quarantined, or calling one that is: not on offer; `list` and `verify` say why
            return False
        return True

    # ── what happens to them ─────────────────────────────────────────────────────────────────────────────────────

    def promote(
        self,
        run: Run,
        *,
        tools: Iterable[ToolSpec] = (),
        files: Mapping[str, bytes | str | Path] | None = None,
        warn: Warn = warn,
    ) -> Promoted | Declined:
        """Makes a skill of a run that passes the gate; `tools` and `files` are those it lacks.

        `warn` is told where the model for the wording failed, or proposed what will not do.
        """
        from codeact.skills.admit import admit  # a session comes with it, which finding skills does not need
        from codeact.skills.promote import Means, contents, draft, specs_of

        if not isinstance(run, Run):
            raise UsageError(f"promote({run!r:.80}): a run is needed, as Agent.run or replay(path) gives it")
        specs = specs_of((*run.tools, *tools))
        skills = self.shelf.active(free_names_of(run) - specs.keys())
        for skill in [*skills.values()]:
            skills |= self.shelf.needed(skill)
        found = draft(run, Means(specs, skills, contents(files or {}), self.isolation))
        if isinstance(found, Declined):
            return found
        if self.models.wording is not None:
            from codeact.skills.wording import reworded  # it asks a model, which few libraries do

            found = reworded(found, self.models, {*specs, *(card.name for card in self.list())}, warn)
        promoted = admit(self.shelf, found, isolation=self.isolation)
        if promoted.how == "new":
            if run.checked:  # its first use, and one that succeeded
                self.record_use(promoted.skill.name, ok=True)
            self._trim(promoted.skill.name)
        return promoted

    def _trim(self, newest: str) -> None:
        if self.shelf.index.count(())[0] <= self.cap:
            return
        active = [card.name for card in self.list() if card.state == "active" and card.name != newest]
        for name in least_useful(active, self.usage(), len(active) + 1 - self.cap):
            self.retire(name, f"the least useful of more than {self.cap} skills")

    def verify(self, name: str | None = None, *, accept: bool = False) -> Checks:
        """Runs the recorded uses of one skill, or of all, in fresh sessions, and quarantines what fails.

        An edited skill that passes is taken in again. With `accept`, so is one that comes from elsewhere, or asks for
        more than before: what its manifest asks for is then agreed to.
        """
        from codeact.skills.check import check  # a session comes with it, which finding skills does not need

        self.shelf.refresh()
        cards = self.list() if name is None else [self._card(name)]
        broken = [Checked(item.folder, False, item.reason) for item in self.broken()] if name is None else []
        checks = [check(self.shelf, card.folder, accept=accept, isolation=self.isolation) for card in cards]
        return [*checks, *broken]

    def test(self, name: str) -> Checks:
        """Runs each recorded use of a skill for itself, as a test would; changes nothing, whatever comes of it."""
        from codeact.skills.check import each  # a session comes with it, which finding skills does not need

        self.shelf.refresh()
        return each(self.shelf, self._card(name).folder, isolation=self.isolation)

    def trust(self, source: str | Path) -> None:
        """Agrees to the skills that are, to the byte, those in the folder `source`: what ships with a program."""
        self.shelf.trust(Store(folder_there("trust({})", source)))

    def _card(self, name: str) -> Card:
        folder, card = record.folder_of(name), self.shelf.index.card(name)
        if card is None:
            reason = next((item.reason for item in self.broken() if item.folder == folder), "")
            raise SkillError(f"the skill {name} is broken: {reason}" if reason else self.shelf.store.none(folder))
        return card

    def export(self, target: str | Path, names: Iterable[str] | None = None) -> Path:
        """Writes skills, with those they call and how all did, into a folder or an archive (.zip, .tar, .tar.gz)."""
        wanted = None if names is None else listed("export(names={})", names)
        self.shelf.refresh()
        cards = self.list() if wanted is None else map(self._card, wanted)
        chosen = [card.folder for card in cards] if wanted is None else share.with_called(self.shelf, cards)
        return share.export(self.shelf, chosen, whole_path("export({})", target))

    def import_(self, source: str | Path) -> Names:
        """Takes skills in from a folder or an archive; quarantined until they are verified and accepted here."""
        return share.import_(self.shelf, whole_path("import_({})", source))

    def record_use(
        self, name: str, *, ok: bool | None, operations: int = 0, wall_seconds: float = 0.0, tokens: int = 0
    ) -> Usage:
        """Counts one use; a skill that fails too often, beyond chance, is quarantined.

        `ok` is True only where a check took the answer, and None where nobody checked it.
        """
        use = use_of(ok, operations=operations, wall_seconds=wall_seconds, tokens=tokens)
        usage = self.shelf.index.record(self._card(name).name, use)
        if ok is False and (reason := failing(usage)):
            self.quarantine(name, reason)
        return usage

    def usage(self) -> dict[str, Usage]:
        """How each skill that was used did so far."""
        return self.shelf.index.usages()

    def history(self, name: str | None = None) -> Events:
        """What happened to one skill, or to all, oldest first."""
        return self.shelf.index.history(None if name is None else record.name_of(record.folder_of(name)))

    def quarantine(self, name: str, reason: str) -> None:
        """Takes a skill off the offer until it is verified or restored."""
        card = self.shelf.index.card(name)
        if card is not None and card.state == "active":
            self.shelf.set_aside(name, reason)

    def retire(self, name: str, reason: str) -> None:
        """Takes a skill out of use; its folder stays, and `restore` brings it back."""
        self.shelf.set_state(self.get(name).name, "retired", reason_of(reason))

    def restore(self, name: str) -> None:
        """Puts a retired or quarantined skill back on offer; one that is there stays as it is."""
        known = self.get(name).name
        if self._card(known).state != "active":
            self.shelf.set_state(known, "active", "")

    def rebuild(self) -> None:
        """Builds the index again from the folders; counters and history stay."""
        self.shelf.rebuild()

    def close(self) -> None:
        """Closes the index; the next call opens it again."""
        self.shelf.close()
