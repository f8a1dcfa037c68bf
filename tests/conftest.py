"""What all tests need of the process they run in."""

import gc
import signal
from pathlib import Path

import pytest

_HERE = Path(__file__).parent
# These have snippets import one library after the other: from then on each step in the same process takes longer.
_LAST = tuple(_HERE / name for name in ("attacks/language", "fidelity", "snippet"))

# A shell ignores Ctrl-C for what it starts in the background, and so do its children: tests of it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what makes all others slower last."""
    items.sort(key=lambda item: any(item.path.is_relative_to(folder) for folder in _LAST))


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: no collection of garbage need go through it again."""
    gc.collect()
    gc.freeze()
