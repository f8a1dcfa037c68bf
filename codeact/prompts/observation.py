"""What a step did, as the model reads it."""

from __future__ import annotations

from codeact.records import Failure, Observation

NOTHING = "(It ran without printing anything, and its last statement is not an expression.)"
ROLLED_BACK = "The session is back in the state before this block: nothing it assigned is there."
REPEATED = (
    "You have done the same {count} times and got the same. Doing it once more will end the run: "
    "do something else, or give the best answer you have with final_answer."
)
NEARLY_SPENT = "The budget is nearly spent ({left} left). Finish now: call final_answer with the best you have."


def observation_text(seen: Observation) -> str:
    """Give what the model is shown of a step: output, value or failure, and files."""
    parts = []
    if seen.stdout:
        parts.append(f"Output:\n{seen.stdout.rstrip()}")
    if seen.failure is not None:
        parts.append(_failure(seen.failure))
        if seen.rolled_back:
            parts.append(ROLLED_BACK)
    elif seen.text:
        parts.append(f"Value: {seen.text}")
    if seen.files:
        written = ", ".join(f"{file.name} ({file.size_bytes:,} bytes)" for file in seen.files)
        parts.append(f"Files written: {written}")
    if seen.images:
        parts.append(
            "Pictures made: " + ", ".join(f"{image.name} ({len(image.data):,} bytes)" for image in seen.images)
        )
    return "\n\n".join(parts) or NOTHING


def _failure(failure: Failure) -> str:
    lines = [f"Failed: {failure.type}: {failure.message}" if failure.type else f"Failed: {failure.message}"]
    if failure.excerpt:
        lines.append(failure.excerpt.rstrip())
    elif failure.line:
        lines.append(f"(line {failure.line})")
    if failure.hint:
        lines.append(f"Hint: {failure.hint}")
    return "\n".join(lines)
