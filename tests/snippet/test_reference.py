"""The page about the language says what the tables say."""

from __future__ import annotations

from pathlib import Path

from codeact.snippet.modules import ROWS
from codeact.snippet.reference import renewed, tables

PAGE = Path(__file__).parents[2] / "docs" / "language.md"


def test_the_page_about_the_language_is_up_to_date():
    page = PAGE.read_text(encoding="utf-8")
    assert renewed(page) == page, "run: python -m codeact.snippet.reference docs/language.md"


def test_every_module_stands_in_the_page():
    text = tables()
    assert all(f"| `{name}` |" in text for name in ROWS)
