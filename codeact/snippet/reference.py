"""Writes the tables of the language as a page, so that the page says what the tables say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from codeact.snippet import builtin_names, names, rules
from codeact.snippet.attribute_rules import SPECIAL_NAMES
from codeact.snippet.modules import REFUSED, ROWS
from codeact.snippet.modules.consuming import CONSUMING
from codeact.snippet.modules.row import Module

BEGIN = "<!-- generated from the tables of codeact/snippet; `python -m codeact.snippet.reference docs/language.md` -->"
END = "<!-- end of what is generated -->"


def tables() -> str:
    """The generated part of the page, in Markdown."""
    default = [row for row in ROWS.values() if not row.needs]
    asked = [row for row in ROWS.values() if row.needs]
    parts = [
        "## Modules allowed by default",
        "Each module is a facade made for the session: its reviewed names, and no module that hangs off it.",
        _modules(default),
        "## Modules a policy can add",
        '`Policy(imports=["pandas"])` or `--import pandas` adds a library with its parts. Any other module '
        "that is named there is given whole, but for the modules that hang off it; what it took from Python is as "
        "it is for you.",
        _modules(asked),
        "## Modules no policy can add",
        _grouped(REFUSED),
        "## Builtins",
        "Not listed: as in Python.",
        _rows(("builtin", "in a snippet"), {**builtin_names.REPLACED, **_refused_builtins()}),
        "## Attributes decided while the program runs",
        "Any other public name is read as in Python, at full speed.",
        _rows(("attribute", "what is asked"), {**names.GUARDED_DUNDERS, "_name": _PRIVATE, **SPECIAL_NAMES}),
        "## Attributes that are refused",
        "Every name between double underscores that is in none of these tables, and:",
        _grouped(names.REFUSED_NAMES),
        "Special names that may be read from anything:",
        _grouped(names.FREE_DUNDERS),
        "## Names a class may not define",
        _grouped(names.REFUSED_DEFINITIONS),
        "## What is charged by the elements it consumes",
        f"- builtins: {_words(rules.ITERATING)}\n- methods and functions: {_words(sorted(rules.CHARGED_CALLS))}",
        "By whatever name they are called, and for what they give too, one element for eight characters:",
        "\n".join(f"- `{module}`: {_words(names)}" for module, names in CONSUMING.items()),
        "## What is bounded by time and memory alone",
        _grouped(rules.BOUNDED),
    ]
    return "\n\n".join(parts)


_PRIVATE = "your own classes, instances and functions; of libraries the documented ones, such as `_asdict`"


def _refused_builtins() -> dict[str, str]:
    return {name: f"refused: {why}" for name, why in builtin_names.REFUSED.items()}


def _modules(rows: Iterable[Module]) -> str:
    lines = ["| module | why | withheld | replaced |", "|---|---|---|---|"]
    for row in rows:
        lines.append(f"| `{row.name}` | {row.reason} | {_reasons(row.withheld)} | {_reasons(row.replaced)} |")
    return "\n".join(lines)


def _reasons(table: Mapping[str, str]) -> str:
    return "; ".join(f"{_words(group)}: {why}" for why, group in _by_reason(table).items())


def _grouped(table: Mapping[str, str]) -> str:
    return "\n".join(f"- {_words(group)}: {why}" for why, group in _by_reason(table).items())


def _rows(titles: tuple[str, str], table: Mapping[str, str]) -> str:
    lines = [f"| {titles[0]} | {titles[1]} |", "|---|---|"]
    return "\n".join([*lines, *(f"| {_words(group)} | {why} |" for why, group in _by_reason(table).items())])


def _by_reason(table: Mapping[str, str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, why in table.items():
        groups.setdefault(why, []).append(name)
    return groups


def _words(group: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in group)


def renewed(page: str) -> str:
    """A page with its generated part written anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n\n{END}{after}"


def main(path: str) -> None:
    """Write the page at `path` anew."""
    from pathlib import Path

    page = Path(path)
    page.write_text(renewed(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    import sys

    main(sys.argv[1])
