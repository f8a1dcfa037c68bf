"""Verifying what lies on the shelf: recorded uses are run again; what fails is quarantined, what passes is taken in."""

from __future__ import annotations

import ast
from dataclasses import replace

from codeact.errors import SkillError
from codeact.records import Isolation
from codeact.skills import layout
from codeact.skills.meaning import meaning_of
from codeact.skills.promote import subject
from codeact.skills.record import Checked, Declined, Example, Skill, name_of
from codeact.skills.shelf import Shelf
from codeact.skills.verify import verify


def check(shelf: Shelf, folder: str, *, accept: bool, isolation: Isolation) -> Checked:
    """What verifying one skill found; its state is brought up to it."""
    try:
        skill, state, reason = shelf.read(folder)
        examples = shelf.examples(folder)
        needed = shelf.needed(skill)
    except SkillError as error:
        return Checked(name_of(folder), False, str(error))
    if state == "retired":
        return Checked(skill.name, True, f"retired: {reason}", len(examples))
    declined = _idle(skill)
    if declined is None:
        declined = verify(subject(skill.source, skill.tools, needed), examples, isolation=isolation)
    if declined is not None:
        reason = f"{declined.check}: {declined.reason} ({declined.evidence})"
        if skill.state == "active":
            shelf.set_state(skill.name, "quarantined", reason)
        return Checked(skill.name, False, reason, len(examples))
    files = shelf.store.read(folder)
    if shelf.store.accepted(files) and skill.state == "active":
        return Checked(skill.name, True, "", len(examples))
    if not (accept or shelf.accept):
        known = shelf.store.known(folder)
        more = [ask for ask in layout.asks(skill) if ask not in shelf.store.agreed(folder)]
        if more or not known:
            asked = f"it asks for {', '.join(more) or 'nothing'}{' more than before' if known else ''}"
            return Checked(skill.name, False, f"its uses pass; {asked}: accept it to use it", len(examples))
    _take_in(shelf, skill, examples)
    return Checked(skill.name, True, "", len(examples))


def _idle(skill: Skill) -> Declined | None:
    """Says no where the manifest asks for more than the code uses: whoever accepts it would agree to that too."""
    used: set[str] = set()
    for node in ast.walk(ast.parse(skill.code)):
        if isinstance(node, ast.Name):
            used.add(node.id)
        elif isinstance(node, ast.Import):
            used |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            used.add(node.module)
    asked = [*(spec.name for spec in skill.tools), *skill.imports, *skill.skills]
    idle = [name for name in asked if name not in used]
    reason = "manifest.json asks for what skill.py does not use: take it out"
    return Declined(reason, "policy", ", ".join(idle)) if idle else None


def each(shelf: Shelf, folder: str, *, isolation: Isolation) -> list[Checked]:
    """What each recorded use of a skill comes to, run for itself; nothing is changed."""
    try:
        skill, examples = shelf.read(folder)[0], shelf.examples(folder)
        ran = subject(skill.source, skill.tools, shelf.needed(skill))
    except SkillError as error:
        return [Checked(name_of(folder), False, str(error))]
    found = []
    for number, example in enumerate(examples, 1):
        declined = verify(ran, [example], isolation=isolation)
        reason = f"{declined.reason} ({declined.evidence})" if declined is not None else ""
        found.append(Checked(f"{skill.name}[{number}]", declined is None, reason or example.task, 1))
    return found


def _take_in(shelf: Shelf, skill: Skill, examples: list[Example]) -> None:
    """Writes the skill as it is now, verified; one that does something else than before is a new version."""
    meaning = meaning_of(skill.code)
    version = skill.version + (meaning != skill.meaning)
    with shelf.store.lock():
        shelf.refresh()
        now, _, _ = shelf.read(skill.folder)
        if layout.write(now, examples) != layout.write(skill, examples):
            return  # it was changed again while it was verified: the next verification decides
        shelf.put(replace(skill, state="active", reason="", meaning=meaning, version=version), examples)
    shelf.note(skill.name, "verified", f"version {version}")
