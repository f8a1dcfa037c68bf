"""The command line as a shell sees it: a process with a folder, arguments, two streams and an exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Ran:
    """What one command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The object of the last line on stdout."""
        return json.loads(self.out.splitlines()[-1])


def codeact(*arguments: str, folder: Path, stdin: bytes = b"", **environment: str) -> Ran:
    """Run `codeact` in a folder, without a model in the environment unless one is given."""
    ran = subprocess.run(
        [sys.executable, "-m", "codeact", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        env=clean_environment() | environment,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def clean_environment() -> dict[str, str]:
    """This process's environment without what names a model."""
    return {name: value for name, value in os.environ.items() if name != "CODEACT_MODEL"}


def recorded(path: Path, *replies: str) -> str:
    """Write a recording with these replies and give the model that answers with them."""
    header = {"kind": "header", "format": "codeact-journal", "version": 1, "replies": "written by hand for a test"}
    lines = [header, *({"kind": "reply", "text": text} for text in replies)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"recorded:{path}"


def fenced(code: str) -> str:
    """A reply that is one block of code."""
    return f"```python\n{code}\n```"
