"""Methods of scientific libraries that reach files, run text or dispatch by name: guarded where a snippet reads them.

A method cannot be left out of a class as a name can be left out of a module, so these names pay for a question while
the program runs: is this the library's method? If not, the attribute is given as it is.
"""

from __future__ import annotations

import inspect
import os
import sys
import types
from collections.abc import Callable
from typing import Any

from codeact.snippet import behind, library_texts, ownership
from codeact.snippet.endings import AttributeRefused
from codeact.snippet.library_files import inside, told_as_named
from codeact.snippet.words import words

_UNPICKLES = "it stores what only unsafe code can read back; use to_csv, to_json or to_parquet"
_MEMORY = "it hands out memory without bounds"
_MOVES = "views would be left on memory that is gone; np.resize gives a new array"
_OUTSIDE = "it reaches something outside; ask for a tool"

_TEMPLATES = words(
    "template_html template_html_table template_html_style template_latex template_typst template_string"
)

#: Name → (library, why): methods that are refused.
REFUSED: dict[str, tuple[str, str]] = {
    **dict.fromkeys(_TEMPLATES, ("pandas", "styled tables are written by it; use to_html() and its like")),
    **dict.fromkeys(words("to_pickle to_hdf"), ("pandas", _UNPICKLES)),
    **dict.fromkeys(words("to_gbq to_clipboard to_iceberg"), ("pandas", _OUTSIDE)),
    **dict.fromkeys(words("dump dumps"), ("numpy", _UNPICKLES)),
    **dict.fromkeys(words("ctypes cffi capsule"), ("numpy", _MEMORY)),
    "resize": ("numpy", _MOVES),
    "debug_print": ("numpy", "it prints past the output of the step"),
}

#: What a refused property gives, which something that stands for the object would pass on.
_MADE = {("ctypes", "numpy", "_ctypes"), *((name, "jinja2", "Template") for name in _TEMPLATES)}

#: Name → library: methods whose first argument may name a file, which is looked for in the working folder.
WRITES: dict[str, str] = {
    **dict.fromkeys(
        words(
            "to_csv to_json to_excel to_parquet to_feather to_html to_latex to_markdown to_string "
            "to_xml to_stata to_orc to_typst"
        ),
        "pandas",
    ),
    "tofile": "numpy",
    "write_metadata_file": "pyarrow",
    **dict.fromkeys(
        words(
            "savefig print_figure print_png print_svg print_pdf print_jpg print_raw print_rgba print_jpeg print_tif "
            "print_tiff print_webp print_gif print_avif print_svgz print_ps print_eps print_pgf"
        ),
        "matplotlib",
    ),
}

#: Methods of pandas that evaluate a text.
TEXTS = ("query", "eval")

#: Methods of pandas that call what a text names.
DISPATCHES = tuple(words("agg aggregate apply transform pivot_table"))

NAMES: dict[str, str] = {
    **{name: why for name, (_, why) in REFUSED.items()},
    **dict.fromkeys(WRITES, "files are looked for in the working folder"),
    **dict.fromkeys(DISPATCHES, "a text may name methods: it follows the same rules"),
    **dict.fromkeys(
        TEXTS, "the text may hold comparisons, arithmetic and methods of columns, and variables that hold data"
    ),
}

_NOT_NAMED = frozenset(NAMES) - frozenset(DISPATCHES)

#: Parameters of pandas that take functions, by themselves or by name.
_FUNCTIONS = ("func", "aggfunc")


def method(subject: object, name: str) -> Any:
    """What `x.name` gives for one of these names."""
    found = getattr(subject, name)
    libraries = behind.libraries(subject, found)
    if name in REFUSED:
        library, why = REFUSED[name]
        if library in libraries or _is_what_it_makes(found, name):
            raise AttributeRefused(f"{name} of {library} is refused: {why}")
        return found
    if not callable(found) or WRITES.get(name, "pandas") not in libraries or ownership.is_own_function(found):
        return found
    at = int(behind.takes_the_object(subject, found))
    if name in WRITES:
        return _writing(found, name, at)
    return _queried(found, at, name) if name in TEXTS else _dispatching(found, at)


