"""Code that stands in a reply without any mark around it: as all of it, after a label, indented, or as a paragraph."""

from __future__ import annotations

import ast
import builtins
import itertools
import re
from collections.abc import Collection
from dataclasses import replace

from codeact.reply.blocks import Block
from codeact.reply.calls import RUNNERS
from codeact.reply.invented import until_invented
from codeact.reply.react import call_in, next_thought
from codeact.reply.repair import acts, has_prompts, looks_like_python, parse, repaired

_LONGEST = 20_000  # characters; code without any mark around it is short
_LABELS = (
    "code", "action input", "python", "python code", "snippet", "código", "code python", "код",
    "代码", "代碼", "コード", "코드",
)  # fmt: skip
_LABEL = re.compile(
    rf"^[ \t#*_]*(?:{'|'.join(_LABELS)})[*_]*[ \t]*[:\uff1a][*_]*[ \t]*(?:\|[-+]?[ \t]*)?\n?",
    re.MULTILINE | re.IGNORECASE,
)
_INDENTED = re.compile(r"(?:^(?: {4,}|\t).*\n?(?:^[ \t]*\n)*)+", re.MULTILINE)
_TICKED = re.compile(r"\A\s*(`{1,2})([^`]+)\1\s*\Z")
_DOING = ast.For | ast.While | ast.With | ast.FunctionDef | ast.ClassDef | ast.If | ast.Try
_COMPUTING = frozenset(name for name in dir(builtins) if name.islower()) - {"help", "exit", "quit"}
_DEFINING = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom


def only_defines(source: str) -> bool:
    """Tell whether code defines functions and classes and does nothing with them."""
    tree = parse(repaired(source))
    return tree is not None and bool(tree.body) and all(isinstance(node, _DEFINING) for node in tree.body)


def whole(text: str, tools: Collection[str]) -> list[Block]:
    """Give the reply as one block where all of it, or all after a label, is code, whatever marks its strings hold."""
    if len(text) > _LONGEST:
        return []
    starts = [*(label.end() for label in itertools.islice(_LABEL.finditer(text), 5)), 0]
    for start in starts:
        tree = parse(repaired(text[start:]) if has_prompts(text[start:]) else text[start:])
        if tree is not None and len(tree.body) > 1 and _meant_to_run(tree, tools, whole=True):
            return [Block("python", text[start:], 0 if start == 0 else start, len(text))]
    return []


def unmarked(text: str, tools: Collection[str]) -> list[Block]:
    """Give code that stands there without any mark: after a label, as an action, or as paragraphs of the reply."""
    visible = until_invented(text)
    if len(visible) > _LONGEST:
        return []
    if call := call_in(visible, tools):
        return [Block("python", call, 0, len(visible))]
    if ticked := _TICKED.match(_LABEL.sub("", visible, count=1)):
        return [replace(block, start=0, end=len(visible)) for block in unmarked(ticked[2], tools)]
    for label in itertools.islice(_LABEL.finditer(visible), 5):
        source = _until_answered(visible[label.end() :])
        tree = parse(repaired(source))
        if tree is not None and acts(tree):
            return [Block("python", source, label.start(), label.end() + len(source))]
    return _paragraphs(visible, tools) or _indented(visible, tools) or _announced(visible, tools)


def _until_answered(source: str) -> str:
    """Give code up to where the model goes on as if it had been run: an observation, a next thought."""
    source = until_invented(source)
    end = next_thought(source)
    return source if end is None or parse(repaired(source[:end])) is None else source[:end]


def _paragraphs(visible: str, tools: Collection[str]) -> list[Block]:
    breaks = list(re.finditer(r"\n[ \t]*\n", visible))
    starts = [0, *(found.end() for found in breaks)][:20]
    starts += [found.end() for found in re.finditer(r"\n", visible)][:40]
    ends = [len(visible), *(found.start() for found in reversed(breaks[-3:]))]
    for end in ends:
        if looks_like_python(visible[end:].strip().partition("\n")[0]):
            continue  # what would be left out is code too
        for start in (start for start in starts if start < end and _may_begin(visible, start)):
            source = repaired(visible[start:end])
            if has_prompts(visible[start:end]) and parse(source) is not None:
                return [Block("python", visible[start:end], start, end)]
            if (tree := parse(source)) is not None and _meant_to_run(tree, tools, whole=start == 0):
                return [Block("python", visible[start:end], start, end)]
    return []


def _announced(visible: str, tools: Collection[str]) -> list[Block]:
    """Give the call of a known tool after a colon, where the reply ends with it: `Let me ask: search("x")`."""
    call = visible.rpartition(": ")[2].strip()
    if call.partition("(")[0] in tools and parse(call) is not None:
        return [Block("python", call, visible.rindex(call), len(visible))]
    return []


def _indented(visible: str, tools: Collection[str]) -> list[Block]:
    """Give the stretches set off by four spaces, as in Markdown."""
    found = []
    for stretch in itertools.islice(_INDENTED.finditer(visible), 20):
        if _inside_code(visible, stretch.start()):
            continue
        tree = parse(repaired(stretch[0]))
        if tree is not None and _meant_to_run(tree, tools, whole=False):
            found.append(Block("python", stretch[0], stretch.start(), stretch.end()))
    return found


def _may_begin(text: str, at: int) -> bool:
    """Tell whether code may begin here: at the beginning, or with a line of Python below one that is none."""
    line = text[at:].lstrip("\n").partition("\n")[0]
    return at == 0 or ((looks_like_python(line) or has_prompts(line)) and not _inside_code(text, at))


def _inside_code(text: str, at: int) -> bool:
    """Tell whether what stands before is code too: then what begins here is a part of it, not the whole."""
    return looks_like_python(text[:at].strip().rpartition("\n")[2])


def _meant_to_run(tree: ast.Module, tools: Collection[str], *, whole: bool) -> bool:
    if any(isinstance(node, ast.AnnAssign) and node.value is None for node in tree.body):
        return False  # `Thought: yes` parses, as an annotation
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {node.func.id for node in calls if isinstance(node.func, ast.Name)}
    if names & {"print", "final_answer", *tools, *RUNNERS}:
        return True
    if len(tree.body) < 2:
        given = [*calls[0].args, *(pair.value for pair in calls[0].keywords)] if calls else []
        told = any(isinstance(node, ast.Constant) for node in given) or bool(names & _COMPUTING)
        return whole and told and not _in_sentence(tree)
    setting = ast.Import | ast.ImportFrom | ast.Assign | _DOING
    return bool(calls) and any(isinstance(node, setting) for node in tree.body)


def _in_sentence(tree: ast.Module) -> bool:
    return not isinstance(tree.body[0], ast.Expr | ast.Assign)
