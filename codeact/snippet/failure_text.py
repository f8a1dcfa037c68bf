"""What the texts of a failure may hold, wherever it is told: in the worker, and by the host, which loads this alone."""

from __future__ import annotations

import contextlib
import os
import sys

from codeact.snippet.places import printable

#: Of all its texts together.
MOST_CHARS = 2_000


def clean(text: str) -> str:
    """The text without paths of the host and without control characters."""
    for root in _roots():
        text = text.replace(root, "")
    return printable(text)


def _roots() -> list[str]:
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    roots = {sys.prefix, sys.base_prefix, sys.exec_prefix, here, os.path.dirname(os.__file__)}
    roots.update(path for path in sys.path if isinstance(path, str))  # what is none, Python passes over
    with contextlib.suppress(OSError):  # the folder is gone: there is nothing of it to hide
        roots.add(os.getcwd())
    long_enough = {root.rstrip("/") for root in roots if root.startswith("/") and root.count("/") > 1}
    return [f"{root}/" for root in sorted(long_enough, key=len, reverse=True)]
