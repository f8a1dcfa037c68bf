"""The files of the working folder as they were when the last step ended: a step that is undone undoes its files too.

What a step changed is read into memory when it ends. So it is copied with the state by the fork that freezes it, each
frozen state knows the files of its own time, and no other process can touch them. A step that changes no file costs
one look at the folder, which tells the host of written files as well.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from codeact.worker.nested import new_name, take_away

Found = dict[str, os.stat_result]
Stamp = tuple[int, int, int, int]

_TICK_NS = 20_000_000  # a file changed twice within one tick of the kernel's coarse clock bears the same stamp
_SECOND_NS = 1_000_000_000
_COARSE_CLOCK = 5  # CLOCK_REALTIME_COARSE, which files are stamped by
_ALL_BITS, _OWNERS_ALONE = 0o777, 0o700
_NEEDED = {stat.S_IFDIR: _OWNERS_ALONE, stat.S_IFREG: stat.S_IRUSR}  # to keep what is in it
_LACKING = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)  # says nothing about what is there
_clock = time.time_ns  # before a session may fix its clocks


def look(folder: str) -> Found:
    """All a path can say of what lies below a folder, by its name in it; a folder comes before what it holds."""
    found: Found = {}
    folders = [""]
    while folders:
        below = folders.pop()
        try:
            entries = os.scandir(os.path.join(folder, below) if below else folder)
        except OSError as error:
            if error.errno in _LACKING:
                raise
            continue  # it vanished, or may not be entered
        with entries:
            for entry in entries:
                name = f"{below}/{entry.name}" if below else entry.name
                try:
                    found[name] = entry.stat(follow_symlinks=False)
                except OSError as error:
                    if error.errno in _LACKING:
                        raise
                    continue  # it vanished, or lies beyond any path
                if entry.is_dir(follow_symlinks=False):
                    folders.append(name)
    return found


class _Kept(msgspec.Struct, frozen=True):
    """One file as it was: its parts without the holes between them; None for a folder."""

    parts: tuple[tuple[int, bytes], ...] | None
    mode: int
    size: int
    times_ns: tuple[int, int]
    stamp: Stamp | None  # None: it may have changed since without showing it


class Kept:
    """What the working folder held when the last step ended; what it held at first was handed in and stays as it is.

    That is seen to by mounts. A copied session has none of these, nor has one where mounting is not allowed.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._given = frozenset(look(folder))
        self._files: dict[str, _Kept] = {}
        self._empty: tuple[int, ...] | None = None  # what the folder's status was, and will not be with a file in it

    def look(self) -> Found:
        """As `look` finds the folder; an empty one is not opened again until something in it is made or moved."""
        try:
            status = os.stat(self._folder)
        except OSError:  # `look` knows what that means
            return look(self._folder)
        changed = status.st_ctime_ns
        seen = status.st_dev, status.st_ino, changed
        if seen == self._empty:
            return {}
        passed = time.clock_gettime_ns(_COARSE_CLOCK) - changed
        found = self._opened()
        certain = passed > _TICK_NS and changed % _SECOND_NS  # some file systems know of whole seconds alone
        self._empty = seen if certain and not found else None
        return found

    def take(self, found: Found) -> None:
        """Read what has changed, as `look` found the folder; MemoryError where there is no room for it."""
        before, now = self._files, _clock()
        if not (found or before):
            return
        self._files = {
            name: _unchanged(before.get(name), status) or self._read(name, status, now)
            for name, status in found.items()
            if name not in self._given and _is_kept(status)
        }

    def take_in_given(self) -> None:
        """Keep what was handed in as any other file; MemoryError where there is no room for it."""
        if not self._given:
            return
        now, found = _clock(), look(self._folder)
        given = {name: status for name, status in found.items() if name in self._given and _is_kept(status)}
        self._files = {**{name: self._read(name, status, now) for name, status in given.items()}, **self._files}
        self._given = frozenset()

    def put_back(self) -> None:
        """Make the folder what it was when the last step ended."""
        _set_mode(os.path.abspath(self._folder), _OWNERS_ALONE)  # "." is out of reach where code has closed it
        found = {name: status for name, status in self._opened().items() if name not in self._given}
        for name in list(reversed(found)):
            if (kept := self._files.get(name)) is None or stat.S_ISDIR(found[name].st_mode) != (kept.parts is None):
                self._remove(name, found.pop(name))
        for name, kept in list(self._files.items()):
            if _unchanged(kept, found.get(name)) is None:
                self._write(name, kept)

    def _remove(self, name: str, status: os.stat_result) -> None:
        path = os.path.join(self._folder, name)
        if not stat.S_ISDIR(status.st_mode):
            os.unlink(path)
            return
        try:
            os.rmdir(path)
        except OSError:  # it holds what lies beyond any path
            nearer = os.path.join(self._folder, new_name())
            os.rename(path, nearer)
            take_away(nearer)

    def _opened(self) -> Found:
        """What is there, each folder made enterable and each file readable first."""
        while True:
            found = look(self._folder)
            closed = {
                name: status.st_mode & _ALL_BITS | needed
                for name, status in found.items()
                if (needed := _NEEDED.get(stat.S_IFMT(status.st_mode), 0)) & ~status.st_mode
                and (needed == _OWNERS_ALONE or name not in self._given)  # such a file can only be read
            }
            if not sum(_set_mode(os.path.join(self._folder, name), mode) for name, mode in closed.items()):
                return found

    def _read(self, name: str, status: os.stat_result, now: int) -> _Kept:
        parts = _parts(os.path.join(self._folder, name)) if stat.S_ISREG(status.st_mode) else None
        certain = parts is None or now - status.st_ctime_ns > _TICK_NS
        times = status.st_atime_ns, status.st_mtime_ns
        return _Kept(parts, status.st_mode & _ALL_BITS, status.st_size, times, _stamp(status) if certain else None)

    def _write(self, name: str, kept: _Kept) -> None:
        path = os.path.join(self._folder, name)
        if kept.parts is None:
            with suppress(FileExistsError):
                os.mkdir(path, kept.mode | _OWNERS_ALONE)
            _set_mode(path, kept.mode | _OWNERS_ALONE)
        else:
            _write_parts(path, kept)
        stamp = _stamp(os.lstat(path)) if kept.parts is None else None
        self._files[name] = _Kept(kept.parts, kept.mode, kept.size, kept.times_ns, stamp)


