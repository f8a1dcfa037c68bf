"""A small root of read-only binds, and a working folder of limited size, in a mount namespace of their own."""

from __future__ import annotations

import errno
import functools
import os
import re
import sys
import sysconfig
from collections.abc import Iterable

from codeact.errors import CageError
from codeact.snippet.machine_files import MACHINE_FILES
from codeact.wire.orders import FILES
from codeact.worker import kernel
from codeact.worker.folder import KNOWN_AS

# Folders of copied sessions: the zygote's mounts here show up for every session, and are read by who knows the name.
FORKS = "/forks"
NULL = "/dev/null"
CHANCE = ("/dev/random", "/dev/urandom")
DEVICES = (NULL, *CHANCE)  # not /dev/zero: shared, it is memory no limit counts
_LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
_DATA = ("/etc/ld.so.cache", "/etc/localtime", *MACHINE_FILES)
_PACKAGES = ("site-packages", "dist-packages", "lib-dynload")
_OLD = "/.host"
_BYTES_PER_PAGE = 4096
_PAGES_PER_FILE = 4
_FILES_AT_LEAST = 64
_OCTAL = re.compile(r"\\([0-7]{3})")  # how the kernel writes blanks in the names of mounts


def readable() -> tuple[str, ...]:
    """What a session reads: the standard library, installed packages, all modules imported so far, system libraries.

    Each place is a real path; none lies below another.
    """
    paths = sysconfig.get_paths()
    places = [paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")]
    places += [entry for entry in sys.path if os.path.basename(entry) in _PACKAGES]
    places += _packages_imported()
    places += [*_LIBRARIES, *_DATA]
    return _outermost(_real(place) for place in dict.fromkeys(places) if os.path.exists(place))


def _real(place: str) -> str:
    """As `os.path.realpath`, which looks at each folder on the way anew for each of a hundred modules in one folder."""
    folder, name = os.path.split(place)
    return os.path.realpath(place) if os.path.islink(place) else os.path.join(_real_folder(folder), name)


_real_folder = functools.cache(os.path.realpath)


def _packages_imported() -> list[str]:
    """The top folders, or single files, of all modules imported so far."""
    places = []
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and "." not in name:
            is_package = os.path.basename(file).startswith("__init__.")
            places.append(os.path.dirname(file) if is_package else file)
    return places


def links() -> dict[str, str]:
    """The links by which the loader and this Python name what `readable` says by its real path."""
    named = [*_LIBRARIES, "/etc/localtime", *sys.path, sys.prefix, sys.base_prefix]
    found: dict[str, str] = {}
    for place in named:
        parts = [part for part in os.path.abspath(place).split("/") if part]
        for length in range(1, len(parts) + 1):
            path = "/" + "/".join(parts[:length])
            if os.path.islink(path):
                found[path] = os.path.realpath(path)
                break
    return found


def _outermost(places: Iterable[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for place in sorted(set(places)):
        if not any(place == other or place.startswith(other + "/") for other in kept):
            kept.append(place)
    return tuple(kept)


def enter_small_root(places: Iterable[str], shortcuts: dict[str, str]) -> None:
    """Leave the file system for a root that holds nothing but these places, read-only, and a few harmless devices.

    Needs a mount namespace of its own and the right to mount in it; where something of it is refused, all is as before.
    """
    base = "/tmp" if os.path.isdir("/tmp") else "/proc"  # noqa: S108  # covered for a moment, never written
    before, covered = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC), os.stat(base).st_dev
    try:
        kernel.mount("none", "/", "", flags=kernel.MS_REC | kernel.MS_PRIVATE)
        _enter_small_root(base, places, shortcuts)
    except OSError as refused:
        try:
            _go_back(before, base, covered)
        except OSError as error:
            reason = f"it was begun and refused ({refused}), and cannot be undone ({error})"
            raise CageError(FILES, reason, f"Session(without=[{FILES!r}]) goes without it") from error
        raise
    finally:
        os.close(before)


def _go_back(before: int, base: str, covered: int) -> None:
    """Be again where the root was, wherever making the small one has stopped; `covered`: what lay at `base`."""
    if not os.path.samestat(os.stat("/"), os.fstat(before)):
        os.fchdir(before)
        kernel.pivot_root(".", ".")  # the small root comes to lie over the one it is left for
        kernel.unmount(".")
    elif os.stat(base).st_dev != covered:
        kernel.unmount(base)
    os.chdir("/")


def _enter_small_root(base: str, places: Iterable[str], shortcuts: dict[str, str]) -> None:
    kernel.mount("codeact", base, "tmpfs", flags=kernel.MS_NOSUID | kernel.MS_NODEV, options="mode=755,size=4m")
    os.mkdir(base + _OLD, 0o700)
    kernel.pivot_root(base, base + _OLD)
    os.chdir("/")
    for place in places:
        _bind(place)
        _make_all_read_only(place)
    for device in DEVICES:
        if os.path.exists(_OLD + device):
            _bind(device)
    for link, target in shortcuts.items():
        if not os.path.lexists(link):
            os.makedirs(os.path.dirname(link), 0o755, exist_ok=True)
            os.symlink(target, link)
    os.mkdir(KNOWN_AS, 0o755)
    os.mkdir(FORKS, 0o755)
    kernel.mount("codeact", FORKS, "tmpfs", flags=kernel.MS_NOSUID | kernel.MS_NODEV, options="mode=311,size=4m")
    kernel.mount("none", FORKS, "", flags=kernel.MS_SHARED)
    kernel.unmount(_OLD)
    os.rmdir(_OLD)
    kernel.make_read_only("/")


def _bind(place: str) -> None:
    os.makedirs(os.path.dirname(place), 0o755, exist_ok=True)
    if os.path.isdir(_OLD + place):
        os.mkdir(place, 0o755)
        kernel.mount(_OLD + place, place, "", flags=kernel.MS_BIND | kernel.MS_REC)
    else:
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))
        kernel.mount(_OLD + place, place, "", flags=kernel.MS_BIND)


