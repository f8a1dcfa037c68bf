"""A reply's blocks: fences and tags, where they start, where they end, and what they hold."""

from __future__ import annotations

import html
import json
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from codeact.reply.repair import acts, longest_python, parse

PYTHON = frozenset(
    {
        "python",
        "py",
        "python3",
        "py3",
        "ipython",
        "ipython3",
        "jupyter",
        "pycon",
        "tool_code",
        "tool-code",
        "repl",
        "python-exec",
        "python_exec",
        "python-repl",
        "python_repl",
        "python-run",
    }
)
CALLS = frozenset({"tool_call", "tool_calls", "tool", "function_call"})
_TAGS = (
    "execute_python",
    "execute_ipython",
    "execute_ipython_cell",
    "run_python",
    "execute",
    "tool_code",
    "python",
    "code",
)
_CALL_TAGS = ("tool_call", "tool_calls", "function_call", "function_calls", "tool_use")
# marks that may hold code or something else: what opens them → what closes them
_LOOSE = (
    (r"<pre(?:\s[^<>\n]*)?>", "</pre>"),
    (r"(?<![^\n])'''(?:python|py)(?=\n)", "\n'''"),  # the wrong marks for a fence
    (r'(?<![^\n])"""(?:python|py)(?=\n)', '\n"""'),
    (r"(?<![^\n])``(?:python|py)(?=\n)", "\n``"),
    (r"(?<![^\n`])`(?:python|py)(?=\n)", "\n`"),
    (r"(?<![^\n])(?:python|py)```(?=\n)", "\n```"),
    (r"\[CODE\]", "[/CODE]"),
    (r"\[PYTHON\]", "[/PYTHON]"),
    (r"\\begin\{lstlisting\}(?:\[[^\]\n]*\])?", r"\end{lstlisting}"),
    (r"\\begin\{minted\}(?:\[[^\]\n]*\])?\{python\}", r"\end{minted}"),
)
# any other tag that stands at the beginning of a line, but for those that say what is no code
_NO_CODE = ("answer", "final_answer", "plan", "summary", "result", "output", "b", "i", "p", "li", "td", "em", "h[1-6]")
_LOOSE_TAG = rf"(?<![^\n])<(?!(?:{'|'.join((*_NO_CODE, *_TAGS, *_CALL_TAGS))})[\s>])[a-z][\w:-]*(?:\s[^<>\n]*)?>"
_MOST_BLOCKS = 200  # a reply that begins more is a model repeating itself
_MOST_ENDS = 12  # closings tried for one block; past that the first one is taken

_ANY_TAG = re.compile(r"</?[a-zA-Z]\w*>")
_WRAPPED = re.compile(rf"\s*<({'|'.join(_TAGS)})(?:\s[^<>\n]*)?>(.*)</\1>\s*", re.DOTALL | re.IGNORECASE)

