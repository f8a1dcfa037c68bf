"""Where a recording is written when nobody says."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from codeact.errors import UsageError

RUNS = Path(".codeact") / "runs"
WORDS = 6


def new_recording(task: str) -> Path:
    """A path for a new recording: named by time and task, in this folder, or in the user's where this is read-only."""
    folder = RUNS
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        state = Path(os.environ.get("XDG_STATE_HOME") or Path("~/.local/state").expanduser())
        folder = state / "codeact" / "runs"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"a recording can be written neither to {RUNS} nor to {folder} ({error.strerror}): name a file with "
                "--record"
            ) from error
    words = re.findall(r"[a-z0-9]+", task.lower())[:WORDS]
    stem = "-".join([time.strftime("%Y%m%dT%H%M%S"), *words])[:80].rstrip("-")
    path, number = folder / f"{stem}.jsonl", 2
    while path.exists():
        path, number = folder / f"{stem}-{number}.jsonl", number + 1
    return path
