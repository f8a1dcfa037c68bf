"""Skills leave and arrive as a folder or an archive; what arrives is a stranger until it is verified here."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO

from codeact.errors import SkillError, UsageError
from codeact.paths import NO_ROOM, led_to, whole_or_none
from codeact.skills import layout
from codeact.skills.cards import Card
from codeact.skills.record import folder_of, name_of
from codeact.skills.shelf import Shelf
from codeact.skills.store import Store

HISTORY = "usage.json"
ARCHIVE_BYTES = 256 << 20
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
_OTHER_ARCHIVES = (".rar", ".7z", ".gz", ".bz2", ".xz", ".zst", ".tbz", ".tbz2", ".txz", ".tzst")
_UNREADABLE = (zipfile.BadZipFile, tarfile.TarError, zlib.error, OSError, EOFError, RuntimeError, NotImplementedError)


def export(shelf: Shelf, folders: list[str], target: Path) -> Path:
    """Writes the folders, and how their skills did, to a folder or a new archive (.zip, .tar, .tar.gz)."""
    place, root = led_to(target), led_to(shelf.store.root)
    if root in (place, *place.parents):
        raise UsageError(f"{target} lies in the library itself: name a place outside of it")
    if place.exists() and (place.is_file() or any(place.iterdir())):
        raise UsageError(f"{target} is there already: name a new folder or archive")
    if _is_named(target, _OTHER_ARCHIVES) and not _is_named(target, _ARCHIVES):
        raise UsageError(f"{target} is no archive that can be written: name a folder, or one of {', '.join(_ARCHIVES)}")
    files = dict(_files(shelf, folders))
    try:
        with whole_or_none(target):
            _write(files, target)
    except OSError as error:
        raise SkillError(f"{target} cannot be written: {error.strerror}") from error
    return target


def with_called(shelf: Shelf, cards: Iterable[Card]) -> list[str]:
    """The folders of these skills and of those they call, without which they would be of no use elsewhere."""
    folders = [card.folder for card in cards]
    called = [name for folder in folders for name in shelf.needed(shelf.read(folder)[0])]
    return [*dict.fromkeys([*folders, *map(folder_of, called)])]


def _write(files: dict[str, bytes], target: Path) -> None:
    if _is_named(target, _ARCHIVES):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_packed(files, target))
        return
    for name, content in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)


def _files(shelf: Shelf, folders: list[str]) -> Iterator[tuple[str, bytes]]:
    usages = shelf.index.usages()
    names = set()
    for folder in folders:
        names.add(name_of(folder))
        for name, content in sorted(shelf.store.read(folder).items()):
            yield f"{folder}/{name}", content
        for version in shelf.store.versions(folder):
            for name, content in sorted(shelf.store.read(folder, version).items()):
                yield f"{folder}/versions/{version}/{name}", content
    usage = {name: asdict(usages[name]) for name in sorted(names & set(usages))}
    history = [asdict(event) for event in shelf.index.history() if event.skill in names]
    yield HISTORY, (json.dumps({"usage": usage, "history": history}, indent=2, ensure_ascii=False) + "\n").encode()


def _is_named(path: Path, endings: tuple[str, ...]) -> bool:
    return path.name.lower().endswith(endings)


def _packed(files: dict[str, bytes], target: Path) -> bytes:
    if _is_named(target, (".zip",)):
        return _zip(files)
    return _tar(files) if _is_named(target, (".tar",)) else gzip.compress(_tar(files), mtime=0)


def _zip(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name)  # with the earliest date an archive knows: the same skills, the same bytes
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return buffer.getvalue()


def _tar(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)  # of no user and no date: the same skills, the same bytes
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def import_(shelf: Shelf, source: Path) -> list[str]:
    """Takes in the skills of a folder or archive; SkillError where one is broken or its name is taken: then none is."""
    with tempfile.TemporaryDirectory(prefix="codeact-import-") as place:
        called = source.name.partition(".")[0]  # an archive of a single skill has its name, as its folder would
        root = _unpacked(source, Path(place, called)) if source.is_file() else source
        if not root.is_dir():
            raise SkillError(f"{source} is neither a folder nor an archive with skills")
        folders = [root] if (root / "SKILL.md").is_file() else sorted(path.parent for path in root.glob("*/SKILL.md"))
        if not folders:
            raise SkillError(f"{source} holds no skill: a folder with a SKILL.md was looked for")
        return _put(shelf, {path.name: _versions(path) for path in folders})


def _unpacked(source: Path, place: Path) -> Path:
    left = ARCHIVE_BYTES
    place.mkdir(exist_ok=True)
    try:
        for name, content in _of_tar(source) if tarfile.is_tarfile(source) else _of_zip(source):
            parts = Path(name).parts
            if ".." in parts or Path(name).is_absolute():
                continue
            held = content.read(left + 1)  # what an archive says of its sizes is not to be trusted
            left -= len(held)
            if left < 0:
                raise SkillError(f"{source} unpacks to more than {ARCHIVE_BYTES >> 20} MiB")
            path = place.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(held)
    except _UNREADABLE as error:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            full = f"there is no room to unpack {source}: {error.strerror}; make some in {tempfile.gettempdir()}"
            raise SkillError(f"{full}, or name another folder by TMPDIR") from error
        raise SkillError(f"{source} is not an archive that can be read: {error}") from error
    return place


def _of_zip(source: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(source) as archive:
        for entry in archive.infolist():
            if not entry.is_dir():
                with archive.open(entry) as content:
                    yield entry.filename, content


def _of_tar(source: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The files of a tar archive: links and devices in it are passed over."""
    with tarfile.open(source) as archive:
        for entry in archive:
            content = archive.extractfile(entry) if entry.isreg() else None
            if content is not None:
                yield entry.name, content


def _versions(path: Path) -> dict[int, dict[str, bytes]]:
    """The files of each version in a folder, the one in use last; SkillError where one is broken."""
    store = Store(path.parent)
    try:
        files = store.read(path.name)
        skill, _ = layout.read(path.name, files)
        numbers = [version for version in store.versions(path.name) if version < skill.version]
        earlier = {version: store.read(path.name, version) for version in numbers}
        for held in earlier.values():
            layout.read(path.name, held)
    except SkillError as error:
        raise SkillError(f"{path.name} is broken: {error}. No skill is taken in") from error
    return {**earlier, skill.version: files}


def _put(shelf: Shelf, contents: dict[str, dict[int, dict[str, bytes]]]) -> list[str]:
    with shelf.store.lock():
        taken = [folder for folder in contents if (shelf.store.root / folder).exists()]
        if taken:
            raise SkillError(f"in the library already: {', '.join(taken)}. Retire or rename one of the two")
        try:
            for folder, versions in contents.items():
                before = None
                for version, files in versions.items():
                    shelf.store.put(folder, files, keep=before, accept=False)
                    before = version
        except SkillError:
            for folder in contents:
                shutil.rmtree(shelf.store.root / folder, ignore_errors=True)
            raise
        shelf.refresh(fully=True)
    names = [name_of(folder) for folder in contents]
    for name in names:
        shelf.note(name, "imported", "quarantined until it is verified and accepted")
    return names
