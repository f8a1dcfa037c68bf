"""What a step did, as a model reads it.

What the step said itself, which may come from a page or a file, stands between fences, indented or on one line: it can
put no words next to ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeact.records.shared import Failure
    from codeact.records.steps import File, Image, Observation

NOTHING = "(It ran without printing anything; its last statement is not an expression, or comes to None.)"
ANSWERED = "(It gave its answer.)"
PAUSED = "(It is held at a call of {tool}, until that is decided about.)"
ROLLED_BACK = "The session is back in the state before this block: nothing it assigned is there."
_BACKTICKS = re.compile("`+")


def told(seen: Observation) -> str:
    """Give what a model is shown of a step: output, value or failure, and files."""
    parts = []
    if seen.stdout:
        parts.append(f"Output:\n{_fenced(seen.stdout.rstrip())}")
    if seen.failure is not None:
        parts.append(_failure(seen.failure))
        if seen.rolled_back:
            parts.append(ROLLED_BACK)
    elif seen.text:
        parts.append(f"Value: {seen.text}" if seen.text.isprintable() else f"Value:\n{_fenced(seen.text)}")
    if seen.files:
        parts.append(f"Files written: {_named(seen.files, [file.size_bytes for file in seen.files])}")
    if seen.images:
        parts.append(f"Pictures made: {_named(seen.images, [len(image.data) for image in seen.images])}")
    if seen.paused is not None:
        parts.append(PAUSED.format(tool=seen.paused.tool))
    elif seen.answered:
        parts.append(ANSWERED)
    return "\n\n".join(parts) or NOTHING


def _fenced(text: str) -> str:
    """Give a text between fences that are longer than any in it."""
    fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    return f"{fence}\n{text}\n{fence}"


def _named(made: Sequence[File | Image], sizes: Sequence[int]) -> str:
    names = [one.name if one.name.isprintable() else ascii(one.name) for one in made]
    return ", ".join(f"{name} ({size:,} bytes)" for name, size in zip(names, sizes, strict=True))


def _failure(failure: Failure) -> str:
    said = f"{failure.type}: {failure.message}" if failure.type else failure.message
    lines = [_indented(f"Failed: {said}")]
    if failure.excerpt:
        lines.append(failure.excerpt.rstrip())
    elif failure.line:
        lines.append(f"(line {failure.line})")
    if failure.hint:
        lines.append(_indented(f"Hint: {failure.hint}"))
    return "\n".join(lines)


def _indented(text: str) -> str:
    return "\n  ".join(text.splitlines())
