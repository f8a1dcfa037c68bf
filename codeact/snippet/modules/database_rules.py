"""What a statement may reach: the tables of its database, and files of the working folder.

SQLite asks for each table, function, file and setting a statement names, as it is read and before it runs.
"""

from __future__ import annotations

import os
import sqlite3

from codeact.snippet.modules.row import Room
from codeact.snippet.words import word_set

#: Settings of a database or a connection that reach nothing else: no file, no memory of the process, no schema by hand.
_SETTINGS = word_set(
    """
    application_id auto_vacuum automatic_index busy_timeout cache_size case_sensitive_like collation_list
    compile_options count_changes data_version default_cache_size defer_foreign_keys encoding foreign_key_check
    foreign_key_list foreign_keys freelist_count full_column_names fullfsync function_list ignore_check_constraints
    incremental_vacuum index_info index_list index_xinfo integrity_check journal_mode journal_size_limit
    legacy_alter_table max_page_count module_list optimize page_count page_size pragma_list query_only quick_check
    read_uncommitted recursive_triggers reverse_unordered_selects schema_version secure_delete short_column_names
    synchronous table_info table_list table_xinfo user_version wal_autocheckpoint wal_checkpoint
    """
)

#: Functions that reach past the database.
_FUNCTIONS = word_set("load_extension fts3_tokenizer readfile writefile edit")

#: Tables that are kept by code of SQLite's own.
_TABLES = word_set("fts4 fts5 fts5vocab fts4aux rtree rtree_i32 json_each json_tree")


def is_left_out(action: int, first: str | None, second: str | None) -> bool:
    """True for what a statement asks for in vain.

    By a log of changes copies of a session would share memory; what waits in compiled code, nobody ends.
    """
    asked = (first or "").lower(), (second or "").lower()
    return action == sqlite3.SQLITE_PRAGMA and (asked == ("journal_mode", "wal") or asked[0] == "busy_timeout")


def why_not(room: Room, action: int, first: str | None, second: str | None) -> str:
    """Why a statement may not do this, in words; nothing where it may."""
    if action == sqlite3.SQLITE_ATTACH:
        return (
            "" if _is_within(room, first) else "ATTACH is given ':memory:' or the name of a file of the working folder"
        )
    if action == sqlite3.SQLITE_PRAGMA and (first or "").lower() not in _SETTINGS:
        return f"PRAGMA {first} is refused: it tells of files, or changes more than the database"
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FUNCTIONS:
        return f"the function {second} is refused: it reaches past the database"
    if action == sqlite3.SQLITE_CREATE_VTABLE and (second or "").lower() not in _TABLES:
        return f"tables of the kind {second} are refused inside a snippet"
    return ""


def _is_within(room: Room, name: str | None) -> bool:
    """True for no file, and for one of the folder whose name SQLite looks up to the same path."""
    if name in {"", ":memory:"}:
        return True
    if name is None or name.startswith("file:"):
        return False
    try:
        return room.folder.path(name) == os.path.abspath(name)
    except (OSError, ValueError):
        return False
