"""The old way to act: a line that names a tool, and one with what it is given.

Action: search                  →  search('weather in Oslo')
Action Input: weather in Oslo
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Collection

from codeact.reply.calls import RUNNERS, code_of_call
from codeact.reply.invented import invented_from
from codeact.reply.repair import parse

ACTION = re.compile(r"^[ \t*_#]*action[*_]*[ \t]*:[*_]*[ \t]*(?P<what>[^\n]*)", re.MULTILINE | re.IGNORECASE)
_INPUT = re.compile(r"^[ \t*_#]*action[ _]input[*_]*[ \t]*:[*_]*[ \t]*(?P<given>.*)", re.M | re.I | re.S)
_BRACKETS = re.compile(r"(?P<name>\w+)\[(?P<given>[^\]\n]*)\]\s*\Z")
_FINAL = ("final_answer", "finalanswer", "finish")


def call_in(text: str, tools: Collection[str]) -> str:
    """Give the call the first action line means, "" where it means none that can be made."""
    action = next(iter(ACTION.finditer(text)), None)
    if action is None:
        return ""
    what = action["what"].strip().strip("`*_ ")
    given = _INPUT.search(text, action.end())
    if given is not None:
        end = min(filter(None, (invented_from(given["given"]), next_thought(given["given"]))), default=None)
        return _called(what, given["given"][:end].strip(), tools)
    if brackets := _BRACKETS.fullmatch(what):
        return _called(brackets["name"], brackets["given"].strip(), tools) if brackets["name"] in tools else ""
    return what if "(" in what and what.partition("(")[0] in tools and parse(what) is not None else ""


def next_thought(given: str) -> int | None:
    """Give where the model goes on as if the call had been answered."""
    found = re.search(r"^[ \t*_#]*(?:thought|final answer|action)[*_]*[ \t]*:", given, re.MULTILINE | re.IGNORECASE)
    return found.start() if found else None


def _called(what: str, given: str, tools: Collection[str]) -> str:
    name = what.removeprefix("functions.").replace(" ", "_")
    if name.lower() in _FINAL:
        name = "final_answer"
    elif name.lower() in RUNNERS or not name.isidentifier() or keyword.iskeyword(name) or (tools and name not in tools):
        return ""
    given = re.sub(r"\A```\w*\n(.*?)\n?```\s*\Z", r"\1", given, flags=re.DOTALL)
    try:
        value = json.loads(given, strict=False)
    except ValueError:
        value = given
    if isinstance(value, dict):
        return code_of_call(name, value)
    return f"{name}({value!r})" if given else f"{name}()"