def _is_kept(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)


def _stamp(status: os.stat_result) -> Stamp:
    """What changes with a file, and cannot be set back; of a folder, nothing that its contents change."""
    if stat.S_ISDIR(status.st_mode):
        return status.st_ino, status.st_mode, 0, 0
    return status.st_ino, status.st_mode, status.st_size, status.st_ctime_ns


def _unchanged(kept: _Kept | None, status: os.stat_result | None) -> _Kept | None:
    if kept is None or status is None or kept.stamp is None or kept.stamp != _stamp(status):
        return None
    return kept


def _parts(path: str) -> tuple[tuple[int, bytes], ...]:
    """The parts of a file that hold something; a file that vanished or may not be read holds nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in _LACKING:
            raise
        return ()
    try:
        return tuple((start, os.pread(descriptor, end - start, start)) for start, end in _extents(descriptor))
    finally:
        os.close(descriptor)


def _extents(descriptor: int) -> Iterator[tuple[int, int]]:
    """Where the parts of a file begin and end that are no holes."""
    end = 0
    while (start := _seek(descriptor, end, os.SEEK_DATA)) >= 0:
        end = _seek(descriptor, start, os.SEEK_HOLE)
        yield start, end


def _seek(descriptor: int, position: int, kind: int) -> int:
    try:
        return os.lseek(descriptor, position, kind)
    except OSError:  # nothing but a hole from here on
        return -1


def copy_all(found: Found, source: str, target: str) -> None:
    """Copy what was found below one folder into another, which is empty; no file is changed by its name."""
    for name, status in found.items():
        path = os.path.join(target, name)
        if stat.S_ISDIR(status.st_mode):
            os.mkdir(path, status.st_mode & _ALL_BITS | _OWNERS_ALONE)
        elif stat.S_ISREG(status.st_mode):
            _copy(os.path.join(source, name), path, status)


def move_file(source: str, target: str) -> None:
    """Put a file where it cannot be renamed to, in the place of any that is there, or leave all as it is."""
    old, new = (f"{path}.{os.urandom(4).hex()}" for path in (source, target))
    os.rename(source, old)
    try:
        _copy(old, new, os.stat(old))
        os.replace(new, target)
    except OSError:
        os.rename(old, source)
        with suppress(OSError):
            os.unlink(new)
        raise
    os.unlink(old)


def _copy(source: str, target: str, status: os.stat_result) -> None:
    mode = status.st_mode & _ALL_BITS
    made = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with open(made, "wb", buffering=0) as copy, open(source, "rb", buffering=0) as file:
        for start, end in _extents(file.fileno()):
            at = copy.seek(start)
            while at < end and (sent := os.sendfile(copy.fileno(), file.fileno(), at, end - at)):
                at += sent
        copy.truncate(status.st_size)
        _set_status(made, mode, (status.st_atime_ns, status.st_mtime_ns))


def _set_status(descriptor: int, mode: int, times_ns: tuple[int, int]) -> None:
    """Set the mode and times of a file, which is not allowed where files can be named that are not the session's."""
    with suppress(PermissionError):
        os.fchmod(descriptor, mode)
        os.utime(descriptor, ns=times_ns)


def _set_mode(path: str, mode: int) -> bool:
    """Set a mode, by a descriptor where one can be had: names may be out of reach. Whether that is allowed."""
    with suppress(PermissionError):  # what is closed then was made so, and nothing is in it
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        except PermissionError:
            os.chmod(path, mode)
            return True
        try:
            os.fchmod(descriptor, mode)
            return True
        finally:
            os.close(descriptor)
    return False


def _emptied(path: str, mode: int) -> int:
    """A file to be written anew: the same one where that is possible: one that is open would take room twice."""
    flags = os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    with suppress(OSError):  # there is none, or it may not be written to
        if stat.S_ISREG(os.lstat(path).st_mode):
            return os.open(path, flags | os.O_TRUNC)
    with suppress(FileNotFoundError):
        os.unlink(path)
    return os.open(path, flags | os.O_CREAT | os.O_EXCL, mode)


def _write_parts(path: str, kept: _Kept) -> None:
    descriptor = _emptied(path, kept.mode)
    try:
        for start, content in kept.parts or ():
            view, at = memoryview(content), start
            while view:
                written = os.pwrite(descriptor, view, at)
                view, at = view[written:], at + written
        os.ftruncate(descriptor, kept.size)
        _set_status(descriptor, kept.mode, kept.times_ns)
    finally:
        os.close(descriptor)
