"""A run as OpenTelemetry spans: agent, step, model call, tool call, named as the GenAI semantic conventions name them.

    invoke_agent codeact
     └─ step 1
         ├─ chat openai/gpt-5
         └─ execute_tool exchange_rate

Numbers and names only: what was asked, said and computed stays in the journal.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from codeact import events
from codeact.errors import UsageError

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


def open_tracer(trace: Any) -> Tracer:
    """Give the tracer to use: the one given, or that of the program's provider."""
    try:
        from opentelemetry import trace as api
    except ImportError as error:
        raise UsageError("Agent(trace=True) needs OpenTelemetry: pip install 'codeact[otel]'") from error
    if trace is True:
        return api.get_tracer("codeact")
    if not hasattr(trace, "start_span"):
        raise UsageError(f"Agent(trace={trace!r:.80}): True or an OpenTelemetry tracer is needed")
    given: Tracer = trace
    return given


class Spans:
    """Turns the events of a run into spans, below `parent` or what is current where it is made."""

    def __init__(self, tracer: Tracer, parent: Span | None = None) -> None:
        self._tracer, self._parent = tracer, parent
        self._run: Span | None = None
        self._step: Span | None = None
        self._chat: Span | None = None
        self._tools: dict[str, list[Span]] = {}
        self._inner: dict[str, Spans] = {}
        self._model = ""
        self._common: dict[str, str] = {}

    def take(self, event: events.Event) -> None:
        """Begin or end the spans an event is about."""
        if isinstance(event, events.RunStarted):
            self._model = event.model
            self._common = {"gen_ai.request.model": event.model, **_provider(event.model)}
            named = {"gen_ai.agent.name": "codeact", "gen_ai.conversation.id": event.run_id}
            self._run = self._begin("invoke_agent", "codeact", self._parent, **named)
        elif isinstance(event, events.StepStarted):
            self._end_step()
            self._step = self._tracer.start_span(f"step {event.step}", self._below(self._run))
            self._chat = self._begin("chat", self._model, self._step)
        elif isinstance(event, events.Replied):
            self._replied(event)
        elif isinstance(event, events.ToolStarted):
            named = {"gen_ai.tool.name": event.tool, "gen_ai.tool.type": "function"}
            span = self._begin("execute_tool", event.tool, self._step, **named)
            self._tools.setdefault(_key(event.tool, event.arguments), []).append(span)
        elif isinstance(event, events.ToolEnded):
            self._tool_ended(event)
        elif isinstance(event, events.Observed):
            self._observed(event)
        elif isinstance(event, events.RunEnded):
            self._ended(event)
        elif isinstance(event, events.Nested):
            self._nested(event)

    def close(self) -> None:
        """End what is still open: a run that ended with an error of ours."""
        for inner in self._inner.values():
            inner.close()
        for span in [span for spans in self._tools.values() for span in spans]:
            span.end()
        self._tools.clear()
        self._end_step()
        if self._run is not None:
            self._run.end()
            self._run = None

    def _begin(self, operation: str, what: str, parent: Span | None, **attributes: Any) -> Span:
        named = {"gen_ai.operation.name": operation, **self._common, **attributes}
        return self._tracer.start_span(f"{operation} {what}", self._below(parent), attributes=named)

    def _below(self, parent: Span | None) -> Any:
        from opentelemetry.trace import set_span_in_context

        return None if parent is None else set_span_in_context(parent)

    def _replied(self, event: events.Replied) -> None:
        if self._chat is not None:
            reply = event.reply
            self._chat.set_attributes({
                "gen_ai.usage.input_tokens": reply.prompt_tokens,
                "gen_ai.usage.output_tokens": reply.completion_tokens,
                "gen_ai.response.model": reply.model or self._model,
                "gen_ai.response.finish_reasons": ["length" if reply.truncated else "stop"],
                "codeact.cost_usd": reply.cost_usd,
            })  # fmt: skip
            self._chat.end()
            self._chat = None

    def _tool_ended(self, event: events.ToolEnded) -> None:
        begun = self._tools.get(_key(event.call.tool, event.call.arguments)) or next(
            (spans for spans in self._tools.values() if spans), []
        )  # the user may have changed the arguments in between
        if begun:
            span = begun.pop(0)
            if event.call.error is not None:
                _failed(span, "NotApproved" if event.call.refused else "_OTHER")  # its text may hold anything
            span.end()

    def _observed(self, event: events.Observed) -> None:
        if self._step is not None:
            seen = event.observation
            self._step.set_attributes({
                "codeact.operations": seen.cost.operations,
                "codeact.tool_calls": seen.cost.tool_calls,
            })  # fmt: skip
            if seen.failure is not None:
                self._step.set_attribute("error.type", seen.failure.type or seen.failure.kind)

    def _end_step(self) -> None:
        for span in (self._chat, self._step):
            if span is not None:
                span.end()
        self._chat = self._step = None

    def _ended(self, event: events.RunEnded) -> None:
        if self._run is not None:
            run = event.run
            self._run.set_attributes({
                "gen_ai.usage.input_tokens": run.cost.prompt_tokens,
                "gen_ai.usage.output_tokens": run.cost.completion_tokens,
                "codeact.cost_usd": run.cost.cost_usd,
                "codeact.operations": run.cost.operations,
                "codeact.ended": run.ended,
            })  # fmt: skip
            if not run.ok:
                _failed(self._run, run.ended)
        self.close()

    def _nested(self, event: events.Nested) -> None:
        below = next((spans[-1] for spans in reversed(self._tools.values()) if spans), self._step)
        self._inner.setdefault(event.agent, Spans(self._tracer, below)).take(event.event)
        if isinstance(event.event, events.RunEnded):
            self._inner.pop(event.agent)


# litellm's name of a provider → its name in the semantic conventions, where the two differ
_PROVIDERS = {
    "anthropic": "anthropic",
    "azure": "azure.ai.openai",
    "azure_ai": "azure.ai.inference",
    "bedrock": "aws.bedrock",
    "gemini": "gcp.gemini",
    "mistral": "mistral_ai",
    "vertex_ai": "gcp.vertex_ai",
    "watsonx": "ibm.watsonx.ai",
    "xai": "x_ai",
}


def _provider(model: str) -> dict[str, str]:
    """Give the provider a model's name begins with; nothing for a script, a function or a recording."""
    first, slash, _ = model.partition("/")
    return {"gen_ai.provider.name": _PROVIDERS.get(first, first)} if slash else {}


def _failed(span: Span, kind: str) -> None:
    from opentelemetry.trace import Status, StatusCode

    span.set_attribute("error.type", kind)
    span.set_status(Status(StatusCode.ERROR))


def _key(tool: str, arguments: Any) -> str:
    return f"{tool} {json.dumps(dict(arguments), sort_keys=True, default=repr)}"
