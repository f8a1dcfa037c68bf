"""What files are called and made of: kinds by the ends of names, lists of properties, sound, databases."""

from __future__ import annotations

import types
from typing import Any

from codeact.snippet.endings import CallRefused
from codeact.snippet.modules.files import open_for_who_asks
from codeact.snippet.modules.row import Module, Room
from codeact.snippet.words import words

_FILES = "it reads files of this machine"


def _kinds(room: Room) -> dict[str, Any]:
    """The replaced names of mimetypes, over tables of this session alone: those of the module, and of no machine."""
    import mimetypes as real

    begun, real.inited = real.inited, True  # left to itself it reads the tables of the machine first
    try:
        tables = real.MimeTypes()
    finally:
        real.inited = begun

    def init(files: Any = None) -> None:
        if files is not None:
            raise CallRefused(f"mimetypes.init takes no files in a snippet: {_FILES}; use add_type")

    methods = words("add_type guess_all_extensions guess_extension guess_file_type guess_type")
    return {
        **{name: getattr(tables, name) for name in methods if hasattr(tables, name)},
        "init": init,
        "common_types": tables.types_map[False],
        "types_map": tables.types_map[True],
        "encodings_map": tables.encodings_map,
        "suffix_map": tables.suffix_map,
    }


def _sounds(room: Room) -> dict[str, Any]:
    """Nothing is replaced; wave itself opens what the snippet may open."""
    import wave

    vars(wave)["builtins"] = types.SimpleNamespace(open=open_for_who_asks)
    return {}


def _databases(room: Room) -> dict[str, Any]:
    """The replaced names of sqlite3; a worker does without it until it is asked for."""
    from codeact.snippet.modules.databases import databases

    return databases(room)


_SQLITE3 = """
Binary DataError DatabaseError Date DateFromTicks Error IntegrityError InterfaceError InternalError NotSupportedError
OperationalError PARSE_COLNAMES PARSE_DECLTYPES PrepareProtocol ProgrammingError Row Time TimeFromTicks Timestamp
TimestampFromTicks Warning apilevel complete_statement paramstyle sqlite_version sqlite_version_info threadsafety
SQLITE_ABORT SQLITE_AUTH SQLITE_BUSY SQLITE_CANTOPEN SQLITE_CONSTRAINT SQLITE_CONSTRAINT_CHECK
SQLITE_CONSTRAINT_FOREIGNKEY SQLITE_CONSTRAINT_NOTNULL SQLITE_CONSTRAINT_PRIMARYKEY SQLITE_CONSTRAINT_TRIGGER
SQLITE_CONSTRAINT_UNIQUE SQLITE_CORRUPT SQLITE_ERROR SQLITE_FULL SQLITE_INTERRUPT SQLITE_IOERR SQLITE_LOCKED
SQLITE_MISMATCH SQLITE_MISUSE SQLITE_NOMEM SQLITE_NOTADB SQLITE_OK SQLITE_PERM SQLITE_RANGE SQLITE_READONLY
SQLITE_SCHEMA SQLITE_TOOBIG
"""

ROWS = (
    Module(
        "mimetypes",
        "kinds of files, by the ends of their names",
        names="inited",
        withheld=dict.fromkeys(words("MimeTypes knownfiles read_mime_types"), _FILES),
        replaced=dict.fromkeys(
            words("add_type guess_all_extensions guess_extension guess_file_type guess_type init common_types")
            + words("types_map encodings_map suffix_map"),
            "tables of this session alone, the same on all machines",
        ),
        build=_kinds,
    ),
    Module(
        "plistlib",
        "bytes in memory or in open files",
        names="FMT_BINARY FMT_XML InvalidFileException UID dump dumps load loads",
    ),
    Module(
        "wave",
        "sound in memory, and in files of the working folder",
        names="Error WAVE_FORMAT_PCM Wave_read Wave_write open",
        build=_sounds,
    ),
    Module(
        "sqlite3",
        "databases in memory, and in files of the working folder",
        names=_SQLITE3,
        withheld=dict.fromkeys(
            words("adapters converters enable_callback_tracebacks enable_shared_cache"), "it is the whole process's"
        ),
        replaced={
            **dict.fromkeys(words("Connection Cursor connect"), "keeps to the working folder, and is counted"),
            **dict.fromkeys(words("adapt register_adapter register_converter"), "for this session alone"),
        },
        build=_databases,
    ),
)
