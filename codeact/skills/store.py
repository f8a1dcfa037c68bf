"""The folders of a library: a skill appears whole or not at all, whoever else writes at the same time.

Writers take turns by a lock on `.codeact/lock`, which the kernel frees when a process dies. A folder is written in
`.codeact/staging` and then renamed, so that a reader sees the old one or the new one. What was verified here is known
by the hash of the whole folder in `.codeact/accepted`, so that a folder from elsewhere and an edited one are noticed;
beside each hash stands what the folder asked for, so that an edit that asks for more is not taken in with it.
"""

from __future__ import annotations

import ctypes
import difflib
import errno
import fcntl
import os
import shutil
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from codeact.errors import SkillError
from codeact.skills.layout import NAMES, asks, read, seal
from codeact.skills.record import name_of

OWN = ".codeact"
VERSIONS = "versions"
FILE_BYTES = 16 << 20
_ATTEMPTS = 20
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


class Store:
    """The folders below `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.own = root / OWN
        self._accepted: set[str] = set()
        self._agreed: dict[str, set[str]] = {}
        self._read_to = 0
        self._mutex = threading.Lock()

    def prepare(self) -> None:
        """Makes the library's folder where it is not there; SkillError where that cannot be."""
        try:
            (self.own / "staging").mkdir(parents=True, exist_ok=True)
            ignore = self.own / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
        except OSError as error:
            raise SkillError(f"the skills folder {self.root} cannot be written: {error.strerror}") from error

    @contextmanager
    def lock(self) -> Iterator[None]:
        """One writer at a time, in this process and in all others; what a killed writer left behind is cleared."""
        self.prepare()
        try:
            descriptor = os.open(self.own / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise SkillError(f"the skills folder {self.root} cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            self._sweep()
            yield
        finally:
            os.close(descriptor)

    def folders(self) -> frozenset[str]:
        """The names that are taken, be it by a skill, by something broken or by a file."""
        return frozenset(os.listdir(self.root))

    def stamps(self, *, deep: bool = False) -> dict[str, str]:
        """Each folder with the begin of its mark, or with `deep` the whole of it."""
        stamps = {}
        try:
            with os.scandir(self.root) as entries:
                for entry in entries:
                    if entry.name.startswith(".") or not _is_folder(entry):
                        continue
                    if stamp := self.stamp(entry.name, deep=deep):  # else it went away meanwhile
                        stamps[entry.name] = stamp
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise SkillError(f"the skills folder {self.root} cannot be read: {error.strerror}") from error
        return stamps

    def stamp(self, folder: str, *, deep: bool = True) -> str:
        """The mark of one folder; empty where it is not there.

        Its begin changes when the folder is replaced or a file is put into it, the rest when a file of it is edited.
        """
        path = f"{self.root}/{folder}"
        try:
            status = os.stat(path)
        except OSError:  # it went away or cannot be looked at: either way there is no mark
            return ""
        begin = f"{status.st_ino}:{status.st_mtime_ns}:"
        return f"{begin}{sum(_changed_at(f'{path}/{name}') for name in NAMES)}:" if deep else begin

    def root_stamp(self) -> str:
        """A mark that changes when a folder appears, goes or is replaced."""
        try:
            return str(self.root.stat().st_mtime_ns)
        except OSError:  # the library's folder is not there yet
            return ""

    def read(self, folder: str, version: int | None = None) -> dict[str, bytes]:
        """The files of a folder, all of one moment; SkillError where it is not there or a file is too large."""
        path = self.root / folder if version is None else self.root / folder / VERSIONS / str(version)
        for _ in range(_ATTEMPTS):
            try:
                descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except FileNotFoundError:
                raise SkillError(self.none(folder)) from None
            except OSError as error:
                raise SkillError(f"the skill {folder} cannot be read: {error.strerror}") from error
            try:
                there = os.listdir(descriptor)
                files = {name: _content(name, descriptor) for name in NAMES if name in there}
                if os.fstat(descriptor).st_nlink:
                    return files
            except FileNotFoundError:  # the folder was replaced meanwhile: read the new one
                continue
            except OSError as error:
                raise SkillError(f"the skill {folder} cannot be read: {error.strerror}") from error
            finally:
                os.close(descriptor)
        raise SkillError(f"the skill {folder} is being replaced again and again; try later")

    def none(self, folder: str) -> str:
        """Say that there is no such skill, and what is called nearly so."""
        folded = {known.casefold(): known for known in sorted(self.stamps())}
        near = difflib.get_close_matches(folder.casefold(), folded, n=1, cutoff=0.7)
        meant = f"; did you mean {name_of(folded[near[0]])}?" if near else ""
        return f"there is no skill {name_of(folder)} in {self.root}{meant}"

    def versions(self, folder: str) -> list[int]:
        """The numbers of the earlier versions kept in a folder."""
        path = self.root / folder / VERSIONS
        return sorted(int(entry.name) for entry in path.iterdir() if entry.name.isdecimal()) if path.is_dir() else []

    def put(self, folder: str, files: Mapping[str, bytes], *, keep: int | None = None, accept: bool = True) -> None:
        """Writes a folder whole; `keep` files what was there before under that version. The lock must be held."""
        staging = self.own / "staging" / f"{folder}.{uuid.uuid4().hex}"
        target = self.root / folder
        try:
            staging.mkdir()
            for name, content in files.items():
                _write(staging / name, content)
            if target.is_dir():
                _carry_versions(target, staging, keep)
            if accept:
                self.accept(folder, files)
            if target.is_dir():
                _exchange(staging, target)
            else:
                os.rename(staging, target)
        except OSError as error:
            raise SkillError(f"the skill {folder} was not written: {error.strerror or error}") from error
        finally:
            shutil.rmtree(staging, ignore_errors=True)

    def accept(self, folder: str, files: Mapping[str, bytes]) -> None:
        """Notes that these very files were verified here and that what they ask for was agreed to."""
        line = _agreement(folder, files).encode() + b"\n"
        try:
            with open(self.own / "accepted", "ab+", buffering=0) as log:
                if log.tell() and os.pread(log.fileno(), 1, log.tell() - 1) != b"\n":
                    line = b"\n" + line  # there was no room for the end of the last one
                if log.write(line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise SkillError(f"the skills folder {self.root} cannot be written: {error.strerror}") from error

    def accept_here(self, folder: str, files: Mapping[str, bytes]) -> None:
        """Takes these very files as agreed to for as long as this store is used."""
        with self._mutex:
            self._take_in(_agreement(folder, files))

    def accepted(self, files: Mapping[str, bytes]) -> bool:
        """True where these very files were verified here."""
        self._read_accepted()
        return seal(files) in self._accepted

    def known(self, folder: str) -> bool:
        """True where some state of this folder was verified here before."""
        self._read_accepted()
        return folder in self._agreed

    def agreed(self, folder: str) -> frozenset[str]:
        """What some state of this folder asked for, as `asks` has it, that was agreed to here."""
        self._read_accepted()
        return frozenset(self._agreed.get(folder, ()))

    def _read_accepted(self) -> None:
        with self._mutex:
            try:
                with open(self.own / "accepted", "rb") as log:
                    log.seek(self._read_to)
                    content = log.read()
            except OSError:  # nothing was accepted yet, or nothing can be: then nothing counts as accepted
                return
            whole = content[: content.rfind(b"\n") + 1]
            self._read_to += len(whole)
            for line in whole.decode("utf-8", "replace").splitlines():
                self._take_in(line)

    def _take_in(self, agreement: str) -> None:
        mark, *named = agreement.split(" ")
        if not named:  # it was cut off, or is none of ours
            return
        folder, *asked = named
        self._accepted.add(mark)
        self._agreed.setdefault(folder, set()).update(asked)

    def _sweep(self) -> None:
        for left in (self.own / "staging").iterdir():
            folder, _, rest = left.name.partition(".")
            if rest.endswith(".old") and not (self.root / folder).exists():
                os.rename(left, self.root / folder)  # its writer was killed between the two renames
            else:
                shutil.rmtree(left, ignore_errors=True)


def _agreement(folder: str, files: Mapping[str, bytes]) -> str:
    """The line that says that these very files were agreed to, and what they ask for."""
    return " ".join([seal(files), folder, *asks(read(folder, files)[0])])


def _changed_at(path: str) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_mtime_ns
    except OSError:  # it is not there
        return 0


def _content(name: str, folder: int) -> bytes:
    def opened(path: str, flags: int) -> int:
        return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)

    with open(name, "rb", opener=opened) as file:  # which closes what is a folder
        content = file.read(FILE_BYTES + 1)
    if len(content) > FILE_BYTES:
        raise SkillError(f"{name} is larger than {FILE_BYTES >> 20} MiB")
    return content


def _write(path: Path, content: bytes) -> None:
    with open(path, "xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _carry_versions(target: Path, staging: Path, keep: int | None) -> None:
    earlier = [(path, VERSIONS + "/" + path.name) for path in target.glob(f"{VERSIONS}/*") if path.name.isdecimal()]
    if keep is not None:
        earlier.append((target, f"{VERSIONS}/{keep}"))
    for source, place in earlier:
        shutil.rmtree(staging / place, ignore_errors=True)
        (staging / place).mkdir(parents=True)
        for name in NAMES:
            if (source / name).is_file():
                _link(source / name, staging / place / name)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # not every file system has hard links
        shutil.copyfile(source, target)


def _exchange(staging: Path, target: Path) -> None:
    """Swaps two folders in one step where the kernel can, else by two renames that `_sweep` can mend."""
    exchange = _renameat2()
    if exchange is not None:
        result = exchange(_AT_FDCWD, os.fsencode(staging), _AT_FDCWD, os.fsencode(target), _RENAME_EXCHANGE)
        if result == 0:
            return
    old = staging.with_name(staging.name + ".old")
    os.rename(target, old)
    os.rename(staging, target)
    shutil.rmtree(old, ignore_errors=True)


def _renameat2() -> Callable[..., int] | None:
    function: Callable[..., int] | None = getattr(ctypes.CDLL(None), "renameat2", None)
    return function


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself, or to where nobody may look: no folder of a skill
        return False
