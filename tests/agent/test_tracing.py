"""A run as OpenTelemetry spans: what is below what, what it used, and nothing of what was said."""

import subprocess
import sys

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from codeact import errors
from codeact.agent import Agent
from codeact.records import Reply
from codeact.testing import ScriptedModel
from tests.agent.parts import code, price


@pytest.fixture
def spans():
    return InMemorySpanExporter()


@pytest.fixture
def tracer(spans):
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    return provider.get_tracer("test")


def tree(spans):
    """Each span by the names on the way down to it."""
    finished = {span.context.span_id: span for span in spans.get_finished_spans()}

    def path(span):
        above = finished.get(span.parent.span_id) if span.parent else None
        return (*path(above), span.name) if above else (span.name,)

    return {path(span): span for span in finished.values()}


def test_agent_steps_model_calls_and_tool_calls_are_spans_below_each_other(spans, tracer):
    model = ScriptedModel([
        Reply(code("price.map(['pear', 'apple'])"), prompt_tokens=10, completion_tokens=5, cost_usd=0.25),
        Reply(code("final_answer(price('plum'))"), prompt_tokens=20),
        "sorry",
    ])  # fmt: skip
    with tracer.start_as_current_span("request"):
        Agent(model, tools=[price], trace=tracer, runs=None).run("go")
    found = tree(spans)
    agent = ("request", "invoke_agent codeact")
    assert set(found) == {
        ("request",), agent, *((*agent, f"step {number}") for number in (1, 2, 3)),
        *((*agent, f"step {number}", "chat scripted") for number in (1, 2, 3)),
        *((*agent, f"step {number}", "execute_tool price") for number in (1, 2)),
    }  # fmt: skip
    assert len(spans.get_finished_spans()) == 11
    chat = found[*agent, "step 1", "chat scripted"].attributes
    assert (chat["gen_ai.operation.name"], chat["gen_ai.request.model"]) == ("chat", "scripted")
    assert (chat["gen_ai.usage.input_tokens"], chat["gen_ai.usage.output_tokens"], chat["codeact.cost_usd"]) == (
        10,
        5,
        0.25,
    )
    assert found[*agent, "step 2"].attributes["error.type"] == "KeyError"
    assert not found[*agent, "step 2", "execute_tool price"].status.is_ok
    assert found[agent].attributes["gen_ai.usage.input_tokens"] == 30


def test_an_agent_within_an_agent_is_a_span_below_the_tool_call(spans, tracer):
    inner = Agent(ScriptedModel(["42"]), runs=None, trace=tracer).as_tool("think", "Thinks.")
    Agent(ScriptedModel([code("final_answer(think('hard'))")]), tools=[inner], runs=None, trace=tracer).run("go")
    agent = ("invoke_agent codeact", "step 1", "execute_tool think", "invoke_agent codeact")
    assert (*agent, "step 1", "chat scripted") in tree(spans)
    assert len(spans.get_finished_spans()) == 7


def test_a_run_that_ends_with_an_error_leaves_no_span_open(spans, tracer):
    with pytest.raises(errors.NotAuthorised):
        Agent(ScriptedModel([errors.NotAuthorised("no key")]), runs=None, trace=tracer).run("go")
    assert {span.name for span in spans.get_finished_spans()} == {"invoke_agent codeact", "step 1", "chat scripted"}


def test_a_run_whose_session_cannot_begin_leaves_no_span_open(spans, tracer):
    with pytest.raises(errors.UsageError):
        Agent(ScriptedModel(["x"]), runs=None, trace=tracer).run("go", inputs={"x": lambda: 1})
    assert [span.name for span in spans.get_finished_spans()] == ["invoke_agent codeact"]


def test_nothing_that_was_asked_or_said_is_in_a_span(spans, tracer):
    model = ScriptedModel([code("final_answer('classified ' + str(price('pear')))")])
    Agent(model, tools=[price], runs=None, trace=tracer).run("a secret task")
    told = repr([(span.name, dict(span.attributes)) for span in spans.get_finished_spans()])
    assert not any(word in told for word in ("secret", "classified", "pear"))


def test_what_a_tool_failed_with_is_not_in_a_span(spans, tracer):
    def fetch(url: str) -> str:
        """Fetches a page."""
        raise RuntimeError(f"no answer from {url}?key=sk-very-secret")

    model = ScriptedModel([code("fetch('http://intern')"), "sorry"])
    Agent(model, tools=[fetch], runs=None, trace=tracer).run("go")
    told = repr([(span.name, dict(span.attributes), span.status.description) for span in spans.get_finished_spans()])
    assert "sk-very-secret" not in told
    assert tree(spans)["invoke_agent codeact", "step 1", "execute_tool fetch"].attributes["error.type"] == "_OTHER"


def test_the_provider_is_named_as_the_conventions_name_it(spans, tracer):
    model = ScriptedModel([Reply("42", model="gemini/flash-001")], name="gemini/flash")
    Agent(model, runs=None, trace=tracer).run("go")
    chat = tree(spans)["invoke_agent codeact", "step 1", "chat gemini/flash"].attributes
    assert (chat["gen_ai.provider.name"], chat["gen_ai.response.model"]) == ("gcp.gemini", "gemini/flash-001")


def test_what_is_no_tracer_is_refused():
    with pytest.raises(errors.UsageError, match="True or an OpenTelemetry tracer"):
        Agent(ScriptedModel(["x"]), runs=None, trace="yes").run("go")


def test_without_tracing_opentelemetry_is_not_imported():
    program = (
        "import sys; from codeact.agent import Agent; from codeact.testing import ScriptedModel; "
        "Agent(ScriptedModel(['42']), runs=None).run('go'); print('opentelemetry' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
    )
