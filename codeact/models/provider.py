"""Any model through litellm: imported when it is needed, in the background, and asked on a loop of its own.

All calls stream, so that tokens are shown as they come and a stopped run hangs up in the middle of a reply.
"""

from __future__ import annotations

import asyncio
import base64
import concurrent.futures
import functools
import importlib.util
import os
import threading
from collections.abc import Coroutine, Sequence
from typing import Any

from codeact.errors import ModelError, ModelRefused
from codeact.models.failures import translate, unfinished, unknown_provider
from codeact.models.protocol import OnToken, Stop, Stopped
from codeact.models.retrying import MOST_TOKENS
from codeact.records import Image, Message, Reply
from codeact.reply.calls import code_of_call, is_cut
from codeact.waiting import result_of

RUN_PYTHON = {
    "type": "function",
    "function": {
        "name": "run_python",
        "description": "Run a Python snippet in the session and see what it prints and evaluates to.",
        "parameters": {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]},
    },
}


@functools.cache
def _load() -> Any:
    """Import litellm, quiet and without its downloads; two seconds the first time."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # it would fetch a price list while being imported
    import litellm

    litellm.suppress_debug_info = True  # it prints advice on stdout at each error
    litellm.telemetry = False
    litellm.disable_aiohttp_transport = True  # httpx closes with the process; aiohttp complains that it was not closed
    return litellm


_loading = threading.Lock()


def load() -> Any:
    """Give litellm; several threads may ask at once."""
    with _loading:
        return _load()


class Preparing(concurrent.futures.ThreadPoolExecutor):
    """Where litellm prepares a question: one that was called off meanwhile is put away, or Python warns of it."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        """Run a function on a thread for the task that asks."""
        asks = asyncio.current_task()

        def prepared() -> Any:
            question = fn(*args, **kwargs)
            if asks is not None and (asks.cancelling() or asks.done()) and asyncio.iscoroutine(question):
                question.close()
            return question

        return super().submit(prepared)


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """The loop all calls of this process run on; a daemon thread drives it."""
    loop = asyncio.new_event_loop()
    loop.set_default_executor(Preparing())
    threading.Thread(target=loop.run_forever, name="codeact-models", daemon=True).start()
    return loop


class LiteLLMModel:
    """A model of any provider, named as litellm names it: `provider/name`.

    `settings` go to litellm as they are (`api_base`, `api_key`, `temperature`, …). With `native_calls` the model is
    also offered a native tool `run_python`; calls of it are understood either way.
    """

    def __init__(
        self, name: str, *, native_calls: bool = False, first_byte_seconds: float = 120.0, **settings: Any
    ) -> None:
        self.name = name
        self._settings = settings
        self._native_calls = native_calls
        self._first_byte_seconds = first_byte_seconds

    @property
    def settings(self) -> dict[str, Any]:
        """What goes to litellm besides the messages; recordings look here for secrets to leave out."""
        return dict(self._settings)

    def prepare(self) -> None:
        """Begin to import litellm in the background."""
        threading.Thread(target=load, name="codeact-litellm", daemon=True).start()

    def reply(self, messages: Sequence[Message], *, on_token: OnToken | None = None, stop: Stop | None = None) -> Reply:
        """Ask the provider; raises the `ModelError` that says what is wrong where there is no reply."""
        stop = stop or Stop()
        load()
        return _wait_for(self._ask(messages, on_token or (lambda _: None), stop), stop)

    async def _ask(self, messages: Sequence[Message], on_token: OnToken, stop: Stop) -> Reply:
        litellm = load()
        try:
            provider = litellm.get_llm_provider(self.name, api_base=self._settings.get("api_base"))[1]
        except litellm.BadRequestError as error:
            raise unknown_provider(self.name) from error
        seconds = stop.seconds_left
        request = {
            "model": self.name,
            "messages": [_as_litellm(message, provider, sees=self._sees(litellm)) for message in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_retries": 0,  # who retries knows the budget: models/retrying.py
            "timeout": min(self._first_byte_seconds, seconds if seconds is not None else self._first_byte_seconds),
            **(_native_tools() if self._native_calls else {}),
            **self._settings,
        }
        try:
            async with asyncio.timeout(seconds):
                stream = await litellm.acompletion(**request)
                return await self._collect(litellm, stream, on_token)
        except TimeoutError as error:
            raise Stopped("the run's wall time is spent") from error
        except ModelError:
            raise
        except Exception as error:  # litellm's errors have no common base; translate() tells them apart by type
            raise translate(error, self.name, self._settings) from error

    async def _collect(self, litellm: Any, stream: Any, on_token: OnToken) -> Reply:
        pieces: list[str] = []
        calls: dict[int, list[str]] = {}
        usage, finish = None, None
        async for chunk in stream:
            usage = getattr(chunk, "usage", None) or usage
            for choice in chunk.choices[:1]:
                finish = choice.finish_reason or finish
                if text := choice.delta.content:
                    pieces.append(text)
                    on_token(text)
                for call in choice.delta.tool_calls or ():
                    named = calls.setdefault(call.index or 0, ["", ""])
                    named[0] += call.function.name or ""
                    named[1] += call.function.arguments or ""
        if not _was_finished(stream):
            raise unfinished(self.name, self._settings, begun=bool(pieces or calls))
        if finish == "content_filter":
            raise ModelRefused(f"{self.name} broke off its reply: it, or its provider's policy, refuses to answer")
        prompt, completion = _counted(usage, "prompt_tokens"), _counted(usage, "completion_tokens")
        return Reply(
            text="".join(pieces),
            calls=tuple(filter(None, (code_of_call(*calls[index]) for index in sorted(calls)))),
            prompt_tokens=prompt,
            completion_tokens=completion,
            cost_usd=_price(litellm, self.name, prompt, completion),
            truncated=finish == "length" or any(is_cut(arguments) for _, arguments in calls.values()),
            model=self.name,
        )

    def _sees(self, litellm: Any) -> bool:
        return bool(litellm.supports_vision(self.name))


def _native_tools() -> dict[str, Any]:
    """Give the settings that offer `run_python`; litellm imports an optional package for them unless told not to."""
    without_mcp = {} if importlib.util.find_spec("mcp") else {"_skip_mcp_handler": True}
    return {"tools": [RUN_PYTHON], **without_mcp}


def _wait_for(question: Coroutine[Any, Any, Reply], stop: Stop) -> Reply:
    """Run a question on the models' loop; a stop, or Ctrl-C while waiting, hangs up."""
    asked = asyncio.run_coroutine_threadsafe(question, _loop())
    forget = stop.when_set(asked.cancel)
    try:
        return result_of(asked)
    except concurrent.futures.CancelledError as error:
        raise Stopped("the run was stopped") from error
    finally:
        forget()
        asked.cancel()


