"""What a session takes of what the machine allows this program, and what to do where that is too little."""

from __future__ import annotations

import errno
from contextlib import ContextDecorator
from types import TracebackType

from codeact.alarms import is_of_the_system
from codeact.errors import SessionError

_NO_DESCRIPTOR = "no descriptor is left for another session: close some, or allow more descriptors (ulimit -n)"
_NO_PROCESS = "no process is left for another session: close some, or allow more processes (ulimit -u)"
_SCARCE = {
    errno.EMFILE: _NO_DESCRIPTOR,
    errno.ENFILE: _NO_DESCRIPTOR,
    errno.EAGAIN: _NO_PROCESS,
    errno.ENOMEM: "no memory is left for another session: close some, or free memory",
    errno.ENOSPC: "no room is left on a disk a session needs: free some, or set TMPDIR to a folder on another",
    errno.EFBIG: "this program may not write what a session takes: allow larger files (ulimit -f)",
}
_REFUSED = "the system refuses what a session takes, such as sockets or files in memory ({}): allow them here"


class as_there_is_room(ContextDecorator):  # it is used as a function
    """Say what is lacking, where the system says only that something is."""

    def __enter__(self) -> None:
        """Begin what takes room."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End it; SessionError where there was none."""
        if error is not None and is_of_the_system(error):
            raise SessionError(_SCARCE.get(error.errno or 0, _REFUSED.format(error))) from error
