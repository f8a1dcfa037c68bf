"""What may be said of a library and to it: a slip is named where it is made."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from codeact.errors import UsageError
from codeact.paths import as_path
from codeact.skills.record import Usage
from codeact.skills.vectors import SkillModels

_MOST = 1 << 53  # a table of numbers adds them up


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


Needed = Mapping[str, tuple[Callable[[Any], bool], str]]  # option → whether a value will do, and what is needed
_NEEDED: Needed = {
    "accept": (lambda value: isinstance(value, bool), "True or False"),
    "cap": (_is_count, "1 skill or more"),
    "isolation": (lambda value: value in ("caged", "inline"), '"caged" or "inline"'),
    "models": (lambda value: isinstance(value, SkillModels), "SkillModels(embeddings=…)"),
}


def refuse_senseless(options: Mapping[str, Any], *, of: str = "SkillLibrary", needed: Needed = _NEEDED) -> None:
    """Raise UsageError for the first option that will not do."""
    for name, (will_do, what) in needed.items():
        if not will_do(options[name]):
            raise UsageError(f"{of}({name}={options[name]!r:.80}): {what} is needed")


def listed(call: str, names: Iterable[str]) -> Iterable[str]:
    """The names; UsageError where they are none, or a text, whose letters would be taken for some."""
    if not isinstance(names, Iterable):
        raise UsageError(f"{call.format(f'{names!r:.80}')}: a list of names is needed")
    if isinstance(names, str):
        raise UsageError(f"{call.format(f'{names!r:.80}')}: a list of names is needed; for one skill [{names!r:.80}]")
    return names


def reason_of(reason: str) -> str:
    """Why something is done with a skill; UsageError where that says nothing."""
    if not isinstance(reason, str) or not reason.strip():
        raise UsageError(f"{reason!r:.80}: a reason is needed, in words")
    return reason


def use_of(ok: bool | None, **used: float) -> Usage:
    """One use that is to be counted; UsageError for what is no number, which would stay among the counters."""
    if ok is not None and not isinstance(ok, bool):
        raise UsageError(f"record_use(ok={ok!r:.80}): True, False or None is needed")
    for name, number in used.items():
        kinds = (int, float) if name == "wall_seconds" else (int,)
        if not isinstance(number, kinds) or isinstance(number, bool) or not 0 <= number < _MOST:
            raise UsageError(f"record_use({name}={number!r:.80}): a number of 0 or more is needed")
    return Usage(1, int(ok is True), int(ok is False), **used)  # type: ignore[arg-type]  # the kinds above


def folder_there(call: str, given: str | Path) -> Path:
    """The folder that is named; UsageError where there is none."""
    path = as_path(call, given)
    if not os.path.isdir(path):  # also where no folder can have such a name
        raise UsageError(f"{call.format(repr(str(given)))}: there is no such folder")
    return path
