"""A model may propose what a new skill is called and the sentence that says what it does; nothing else is taken."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection

from codeact.errors import ModelError, SkillError
from codeact.models import Model, open_model
from codeact.records import Message
from codeact.skills import layout, naming, secrets
from codeact.skills.promote import Draft, renamed
from codeact.skills.vectors import SkillModels, Warn

_SENTENCE_CHARS = 300
_ASK = """Name this Python function and say in one sentence what it does, for people who look for it later.
The name is a verb and what it is done to, in snake_case; the sentence is in the imperative and names no example value.
Answer with one JSON object and nothing else: {{"name": "…", "description": "…"}}

It was made for this task: {task}

```python
{code}```
"""
_OBJECT = re.compile(r"\{.*\}", re.S)


def reworded(draft: Draft, models: SkillModels, taken: Collection[str], warn: Warn) -> Draft:
    """The draft with the name and the sentence the model proposes, or as it was where they will not do."""
    try:
        return _reworded(draft, open_model(models.wording), taken)
    except (ModelError, SkillError) as error:
        warn(f"the skill keeps its plain name and sentence: {error}")
        return draft


def _reworded(draft: Draft, model: Model, taken: Collection[str]) -> Draft:
    ask = _ASK.format(task=draft.example.task, code=draft.skill.code)
    name, words = _proposal(model.reply([Message("user", ask)]).text)
    layout.check_name(name)
    if not naming.usable(name) or (name in taken and name != draft.skill.name):
        raise SkillError(f"{name!r} cannot name a skill: the name is taken")
    found = secrets.find(words)
    if found is not None:
        raise SkillError(f"the description holds what looks like {found}")
    proposed = renamed(draft, name, words)
    if _without_words(proposed.skill.code) != _without_words(draft.skill.code):
        raise SkillError("with that name and sentence the code would be another")
    return proposed


def _proposal(text: str) -> tuple[str, str]:
    found = _OBJECT.search(text)
    try:
        reply = json.loads(found[0]) if found else None
    except ValueError as error:
        raise SkillError(f"it is no JSON object: {error}") from error
    if not isinstance(reply, dict) or not all(isinstance(reply.get(key), str) for key in ("name", "description")):
        raise SkillError('an object with the texts "name" and "description" is needed')
    words = " ".join(reply["description"].split()).replace("\\", "").replace('"', "'").rstrip(".")
    if not words or len(words) > _SENTENCE_CHARS or not words.isprintable():
        raise SkillError(f"the description needs 1 to {_SENTENCE_CHARS} printable characters")
    return reply["name"], f"{words[0].upper()}{words[1:]}."


def _without_words(code: str) -> str:
    """The syntax tree of a skill's code, but for its name and its docstring."""
    tree = ast.parse(code)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            node.name = "_"
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:]
    return ast.dump(tree)
