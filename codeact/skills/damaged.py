"""What is wrong with a file of a skill that somebody edited, or that was not written to its end, in words."""

from __future__ import annotations

import json

UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, IndexError, ArithmeticError, RecursionError)
"""What reading such a file can raise, one that was made to hurt among them: brackets by the thousand."""

_WAY = "put the file back as it was, from version control or a copy, or take the folder away"


def told(error: BaseException) -> str:
    """What is wrong, and what to do."""
    if isinstance(error, json.JSONDecodeError):
        problem = f"it is not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
    elif isinstance(error, KeyError):
        problem = f"it lacks {error.args[0]!r:.80}"
    elif isinstance(error, RecursionError):
        problem = "it is nested too deeply"
    elif isinstance(error, ValueError):  # ours say it, and those of the types that are read
        problem = f"{error!s:.200}"
    else:
        problem = f"something in it is of another kind than it has to be ({error!s:.200})"
    return f"{problem}. It was changed or is damaged: {_WAY}"
