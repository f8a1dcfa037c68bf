"""The texts to run: files of cells, each under a line `#%% NAME`."""

from __future__ import annotations

import re
from pathlib import Path


def texts(name: str) -> dict[str, str]:
    """The cells of a file beside this one, by their names."""
    whole = Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^#%% (.+)\n((?:(?!#%% ).*\n?)*)", whole, re.M))


PROBES = texts("probes")
BOMBS = texts("bombs")