def _was_finished(stream: Any) -> bool:
    """Tell whether the provider itself ended the reply: litellm makes up an ending where the connection broke."""
    marks = ("received_finish_reason", "intermittent_finish_reason")
    known = [getattr(stream, mark) for mark in marks if hasattr(stream, mark)]
    return not known or any(known)


def _counted(usage: Any, what: str) -> int:
    """The tokens a server says it counted: less than none would add to the budget."""
    return min(max(0, getattr(usage, what, 0) or 0), MOST_TOKENS)


def _price(litellm: Any, name: str, prompt_tokens: int, completion_tokens: int) -> float:
    try:
        prices = litellm.cost_per_token(model=name, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)
    except Exception:  # a model without a price raises a bare Exception subclass; the record says 0.0
        return 0.0
    return float(sum(prices))


def _as_litellm(message: Message, provider: str, *, sees: bool) -> dict[str, Any]:
    if message.role == "system" and provider == "anthropic":  # the others cache a stable prefix by themselves
        part = {"type": "text", "text": message.content, "cache_control": {"type": "ephemeral"}}
        return {"role": "system", "content": [part]}
    if not message.images or not sees:
        return {"role": message.role, "content": message.content}
    return {
        "role": message.role,
        "content": [{"type": "text", "text": message.content}, *map(_picture, message.images)],
    }


def _picture(image: Image) -> dict[str, Any]:
    text = base64.b64encode(image.data).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{text}"}}
