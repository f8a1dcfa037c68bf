"""One row of the table of modules, and what a row's own parts are built from."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

if TYPE_CHECKING:
    from codeact.snippet.facade import Facades


Methods = dict[str, Any]


def named(*functions: Callable[..., Any]) -> Methods:
    """Functions by their names, as a class or a facade holds them."""
    return {function.__name__: function for function in functions}


def named_as_called(made: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same names; errors name these functions as snippets call them, and not by where they are made."""
    for name, value in made.items():
        if type(value) is types.FunctionType and "<locals>" in value.__qualname__:
            value.__qualname__ = value.__name__ = value.__name__ if value.__name__ in made else name
    return made


class Folder(Protocol):
    """The working folder of a session, as the facades need it."""

    def path(self, name: Any) -> str:
        """The absolute path of a file in the folder; PermissionError where it lies outside."""

    def told(self, path: str) -> str:
        """A whole path in the folder as snippets know it; any other as it is."""

    def here(self, path: str) -> str:
        """A whole path as snippets know it, as it is; any other unchanged."""

    def open(self, file: Any, mode: str = "r", *arguments: Any, **keywords: Any) -> Any:
        """What `open` is inside a snippet."""

    def move(self, source: Any, target: Any) -> None:
        """Rename a file or folder."""


class NoFolder:
    """Stands for the working folder where there is none."""

    def path(self, name: Any) -> str:
        """Refuse."""
        raise PermissionError(f"there is no working folder: {name!r} cannot be reached")

    def told(self, path: str) -> str:
        """Know of none."""
        return path

    here = told

    def open(self, file: Any, mode: str = "r", *arguments: Any, **keywords: Any) -> Any:
        """Refuse."""
        return self.path(file)

    def move(self, source: Any, target: Any) -> None:
        """Refuse."""
        self.path(source)


class Room:
    """What the replaced parts of facades share in one session: its folder, its output, its modules, its settings.

    `count` puts functions that are charged into the contents of a module's facade; `reader` gives, for some names, what
    evaluates a text that sees them, under the rules of the language. `charge` takes elements off the step's operations.
    """

    facades: Facades
    reader: Callable[[Mapping[str, Any]], Callable[[str], Any]]

    def __init__(
        self,
        folder: Folder | None = None,
        output: Callable[[str], object] = print,
        settings: dict[str, Any] | None = None,
        count: Callable[[str, dict[str, Any]], object] = lambda module, contents: None,
        charge: Callable[[int], object] = lambda elements: None,
    ) -> None:
        self.folder, self.output, self.count, self.charge = folder or NoFolder(), output, count, charge
        self.settings: dict[str, Any] = {} if settings is None else settings

        def open(  # noqa: PLR0913, PLR0917  # it is the builtin of snippets, with its parameters
            file: Any,
            mode: str = "r",
            buffering: int = -1,
            encoding: str | None = None,
            errors: str | None = None,
            newline: str | None = None,
            closefd: bool = True,
            opener: Any = None,
        ) -> Any:
            return self.folder.open(file, mode, buffering, encoding, errors, newline, closefd, opener)

        open.__qualname__ = "open"  # errors name it as snippets call it
        self.open: Callable[..., Any] = open

    @property
    def streams(self) -> dict[str, Any]:
        """What stands for streams of `sys` while they are redirected, by their names."""
        found: dict[str, Any] = self.settings.setdefault("streams", {})
        return found

    def write(self, text: str, stream: str = "stdout") -> object:
        """Write to the step's output, or to where it is redirected."""
        if stream not in self.streams:
            return self.output(text)
        target = self.streams[stream]
        return None if target is None else target.write(text)

    def current(self, stream: str) -> Any:
        """What `sys` has for a stream."""
        return vars(self.facades.import_module("sys"))[stream]

    def redirect(self, stream: str, target: Any) -> None:
        """Let a stream of `sys` be another file."""
        names = vars(self.facades.import_module("sys"))
        if target is names[f"__{stream}__"]:
            self.streams.pop(stream, None)
        else:
            self.streams[stream] = target
        names[stream] = target

    def restore(self) -> None:
        """Let all streams be what they are at first: a step begins with its own."""
        for stream in list(self.streams):
            self.redirect(stream, vars(self.facades.import_module("sys"))[f"__{stream}__"])


class _Parts(msgspec.Struct, frozen=True, kw_only=True):
    names: str = ""
    withheld: Mapping[str, str] = {}
    replaced: Mapping[str, str] = {}
    build: Callable[[Room], Mapping[str, Any]] | None = None
    parts: tuple[str, ...] = ()
    source: str | None = ""
    whole: bool = False
    needs: str = ""
    since: tuple[int, int] = (3, 11)


class Module(_Parts, frozen=True):
    """A module a snippet may import.

    `names` are the reviewed names; `whole` takes every public name instead. `withheld` and `replaced` say why of each
    name that is not there or is not the original; `build` makes the replaced ones. `parts` are submodules that come
    with it. `source` is the real module where its name differs, None where there is none. With `needs`, a policy has
    to allow that name. Pythons before `since` do not have the module.
    """

    name: str
    reason: str
