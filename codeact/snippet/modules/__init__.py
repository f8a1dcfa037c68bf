"""The modules a snippet may import: one row each, with the reason it is fit and what of it is withheld or replaced.

A `row` says what stands in a table. A file whose name ends in `_` would otherwise have the name of a module of the
standard library.

    Tables of the standard library
        calculation text containers encoding constructs system concurrency commands mail formats
    Tables of other libraries
        scientific learning graphs arrow holidays models schemas parts
    Replaced: what takes functions, attributes and classes by name
        functional class_makers borrowed by_name aliases making field_methods signatures sources states type_hints
        type_caches syntax consuming copying put_together weak stores stdlib_points compiled lately
    Replaced: what is one for the whole process
        numbers_ decimals generators clocks readings timing warning logging_ log_settings log_handlers printing traced
        interpreter own_copies drawn units surroundings
    Replaced: what waits, and works side by side
        threads turns turn letting_go serials waits pools loops side_by_side
    Replaced: files, which are those of the working folder
        paths path_class segments entries walking moving temporary files archives streams xml_trees data_files sheets
        databases database_cursors database_work database_rules database_values
    Replaced: libraries that reach files, memory or code
        points algebra array_memory array_numbers text_arrays arrow_calls labels styles sparse sparse_fit
        kept_places handed_arrays scipy_fit gone_by fitting_parts linear_fit shapes triangles
"""

from __future__ import annotations

from codeact.snippet.modules import (
    arrow,
    calculation,
    commands,
    concurrency,
    constructs,
    containers,
    encoding,
    formats,
    graphs,
    holidays,
    learning,
    log_handlers,
    mail,
    models,
    parts,
    scientific,
    system,
    text,
)
from codeact.snippet.modules.row import Module
from codeact.snippet.refused_modules import REFUSED

__all__ = ["REFUSED", "ROWS"]

_TABLES = (
    calculation.ROWS,
    text.ROWS,
    containers.ROWS,
    encoding.ROWS,
    constructs.ROWS,
    system.ROWS,
    log_handlers.ROWS,
    concurrency.ROWS,
    scientific.ROWS,
    learning.ROWS,
    parts.ROWS,
    graphs.ROWS,
    commands.ROWS,
    mail.ROWS,
    formats.ROWS,
    arrow.ROWS,
    holidays.ROWS,
    models.ROWS,
)

#: Name → row.
ROWS: dict[str, Module] = {row.name: row for table in _TABLES for row in table}