def _make_all_read_only(place: str) -> None:
    """Forbid writing to a place and all that is mounted below it, one by one where the kernel cannot do it at once."""
    try:
        kernel.make_read_only(place, below=True)
    except OSError as error:
        if error.errno not in (errno.ENOSYS, errno.EPERM):  # before Linux 5.12, or not known to a container's filter
            raise
        with open(f"{_OLD}/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            mounted = [_OCTAL.sub(lambda found: chr(int(found[1], 8)), line.split()[4]) for line in file]
        for one in mounted:
            if one == place or one.startswith(place + "/"):
                kernel.remount_read_only(one)


def mount_folder(place: str, size_bytes: int, owner: int) -> None:
    """Put an empty working folder of limited size, for this owner, over an empty one."""
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    pages = max(16, -(-size_bytes // _BYTES_PER_PAGE))
    most_files = _FILES_AT_LEAST + pages // _PAGES_PER_FILE
    options = f"mode=700,uid={owner},gid={owner},size={pages * _BYTES_PER_PAGE},nr_inodes={most_files}"
    kernel.mount("codeact", place, "tmpfs", flags=flags, options=options)


def room_for(name: str, size_bytes: int) -> int:
    """How many bytes a file handed in takes of a folder, with the folders on the way to it, its number included."""
    made = 1 + name.count("/")
    return max(size_bytes + _BYTES_PER_PAGE, made * _PAGES_PER_FILE * _BYTES_PER_PAGE)


def own_view() -> None:
    """Give this process mounts of its own, in which the zygote's later ones appear and can be changed by it alone."""
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.make_read_only(FORKS)


def hide_other_places(own: str) -> None:
    """Leave of all places of sessions this one's own: names in memory tell of others, and Landlock hides no modes."""
    kernel.mount("none", FORKS, "", flags=kernel.MS_SLAVE)
    kernel.mount(own, KNOWN_AS, "", flags=kernel.MS_BIND)
    kernel.mount("codeact", FORKS, "tmpfs", flags=kernel.MS_NOSUID | kernel.MS_NODEV, options="mode=311,size=64k")
    os.mkdir(own, 0o311)
    kernel.mount(KNOWN_AS, own, "", flags=kernel.MS_MOVE)
    kernel.make_read_only(FORKS)


def put_file(name: str, source: int, owner: int) -> None:
    """Copy a file handed in to its name below the current folder; the folders on the way are the owner's."""
    for folder in _on_the_way([name]):
        if not os.path.isdir(folder):
            os.mkdir(folder, 0o755)
            os.chown(folder, owner, owner)
    copy = os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o444)
    try:
        copied = 0  # counted here: where the source stands is shared with a worker that was to have it and died
        while part := os.sendfile(copy, source, copied, 1 << 30):
            copied += part
    finally:
        os.close(copy)


def protect_files(names: Iterable[str]) -> None:
    """See to it that files can be neither written nor removed nor renamed, nor the folders on the way to them moved."""
    paths = [os.path.abspath(name) for name in names]
    for folder in _on_the_way(names):
        path = os.path.abspath(folder)
        kernel.mount(path, path, "", flags=kernel.MS_BIND)
    for path in paths:
        kernel.mount(path, path, "", flags=kernel.MS_BIND)
        kernel.make_read_only(path)


def _on_the_way(names: Iterable[str]) -> list[str]:
    """The folders on the way to files, each after the one it lies in."""
    parts = [name.split("/") for name in names]
    return sorted({"/".join(part[:depth]) for part in parts for depth in range(1, len(part))})
