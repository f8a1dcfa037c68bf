"""A model's reply → the code to run, or the answer, or one sentence to ask back with.

Code comes in fences, tags, JSON, tool-call markup, native calls, or bare. Several blocks of a reply are one snippet.
What a model invents after its own code (an "Observation:", an output, a next user turn) is cut off and not believed.
"""

from __future__ import annotations

import ast
import html
import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from codeact.snippet.blocks import CALLS, Block, blocks_in, unfenced
from codeact.snippet.calls import codes_in, codes_in_markup, objects_in, unwrapped
from codeact.snippet.repair import acts, longest_python, looks_like_python, parse, repaired

EMPTY = "Your reply was empty. Write Python in a ```python block, or give your answer as text."
ONLY_THOUGHT = "Your reply held only thoughts. Write Python in a ```python block, or give your answer as text."
CUT_CODE = (
    "Your reply was cut by the length limit inside its code, so nothing was run. Write the code in smaller steps."
)
CUT_TEXT = "Your reply was cut by the length limit before any code or answer was complete. Write less."
NOT_PYTHON = "Only Python is run here, and your reply held {language} instead. Write it as Python in a ```python block."
INVENTED = (
    "No code was found in your reply, so nothing was run. Put Python into a ```python block and wait for its output."
)

TOO_LONG = (
    "Your reply has {length:,} characters, which is too long to act on. Send less: read files, compute values in code."
)

