"""What came of the skills a run called: a use counts once it is known whether it served the answer."""

from __future__ import annotations

import ast
from contextlib import suppress
from typing import TYPE_CHECKING

from codeact.errors import SkillError
from codeact.records import Ending, Observation, Reply
from codeact.reply.repair import parse
from codeact.skills.record import Usage

if TYPE_CHECKING:
    from codeact.skills.library import SkillLibrary

_NEVER_RAN = ("syntax", "refused")  # the snippet was stopped before its first line


class Uses:
    """The uses of one run. A step that failed is a failed use; else the answer decides: taken, refused, or none.

    Where no check looks at the answer (`checked` is False), that it was taken says nothing.
    """

    def __init__(
        self, library: SkillLibrary | None = None, names: frozenset[str] = frozenset(), *, checked: bool = False
    ) -> None:
        self._library, self._names, self.checked = library, names, checked
        self._open: dict[str, Usage] = {}

    def called_in(self, code: str) -> list[str]:
        """The skills a snippet calls, by name."""
        return sorted(_called(code) & self._names) if self._names else []

    def seen(self, names: list[str], seen: Observation, reply: Reply | None) -> None:
        """Takes in what a step that called skills came to."""
        if seen.failure is not None and seen.failure.kind in _NEVER_RAN:
            return
        for name in names:
            tokens = reply.prompt_tokens + reply.completion_tokens if reply is not None else 0
            before = self._open.get(name, Usage()) if seen.ok else Usage()
            usage = Usage(
                operations=before.operations + seen.cost.operations,
                wall_seconds=before.wall_seconds + seen.cost.wall_seconds,
                tokens=before.tokens + tokens,
            )
            if seen.ok:
                self._open[name] = usage
            else:
                self._count(name, usage, ok=False)

    def answered(self, *, taken: bool) -> None:
        """Settles the open uses: an answer was taken, or a check refused it."""
        ok = None if taken and not self.checked else taken
        for name, usage in self._open.items():
            self._count(name, usage, ok=ok)
        self._open.clear()

    def ended(self, ending: Ending | None) -> None:
        """Settles what is still open: a run that spent its budget did not answer; one that was stopped says nothing."""
        if ending == "budget":
            self.answered(taken=False)
        self._open.clear()

    def _count(self, name: str, usage: Usage, *, ok: bool | None) -> None:
        if self._library is None:
            return
        with suppress(SkillError):  # it was taken away while the run went on
            self._library.record_use(
                name, ok=ok, operations=usage.operations, wall_seconds=usage.wall_seconds, tokens=usage.tokens
            )


def _called(code: str) -> set[str]:
    """Give the names a snippet calls."""
    calls = [node.func for node in ast.walk(parse(code) or ast.Module([], [])) if isinstance(node, ast.Call)]
    return {function.id for function in calls if isinstance(function, ast.Name)}
