"""The same through the protocol of Anthropic."""

import json

import pytest

from codeact import errors
from codeact.records import Message
from codeact.testing import Breaks, Fails, FakeProvider, Hangs, Says, Sends
from tests.models.parts import ASK, PIXEL, model_at


def claude(provider, **settings):
    return model_at(provider, "anthropic/claude-sonnet-4-5", api_base=provider.url.removesuffix("/v1"), **settings)


def test_a_provider_of_another_protocol_is_asked_in_the_same_way():
    tokens = []
    with FakeProvider([Says("hello world", prompt_tokens=20, completion_tokens=3)]) as provider:
        reply = claude(provider).reply(ASK, on_token=tokens.append)
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("hello world", 20, 3)
    assert "".join(tokens) == "hello world"
    assert reply.cost_usd > 0


def test_native_and_parallel_calls_of_another_protocol_bring_their_code():
    calls = (("run_python", json.dumps({"code": "a = 1"})), ("run_python", json.dumps({"code": "print(a)"})))
    with FakeProvider([Says("Let me compute.", calls, finish="tool_calls")]) as provider:
        reply = claude(provider, native_calls=True).reply(ASK)
    assert (reply.text, reply.calls) == ("Let me compute.", ("a = 1", "print(a)"))
    assert provider.requests[0]["tools"][0]["name"] == "run_python"


def test_a_reply_of_another_protocol_that_was_cut_by_length_says_so():
    with FakeProvider([Says("half a", finish="length")]) as provider:
        assert claude(provider).reply(ASK).truncated


def test_an_empty_reply_of_another_protocol_is_a_reply():
    with FakeProvider([Says("")]) as provider:
        assert claude(provider).reply(ASK).text == ""


def test_pictures_reach_a_model_of_another_protocol():
    with FakeProvider([Says("a dot")]) as provider:
        claude(provider).reply([Message("user", "what is this?", (PIXEL,))])
    assert provider.requests[0]["messages"][0]["content"][1]["source"]["media_type"] == "image/png"


def test_a_silent_provider_of_another_protocol_is_given_up():
    with FakeProvider([Hangs()]) as provider, pytest.raises(errors.ModelUnavailable):
        claude(provider, first_byte_seconds=0.2).reply(ASK)


def test_a_stable_system_prompt_is_marked_for_caching_where_that_has_to_be_said():
    with FakeProvider([Says("ok")]) as provider:
        claude(provider).reply(ASK)
    assert provider.requests[0]["system"][0]["cache_control"] == {"type": "ephemeral"}


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Fails(401), errors.NotAuthorised),
        (Fails(404), errors.UnknownModel),
        (Fails(429, retry_after_seconds=2), errors.RateLimited),
        (Fails(529), errors.ModelUnavailable),
        (Fails(500), errors.ModelUnavailable),
        (Fails(400, "prompt is too long: 300000 tokens > 200000 maximum"), errors.ContextTooLong),
        (Fails(413), errors.ContextTooLong),
        (Fails(400, "temperature too hot"), errors.ModelError),
        (Breaks("hel"), errors.ModelUnavailable),
        (Sends("event: message_start\ndata: {oops\n\n", "text/event-stream"), errors.ModelUnavailable),
        (Sends("<html>"), errors.ModelUnavailable),
    ],
    ids=["401", "404", "429", "529", "500", "too long", "413", "400", "cut", "broken event", "no reply"],
)
def test_errors_of_another_protocol_are_the_same_errors(answer, kind):
    with FakeProvider([answer]) as provider, pytest.raises(errors.ModelError) as caught:
        claude(provider).reply(ASK)
    assert type(caught.value) is kind
