"""Addresses in memory, which texts name where nothing better is known: they differ each time, and say nothing."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


def without_addresses(text: str) -> str:
    """Give a text without the addresses in it."""
    return _ADDRESS.sub("0x…", text)
