"""Asking again where asking again may help: rate limits, servers in trouble, broken connections."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from codeact.errors import ModelUnavailable, RateLimited, UsageError
from codeact.models.protocol import Model, OnToken, Stop
from codeact.records import Message, Reply

OnWait = Callable[[float, str], object]

_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 30.0
_MOST_WAITS = 4
MOST_TOKENS = 1 << 62  # that a reply may have used: what a message holds


def ask(
    model: Model,
    messages: Sequence[Message],
    *,
    stop: Stop,
    on_token: OnToken | None = None,
    on_wait: OnWait | None = None,
) -> Reply:
    """Give a reply, asking again with growing pauses; the last error is raised where that does not help in time."""
    for attempt in range(_MOST_WAITS + 1):
        try:
            return _whole(model, model.reply(messages, on_token=on_token, stop=stop))
        except (RateLimited, ModelUnavailable) as error:
            seconds = _pause(error, attempt)
            left = stop.seconds_left
            if attempt == _MOST_WAITS or (left is not None and seconds >= left):
                raise
            if on_wait is not None:
                on_wait(seconds, str(error))
        stop.wait(seconds)
    raise AssertionError("the loop returns or raises")


def _whole(model: Model, reply: Reply) -> Reply:
    """Give the reply; UsageError where it is none, or no recording could hold it: a user may have written the model."""
    if not isinstance(reply, Reply) or not isinstance(reply.text, str):
        raise UsageError(f"the model {model.name} gave {reply!r:.80}: a Reply with a text is needed")
    tokens, dollars = (reply.prompt_tokens, reply.completion_tokens), reply.cost_usd
    counted = all(type(count) is int and 0 <= count <= MOST_TOKENS for count in tokens)
    if not (counted and isinstance(dollars, int | float) and 0 <= dollars < math.inf):
        said = f"says that it used {(*tokens, dollars)!r:.200}"
        raise UsageError(f"the model {model.name} {said}: whole numbers of tokens, and dollars, are needed")
    if not (isinstance(reply.truncated, bool) and isinstance(reply.model, str)):
        said = f"truncated={reply.truncated!r:.80}, model={reply.model!r:.80}"
        raise UsageError(f"the model {model.name} gave a reply with {said}: True or False, and a text, are needed")
    return reply


def _pause(error: RateLimited | ModelUnavailable, attempt: int) -> float:
    """Give how long to wait: what the provider asks for, else doubling, with some jitter so that many runs spread."""
    if isinstance(error, RateLimited) and error.retry_after_seconds is not None:
        return error.retry_after_seconds
    seconds = min(_LONGEST_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2.0**attempt)
    return seconds * random.uniform(0.75, 1.25)  # noqa: S311 - spreads requests, guards no secret
