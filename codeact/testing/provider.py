"""A model provider on the loopback that speaks the protocols of OpenAI and Anthropic, for tests of what talks to one.

    with FakeProvider([Says("hello"), Fails(429, retry_after_seconds=1), Breaks("hel")]) as provider:
        LiteLLMModel("openai/any-name", api_base=provider.url, api_key="none")

Each request takes the next answer; the last one is given again and again. `provider.requests` holds what was asked.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from codeact.errors import UsageError
from codeact.testing import anthropic


@dataclass(frozen=True, slots=True)
class Says:
    """A reply: text, and native tool calls as (name, arguments as JSON text)."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    prompt_tokens: int = 11
    completion_tokens: int = 7
    finish: str = "stop"
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Fails:
    """An error of the provider; `code` is the machine-readable one in its body. Dates as HTTP has them."""

    status: int
    message: str = "it went wrong"
    code: str | None = None
    retry_after_seconds: float | None = None
    retry_after_date: str = ""


@dataclass(frozen=True, slots=True)
class Breaks:
    """A reply whose connection is cut after this text."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Sends:
    """A body as it is, whatever it is."""

    body: str
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Hangs:
    """No answer until the provider is closed; `text` is streamed before that."""

    text: str = ""


Answer = Says | Fails | Breaks | Sends | Hangs


@dataclass(slots=True)
class FakeProvider:
    """The provider; a context manager that listens on a free port of the loopback."""

    answers: Sequence[Answer]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    asked: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)
    _server: ThreadingHTTPServer | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if not isinstance(self.answers, Sequence) or not self.answers:
            raise UsageError(f"FakeProvider({self.answers!r:.80}): a list of one answer or more is needed")

    @property
    def url(self) -> str:
        """The address to give as `api_base`."""
        if self._server is None:
            raise RuntimeError("the provider is not listening: use it in a with statement")
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        """Begin to listen."""
        handler = type("Handler", (_Handler,), {"provider": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        serve = {"poll_interval": 0.01}
        threading.Thread(target=self._server.serve_forever, kwargs=serve, name="fake-provider", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening and let go of whoever still waits."""
        self.closing.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def take(self, request: dict[str, Any], headers: dict[str, str]) -> Answer:
        """Note a request and give what it is answered with."""
        with self._lock:
            self.requests.append(request)
            self.headers.append(headers)
            return self.answers[min(len(self.requests), len(self.answers)) - 1]


class _Handler(BaseHTTPRequestHandler):
    provider: FakeProvider
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing on standard error."""

    def do_POST(self) -> None:
        """Answer one request."""
        length = int(self.headers.get("Content-Length", 0))
        request = json.loads(self.rfile.read(length) or b"{}")
        answer = self.provider.take(request, {name.lower(): value for name, value in self.headers.items()})
        self.provider.asked.set()
        try:
            self._answer(answer, streamed=bool(request.get("stream")))
        except (BrokenPipeError, ConnectionResetError):
            self.provider.gone.set()  # the caller hung up: tests of cancelling wait for this
            self.close_connection = True

    def _answer(self, answer: Answer, *, streamed: bool) -> None:
        if isinstance(answer, Says):
            self._say(answer, streamed=streamed)
        elif isinstance(answer, Fails):
            self._fail(answer)
        elif isinstance(answer, Sends):
            self._send(200, answer.body.encode(), answer.content_type)
        elif isinstance(answer, Breaks):
            self._begin_stream()
            self._lines(self._spoken(Says(answer.text))[:-3])
            self.close_connection = True
        else:
            self._hang(answer)

    def _hang(self, answer: Hangs) -> None:
        if answer.text:
            self._begin_stream()
            self._lines(self._spoken(Says(answer.text))[:-3])
        while not self.provider.closing.wait(0.01):
            if answer.text:
                self._write(b": still here\n\n")
            elif not self._connected():
                self.provider.gone.set()
                break
        self.close_connection = True

    def _connected(self) -> bool:
        self.connection.setblocking(False)
        try:
            return bool(self.connection.recv(1))
        except BlockingIOError:
            return True
        finally:
            self.connection.setblocking(True)

    def _say(self, answer: Says, *, streamed: bool) -> None:
        if not streamed:
            self._send(200, json.dumps(_completion(answer)).encode(), "application/json")
            return
        self._begin_stream()
        self._lines(self._spoken(answer))
        self.wfile.write(b"0\r\n\r\n")

    @property
    def _is_anthropic(self) -> bool:
        return self.path.endswith("/messages")

    def _spoken(self, answer: Says) -> list[bytes]:
        """Give the events of a reply in the protocol the request came in."""
        if self._is_anthropic:
            used = answer.prompt_tokens, answer.completion_tokens
            return list(anthropic.events(answer.text, answer.calls, usage=used, finish=answer.finish))
        return [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in _chunks(answer)] + [b"data: [DONE]\n\n"]

    def _fail(self, answer: Fails) -> None:
        body: dict[str, Any] = {
            "error": {"message": answer.message, "type": "error", "param": None, "code": answer.code}
        }
        if self._is_anthropic:
            body = anthropic.error(answer.status, answer.message)
        after = answer.retry_after_date
        after = after if answer.retry_after_seconds is None else f"{answer.retry_after_seconds:g}"
        headers = {"Retry-After": after} if after else {}
        self._send(answer.status, json.dumps(body).encode(), "application/json", headers)

    def _send(self, status: int, body: bytes, content_type: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": content_type, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _lines(self, events: Sequence[bytes]) -> None:
        for event in events:
            self._write(event)

    def _write(self, line: bytes) -> None:
        self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
        self.wfile.flush()


def _usage(answer: Says) -> dict[str, int]:
    used = answer.prompt_tokens, answer.completion_tokens
    return {"prompt_tokens": used[0], "completion_tokens": used[1], "total_tokens": sum(used)}


def _tool_calls(answer: Says) -> list[dict[str, Any]]:
    return [
        {"index": index, "id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for index, (name, arguments) in enumerate(answer.calls)
    ]


def _completion(answer: Says) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
    if answer.calls:
        message["tool_calls"] = _tool_calls(answer)
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    choice = {"index": 0, "message": message, "finish_reason": answer.finish}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": _usage(answer),
    }


def _chunks(answer: Says) -> list[dict[str, Any]]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}

    chunks = [chunk({"role": "assistant", "content": ""})]
    chunks += [chunk({"reasoning_content": piece}) for piece in _pieces(answer.reasoning)]
    chunks += [chunk({"content": piece}) for piece in _pieces(answer.text)]
    chunks += [chunk({"tool_calls": [call]}) for call in _tool_calls(answer)]
    ending = chunk({}, answer.finish)
    return [*chunks, ending, {**ending, "choices": [], "usage": _usage(answer)}]


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), 5):
        yield text[start : start + 5]
