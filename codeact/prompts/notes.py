"""What the model is told beside what a step did."""

from __future__ import annotations

from codeact.records import ToolCall
from codeact.snippet.toolcalls import as_called

_ARGUMENT_CHARS = 200
REPEATED = (
    "You have done the same {count} times and got the same. Doing it once more will end the run: "
    "do something else, or give the best answer you have with final_answer."
)
NEARLY_SPENT = "The budget is nearly spent ({left} left). Finish now: call final_answer with the best you have."


def changed_text(call: ToolCall) -> str:
    """Say that a call was made with other arguments than the snippet gave."""
    made = as_called(call.tool, call.arguments, _ARGUMENT_CHARS)
    return f"The user changed the arguments of a call: it was made as {made}."
