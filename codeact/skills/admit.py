"""Taking a draft into the library: as a new skill, as a better version of one, or as one more use of one it equals."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from codeact.errors import SkillError
from codeact.records import Isolation
from codeact.skills import layout
from codeact.skills.cards import Card
from codeact.skills.generalise import FilledParameter, Function, render
from codeact.skills.meaning import meaning_of, shape_of
from codeact.skills.promote import Draft, renamed, subject
from codeact.skills.record import Example, Promoted, Skill, folder_of
from codeact.skills.shelf import Shelf
from codeact.skills.unify import parse, unify
from codeact.skills.verify import verify
from codeact.skills.wrapping import arguments_of, only_call

EXAMPLES = 20  # so many recorded uses of a skill are kept; its first one always
TASKS = 20


def admit(shelf: Shelf, draft: Draft, *, isolation: Isolation) -> Promoted:
    """Writes the draft, or the skill it makes better; the library is locked meanwhile, so that none comes twice."""
    tried: set[tuple[str, int]] = set()  # which version of which skill was looked at
    while True:
        with shelf.store.lock():
            shelf.refresh()
            taken = _as_use(shelf, draft)
            if taken is not None:
                return taken
            rivals = [card for card in _rivals(shelf, draft) if (card.name, card.version) not in tried]
            if not rivals:
                skill = _named(shelf, draft)
                shelf.put(skill, [draft.example])
                break
        for card in rivals:  # without the lock, as it takes a session: what others write meanwhile is looked at next
            tried.add((card.name, card.version))
            better = _as_version(shelf, card.folder, draft, isolation)
            if better is not None:
                return better
    shelf.note(skill.name, "promoted", f"version 1 from run {skill.provenance.run}: {draft.example.task}")
    return Promoted(skill, "new")


def _as_use(shelf: Shelf, draft: Draft) -> Promoted | None:
    """One more use of the skill the run only called, or of one with the same meaning."""
    taken = _as_call(shelf, draft)
    for name in shelf.index.alike(meaning=draft.skill.meaning) if taken is None else ():
        taken = taken or _as_example(shelf, name, draft)
    return taken


def _rivals(shelf: Shelf, draft: Draft) -> list[Card]:
    """The skills that may be the draft with other constants: those of its shape, and the one of its name."""
    names = dict.fromkeys([*shelf.index.alike(shape=shape_of(draft.skill.code)), draft.skill.name])
    return [card for name in names if (card := shelf.index.card(name)) is not None]


def _named(shelf: Shelf, draft: Draft) -> Skill:
    """The draft under a name no folder has."""
    taken = shelf.store.folders()
    if draft.skill.folder not in taken:
        return draft.skill
    stem = re.sub(r"_\d+$", "", draft.skill.name)[: layout.NAME_CHARS - 5]  # of what calls convert_2: no convert_2_2
    name = next(name for number in count(2) if folder_of(name := f"{stem}_{number}") not in taken)
    return renamed(draft, name, draft.skill.description).skill


def _as_example(shelf: Shelf, name: str, draft: Draft) -> Promoted | None:
    """The same meaning: the skill there is keeps its name and gains a recorded use."""
    skill, state, _ = shelf.read(folder_of(name))
    if state != "active":
        return None
    examples = shelf.examples(skill.folder)
    arguments = _by_place(skill, draft)
    if arguments is None:
        return None
    example = replace(draft.example, arguments=arguments)
    return _gained(shelf, skill, examples, example)


def _as_call(shelf: Shelf, draft: Draft) -> Promoted | None:
    """The run only called a skill: that one gains a recorded use."""
    call = only_call(draft.skill)
    if call is None:
        return None
    skill, state, _ = shelf.read(folder_of(ast.unparse(call.func)))
    arguments = arguments_of(call, _parameters(skill), draft.example.arguments, draft.skill)
    if state != "active" or arguments is None:
        return None
    return _gained(shelf, skill, shelf.examples(skill.folder), replace(draft.example, arguments=arguments))


def _gained(shelf: Shelf, skill: Skill, examples: list[Example], example: Example) -> Promoted:
    known = {layout.example_line(replace(item, task="")) for item in examples}
    if layout.example_line(replace(example, task="")) not in known and len(examples) < EXAMPLES:
        examples = [*examples, example]
    tasks = skill.tasks if example.task in skill.tasks else (*skill.tasks, example.task)[:TASKS]
    if tasks != skill.tasks or len(examples) != len(known):
        skill = replace(skill, tasks=tasks)
        shelf.put(skill, examples)
        shelf.note(skill.name, "example", example.task)
    return Promoted(skill, "example")


def _by_place(skill: Skill, draft: Draft) -> dict[str, Any] | None:
    """The draft's arguments under the names of the skill it equals: parameters of one meaning stand in one order."""
    names = _parameters(skill)
    values = [parameter.value for parameter in draft.function.parameters]
    return dict(zip(names, values, strict=True)) if len(names) == len(values) else None


