"""Which modules hold on to nothing while what they call waits, so that one may go on there before another one does."""

from __future__ import annotations

import types

from codeact.snippet.rules import COMPRESS
from codeact.snippet.words import words

_OF_A_STEP = {"codeact.snippet.execute", "codeact.worker.namespace"}
#: Modules that hold on to nothing while what they call waits.
_LETTING_GO = {
    *("concurrent.futures._base", "contextlib", "functools", "queue", "re", "sched", "threading"),
    *("codeact.snippet.polled", "codeact.worker.calls", "codeact.worker.stubs"),
    *(f"asyncio.{name}" for name in words("base_events events futures locks queues runners taskgroups tasks timeouts")),
    *(f"codeact.snippet.modules.{name}" for name in words("clocks loops pools side_by_side threads turns waits")),
}


def is_called_by_a_library(frame: types.FrameType | None) -> bool:
    """Whether a function that is neither the snippet's nor lets go of all it holds is to go on after this one."""
    while frame is not None and (name := frame.f_globals.get("__name__")) not in _OF_A_STEP:
        if COMPRESS not in frame.f_builtins and name not in _LETTING_GO:
            return True
        frame = frame.f_back
    return False
