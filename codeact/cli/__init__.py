"""The command line: `codeact --help` says what there is."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import NoReturn

__all__ = ["main"]


@contextlib.contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C end the process at once, where nothing has begun yet: Python loses some of those met in an import."""
    ours = end_by_ctrl_c()
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def end_by_ctrl_c() -> bool:
    """Let Ctrl-C end the process at once from here on, unless it is ignored; whether that is something new."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return ours


def main() -> NoReturn:
    """Run the command line and leave with its exit code; Ctrl-C is heard while it is still being imported."""
    with ended_by_ctrl_c():
        from codeact.cli import app
    app.main()
