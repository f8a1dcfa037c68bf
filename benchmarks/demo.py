"""How long the demo takes once it is installed."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.rows import Row, process_ms

DEMO = Path(__file__).parents[1] / "examples" / "demo" / "demo.py"


def measure() -> Iterator[Row]:
    """The whole demo, both runs."""
    with tempfile.TemporaryDirectory() as folder:
        spent = process_ms([sys.executable, str(DEMO), "--out", folder], times=1)
    yield Row("demo, both runs", spent / 1000, "s", 15)
