"""Starting the process that a zygote comes from: this very Python, with nothing of the host's but what it needs."""

from __future__ import annotations

import errno
import fcntl
import importlib.util
import os
import socket
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress

from codeact.errors import CageError, WorkerDied

_ABOVE_STANDARD = 3  # a host that has closed its standard streams uses their numbers for other things
# One thread each, so that forking stays safe; no writing of bytecode or settings into places a session can only read.
_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "HOME": "/session",
    # The order of sets is the same wherever a session is resumed. Colliding hashes slow down nobody but the snippet.
    "PYTHONHASHSEED": "0",
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # the others keep a thread of their own, which a fork does not copy
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
# What imports leave is frozen with all the rest: looking for it meanwhile takes as long as a tenth of them.
_BOOT = (
    "import gc, sys; gc.disable(); sys.path[:] = sys.argv[3:]; "
    "from codeact.worker.main import main; main(*map(int, sys.argv[1:3]))"
)


def descriptor_of(pid: int) -> int:
    """Give a descriptor of a process, by which its end is seen; CageError where there is no such thing.

    WorkerDied where the process has ended.
    """
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError as error:
        raise WorkerDied("the zygote died as soon as it had begun") from error
    except OSError as error:
        if error.errno not in (errno.ENOSYS, errno.EPERM):
            raise
        reason = f"there are no descriptors of processes here ({error}), by which one sees another one's end"
        remedy = "Use Linux 5.4 or newer, and in a container a filter that allows pidfd_open"
        raise CageError("zygote", reason, remedy) from error


def start_process(channel: socket.socket, errors: int) -> subprocess.Popen[bytes]:
    """Start the process a zygote comes from, with its end of the channel and a file for what it says of its errors."""
    options = ["-s", "-P", "-S", "-X", "utf8", *(["-B"] if sys.dont_write_bytecode else [])]
    if sys.pycache_prefix:
        options += ["-X", f"pycache_prefix={sys.pycache_prefix}"]
    opened = [descriptor_of(os.getpid())]
    try:
        for descriptor in (channel.fileno(), opened[0]):
            opened.append(fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _ABOVE_STANDARD))
        handed = opened[1:]
        arguments = [*map(str, handed), *_boot_paths()]
        return subprocess.Popen(  # noqa: S603  # this very Python, with this package's own words
            [sys.executable or "", *options, "-c", _BOOT, *arguments],
            pass_fds=handed,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=_ENVIRONMENT,
            cwd="/",
            start_new_session=True,
        )
    except (FileNotFoundError, PermissionError) as error:
        reason = f"{sys.executable or 'a Python inside another program'} cannot be started ({error})"
        raise CageError("zygote", reason, "Run from an installed Python") from error
    finally:
        for descriptor in opened:
            os.close(descriptor)


def _boot_paths() -> list[str]:
    """Where the zygote finds this package and what it imports: the standard library first, so nothing shadows it."""
    named = import_path()
    standard = [os.path.dirname(os.__file__), *(path for path in named if path.endswith(("lib-dynload", ".zip")))]
    package = importlib.util.find_spec("codeact")
    places = package.submodule_search_locations if package else None
    own = [os.path.dirname(place) for place in places or ()]
    installed = [path for path in named if os.path.basename(path) in ("site-packages", "dist-packages")]
    return list(dict.fromkeys(whole((*standard, *installed, *own))))


def import_path() -> list[str]:
    """Where Python looks for modules: it passes over what is no text, such as a `Path` that a program has put there."""
    return [path for path in sys.path if isinstance(path, str)]


def whole(paths: Iterable[str]) -> list[str]:
    """Give whole paths for these; of a current folder that is gone, what is named from there leads nowhere."""
    found = []
    for path in paths:
        with suppress(FileNotFoundError):
            found.append(os.path.abspath(path))
    return found