def _is_what_it_makes(found: object, name: str) -> bool:
    cls = type(found)
    return (name, ownership.module_of(cls).partition(".")[0], cls.__name__) in _MADE


def _writing(found: Callable[..., Any], name: str, at: int) -> Callable[..., Any]:
    keys = (
        "path_or_buf",
        "path",
        "buf",
        "fname",
        "excel_writer",
        "path_or_buffer",
        "fid",
        "filename",
        "filename_or_obj",
        "where",
    )

    def write(*arguments: Any, **keywords: Any) -> Any:
        given = list(arguments)
        if len(given) > at:
            given[at] = inside(given[at])
        for key in keys:
            if key in keywords:
                keywords[key] = inside(keywords[key])
        if keywords.get(_FOLDERS) is not None:
            keywords[_FOLDERS] = _named_folders(keywords[_FOLDERS])
        with told_as_named(*arguments):
            return found(*given, **keywords)

    write.__name__ = write.__qualname__ = name
    return write


_FOLDERS = "partition_cols"


def _named_folders(columns: Any) -> list[str]:
    """The columns a table is parted by; arrow makes folders of their names as they are."""
    given = [columns] if str in ownership.mro_of(type(columns)) else columns
    names = [library_texts.exact(name, "the name of a column") for name in given]
    if any(os.sep in name for name in names):
        raise PermissionError(f"columns whose names are paths cannot part a table: {names}")
    return names


def _dispatching(found: Callable[..., Any], at: int) -> Callable[..., Any]:
    parameters = list(inspect.signature(found).parameters)
    places = [parameters.index(key) for key in _FUNCTIONS if key in parameters] or [at]

    def dispatch(*arguments: Any, **keywords: Any) -> Any:
        given = list(arguments)
        named = [place for place in places if place < len(given)]
        for place in named:
            given[place] = functions(given[place])
        keys = [key for key in _FUNCTIONS if keywords.get(key) is not None]
        for key in keys or (() if any(given[place] is not None for place in named) else keywords):
            keywords[key] = functions(keywords[key])
        return found(*given, **keywords)

    dispatch.__name__ = dispatch.__qualname__ = getattr(found, "__name__", "apply")
    return dispatch


def functions(value: Any) -> Any:
    """What names functions for pandas, without a text that names a method which is private, refused or guarded."""
    return library_texts.functions(value, _NOT_NAMED)


def dispatching(found: Callable[..., Any]) -> Callable[..., Any]:
    """A function of pandas that calls what a text names, with its texts checked."""
    return _dispatching(found, 0)


def _variables(named: list[str], frame: types.FrameType) -> dict[str, Any]:
    """The variables a query names, as the snippet has them where it asks; pandas tells of one that is not there."""
    frame = ownership.snippets_frame(frame)
    around = {**frame.f_globals, **frame.f_locals}
    return {
        name: library_texts.value(name, around[name]) for name in named if name in around and not name.startswith("__")
    }


def _queried(found: Callable[..., Any], at: int, name: str) -> Callable[..., Any]:
    def query(*arguments: Any, **keywords: Any) -> Any:
        unknown = keywords.keys() - {"expr", "inplace", "engine", "parser"}
        if unknown or len(arguments) > at + 2:
            raise TypeError(f"{name} takes the text and inplace inside a snippet")
        if len(arguments) > at:
            text, named = library_texts.formula(arguments[at])
            arguments = (*arguments[:at], text, *arguments[at + 1 :])
        else:
            keywords["expr"], named = library_texts.formula(keywords.get("expr"))
        variables = _variables(named, sys._getframe(1)) if named else {}
        keywords.update(engine="python", parser="pandas", local_dict=variables, global_dict={})
        return found(*arguments, **keywords)

    query.__name__ = query.__qualname__ = name
    return query
