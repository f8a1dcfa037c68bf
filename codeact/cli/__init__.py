"""The command line: `codeact --help` says what there is."""

from __future__ import annotations

import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line and leave with its exit code; Ctrl-C is heard while it is still being imported."""
    try:
        from codeact.cli import app
    except KeyboardInterrupt:
        sys.exit(130)
    app.main()
