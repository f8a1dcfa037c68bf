"""Files of sheets, as pandas reads and writes them: tables and names of sheets, and nothing of the library below."""

from __future__ import annotations

import importlib
from typing import Any

from codeact.snippet import special
from codeact.snippet.endings import AttributeRefused
from codeact.snippet.library_files import Sheets, inside, told_as_named
from codeact.snippet.modules.row import Methods

_SETTLED = ("engine", "date_format", "datetime_format", "if_sheet_exists")
_BELOW = ("book", "sheets", "handles")


def files_of_sheets() -> Methods:
    """The classes of pandas for them."""
    real = importlib.import_module("pandas")

    class ExcelWriter(Sheets):
        """Stands for the one of pandas: tables are written to it by `df.to_excel(writer, sheet_name=…)`."""

        __slots__ = ()

        def __init__(self, path: Any, *arguments: Any, **settings: Any) -> None:
            with told_as_named(path):
                self._real = real.ExcelWriter(inside(path), *arguments, **settings)

        def __getattr__(self, name: str) -> Any:
            return _told(self, name, _SETTLED)

    class ExcelFile(Sheets):
        """Stands for the one of pandas: its sheets are read by `parse`, and by `pd.read_excel`."""

        __slots__ = ()

        def __init__(self, path_or_buffer: Any, *arguments: Any, **settings: Any) -> None:
            with told_as_named(path_or_buffer):
                self._real = real.ExcelFile(inside(path_or_buffer), *arguments, **settings)

        def parse(self, *arguments: Any, **settings: Any) -> Any:
            """What pandas makes of a sheet."""
            return self._real.parse(*arguments, **settings)

        def __getattr__(self, name: str) -> Any:
            return _told(self, name, ("engine", "sheet_names"))

    special.final.update((ExcelWriter, ExcelFile))
    for made in (ExcelWriter, ExcelFile):
        made.__module__, made.__qualname__ = "pandas", made.__name__
    return {"ExcelWriter": ExcelWriter, "ExcelFile": ExcelFile}


def _told(subject: Sheets, name: str, known: tuple[str, ...]) -> Any:
    kind = type(subject).__name__
    if name in _BELOW:
        raise AttributeRefused(f"{name} of an {kind} is refused: it reaches files; sheets hold tables alone here")
    if name not in known:
        raise AttributeError(f"{kind!r} object has no attribute {name!r}")
    found = getattr(subject._real, name)
    return found.copy() if type(found) is list else found
