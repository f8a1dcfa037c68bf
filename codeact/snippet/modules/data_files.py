"""The replaced parts of numpy, pandas, matplotlib and their like: what takes the name of a file."""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from codeact.snippet import library_files, library_methods, ownership, running, shared, types_
from codeact.snippet.endings import CallRefused
from codeact.snippet.modules import array_memory, drawn, points, sheets
from codeact.snippet.modules.row import Room
from codeact.snippet.patches import patch
from codeact.snippet.words import words

_LOADS = words("loadtxt genfromtxt fromfile fromregex")
_SAVES = words("savetxt savez savez_compressed")
_PANDAS_READS = words(
    "read_csv read_table read_fwf read_json read_excel read_html read_parquet read_feather read_orc read_stata"
)
# A list of names for these is of files; for numpy it is the lines of one.
_READ_TOGETHER = words("read_parquet read_orc read_feather read_table read_pandas")
_PANDAS_CALLS = words("pivot_table crosstab")


def filed(real: Callable[..., Any], at: int = 0, **fixed: Any) -> Callable[..., Any]:
    """The function, whose parameter at one place is a file of the working folder, and others are what they are here."""
    key = list(inspect.signature(real).parameters)[at]
    inside = library_files.all_inside if real.__name__ in _READ_TOGETHER else library_files.inside

    def call(*arguments: Any, **keywords: Any) -> Any:
        given = list(arguments)
        if len(given) > at:
            given[at] = inside(given[at])
        elif key in keywords:
            keywords[key] = inside(keywords[key])
        _refuse_dispatch([*given, *keywords.values()])
        for name, value in fixed.items():
            if keywords.get(name, value) != value:
                raise PermissionError(f"{real.__name__}({name}={keywords[name]!r}) is refused: only {value!r} is safe")
            keywords[name] = value
        with library_files.told_as_named(*arguments):
            return real(*given, **keywords)

    call.__name__ = call.__qualname__ = real.__name__
    call.__doc__ = real.__doc__
    return call


def _refuse_dispatch(values: list[Any]) -> None:
    """Raise where numpy would hand its own function, past this one, to an object of the snippet's."""
    for value in values:
        line = ownership.mro_of(type(value))
        owner = next((base for base in line if "__array_function__" in ownership.class_dict(base)), None)
        if owner is not None and ownership.is_own_class(owner):
            raise CallRefused("an object with __array_function__ cannot be given to a function that opens files")


def arrays(room: Room) -> dict[str, Any]:
    """The replaced names of numpy."""
    import numpy as np

    shared.share(np._NoValue)  # functions of numpy have it as what is left out
    return {
        **array_memory.guard(),
        **{name: filed(getattr(np, name)) for name in _LOADS},
        **{name: filed(getattr(np, name)) for name in _SAVES},
        "load": _loading(filed(np.load, allow_pickle=False, mmap_mode=None)),
        "save": filed(np.save, allow_pickle=False),
        "__getattr__": _gone,
    }


def _gone(name: str) -> Any:
    """Say of a name that numpy had once what to write instead, in its own words."""
    import numpy as np

    if any(name in vars(np).get(table, ()) for table in ("__former_attrs__", "__expired_attributes__")):
        return np.__getattr__(name)
    raise AttributeError(f"module 'numpy' has no attribute {name!r}")


class Archive(Mapping[str, Any]):
    """What numpy.load gives for an archive: its arrays, read at once."""

    def __init__(self, arrays: dict[str, Any], name: str) -> None:
        self._arrays, self._name, self.files = arrays, name, list(arrays)

    def __repr__(self) -> str:
        return f"NpzFile {self._name!r} with keys: {', '.join(self.files[:5])}{'...' if len(self.files) > 5 else ''}"

    def __getitem__(self, key: str) -> Any:
        return self._arrays[key.removesuffix(".npy")]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def close(self) -> None:
        """Do nothing: the file is closed."""


def _loading(load: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **keywords: Any) -> Any:
        found = load(*arguments, **keywords)
        if not hasattr(found, "files"):
            return found
        named = [part for part in (*arguments[:1], keywords.get("file")) if isinstance(part, str | os.PathLike)]
        with found:
            return Archive({name: found[name] for name in found.files}, str(*named[:1]) or "object")

    call.__name__ = call.__qualname__ = "load"
    return call


