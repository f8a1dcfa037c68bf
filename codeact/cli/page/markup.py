"""HTML put together so that nothing gets in unescaped: text is escaped, only `Html` passes as it is."""

from __future__ import annotations

import builtins
import html
import io
import keyword
import tokenize

_KINDS = {tokenize.STRING: "s", tokenize.NUMBER: "n", tokenize.COMMENT: "c"}
_FSTRING = {getattr(tokenize, name) for name in ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END") if
            hasattr(tokenize, name)}  # fmt: skip
_BUILTINS = frozenset(name for name in dir(builtins) if name.islower())


class Html(str):
    """A piece of HTML; any other text is escaped where it is put into one."""

    __slots__ = ()


def joined(*pieces: str) -> Html:
    """Give the pieces as one."""
    return Html("".join(piece if isinstance(piece, Html) else html.escape(str(piece)) for piece in pieces))


def element(name: str, *pieces: str, **attributes: str) -> Html:
    """Give an element; `class_` stands for `class`."""
    written = "".join(f' {key.rstrip("_")}="{html.escape(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{written}>{joined(*pieces)}</{name}>")


def python(source: str) -> Html:
    """Give Python source with its words marked; what is no Python stays plain."""
    lines = source.splitlines(keepends=True)
    pieces: list[str] = []
    at = (1, 0)
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            pieces.append(_between(lines, at, token.start))
            pieces.append(_marked(token))
            at = token.end
    except (tokenize.TokenError, SyntaxError):
        return joined(source)
    return joined(*pieces)


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Give what lies between two places: spaces, and backslashes at line ends."""
    if start >= end:
        return ""
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]] if start[0] <= len(lines) else ""
    whole = lines[start[0] - 1 : end[0]]
    if not whole:
        return ""
    last = whole[-1][: end[1]] if end[0] <= len(lines) else whole[-1]
    return whole[0][start[1] :] + "".join(whole[1:-1]) + (last if len(whole) > 1 else "")


def _marked(token: tokenize.TokenInfo) -> str:
    kind = "s" if token.type in _FSTRING else _KINDS.get(token.type, "")
    if token.type == tokenize.NAME:
        kind = "k" if keyword.iskeyword(token.string) else "b" if token.string in _BUILTINS else ""
    return element("span", token.string, class_=kind) if kind else token.string