_LONGEST_REPLY, _LONGEST_UNMARKED = 400_000, 20_000  # characters; code without any mark around it is short
_SHELL = frozenset(
    {"bash", "sh", "shell", "zsh", "console", "cmd", "powershell", "javascript", "js", "sql", "r", "typescript"}
)
_SPOKEN = re.compile(
    r"<\|(?:channel|start|message|end|im_start|im_end|eot_id|eom_id|endoftext|end_of_text|return|call)\|>"
)
_THOUGHT = (
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
    "scratchpad",
    "analysis",
    "antThinking",
)
_THINKING = re.compile(rf"<({'|'.join(_THOUGHT)})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(rf"(?<![\"'\\`(])</(?:{'|'.join(_THOUGHT)})>(?![\"'`)])", re.IGNORECASE)
_INVENTED_LINE = re.compile(
    r"^[ \t>#*_]*(?:"
    r"(?:observations?|outputs?|results?|response|stdout|execution logs?|last output from code snippet"
    r"|(?:execution|tool|code|program|expected|console|python|actual)[ _](?:results?|outputs?|response)"
    r"|user|human|assistant|system|out ?\[\d*\])"
    r"(?:[ \t]*\([^)\n]*\))?[*_]*[ \t]*:[*_]*"
    r"|(?:observation|output|result|execution result)[*_]*[ \t]*$"
    r"|</?(?:observation|output|result|execution_result|execution_results|tool_response|tool_result|function_results?|stdout|user)>"
    r"|\[/?(?:INST|observation|output)\]"
    r"|`{3,}[ \t]*(?:output|stdout|text|console_output|tool_outputs?)[ \t]*$)",
    re.MULTILINE | re.IGNORECASE,
)
_REACT = re.compile(r"^[ \t]*action(?: input)?[ \t]*:", re.MULTILINE | re.IGNORECASE)
_LABEL = re.compile(
    r"^[ \t#*_]*(?:code|action input|python|python code|snippet)[*_]*[ \t]*:[*_]*[ \t]*\n?", re.M | re.I
)
_ANSWER_LABEL = re.compile(r"^[ \t#*_]*final[ _]answer[*_]*[ \t]*(?::[*_]*|\n)\s*(?=\S)", re.MULTILINE | re.IGNORECASE)
_ANSWER_FIRST = re.compile(r"\A[ \t#*_]*answer[*_]*[ \t]*:[*_]*[ \t]*", re.IGNORECASE)
_SHORTEST_HAND_OVER = 20  # characters: "Here is the query:" is about the shortest that hands something over
_INTENTION = re.compile(
    r"\b(?:let me|let's|let us|i will|i'll|i am going to|i'm going to|i need to|i should|i can|i want to|we need to"
    r"|we will|we'll|we can|first|next|then|now|to start|thoughts?:|action:)",
    re.IGNORECASE,
)
_ANSWER_TAG = re.compile(r"<(final_answer|answer)>\s*(.*?)\s*(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Understood:
    """What a reply means: exactly one of `code`, `answer` and `ask_back` is set.

    `kept` is the reply as it is to be remembered: without thoughts, and without what was invented after the code.
    """

    code: str = ""
    answer: str | None = None
    ask_back: str = ""
    kept: str = ""


def understand(
    text: str, *, calls: Sequence[str] = (), truncated: bool = False, tools: Collection[str] = ()
) -> Understood:
    """Tell what a reply means; `calls` holds the code of native calls, `tools` the names a bare call may be of."""
    if len(text) > _LONGEST_REPLY:
        return _asked(TOO_LONG.format(length=len(text)), text[:1_000])
    spoken = _without_thoughts(_without_marks(text))
    if any(call.strip() for call in calls):
        return _of_calls(spoken, calls, truncated=truncated)
    if not spoken.strip():
        return _asked(CUT_TEXT if truncated else ONLY_THOUGHT if text.strip() else EMPTY, text)
    blocks = _code_blocks(spoken)
    if not blocks and re.search(r"&lt;(?:execute_python|code|python|tool_call)&gt;", spoken):
        spoken = html.unescape(spoken)
        blocks = _code_blocks(spoken)
    blocks = blocks or _unmarked(spoken, tools)
    if blocks:
        return _of_blocks(spoken, blocks, truncated=truncated)
    return _of_text(spoken, truncated=truncated)


def _without_marks(text: str) -> str:
    """Give the text without the special tokens of chat templates that some servers let through."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    if "<|" not in text:
        return text
    if final := list(re.finditer(r"<\|channel\|>\s*(?:final|commentary)[^<]*<\|message\|>", text)):
        text = text[final[-1].end() :]
    text = re.split(r"<\|im_start\|>\s*user|<\|start_header_id\|>\s*user", text)[0]
    return _SPOKEN.sub("", re.sub(r"<\|start_header_id\|>\s*assistant\s*<\|end_header_id\|>", "", text))


def _without_thoughts(text: str) -> str:
    """Give the text without thoughts; marks inside a block of code are code and stay."""
    if "</" in text and (end := list(_END_OF_THOUGHT.finditer(text))):
        first = re.search(rf"<(?:{'|'.join(_THOUGHT)})>", text, re.IGNORECASE)
        if first is None or first.start() > end[0].start():  # opened in the prompt, closed in the reply
            text = text[end[0].end() :]
    kept, at = [], 0
    while found := _THINKING.search(text, at):
        inside = next(
            (block for block in blocks_in(text[at:]) if at + block.start < found.start() < at + block.end), None
        )
        if inside is None:
            kept.append(text[at : found.start()])
            at = found.end()
        else:
            kept.append(text[at : at + inside.end])
            at += inside.end
    return "".join([*kept, text[at:]])


def _code_blocks(text: str) -> list[Block]:
    """Give the blocks to run: those marked as code, else JSON that asks for code."""
    if text.lstrip()[:1] in ("{", "[") and (found := _json_blocks(text)):
        return found
    found = []
    for block in blocks_in(text):
        if block.python:
            found.append(block)
        elif block.language in CALLS or block.language in ("json", "xml"):
            found += [replace(block, source=code) for code in codes_in_markup(block.source)]
        elif not block.language:
            found += _of_bare(block)
    return found or _json_blocks(text)


def _of_bare(block: Block) -> list[Block]:
    if codes := [code for value, _, _ in objects_in(block.source) for code in codes_in(value)]:
        return [replace(block, source=code) for code in codes]
    tree = parse(repaired(block.source))
    if (tree is not None and acts(tree)) or (tree is None and looks_like_python(block.source)):
        return [block]
    return []


def _json_blocks(text: str) -> list[Block]:
    whole = [(codes_in(value), start, end) for value, start, end in objects_in(text)]
    found = [Block("python", code, start, end) for codes, start, end in whole for code in codes]
    if not whole and re.match(
        r'\s*\{\s*"(?:thoughts?|code|name|tool|action)"\s*:', text
    ):  # JSON cut short or badly escaped
        found = [Block("python", code, 0, len(text), closed=False) for code in codes_in_markup(text) if code.strip()]
    return found


def _unmarked(text: str, tools: Collection[str]) -> list[Block]:
    """Give code that stands there without any mark: after a label, or as the last paragraphs of the reply."""
    visible = _until_invented(text)
    if len(visible) > _LONGEST_UNMARKED:
        return []
    for label in itertools.islice(_LABEL.finditer(visible), 5):
        tree = parse(repaired(visible[label.end() :]))
        if tree is not None and acts(tree):
            return [Block("python", visible[label.end() :], label.start(), len(visible))]
    starts = [0, *(found.end() for found in re.finditer(r"\n[ \t]*\n", visible))][:20]
    starts += [found.end() for found in re.finditer(r"\n", visible)][:40]
    for start in starts:
        source = repaired(visible[start:])
        if (tree := parse(source)) is not None and _meant_to_run(tree, tools, whole=start == 0):
            return [Block("python", visible[start:], start, len(visible))]
    return []


def _meant_to_run(tree: ast.Module, tools: Collection[str], *, whole: bool) -> bool:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {node.func.id for node in calls if isinstance(node.func, ast.Name)}
    if names & {"print", "final_answer", *tools}:
        return True
    if len(tree.body) < 2:
        given = [*calls[0].args, *(pair.value for pair in calls[0].keywords)] if calls else []
        return whole and any(isinstance(node, ast.Constant) for node in given) and not _in_sentence(tree)
    return bool(calls) and any(isinstance(node, ast.Import | ast.ImportFrom | ast.Assign) for node in tree.body)


def _in_sentence(tree: ast.Module) -> bool:
    return not isinstance(tree.body[0], ast.Expr | ast.Assign)


def _of_blocks(text: str, blocks: list[Block], *, truncated: bool) -> Understood:
    first = blocks[0]
    invented = _INVENTED_LINE.search(text, first.end) if first.end < len(text) else None
    believed = [block for block in blocks if invented is None or block.start < invented.start()]
    last = believed[-1]
    if not last.closed:
        if truncated:
            return _asked(CUT_CODE, text[: first.start].strip())
        believed[-1] = replace(last, source=longest_python(_until_invented(last.source)))
    code = _joined([_ready(block.source) for block in believed])
    if not code.strip():
        return _asked(CUT_TEXT if truncated else EMPTY, text)
    kept = text[: last.end] if last.closed else text[: last.start] + f"```python\n{believed[-1].source.strip()}\n```"
    return Understood(code=code, kept=kept.strip())


def _until_invented(source: str) -> str:
    """Give unclosed code up to where the model begins to invent its output; a line inside a string is none."""
    for found in _INVENTED_LINE.finditer(source, 1):
        if source[: found.start()].strip() and parse(repaired(source[: found.start()])) is not None:
            return source[: found.start()]
    return source


def _ready(source: str) -> str:
    """Give the code of a block without what may still be wrapped around it."""
    return unwrapped(repaired(unfenced(source)))


def _joined(codes: list[str]) -> str:
    """Give the blocks as one snippet; a block that a later one repeats in whole is left out."""
    trimmed = [code.strip("\n").rstrip() for code in codes]
    kept = []
    for index, code in enumerate(trimmed):
        repeated = any(later == code or later.startswith(code + "\n") for later in trimmed[index + 1 :])
        if code.strip() and not repeated:
            kept.append(code)
    return "\n\n".join(kept)


def _of_calls(text: str, calls: Sequence[str], *, truncated: bool) -> Understood:
    code = _joined([_ready(call) for call in calls])
    if truncated and parse(code) is None:
        return _asked(CUT_CODE, text)
    said = text.strip() if not _code_blocks(text) else ""
    return Understood(code=code, kept=f"{said}\n\n```python\n{code}\n```".strip())


def _of_text(text: str, *, truncated: bool) -> Understood:
    if truncated:
        return _asked(CUT_TEXT, text)
    if _REACT.search(text) and _INVENTED_LINE.search(text):
        return _asked(INVENTED, text[: _REACT.search(text).start()])  # type: ignore[union-attr]  # found the line before
    others = list(blocks_in(text))
    if others and _wants_it_run(text, others[-1]):
        return _asked(NOT_PYTHON.format(language=others[-1].language), text)
    return Understood(answer=_answer(text), kept=text.strip())


def _wants_it_run(text: str, last: Block) -> bool:
    """Tell whether code of another language ends the reply as an act; words that hand it over make it an answer."""
    if last.language not in _SHELL or text[last.end :].strip():
        return False
    before = text[: last.start].strip()
    return len(before) < _SHORTEST_HAND_OVER or bool(_INTENTION.search(before))


def _answer(text: str) -> str:
    if tagged := _ANSWER_TAG.search(text):
        return tagged[2]
    if label := list(_ANSWER_LABEL.finditer(text)):
        text = text[label[-1].end() :]
    return _ANSWER_FIRST.sub("", text.strip()).strip()


def _asked(sentence: str, kept: str) -> Understood:
    return Understood(ask_back=sentence, kept=kept.strip())
