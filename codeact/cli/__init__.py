"""The command line: `codeact --help` says what there is."""

from __future__ import annotations

from codeact.cli.app import main

__all__ = ["main"]
