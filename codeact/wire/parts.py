"""What a value comes to, however few bytes say it: both sides count alike."""

from __future__ import annotations

PARTS = 4_000_000  # of one value, or of all that a call is given; each is some 40 bytes, or 0.25 µs
CONTAINER = 7  # a list, a dict, or what has a tag
KEY = 3  # of a dict or a set: it is compared
