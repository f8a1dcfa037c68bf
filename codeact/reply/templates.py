"""What chat templates leave in a reply: special tokens, thoughts, and the tool calls of models that no server reads.

[TOOL_CALLS]look[ARGS]{"at": "x"}        →  <tool_call>{"name": "look", "arguments": {"at": "x"}}</tool_call>
<|channel|>final<|message|>42<|return|>  →  42
"""

from __future__ import annotations

import json
import re

from codeact.reply.blocks import blocks_in

_SPOKEN = re.compile(
    r"<\|(?:channel|start|message|end|im_start|im_end|eot_id|eom_id|endoftext|end_of_text|return|call"
    r"|tool_calls?(?:_section)?_(?:begin|end)|begin_of_text|action_(?:start|end))\|>"
    r"|<(?:end_code|end_action|end_of_turn|start_of_turn)>(?:model\b)?|<\uff5c[^\uff5c<>\n]{1,30}\uff5c>|(?:</s>|\[EOS\])\s*\Z"
)
_USER_TURN = re.compile(
    r"<\|im_start\|>\s*user|<\|start_header_id\|>\s*user|<start_of_turn>\s*user|<\uff5cUser\uff5c>|<\|start\|>\s*user"
)
_HARMONY = re.compile(
    r"<\|channel\|>\s*(?P<channel>final|commentary)(?P<to>[^<]*)(?:<\|constrain\|>[^<]*)?<\|message\|>"
)

# How a call looks, name and arguments, in the templates of Mistral, DeepSeek, Kimi, and the one line of others
_NATIVE = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"(?:\[TOOL_CALLS\])?(?P<name>\w+)(?:\[CALL_ID\]\w+)?\[ARGS\](?P<given>\{.*?\})\s*"
        r"(?=\[TOOL_CALLS\]|\w+\[ARGS\]|\[/|\Z)",
        r"<\uff5ctool▁call▁begin\uff5c>function<\uff5ctool▁sep\uff5c>(?P<name>\w+)\s*"
        r"(?:```(?:json)?\n)?(?P<given>.*?)(?:\n```)?\s*<\uff5ctool▁call▁end\uff5c>",
        r"<\uff5ctool▁call▁begin\uff5c>(?P<name>\w+)<\uff5ctool▁sep\uff5c>(?P<given>.*?)<\uff5ctool▁call▁end\uff5c>",
        r"<\|tool_call_begin\|>\s*(?:functions\.)?(?P<name>\w+)(?::\d+)?\s*"
        r"<\|tool_call_argument_begin\|>(?P<given>.*?)<\|tool_call_end\|>",
        r"<function=(?P<name>\w+)>\s*(?P<given>\{.*?\})\s*</function>",
    )
)
_LISTED = re.compile(r"\[TOOL_CALLS\]\s*(?=\[\s*\{|\{)")  # the older templates of Mistral
_ESCAPED = re.compile(r"\A\s*```(?:python|py)?\\n[^\n]*\Z")  # line ends written as two characters each
_MOST_CALLS = 50  # the patterns look far ahead; more is a model repeating itself
_NATIVE_MARKS = ("[ARGS]", "tool▁sep", "tool_call_argument_begin", "<function=")

_THOUGHT = (
    "think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad", "analysis", "antThinking",
    "seed:think",
)  # fmt: skip
_THINKING = re.compile(rf"<({'|'.join(_THOUGHT)})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(rf"(?<![\"'\\`(])</(?:{'|'.join(_THOUGHT)})>(?![\"'`)])", re.IGNORECASE)


def without_marks(text: str) -> str:
    """Give the text without the special tokens of chat templates, its native calls as `<tool_call>`s."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff\u200b")
    text = re.sub(r"\A\s*>>>(?:run_)?python\n", "", text)
    if text.lstrip().startswith(('"{', '"```')):
        text = _unquoted(text)
    if _ESCAPED.match(text):
        text = text.replace("\\n", "\n")
    text = re.sub(r"\A\s*functools(?=\[\{)", "", re.sub(r"(<\|python_tag\|>\s*\w+)\.call\(", r"\1(", text))
    if 0 < sum(text.count(mark) for mark in _NATIVE_MARKS) <= _MOST_CALLS:
        for pattern in _NATIVE:
            text = pattern.sub(lambda found: _as_tool_call(found["name"], found["given"]), text)
    if listed := _LISTED.search(text):
        text = text[: listed.start()] + _of_list(text[listed.end() :])
    if "<" not in text and "[" not in text:
        return text
    text = _USER_TURN.split(text)[0]
    if last := list(_HARMONY.finditer(text)):
        text = _of_channel(last[-1], text[last[-1].end() :])
    text = re.sub(
        r"<\|start_header_id\|>\s*assistant\s*<\|end_header_id\|>|<\|(?:im_)?start\|>\s*assistant\s*", "", text
    )
    return _SPOKEN.sub("", text)


def _unquoted(text: str) -> str:
    """Give the object inside a JSON text that holds one."""
    try:
        inner = json.loads(text, strict=False)
    except ValueError:
        return text
    return inner if isinstance(inner, str) else text


def _as_tool_call(name: str, given: str) -> str:
    """Give a call in the one form the rest of this room knows; arguments that are no JSON go along as they are."""
    try:
        arguments = json.loads(given, strict=False)
    except ValueError:
        arguments = given
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments}, ensure_ascii=False)}\n</tool_call>\n"


def _of_list(said: str) -> str:
    """Give calls that stand as a JSON list, each in the one form; what is no such list stays as it is."""
    try:
        listed, end = json.JSONDecoder(strict=False).raw_decode(said)
    except ValueError:
        return said
    calls = listed if isinstance(listed, list) else [listed]
    if not all(isinstance(call, dict) and isinstance(call.get("name"), str) for call in calls):
        return said
    return "".join(_as_tool_call(call["name"], json.dumps(call.get("arguments", {}))) for call in calls) + said[end:]


def _of_channel(opening: re.Match[str], said: str) -> str:
    """Give what a message on a channel says; one that is sent to a tool is a call of it."""
    to = re.search(r"to=(?:functions\.)?(\w+)", opening["to"])
    if opening["channel"] == "final" or to is None:
        return said
    return _as_tool_call(to[1], _SPOKEN.split(said)[0])


def without_thoughts(text: str) -> str:
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
