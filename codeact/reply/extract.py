"""A model's reply → the code to run, or the answer, or one sentence to ask back with.

Code comes in fences, tags, JSON, tool-call markup, native calls, or bare. Several blocks of a reply are one snippet.
What a model invents after its own code (an "Observation:", an output, a next user turn) is cut off and not believed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from codeact.reply.blocks import CALLS, Block, blocks_in, unfenced
from codeact.reply.calls import codes_in, codes_in_markup, objects_in, unwrapped
from codeact.reply.invented import invented_from, until_invented
from codeact.reply.notations import noted, tag_calls
from codeact.reply.react import ACTION
from codeact.reply.repair import acts, longest_python, looks_like_python, parse, repaired
from codeact.reply.templates import without_marks, without_thoughts
from codeact.reply.unmarked import only_defines, unmarked, whole

EMPTY = "Your reply was empty. Write Python in a ```python block, or give your answer as text."
ONLY_THOUGHT = "Your reply held only thoughts. Write Python in a ```python block, or give your answer as text."
CUT_CODE = (
    "Your reply was cut by the length limit inside its code, so nothing was run. Write the code in smaller steps."
)
BROKEN_OFF = "Your reply broke off inside its code, so nothing was run. Send the code again, whole."
CUT_TEXT = "Your reply was cut by the length limit before any code or answer was complete. Write less."
NOT_PYTHON = "Only Python is run here, and your reply held {language} instead. Write it as Python in a ```python block."
UNREADABLE = "Your tool call could not be read, so nothing was run. Put Python into a ```python block instead."
INVENTED = (
    "No code was found in your reply, so nothing was run. Put Python into a ```python block and wait for its output."
)

TOO_LONG = (
    "Your reply has {length:,} characters, which is too long to act on. Send less: read files, compute values in code."
)

_LONGEST_REPLY = 400_000  # characters
_FOREIGN = frozenset(
    {"bash", "sh", "shell", "zsh", "console", "cmd", "powershell", "javascript", "js", "sql", "r", "typescript", "diff",
     "patch"}
)  # fmt: skip
_ANSWER_LABEL = re.compile(r"^[ \t#*_]*final[ _]answer[*_]*[ \t]*(?::[*_]*|\n)\s*(?=\S)", re.MULTILINE | re.IGNORECASE)
_ANSWER_FIRST = re.compile(r"\A[ \t#*_]*answer[*_]*[ \t]*:[*_]*[ \t]*", re.IGNORECASE)
_SHORTEST_HAND_OVER = 20  # characters: "Here is the query:" is about the shortest that hands something over
_INTENTION = re.compile(
    r"\b(?:let me|let's|let us|i will|i'll|i am going to|i'm going to|i need to|i should|i can|i want to|we need to"
    r"|we will|we'll|we can|first|next|then|now|to start|thoughts?:|action:)",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\b(?:for (?:example|instance)|example of|e\.g\.|is used like|used like this|such as|instead of|rather than"
    r"|do(?: not|n't)|wrong|incorrect|previous(?:ly)? (?:code|attempt)|typical usage|usage:|would look like)",
    re.IGNORECASE,
)
_BOUND = re.compile(r"^\s*(?:def |class |import |from \w+ import |(?=\w+\s*=[^=]))(\w+)", re.MULTILINE)
_CUT_JSON = re.compile(  # its last value has no end, so nobody knows where the code would have ended
    r'\s*(?:```(?:json|tool_call)?|<tool\w*>)?\s*\[?\s*\{\s*"\w+"\s*:.*[^\s"}\]>`)]\s*\Z', re.DOTALL
)
_STRAY_END = re.compile(r"\s*(?:</\w+>|`{2,})\s*\Z")  # of another mark than the one that was opened
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
    spoken = without_thoughts(without_marks(text))
    if any(call.strip() for call in calls):
        return _of_calls(spoken, calls, truncated=truncated)
    if not spoken.strip():
        return _asked(CUT_TEXT if truncated else ONLY_THOUGHT if text.strip() else EMPTY, text)
    blocks = whole(spoken, tools) or _code_blocks(spoken)
    if not blocks and re.search(r"&lt;(?:execute_python|code|python|tool_call)&gt;", spoken):
        spoken = html.unescape(spoken)
        blocks = _code_blocks(spoken)
    blocks = blocks or noted(spoken) or tag_calls(spoken, tools) or unmarked(spoken, tools)
    if blocks and not _handed_over(spoken, blocks):
        return _of_blocks(spoken, blocks, truncated=truncated)
    return _of_text(spoken, truncated=truncated)


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
    return _without_examples(text, found) or _json_blocks(text)


def _of_bare(block: Block) -> list[Block]:
    block = replace(block, source=unfenced(block.source))
    if codes := [code for value, _, _ in objects_in(block.source) for code in codes_in(value)]:
        return [replace(block, source=code) for code in codes]
    tree = parse(repaired(block.source))
    if (tree is not None and acts(tree)) or (tree is None and looks_like_python(block.source)):
        return [block]
    return []


def _without_examples(text: str, blocks: list[Block]) -> list[Block]:
    """Leave out a block that is shown as an example before the code that is meant, and gives that code nothing."""
    kept = blocks[-1:]
    for index in range(len(blocks) - 2, -1, -1):
        block = blocks[index]
        lead = text[blocks[index - 1].end if index else 0 : block.start].strip().rpartition("\n")[2]
        given = _BOUND.findall(block.source)
        used = any(re.search(rf"\b{name}\b", later.source) for name in given for later in kept)
        if used or not _EXAMPLE.search(lead):
            kept.insert(0, block)
    return kept


def _json_blocks(text: str) -> list[Block]:
    values = [(codes_in(value), start, end) for value, start, end in objects_in(text)]
    found = [Block("python", code, start, end) for codes, start, end in values for code in codes]
    if not values and re.match(
        r'\s*\{\s*"(?:thoughts?|code|name|tool|action)"\s*:', text
    ):  # JSON cut short or badly escaped
        found = [Block("python", code, 0, len(text), closed=False) for code in codes_in_markup(text) if code.strip()]
    return found


def _handed_over(text: str, blocks: list[Block]) -> bool:
    """Tell whether the code is (part of) the final answer: what stands under that label and only defines things."""
    label = next((found for found in _ANSWER_LABEL.finditer(text) if found.start() < blocks[0].start), None)
    return label is not None and all(only_defines(block.source) for block in blocks)


def _of_blocks(text: str, blocks: list[Block], *, truncated: bool) -> Understood:
    first = blocks[0]
    invented = invented_from(text, first.end) if first.end < len(text) else None
    believed = [block for block in blocks if invented is None or block.start < invented]
    last = believed[-1]
    if not last.closed:
        source = longest_python(until_invented(_STRAY_END.sub("", last.source)))
        if truncated or parse(repaired(source)) is None or _CUT_JSON.match(text, last.start):
            return _asked(CUT_CODE if truncated else BROKEN_OFF, text[: first.start].strip())
        believed[-1] = replace(last, source=source)
    code = _joined([_ready(block.source) for block in believed])
    if not code.strip():
        return _asked(CUT_TEXT if truncated else EMPTY, text)
    kept = text[: last.end] if last.closed else text[: last.start] + f"```python\n{believed[-1].source.strip()}\n```"
    return Understood(code=code, kept=kept.strip())


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
    if truncated:  # what is left of the code may be Python as well, and half of what was to happen
        return _asked(CUT_CODE, text)
    code = _joined([_ready(call) for call in calls])
    said = text.strip() if not _code_blocks(text) else ""
    return Understood(code=code, kept=f"{said}\n\n```python\n{code}\n```".strip())


def _of_text(text: str, *, truncated: bool) -> Understood:
    if truncated:
        return _asked(CUT_TEXT, text)
    if (action := ACTION.search(text)) and invented_from(text) is not None:
        return _asked(INVENTED, text[: action.start()])
    others = list(blocks_in(text))
    if any(block.language in CALLS for block in others):
        return _asked(UNREADABLE, text)
    if others and _wants_it_run(text, others[-1]):
        return _asked(NOT_PYTHON.format(language=others[-1].language), text)
    return Understood(answer=_answer(text), kept=text.strip())


def _wants_it_run(text: str, last: Block) -> bool:
    """Tell whether code of another language ends the reply as an act; words that hand it over make it an answer."""
    if last.language not in _FOREIGN or text[last.end :].strip():
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
