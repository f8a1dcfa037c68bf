"""What may be said of an agent: a slip is named when the agent is made, and not in the middle of a run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from codeact.agent.own_tools import SKILL_TOOLS
from codeact.errors import UsageError
from codeact.limits import Budget, Limits, Policy
from codeact.records import FINAL_ANSWER
from codeact.skills import options as skill_options
from codeact.skills.options import Needed
from codeact.toolbox import Toolbox
from codeact.toolbox.handed import takes
from codeact.toolbox.make import place_of


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | set | frozenset)


_MOST_CANDIDATES = 100  # each has a thread and a copy of the session, before the budget is looked at
_NEEDED: Needed = {
    "skills": (lambda value: value is None or callable(getattr(value, "search", None)), 'SkillLibrary("skills")'),
    "budget": (lambda value: isinstance(value, Budget), "a Budget, such as Budget(steps=5)"),
    "policy": (lambda value: isinstance(value, Policy), 'a Policy, such as Policy(imports=["math"])'),
    "limits": (lambda value: isinstance(value, Limits), "Limits, such as Limits(wall_seconds=5)"),
    "isolation": (lambda value: value in ("caged", "inline"), '"caged" or "inline"'),
    "without": (_is_list, 'a list of walls, such as ["network"]'),
    "promote": (lambda value: value in (None, "verified"), '"verified" or None'),
    "instructions": (lambda value: isinstance(value, str), "a text"),
    "final_answer_checks": (
        lambda value: _is_list(value) and all(takes(check, 1) for check in value),
        "a list of functions of the answer, none of them async,",
    ),
    "approve": (
        lambda value: value in (None, "pause") or takes(value, 2),
        'a function of a tool\'s name and its arguments, not async, "pause" or None',
    ),
    "approval_seconds": (
        lambda value: value is None or (isinstance(value, int | float) and value >= 0),
        "a number of seconds or None",
    ),
    "candidates": (lambda value: _is_count(value) and 1 <= value <= _MOST_CANDIDATES, f"1 to {_MOST_CANDIDATES}"),
    "dry_run": (_is_bool, "True or False"),
    "plan": (_is_bool, "True or False"),
    "ask_model": (_is_bool, "True or False"),
    "deterministic": (_is_bool, "True or False"),
    "memory_tokens": (_is_count, "a number of tokens"),
    "skill_count": (_is_count, "a number of skills"),
    "runs": (lambda value: value is None or isinstance(value, str | Path), "a folder or None"),
    "model_settings": (
        lambda value: value is None or (isinstance(value, Mapping) and all(isinstance(name, str) for name in value)),
        "a mapping of settings by name",
    ),
}


def refuse_senseless(options: Mapping[str, Any]) -> None:
    """Raise UsageError for the first option that will not do."""
    skill_options.refuse_senseless(options, of="Agent", needed=_NEEDED)
    candidates = options["candidates"]
    if candidates > 1 and options["isolation"] != "caged":
        raise UsageError(f"Agent(candidates={candidates}): only a caged session can be copied to try several")
    if options["promote"] and options["skills"] is None:
        raise UsageError('Agent(promote="verified") needs a library to keep skills in: Agent(skills=SkillLibrary(…))')
    _refuse_own_names(options)


def _refuse_own_names(options: Mapping[str, Any]) -> None:
    brought = {FINAL_ANSWER, *(SKILL_TOOLS if options["skills"] is not None else ())}
    brought |= {"ask_model"} if options["ask_model"] else set()
    for name, tool in Toolbox(options["tools"]).tools.items():
        if name in brought:
            place = place_of(tool.function)
            raise UsageError(f"the tool {name!r} ({place}) has the name of one that comes with the agent. Rename it")
