"""Code in the marks of other notations than Markdown, and calls of tools written as tags.

#+begin_src python … #+end_src   →  ```python … ```
<search><query>x</query></search>  →  search(query='x')
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection

from codeact.reply.blocks import Block
from codeact.reply.calls import code_of_call
from codeact.reply.repair import parse

# What stands around code in Org, BBCode, Jira, Jekyll, full-width marks, a YAML fence, and TOML
_NOTATIONS = tuple(
    re.compile(pattern, re.DOTALL | re.MULTILINE | re.IGNORECASE)
    for pattern in (
        r"^[ \t]*#\+begin_src[ \t]+python\b[^\n]*\n(?P<code>.*?)^[ \t]*#\+end_src\b[^\n]*$",
        r"\[code=[\"']?(?:python|py)[\"']?\]\n?(?P<code>.*?)\[/code\]",
        r"\{code:(?:language=)?python[^}\n]*\}\n(?P<code>.*?)\{code\}",
        r"\{%-?[ ]*highlight[ ]+python[^%\n]*%\}\n(?P<code>.*?)\{%-?[ ]*endhighlight[ ]*-?%\}",
        r"^\uff40{3}(?:python|py)\n(?P<code>.*?)^\uff40{3}[ \t]*$",
        r"^```ya?ml\n(?:[^`\n]*\n){0,20}?code:[ \t]*\|[-+]?\n(?P<code>(?:[ \t]+[^\n]*\n|\n)*)```",
        r"\A\s*(?:thoughts?[ \t]*=[ \t]*\"[^\"\n]*\"\s*\n)?code[ \t]*=[ \t]*(?P<marks>\"{3}|'{3})\n?"
        r"(?P<code>.*?)(?P=marks)\s*\Z",
    )
)
_LONGEST = 20_000  # characters; code in such marks is short
_PAIR = re.compile(r"\s*<(?P<name>\w+)>(?P<value>.*?)</(?P=name)>\s*", re.DOTALL)
_ATTRIBUTE = re.compile(r"\s*(?P<name>\w+)=(?P<marks>[\"'])(?P<value>.*?)(?P=marks)\s*", re.DOTALL)


def noted(text: str) -> list[Block]:
    """Give the blocks of code in the marks of another notation."""
    if len(text) > _LONGEST:
        return []
    found = [match for notation in _NOTATIONS for match in notation.finditer(text)]
    found.sort(key=lambda match: match.start())
    return [Block("python", match["code"], match.start(), match.end()) for match in found]


def tag_calls(text: str, tools: Collection[str]) -> list[Block]:
    """Give the calls of known tools that are written as tags, what they are given as attributes or as tags inside."""
    if not tools or len(text) > _LONGEST or not ("/>" in text or "</" in text):
        return []
    names = "|".join(map(re.escape, sorted(tools)))
    tag = re.compile(
        rf"^[ \t]*(?:<(?P<alone>{names})(?P<attributes>\s[^<>]*?)/>"
        rf"|<(?P<name>{names})>(?P<inside>.*?)</(?P=name)>"
        rf"|<tool\s+name=[\"'](?P<named>{names})[\"']\s*>(?P<children>.*?)</tool>)[ \t]*$",
        re.MULTILINE | re.DOTALL,
    )
    blocks = []
    for found in tag.finditer(text):
        name = found["alone"] or found["name"] or found["named"]
        given = found["attributes"] or found["inside"] or found["children"] or ""
        pairs = _pairs(_ATTRIBUTE if found["alone"] else _PAIR, given)
        source = code_of_call(name, pairs) if pairs else ""
        if source and parse(source) is not None:
            blocks.append(Block("python", source, found.start(), found.end()))
    return blocks


def _pairs(form: re.Pattern[str], given: str) -> dict[str, str]:
    """Give the arguments, where all of the text is made of them."""
    if form.sub("", given).strip():
        return {}
    return {pair["name"]: html.unescape(pair["value"].strip()) for pair in form.finditer(given)}
