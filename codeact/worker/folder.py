"""The working folder of a session: the one place a snippet can open files in."""

from __future__ import annotations

import errno
import inspect
import io
import os
import stat
from collections.abc import Callable
from typing import Any

from codeact.snippet.running import our_own_work
from codeact.worker import kept

KNOWN_AS = "/session"  # by which snippets know it, wherever it lies: what tells of it is the same elsewhere
# As the builtin's, which takes three milliseconds to be read from its text.
_OPEN = inspect.signature(
    lambda file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None: None
)


def _plain(value: Any) -> Any:
    """A setting of `open` as a builtin value: no object of the snippet's is asked while its guards are off."""
    if issubclass(type(value), str):
        return str.__str__(value)
    if type(value) in (int, bool, type(None)):
        return value
    raise TypeError(f"open() takes texts and numbers, not {type(value).__name__!r}")


def moved(path: str, source: str, target: str) -> str:
    """A path in one folder as one in another; any other path as it is."""
    return target + path[len(source) :] if path == source or path.startswith(source + os.sep) else path


def _without_links(root: str, path: str) -> str | None:
    """A path below `root`, a real one, as a real path too, where no link and no `..` is on its way; None elsewhere.

    It asks the kernel for no more than the names below the root: `realpath` for each one, from `/` on, in Python.
    """
    if path.startswith(os.sep):
        if not path.startswith(root + os.sep):
            return None
        path = path[len(root) + 1 :]
    names = [name for name in path.split(os.sep) if name and name != "."]
    if ".." in names:
        return None
    found = root
    for name in names:
        found = f"{found}/{name}"
        try:
            if stat.S_ISLNK(os.lstat(found).st_mode):
                return None
        except FileNotFoundError:  # nor is there anything below it
            return os.sep.join([root, *names])
        except (OSError, ValueError):
            return None
    return found


def _look_before_going_up(root: str, path: str, given: Any) -> None:
    """Raise as the kernel does where a path goes up from what is no folder, as far as that lies below `root`."""
    names = path.split(os.sep)
    for before in [os.sep.join(names[:place]) for place, name in enumerate(names) if name == os.pardir]:
        found = os.path.realpath(before)
        if found.startswith(root + os.sep) and not os.path.isdir(found):
            number = errno.ENOTDIR if os.path.lexists(found) else errno.ENOENT
            raise OSError(number, os.strerror(number), given)


class Folder:
    """Opens and names files inside `root`, following no link out of it; `go_on` raises where nobody may ask for any."""

    def __init__(self, root: str, go_on: Callable[[], object] = lambda: None) -> None:
        self._root, self._go_on = None if root == os.curdir else os.path.realpath(root), go_on

    @property
    def root(self) -> str:
        """The folder's real path, which changes for `.` when a copied session moves to a folder of its own."""
        return self._root or os.getcwd()

    def told(self, path: str) -> str:
        """A whole path in the folder as snippets know it; any other as it is."""
        return moved(path, self.root, KNOWN_AS)

    def here(self, path: str) -> str:
        """A whole path as snippets know it, as it is; any other unchanged."""
        return moved(path, KNOWN_AS, self.root)

    def path(self, name: Any) -> str:
        """The absolute path of a file in the folder; PermissionError where it lies outside.

        The empty name is no file's: it is not the folder itself. One that ends with a slash is that of a folder.
        """
        self._go_on()
        given = text = os.fspath(name)
        if type(text) is bytes:
            text = os.fsdecode(text)
        if type(text) is not str:
            text = str.__str__(text)
        if "\0" in text:
            raise ValueError("embedded null byte")
        if not text.isascii():
            os.fsencode(text)  # where that fails, it is told of the name alone
        if not text:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), given)
        root = self.root
        asked = moved(text, KNOWN_AS, root)
        direct = _without_links(root, asked)
        found = direct or os.path.realpath(os.path.join(root, asked))
        if found != root and not found.startswith(root + os.sep):
            raise PermissionError(
                f"{text!r} lies outside the working folder: use a path inside it, such as 'result.csv'"
            )
        if direct is None:
            _look_before_going_up(root, os.path.join(root, asked), given)
        return found + os.sep if text.endswith(os.sep) and not os.path.isdir(found) else found

    def move(self, source: Any, target: Any) -> None:
        """Rename a file or folder; files are copied to and from the folders that hold what was handed in, as mounts."""
        old, new = self.path(source), self.path(target)
        try:
            os.replace(old, new)
        except OSError as error:
            if error.errno != errno.EXDEV or not os.path.isfile(old):
                raise
            kept.move_file(old, new)

    def open(self, file: Any, mode: str = "r", *arguments: Any, **keywords: Any) -> Any:
        """What `open` is inside a snippet: the builtin, inside the folder, with neither descriptors nor an opener."""
        asked = _OPEN.bind(file, mode, *arguments, **keywords).arguments
        asked.pop("closefd", None)
        for word in asked.keys() - {"file", "opener"}:
            asked[word] = _plain(asked[word])
        opener = asked.pop("opener", None)
        if issubclass(type(file), int):
            raise PermissionError("open() takes the name of a file in the working folder, not a descriptor")
        if opener is not None:
            raise PermissionError("open() takes no opener inside a snippet")
        asked["file"] = name = os.fspath(file)  # asked once: it may be the snippet's own code that answers
        path = self.path(name)

        def without_links(name: Any, flags: int) -> int:
            try:
                return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
            except OSError as error:  # without the path of the folder
                raise OSError(error.errno, error.strerror, asked["file"]) from None

        with our_own_work():
            return io.open(**asked, opener=without_links)  # noqa: UP020  # `open` is this method
