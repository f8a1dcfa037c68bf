"""What all tests need of the process they run in."""

import gc
import signal

# A shell ignores Ctrl-C for what it starts in the background, and so do its children: tests of it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: no collection of garbage need go through it again."""
    gc.collect()
    gc.freeze()
