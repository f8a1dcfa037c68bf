"""What one thread does at a time: it changes what the whole process has, or Python keeps for all threads together.

While a text is compiled, warnings are recorded, no garbage is collected, and the limit of recursion is another one. Two
threads that did so at once would leave the host with what the other one had put there. And before 3.11.8 and 3.12.2
CPython counts the depth of all trees that are being made together: where collecting garbage let another thread in, it
said "AST constructor recursion depth mismatch".
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

lock = threading.RLock()  # a signal's handler may compile as well

# A process that is forked meanwhile would have it like that for ever.
os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


@contextmanager
def compiling() -> Iterator[None]:
    """Compile while nobody else does, and collect no garbage.

    Trees hold no cycles: it would go through their thousands of nodes, and all else, for nothing.
    """
    with lock:
        collected = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collected:
                gc.enable()
