"""Where a recording is written when nobody says."""

from __future__ import annotations

import os
import re
import secrets
import time
from pathlib import Path

from codeact.agent.agent import RUNS
from codeact.errors import UsageError

WORDS = 6


def given_recording(path: str) -> Path:
    """The path given by --record; UsageError where something is there already: a recording is never written over."""
    if os.path.lexists(path):
        raise UsageError(f"--record {path}: this is there already; name another file for this recording")
    return Path(path)


def new_recording(task: str) -> Path:
    """A path no other run has, named by time and task: in this folder, or in the user's where this is read-only."""
    folder = RUNS
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        folder = Path(os.environ.get("XDG_STATE_HOME") or "~/.local/state", "codeact", "runs")
        try:
            folder = folder.expanduser()
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, RuntimeError) as error:  # RuntimeError: there is neither HOME nor an entry for this user
            reason = error.strerror if isinstance(error, OSError) else "nobody knows where that is"
            problem = f"a recording can be written neither to {RUNS} nor to {folder} ({reason})"
            raise UsageError(f"{problem}: name a file with --record") from error
    words = re.findall(r"[a-z0-9]+", task.lower())[:WORDS]
    stem = "-".join([time.strftime("%Y%m%dT%H%M%S"), *words])[:80].rstrip("-")
    return folder / f"{stem}-{secrets.token_hex(3)}.jsonl"  # another run may begin with the same task this second
