"""The modules a snippet may import: one row each, with the reason it is fit and what of it is withheld or replaced.

The rows stand in the files listed here; what is put in the place of what they replace is built by the others. A file
whose name ends in `_` would otherwise have the name of a module of the standard library.
"""

from __future__ import annotations

from codeact.snippet.modules import (
    arrow,
    calculation,
    commands,
    concurrency,
    constructs,
    containers,
    encoding,
    formats,
    graphs,
    learning,
    mail,
    parts,
    scientific,
    system,
    text,
)
from codeact.snippet.modules.refused import REFUSED
from codeact.snippet.modules.row import Module

__all__ = ["REFUSED", "ROWS"]

_TABLES = (
    calculation.ROWS,
    text.ROWS,
    containers.ROWS,
    encoding.ROWS,
    constructs.ROWS,
    system.ROWS,
    concurrency.ROWS,
    scientific.ROWS,
    learning.ROWS,
    parts.ROWS,
    graphs.ROWS,
    commands.ROWS,
    mail.ROWS,
    formats.ROWS,
    arrow.ROWS,
)

#: Name → row.
ROWS: dict[str, Module] = {row.name: row for table in _TABLES for row in table}