def frames(room: Room) -> dict[str, Any]:
    """The replaced names of pandas."""
    import pandas as pd  # type: ignore[import-untyped]  # it ships no types

    types_.shield(*_readers())
    points.refuse("pandas")
    patch(importlib.import_module("pandas.io.sql"), "pandasSQL_builder", _of_databases)
    return {
        **{name: filed(getattr(pd, name)) for name in _PANDAS_READS if hasattr(pd, name)},
        "read_xml": filed(pd.read_xml, parser="etree", stylesheet=None),
        **{name: library_methods.dispatching(getattr(pd, name)) for name in _PANDAS_CALLS},
        **sheets.files_of_sheets(),
    }


def _of_databases(real: Callable[..., Any]) -> Callable[..., Any]:
    """What pandas reads and writes tables of a database by: a connection of `sqlite3`, as the snippet has them."""

    def pandasSQL_builder(con: Any, *arguments: Any, **settings: Any) -> Any:
        if not running.in_a_snippet():
            return real(con, *arguments, **settings)
        from codeact.snippet.modules.databases import Connection  # a worker does without it until it is asked for

        if type(con) is not Connection:
            raise CallRefused("a database is reached by a connection of sqlite3.connect inside a snippet")
        return importlib.import_module("pandas.io.sql").SQLiteDatabase(con)

    return pandasSQL_builder


def _readers() -> list[type]:
    """The classes of what pandas gives for a file read in pieces: they would open any file."""
    places = {"parsers.readers": "TextFileReader", "json._json": "JsonReader", "stata": "StataReader"}
    return [getattr(importlib.import_module(f"pandas.io.{module}"), name) for module, name in places.items()]


def _settings(real: Callable[..., Any]) -> Callable[..., Any]:
    def rc_context(rc: Any = None, fname: Any = None) -> Any:
        return real(rc, library_files.inside(fname))

    return rc_context


def figures(room: Room) -> dict[str, Any]:
    """The replaced names of matplotlib.pyplot."""
    import matplotlib as mpl

    mpl.use("Agg")
    points.refuse("matplotlib")
    plt = importlib.import_module("matplotlib.pyplot")

    def show(*arguments: Any, **keywords: Any) -> None:
        return None

    def savefig(fname: Any, *arguments: Any, **keywords: Any) -> Any:
        with library_files.told_as_named(fname):
            return plt.savefig(library_files.inside(fname), *arguments, **keywords)

    return {
        "savefig": savefig,
        "rc_context": _settings(plt.rc_context),
        "imread": filed(plt.imread),
        "imsave": filed(plt.imsave),
        "show": show,
        "pause": show,
        "set_loglevel": show,
        "style": room.facades.import_module("matplotlib.style"),
        "cm": room.facades.import_module("matplotlib.cm"),
        "rcParams": plt.rcParams,
        "rcParamsDefault": drawn.looks_at_first(plt.rcParamsDefault),
    }


def styles(room: Room) -> dict[str, Any]:
    """The replaced names of matplotlib.style."""
    style = importlib.import_module("matplotlib.style")

    def known(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(style_name: Any, *arguments: Any, **keywords: Any) -> Any:
            for name in style_name if isinstance(style_name, list | tuple) else [style_name]:
                if not isinstance(name, dict) and name not in style.available and name != "default":
                    raise OSError(f"{name!r} is not a valid package style; matplotlib.style.available lists them")
            return real(style_name, *arguments, **keywords)

        call.__name__ = call.__qualname__ = real.__name__
        return call

    return {"use": known(style.use), "context": known(style.context), "available": list(style.available)}


def backends(room: Room) -> dict[str, Any]:
    """The replaced names of matplotlib."""
    import matplotlib as mpl

    points.refuse("matplotlib")

    def use(backend: str, **settings: Any) -> None:
        if str(backend).lower() != "agg":
            raise ImportError("figures are drawn in memory inside a snippet: the backend stays 'Agg'")

    return {
        "use": use,
        "rcParams": mpl.rcParams,
        "rc_context": _settings(mpl.rc_context),
        "__version__": mpl.__version__,
    }
