"""The fake provider's replies in Anthropic's protocol: the same answers, other events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def events(text: str, *, prompt_tokens: int, completion_tokens: int, finish: str) -> Iterator[bytes]:
    """Give the events of a streamed message."""
    message = {**_message(prompt_tokens, 0), "content": [], "stop_reason": None}
    yield _event("message_start", message=message)
    yield _event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    for start in range(0, len(text), 5):
        yield _event("content_block_delta", index=0, delta={"type": "text_delta", "text": text[start : start + 5]})
    yield _event("content_block_stop", index=0)
    ending = {"stop_reason": "max_tokens" if finish == "length" else "end_turn", "stop_sequence": None}
    yield _event("message_delta", delta=ending, usage={"output_tokens": completion_tokens})
    yield _event("message_stop")


def error(status: int, message: str) -> dict[str, Any]:
    """Give the body of an error."""
    kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
    return {"type": "error", "error": {"type": kinds.get(status, "api_error"), "message": message}}


def _message(prompt_tokens: int, completion_tokens: int) -> dict[str, Any]:
    usage = {"input_tokens": prompt_tokens, "output_tokens": completion_tokens}
    return {"id": "1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None, "usage": usage}


def _event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()