_OPENING = re.compile(
    rf"""
      (?P<loose>{"|".join(opening for opening, _ in _LOOSE)})
    | (?P<named>{_LOOSE_TAG})
    | (?P<marks>`{{3,}}|~{{3,}})[ \t]*(?P<info>[^\n`]*)
    | <(?P<tag>{"|".join((*_TAGS, *_CALL_TAGS))})(?:\s[^<>\n]*)?>
    | <function=\w+> | <invoke\ name=
    | <\|(?:python_tag|interpreter)\|>
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the reply: `language` is "" for a bare fence; `start` and `end` take in the marks around it."""

    language: str
    source: str
    start: int
    end: int
    closed: bool = True

    @property
    def python(self) -> bool:
        """True where the block says that it is Python."""
        return self.language in PYTHON


def blocks_in(text: str) -> Iterator[Block]:
    """Give the blocks of a reply in order."""
    at, left = 0, _MOST_BLOCKS
    while left and (found := _OPENING.search(text, at)):
        left -= 1
        read = _fence if found["marks"] else _loose if found["loose"] or found["named"] else _tagged
        block = read(text, found)
        if block is None:
            at = found.end()
            continue
        yield block
        at = max(block.end, found.end())


def _language(info: str) -> str:
    word = re.match(r"\{?\.?([\w+#-]*)", info.strip())
    return word[1].lower() if word else ""


def _fence(text: str, opening: re.Match[str]) -> Block | None:
    marks, info, start = opening["marks"], opening["info"], opening.start("marks")
    language = _language(info)
    line_start = text.rfind("\n", 0, start) + 1
    at_line_start = not text[line_start:start].strip(" \t>*-0123456789.")
    one_line = re.compile(r"[ \t]*(\S[^\n]*?)" + re.escape(marks)).match(text, opening.start("info") + len(language))
    if one_line and language in PYTHON and (parse(one_line[1]) is not None or at_line_start):
        return Block(language, one_line[1], start, one_line.end())
    if not at_line_start and (language not in PYTHON or one_line):
        return None  # marks inside a sentence
    body = opening.end() + 1
    if language in PYTHON and (rest := info.strip()[len(language) :].strip()) and parse(rest) and "=" not in info:
        body = opening.start("info") + info.index(rest)  # code begins on the line of the marks
    quoted = text[line_start:start].strip().startswith(">")
    return _closed_fence(text, marks, Block(language, "", start, body), quoted=quoted)


def _closed_fence(text: str, marks: str, block: Block, *, quoted: bool) -> Block:
    sign, fewest = re.escape(marks[0]), len(marks)
    closing = re.compile(
        rf"^(?P<in>[ \t>]*){sign}{{{fewest},}}(?P<info>[^\n]*)$|(?<=[^\s`~])[ \t]*{sign}{{{fewest}}}[ \t]*$",
        re.MULTILINE,
    )
    ends = []
    for found in closing.finditer(text, block.end):
        ends.append(found)
        source = _inside(text[block.end : found.start()], quoted=quoted)
        if _complete(source, block.language) or len(ends) >= _MOST_ENDS:
            break
        if block.language and not block.python and block.language != "json":
            break
    else:
        rest = _inside(text[block.end :], quoted=quoted)
        if not ends or (block.python and _complete(rest, block.language)):
            return Block(block.language, rest, block.start, len(text), closed=False)
    end = ends[-1] if _complete(_inside(text[block.end : ends[-1].start()], quoted=quoted), block.language) else ends[0]
    source = _inside(text[block.end : end.start()], quoted=quoted)
    info = (end["info"] or "").strip()
    opens = bool(info) and _language(info) != "" and not info.startswith("<")  # the next block's opening ends this one
    if opens:
        source = longest_python(source)
    return Block(block.language, source, block.start, end.start() if opens else end.end())


def _inside(source: str, *, quoted: bool) -> str:
    return re.sub(r"^[ \t]*> ?", "", source, flags=re.MULTILINE) if quoted else source


def _complete(source: str, language: str) -> bool:
    if language == "json":
        try:
            json.loads(source, strict=False)
        except ValueError:
            return False
        return True
    if (language != "" and language not in PYTHON) or parse(textwrap.dedent(source)) is not None:
        return True
    return "&" in source and parse(textwrap.dedent(html.unescape(source))) is not None


def _tagged(text: str, opening: re.Match[str]) -> Block | None:
    tag = (opening["tag"] or "").lower()
    body = opening.end()
    if opening[0].startswith("<|"):
        return Block("python", text[body:], opening.start(), len(text))
    if not tag or tag in _CALL_TAGS:
        end = _first_end(text, body, _CALL_TAGS) if tag else _first_end(text, body, ("function", "invoke"))
        start = body if tag else opening.start()
        stop = end.start() if end and tag else end.end() if end else len(text)
        return Block("tool_call", text[start:stop], opening.start(), end.end() if end else len(text), closed=bool(end))
    if tag in ("code", "python", "execute") and _mentioned(text, opening, tag):
        return None
    family = "|".join(_TAGS)
    ends = list(re.finditer(rf"</(?:{tag})>", text[body:], re.IGNORECASE))
    ends = ends or list(re.finditer(rf"</(?:{family})>", text[body:], re.IGNORECASE))
    if not ends:
        return Block("python", unfenced(text[body:]), opening.start(), len(text), closed=False)
    whole = (end for end in ends[:_MOST_ENDS] if parse(unfenced(text[body : body + end.start()])) is not None)
    end = next(whole, ends[0])
    return Block("python", unfenced(text[body : body + end.start()]), opening.start(), body + end.end())


def _loose(text: str, opening: re.Match[str]) -> Block | None:
    """Give a block that says nothing of its language; None where its end is not there."""
    if opening["named"]:
        return _named(text, opening)
    closing = next(
        closing for start, closing in _LOOSE if re.compile(start, re.IGNORECASE).match(text, opening.start())
    )
    end = re.compile(re.escape(closing), re.IGNORECASE).search(text, opening.end())
    if end is None:
        return None
    return Block("", unfenced(text[opening.end() : end.start()]), opening.start(), end.end())


def _named(text: str, opening: re.Match[str]) -> Block | None:
    """Give what a tag of the model's own holds, where all of it is code that does something."""
    name = re.escape(opening["named"][1:].split()[0].rstrip(">"))
    end = re.compile(rf"</{name}>[ \t]*$", re.MULTILINE | re.IGNORECASE).search(text, opening.end())
    source = text[opening.end() : end.start()] if end is not None else ""
    tree = parse(textwrap.dedent(source).strip())
    if end is None or tree is None or not acts(tree):
        return None
    return Block("", source, opening.start(), end.end())


def _first_end(text: str, body: int, tags: tuple[str, ...]) -> re.Match[str] | None:
    return re.compile(rf"</(?:{'|'.join(tags)})>").search(text, body)


def _mentioned(text: str, opening: re.Match[str], tag: str) -> bool:
    """Tell whether `<code>x</code>` stands inside a sentence, as a word of it."""
    end = re.compile(rf"</{tag}>", re.IGNORECASE).search(text, opening.end())
    before = text[text.rfind("\n", 0, opening.start()) + 1 : opening.start()]
    if end is None:
        return bool(before.strip()) and not text[opening.end() :].startswith("\n")
    if "\n" in text[opening.end() : end.start()]:
        return False
    line_end = text.find("\n", end.end())
    after = text[end.end() : line_end if line_end >= 0 else len(text)]
    return bool(_ANY_TAG.sub("", before).strip() or _ANY_TAG.sub("", after).strip())


def unfenced(source: str) -> str:
    """Give what is inside a fence where a tag holds one."""
    source = re.sub(r"\A\s*<!\[CDATA\[|\]\]>\s*\Z", "", source)
    if inner := _WRAPPED.fullmatch(source):
        source = inner[2]
    if not re.match(r"\s*(?:`{3,}|~{3,})", source):
        return source
    held = [block.source for block in blocks_in(source.strip()) if block.python or not block.language]
    return "\n\n".join(held) if held else source
