"""The fake provider's replies in Anthropic's protocol: the same answers, other events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

_PIECE = 5  # characters of an event
_STOPS = {"length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}


def events(text: str, calls: Sequence[tuple[str, str]], *, usage: tuple[int, int], finish: str) -> Iterator[bytes]:
    """Give the events of a streamed message: its text, then its calls as (name, arguments as JSON text)."""
    message = {**_message(usage[0], 0), "content": [], "stop_reason": None}
    yield _event("message_start", message=message)
    yield from _block(0, {"type": "text", "text": ""}, ("text_delta", "text"), text)
    for index, (name, arguments) in enumerate(calls, 1):
        start = {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": {}}
        yield from _block(index, start, ("input_json_delta", "partial_json"), arguments)
    ending = {"stop_reason": _STOPS.get(finish, "end_turn"), "stop_sequence": None}
    yield _event("message_delta", delta=ending, usage={"output_tokens": usage[1]})
    yield _event("message_stop")


def _block(index: int, start: dict[str, Any], delta: tuple[str, str], content: str) -> Iterator[bytes]:
    kind, field = delta
    yield _event("content_block_start", index=index, content_block=start)
    for at in range(0, len(content), _PIECE):
        yield _event("content_block_delta", index=index, delta={"type": kind, field: content[at : at + _PIECE]})
    yield _event("content_block_stop", index=index)


def error(status: int, message: str) -> dict[str, Any]:
    """Give the body of an error."""
    kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
    return {"type": "error", "error": {"type": kinds.get(status, "api_error"), "message": message}}


def _message(prompt_tokens: int, completion_tokens: int) -> dict[str, Any]:
    usage = {"input_tokens": prompt_tokens, "output_tokens": completion_tokens}
    return {"id": "1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None, "usage": usage}


def _event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()