def _parameters(skill: Skill) -> list[str]:
    return [parameter.name for parameter in function_of(skill, {}).parameters]


def _as_version(shelf: Shelf, folder: str, draft: Draft, isolation: Isolation) -> Promoted | None:
    """One shape, other constants: the skill there is gets what differs as further parameters."""
    skill, state, _ = shelf.read(folder)
    if state != "active" or {spec.name for spec in skill.tools} != {spec.name for spec in draft.skill.tools}:
        return None
    examples = shelf.examples(folder)
    older = function_of(skill, examples[0].arguments if examples else {})
    found = unify(older, draft.function)
    if found is None:
        return None
    example = replace(draft.example, arguments=found.arguments)
    new = skill
    if len(found.parameters) > len(older.parameters):
        new = _next(
            skill, render(found.program, list(found.parameters), draft.origin, name=skill.name, words=found.words)
        )
    declined = verify(subject(new.source, new.tools, shelf.needed(skill)), [*examples, example], isolation=isolation)
    if declined is not None:
        return None
    return _replaced(shelf, skill, new, example)


def _replaced(shelf: Shelf, skill: Skill, new: Skill, example: Example) -> Promoted | None:
    """Writes the next version, or one more use where it needs none; None where the skill became another meanwhile."""
    with shelf.store.lock():
        shelf.refresh()
        now, state, _ = shelf.read(skill.folder)
        if state != "active" or now.code != skill.code:
            return None
        examples = shelf.examples(skill.folder)
        if new.version == skill.version:
            return _gained(shelf, now, examples, example)
        tasks = (*dict.fromkeys((*now.tasks, example.task)),)[:TASKS]
        shelf.put(replace(new, tasks=tasks), [*examples[: EXAMPLES - 1], example], keep=skill.version)
    shelf.note(skill.name, "version", f"version {new.version}: {new.signature}")
    return Promoted(shelf.read(skill.folder)[0], "version")


def _next(skill: Skill, function: Function) -> Skill:
    """The next version of a skill."""
    return replace(
        skill,
        code=function.code,
        signature=function.signature,
        version=skill.version + 1,
        meaning=meaning_of(function.code),
        parents=(f"{skill.name} {skill.version}",),
    )


def function_of(skill: Skill, arguments: Mapping[str, Any]) -> Function:
    """A skill's code with its parameters, each with its value in a recorded use, or else its default."""
    _, words, declared = parse(skill.code, skill.name)
    items = [*declared.posonlyargs, *declared.args]
    defaults: list[ast.expr | None] = [None] * (len(items) - len(declared.defaults)) + list(declared.defaults)
    pairs = [*zip(items, defaults, strict=True), *zip(declared.kwonlyargs, declared.kw_defaults, strict=True)]
    parameters = []
    for item, default in pairs:
        fallback = _literal(default)
        note = ast.unparse(item.annotation) if item.annotation is not None else "object"
        value = arguments.get(item.arg, fallback)
        parameters.append(
            FilledParameter(item.arg, fallback if default is not None else value, note, required=default is None)
        )
    return Function(skill.name, skill.code, skill.signature, words, tuple(parameters))


def _literal(node: ast.expr | None) -> Any:
    try:
        return None if node is None else ast.literal_eval(node)
    except ValueError as error:
        raise SkillError(f"a default in a skill is no constant: {ast.unparse(node) if node else ''}") from error
