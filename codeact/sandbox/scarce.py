"""What a session takes of what the machine allows this program, and what to do where that is too little."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from codeact.errors import SessionError

_NO_DESCRIPTOR = "no descriptor is left for another session: close some, or allow more descriptors (ulimit -n)"
_NO_PROCESS = "no process is left for another session: close some, or allow more processes (ulimit -u)"
_SCARCE = {
    errno.EMFILE: _NO_DESCRIPTOR,
    errno.ENFILE: _NO_DESCRIPTOR,
    errno.EAGAIN: _NO_PROCESS,
    errno.ENOMEM: "no memory is left for another session: close some, or free memory",
    errno.EFBIG: "this program may not write what a session takes: allow larger files (ulimit -f)",
}


@contextmanager
def as_there_is_room() -> Iterator[None]:
    """Say what is lacking, where the system says only that something is."""
    try:
        yield
    except OSError as error:
        if error.errno not in _SCARCE:
            raise
        raise SessionError(_SCARCE[error.errno]) from error
