"""HTML as a reader sees it: title, text with headings, lists and tables, and links.

The standard library's HTMLParser takes quadratic time on pages made to that end (a megabyte of `<!--` keeps it busy for
hours), so the tags are found here, in one pass that never looks at a character twice for long.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

MOST_CHARS = 2_000_000
"""Of a longer page the beginning is read."""

_RAW = frozenset({"script", "style", "title", "textarea"})
_SKIPPED = frozenset({"noscript", "template", "svg", "math", "iframe", "object", "select"})
_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        """address article aside blockquote body br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3
        h4 h5 h6 header hr li main nav ol p pre section summary table tbody tfoot thead tr ul""",
    )
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_MOST_LINKS = 1_000
_START = re.compile(r"<(?=[a-zA-Z!?/])")
_NAME = re.compile(r"/?[a-zA-Z][a-zA-Z0-9:-]{0,60}")
_STOP = re.compile(r">|=\s*[\"']")
_ATTRIBUTE = r"\b{}\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))"
_HREF = re.compile(_ATTRIBUTE.format("href"), re.IGNORECASE)
_ALT = re.compile(_ATTRIBUTE.format("alt"), re.IGNORECASE)

Token = tuple[str, str, str]  # (the tag's name, "/name" where it closes, "" for text; its attributes; the text)


def readable(page: str) -> tuple[str, str, list[tuple[str, str]]]:
    """The title, the text, and the links as (text, address)."""
    reader = _Reader()
    for name, attributes, text in tokens(page[:MOST_CHARS]):
        reader.take(name, attributes, text)
    lines = "".join(reader.pieces).split("\n")
    tidy = [line.replace("\0", "\n").rstrip() if "\0" in line else _tidy(line) for line in lines]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(tidy)).strip()
    return " ".join(reader.title.split())[:500], text, reader.links


def tokens(page: str) -> Iterator[Token]:
    """The tags of a page and the text between them; what is never closed reaches to the end."""
    at, size = 0, len(page)
    ends = _Ends(page)
    while at < size:
        found = _START.search(page, at)
        start = found.start() if found is not None else size
        if start > at:
            yield "", "", page[at:start]
        if found is None:
            return
        named = _NAME.match(page, start + 1)
        if named is None:
            at = ends.after("-->" if page.startswith("<!--", start) else ">", start + 2)
            continue
        end = _end_of_tag(page, named.end(), ends)
        name = named.group().lower()
        yield name, page[named.end() : min(end - 1, named.end() + 4_000)], ""
        at = end
        if name in _RAW:
            close = re.compile(f"</{name}", re.IGNORECASE).search(page, end)
            at = close.start() if close is not None else size
            yield name, "", page[end:at]


class _Ends:
    """Where a text next occurs in a page; what was once not found is not looked for again."""

    def __init__(self, page: str) -> None:
        self._page = page
        self._gone: set[str] = set()

    def after(self, text: str, start: int) -> int:
        """The position behind the next `text`, or the end of the page."""
        found = -1 if text in self._gone else self._page.find(text, start)
        if found < 0:
            self._gone.add(text)
            return len(self._page)
        return found + len(text)

    def has(self, text: str, start: int) -> bool:
        """True where `text` still occurs."""
        return self.after(text, start) < len(self._page) or self._page.endswith(text)


def _end_of_tag(page: str, at: int, ends: _Ends) -> int:
    """The position behind the `>` that ends a tag; one inside a quoted value does not."""
    while (stop := _STOP.search(page, at)) is not None:
        if stop.group() == ">":
            return stop.end()
        quote = stop.group()[-1]
        at = ends.after(quote, stop.end()) if ends.has(quote, stop.end()) else stop.end()
    return len(page)


class _Reader:
    """Collects the pieces of text; `_skipping` is the tag whose contents are passed over, and how deep it is nested."""

    def __init__(self) -> None:
        self.title = ""
        self.links: list[tuple[str, str]] = []
        self.pieces: list[str] = []
        self._skipping = ("", 0)
        self._link: tuple[str, int] | None = None
        self._plain = 0

    def take(self, name: str, attributes: str, text: str) -> None:
        """Note one token."""
        skipped, depth = self._skipping
        if name in _RAW:
            if name == "title" and text and not self.title:
                self.title = html.unescape(text)
        elif depth:
            self._skipping = (skipped, depth + (name == skipped) - (name == f"/{skipped}"))
        elif not name:
            known = html.unescape(text).replace("\0", "")
            self.pieces.append(known.replace("\n", "\0") if self._plain else re.sub(r"\s+", " ", known))
        elif name in _SKIPPED and not attributes.rstrip().endswith("/"):
            self._skipping = (name, 1)
        elif name == "/a" and self._link is not None:
            self._close_link(*self._link)
        else:
            self._open(name, attributes)

    def _open(self, name: str, attributes: str) -> None:
        if name.removeprefix("/") in _BLOCKS:
            self.pieces.append("\n" + _HEADINGS.get(name, "- " if name == "li" else ""))
            self._plain = max(0, self._plain + (name == "pre") - (name == "/pre"))
        elif name in ("td", "th"):
            self.pieces.append(" | ")
        elif name == "img":
            self.pieces.append(f" {_value(_ALT, attributes)} ")
        elif name == "a" and (target := _value(_HREF, attributes)):
            self._link = (target, len(self.pieces))

    def _close_link(self, target: str, start: int) -> None:
        name = " ".join("".join(self.pieces[start:]).replace("\0", " ").split())[:200]
        self._link = None
        if name and len(self.links) < _MOST_LINKS:
            self.links.append((name, target))


def _value(attribute: re.Pattern[str], attributes: str) -> str:
    found = attribute.search(attributes)
    return html.unescape(next(filter(None, found.groups()), "")) if found is not None else ""


def _tidy(line: str) -> str:
    return " ".join(line.split()).removeprefix("| ")
