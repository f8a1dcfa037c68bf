"""Modules imported ahead of time, where sessions could not read them: Python may lie where only root may look.

A small root of read-only mounts solves that (`mounts`); where no mounts are allowed, as in most containers, all that
a policy allows is imported once, by the zygote.
"""

from __future__ import annotations

import encodings
import importlib
import os
import pkgutil
import sys
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from codeact.limits import Policy
from codeact.snippet.modules import ROWS
from codeact.worker.prepared import Prepared

_OTHERS_MAY_ENTER = 0o001
_AS_THEY_ARE_USED = ("_strptime",)  # by modules that are there already


def are_hidden() -> bool:
    """Whether modules lie below a folder that only its owner, or the owner's group, may enter."""
    places = {place for path in sys.path if os.path.isdir(path) for place in (Path(path), *Path(path).parents)}
    return any(not place.stat().st_mode & _OTHERS_MAY_ENTER for place in places)


def import_all(imports: Collection[str]) -> None:
    """Import what snippets may: of the standard library, and of what the policy adds to it."""
    names = [row.name for row in ROWS.values() if not row.needs or row.needs in imports]
    each = "\n".join(f"try: import {name} as _\nexcept ImportError: pass" for name in names)
    Prepared(Policy(imports), checked=True, also=[each])
    codecs = [f"encodings.{codec.name}" for codec in pkgutil.iter_modules(encodings.__path__)]
    for name in (*codecs, *_AS_THEY_ARE_USED):
        with suppress(ImportError):  # a codec of another system
            importlib.import_module(name)
