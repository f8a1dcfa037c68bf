"""A run that only called a skill is one more use of that skill, and no skill of its own."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from codeact.skills.record import Skill
from codeact.skills.unify import parse


def only_call(skill: Skill) -> ast.Call | None:
    """The call of another skill that is all a skill does; None where it does more."""
    program = parse(skill.code, skill.name)[0]
    if len(program.body) != 1 or program.helpers or not isinstance(program.body[0], ast.Return):
        return None
    made = program.body[0].value
    call = made.value if isinstance(made, ast.Await) else made
    is_skill = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in skill.skills
    return call if is_skill else None  # type: ignore[return-value]  # it was looked at


def arguments_of(
    call: ast.Call, names: Sequence[str], values: Mapping[str, Any], skill: Skill
) -> dict[str, Any] | None:
    """What the call passes under the names of the called; None where that is not values alone."""
    declared = parse(skill.code, skill.name)[2]
    pairs = zip(reversed(declared.args), reversed(declared.defaults), strict=False)
    known = {item.arg: default for item, default in pairs}
    passed = [*zip(names, call.args, strict=False), *((item.arg or "", item.value) for item in call.keywords)]
    found: dict[str, Any] = {}
    for name, node in passed:
        if isinstance(node, ast.Name) and node.id in values:
            found[name] = values[node.id]
            continue
        try:
            found[name] = ast.literal_eval(known.get(node.id, node) if isinstance(node, ast.Name) else node)
        except (ValueError, SyntaxError):  # computed on the way: the outer function does more than call
            return None
    return found if set(found) <= set(names) else None
