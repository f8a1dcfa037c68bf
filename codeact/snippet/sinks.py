"""What Python itself refuses while a snippet runs in this process: files elsewhere, programs, addresses, threads.

The facades decide what a snippet may name. Whatever a library does on its own account, on a way nobody has thought of,
Python tells its audit hooks, by name and before it is done. In a caged worker the kernel decides the same; this is for
sessions without a cage. The hook is put in once and looks at threads that run a snippet alone.
"""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
import tempfile
import zoneinfo
from collections.abc import Callable
from typing import Any

from codeact.snippet import ownership, running
from codeact.snippet.endings import CallRefused
from codeact.snippet.library_texts import exact_path
from codeact.snippet.machine_files import MACHINE_FILES
from codeact.snippet.patches import patch
from codeact.snippet.words import word_set, words

_PROCESS = "it starts or signals a process"
_NETWORK = "it reaches the network"
_SHARED = "it changes the whole process"
_INSIDE = "it reaches into the interpreter"
_THREAD = "a thread would outlive the step"

#: Audit event → why it is refused whatever its arguments are.
REFUSED: dict[str, str] = {
    **dict.fromkeys(words("subprocess.Popen os.system os.exec os.posix_spawn os.spawn os.fork os.forkpty"), _PROCESS),
    **dict.fromkeys(words("os.kill os.killpg signal.pthread_kill pty.spawn os.startfile webbrowser.open"), _PROCESS),
    **dict.fromkeys(
        words("socket.connect socket.bind socket.getaddrinfo socket.gethostbyname socket.sendto"), _NETWORK
    ),
    **dict.fromkeys(words("socket.gethostbyaddr socket.getnameinfo socket.gethostname urllib.Request"), _NETWORK),
    **dict.fromkeys(words("http.client.connect ftplib.connect smtplib.connect sqlite3.connect"), _NETWORK),
    **dict.fromkeys(words("os.putenv os.unsetenv os.chdir os.fchdir sys.settrace sys.setprofile"), _SHARED),
    **dict.fromkeys(words("sys.addaudithook resource.setrlimit resource.prlimit syslog.syslog fcntl.fcntl"), _SHARED),
    **dict.fromkeys(words("gc.get_objects gc.get_referrers gc.get_referents pickle.find_class mmap.__new__"), _INSIDE),
    "sys.remote_exec": _INSIDE,
    **dict.fromkeys(words("os.link os.symlink os.chown os.setxattr os.removexattr"), "it changes files anywhere"),
    "_thread.start_new_thread": _THREAD,
    "_thread.start_joinable_thread": _THREAD,
}

#: Audit event → how many of its arguments, the first ones, are paths of the working folder.
WRITES: dict[str, int] = {
    **dict.fromkeys(words("os.remove os.rmdir os.mkdir os.truncate os.utime os.chmod shutil.rmtree"), 1),
    **dict.fromkeys(words("os.rename shutil.copyfile shutil.move shutil.copytree"), 2),
}

#: Audit event → a folder is listed: one of the working folder's, or of the installation. Patterns come to these.
READS = word_set("os.listdir os.scandir")

#: What libraries that count processors and threads read of their own process.
_OWN_FACTS = ("maps", "cgroup", "mountinfo")

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_put_in: list[bool] = []


def watch() -> None:
    """Put the hook in; more calls do nothing."""
    if not _put_in:
        _put_in.append(True)
        patch(tempfile, "gettempdir", _in_the_working_folder)
        sys.addaudithook(_hook())


def _in_the_working_folder(real: Callable[[], str]) -> Callable[[], str]:
    """Where a library puts files for a while, as those do that write sheets: in a step, where it may."""

    def gettempdir() -> str:
        with running.our_own_work() as folder:
            return real() if folder is None else str(folder.path("."))

    return gettempdir


def _installation() -> tuple[str, ...]:
    """The folders a library reads for itself: the modules of this Python, and what is installed beside them."""
    return _installed(tuple(path for path in sys.path if isinstance(path, str)))  # what is none, Python passes over


@functools.lru_cache(maxsize=4)  # the program may add to its path, as what loads a file of tools does
def _installed(searched: tuple[str, ...]) -> tuple[str, ...]:
    paths = {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, *zoneinfo.TZPATH, *searched}
    shared = (*MACHINE_FILES, "/sys/fs/cgroup", "/sys/devices/system/cpu", "/proc/cpuinfo")
    found = {os.path.realpath(path) for path in (*paths, *shared) if path and os.path.isabs(path)}
    return tuple(sorted(path + os.sep for path in found if path != os.sep))


def _hook() -> Callable[[str, tuple[Any, ...]], None]:
    events, at_exit = _EVENTS, sys.is_finalizing  # a hook outlives the names of its module

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in events or at_exit() or not running.in_a_snippet():
            return
        if event in REFUSED:
            raise CallRefused(f"{event} is refused in a snippet: {REFUSED[event]}")
        with running.our_own_work() as folder:
            if folder is None:
                raise CallRefused(f"{event} is refused to code of a snippet that runs while no step does")
            if event == "open":
                _opened(folder, *arguments)
            elif event in READS:
                _inside(folder, arguments[0], _installation(), event)
            else:
                for path in arguments[: WRITES[event]]:
                    _inside(folder, path, (), event)

    return look


_EVENTS = frozenset({"open", *REFUSED, *WRITES, *READS})


def _opened(folder: Any, path: Any, mode: Any, flags: Any) -> None:
    writing = bool(flags & _WRITING) if isinstance(flags, int) else mode is None or bool(set("wax+") & set(str(mode)))
    own = tuple(f"/proc/{os.getpid()}/{name}" for name in _OWN_FACTS)
    _inside(folder, path, () if writing else (*_installation(), *own), "open")


def _exact(path: Any) -> str:
    """The text of a path itself, whatever an object of the snippet's would answer for it."""
    cls = type(path)
    if not issubclass(cls, str | bytes) and ownership.is_own_class(cls):
        raise CallRefused(f"a file is named by a text, not by {cls.__name__!r}")
    return os.fsdecode(exact_path(path))


def _inside(folder: Any, path: Any, allowed: tuple[str, ...], event: str) -> None:
    """Raise where a path is neither in the working folder nor in a folder that is allowed."""
    if path is not None and issubclass(type(path), int):
        if event == "open":  # what opens by descriptor is our own work; any other is the host's
            raise CallRefused("open is refused in a snippet: a file has a name; this is a descriptor")
        return  # its folder was opened under this hook
    found = os.path.realpath(_exact(path) if path is not None else ".")
    root = folder.path(".")
    if found != root and not found.startswith((root + os.sep, *allowed)) and found + os.sep not in allowed:
        raise CallRefused(
            f"{event} is refused in a snippet: {os.path.basename(found)!r} lies outside the working folder"
        )
