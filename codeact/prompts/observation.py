"""What a step did, as the model reads it.

What the step said itself, which may come from a page or a file, stands between fences, indented or on one line: it can
put no words next to ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from codeact.records import Failure, File, Image, Observation, ToolCall
from codeact.snippet.describe import describe

_ARGUMENT_CHARS = 200
NOTHING = "(It ran without printing anything; its last statement is not an expression, or comes to None.)"
ROLLED_BACK = "The session is back in the state before this block: nothing it assigned is there."
REPEATED = (
    "You have done the same {count} times and got the same. Doing it once more will end the run: "
    "do something else, or give the best answer you have with final_answer."
)
NEARLY_SPENT = "The budget is nearly spent ({left} left). Finish now: call final_answer with the best you have."
_BACKTICKS = re.compile("`+")


def observation_text(seen: Observation) -> str:
    """Give what the model is shown of a step: output, value or failure, and files."""
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
    return "\n\n".join(parts) or NOTHING


def changed_text(call: ToolCall) -> str:
    """Say that a call was made with other arguments than the snippet gave."""
    made = ", ".join(f"{name}={describe(value, _ARGUMENT_CHARS)}" for name, value in call.arguments.items())
    return f"The user changed the arguments of a call: it was made as {call.tool}({made})."


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
