"""What a snippet prints: sent while the step runs, in pieces, up to a limit."""

from __future__ import annotations

import time
from collections.abc import Callable

_PIECE_CHARS = 8192
_PAUSE_SECONDS = 0.05  # a slow printer is still seen at once
_FIRST_LINES = 8  # of a step, sent as they come: where what is done next never ends, they tell how far it came


class Output:
    """Collects printed text and hands it on in pieces; past the limit it only counts."""

    def __init__(self, send: Callable[[str], object]) -> None:
        self._send = send
        self._pieces: list[str] = []
        self._held = self._left = self._cut = self._limit = self._lines = 0
        self._sent_at = 0.0

    def begin(self, limit_chars: int) -> None:
        """Start a step's output."""
        self._pieces.clear()
        self._held = self._cut = 0
        self._limit = self._left = limit_chars
        self._lines = _FIRST_LINES
        self._sent_at = time.monotonic()

    def write(self, text: str) -> int:
        """Take printed text; it goes on at once where enough is there or some time has passed."""
        length = len(text)
        if length > self._left:
            self._cut += length - self._left
            text = text[: self._left]
        if text:
            self._pieces.append(text)
            self._left -= len(text)
            self._held += len(text)
            first = self._lines > 0 and text[-1] == "\n"
            self._lines -= first
            if first or self._held >= _PIECE_CHARS or time.monotonic() - self._sent_at > _PAUSE_SECONDS:
                self.flush()
        return length

    def flush(self) -> None:
        """Send what is held."""
        if self._pieces:
            text = "".join(self._pieces)
            self._pieces.clear()
            self._held = 0
            self._sent_at = time.monotonic()
            self._send(text)

    def end(self) -> None:
        """Send the rest, and a note where the limit cut something off."""
        if self._cut:
            self._pieces.append(f"\n… {self._cut:,} more characters were cut: a step may print {self._limit:,}")
            self._cut = 0
        self.flush()
