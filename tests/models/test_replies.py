"""Replies of models through litellm, asked of a real server on the loopback."""

import json

import pytest

from codeact.records import Message
from codeact.reply.extract import understand
from codeact.testing import FakeProvider, Says, Sends
from tests.models.parts import ASK, PIXEL, model_at, reply_to


def test_a_reply_comes_with_its_text_and_its_usage():
    reply = reply_to(Says("hello world", prompt_tokens=20, completion_tokens=3))
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("hello world", 20, 3)


def test_tokens_arrive_before_the_reply_is_complete():
    tokens = []
    with FakeProvider([Says("hello world")]) as provider:
        model_at(provider).reply(ASK, on_token=tokens.append)
    assert tokens == ["hello", " worl", "d"]


def test_the_messages_and_settings_arrive_at_the_provider_as_they_are():
    with FakeProvider([Says("ok")]) as provider:
        model_at(provider, temperature=0.5).reply(ASK)
    request = provider.requests[0]
    assert request["messages"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}]
    assert (request["model"], request["temperature"], request["stream"]) == ("any", 0.5, True)


def test_a_native_call_brings_its_code():
    reply = reply_to(Says(calls=(("run_python", json.dumps({"code": "print(1)"})),), finish="tool_calls"))
    assert reply.calls == ("print(1)",)


def test_parallel_native_calls_keep_their_order_and_bad_json_is_read():
    calls = (("run_python", '{"code": "a = 1"}'), ("run_python", '{"code": "print("a")"}'), ("look", '{"x": 1}'))
    assert reply_to(Says(calls=calls, finish="tool_calls")).calls == ("a = 1", 'print("a")', "look(x=1)")


@pytest.mark.parametrize(
    "cut", [("run_python", '{"code": "a = 1\\nsend(a)'), ("look", '{"x": '), ("final_answer", '{"a')]
)
def test_native_calls_of_which_one_is_not_closed_are_cut_also_where_the_server_does_not_say_so(cut):
    reply = reply_to(Says(calls=(("run_python", '{"code": "b = 2"}'), cut), finish="stop"))
    assert understand(reply.text, calls=reply.calls, truncated=reply.truncated).ask_back


def test_the_native_tool_is_offered_only_where_it_is_asked_for():
    with FakeProvider([Says("ok")]) as provider:
        model_at(provider).reply(ASK)
        model_at(provider, native_calls=True).reply(ASK)
    assert "tools" not in provider.requests[0]
    assert provider.requests[1]["tools"][0]["function"]["name"] == "run_python"


def test_a_reply_cut_by_length_says_so():
    assert reply_to(Says("half a", finish="length")).truncated
    assert not reply_to(Says("whole")).truncated


def test_an_empty_reply_is_a_reply():
    assert reply_to(Says("")).text == ""


def test_thoughts_sent_apart_are_not_part_of_the_text():
    assert reply_to(Says("42", reasoning="six times seven")).text == "42"


def test_the_price_of_a_known_model_is_counted_and_of_an_unknown_one_is_zero():
    assert reply_to(Says("ok", prompt_tokens=1000), name="openai/gpt-4o").cost_usd > 0
    assert reply_to(Says("ok", prompt_tokens=1000)).cost_usd == 0.0


def test_pictures_go_to_models_that_see():
    messages = [Message("user", "what is this?", (PIXEL,))]
    with FakeProvider([Says("a dot")]) as provider:
        model_at(provider, "openai/gpt-4o").reply(messages)
        model_at(provider, "openai/any").reply(messages)
    assert provider.requests[0]["messages"][0]["content"][1]["image_url"]["url"].startswith("data:image/png;base64,")
    assert provider.requests[1]["messages"][0]["content"] == "what is this?"


def _streamed(*deltas, finish="stop"):
    """A stream without any account of tokens, as some servers send it."""
    chunks = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    chunks.append({"index": 0, "delta": {}, "finish_reason": finish})
    head = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    lines = [f"data: {json.dumps({**head, 'choices': [chunk]})}\n\n" for chunk in chunks]
    return Sends("".join(lines) + "data: [DONE]\n\n", "text/event-stream")


def test_tokens_are_estimated_where_the_provider_does_not_count_them():
    reply = reply_to(_streamed({"role": "assistant", "content": "seven words or so, which cost something"}))
    assert reply.prompt_tokens > 0
    assert 4 < reply.completion_tokens < 20


@pytest.mark.parametrize(("said", "counted"), [(-1_000_000, 0), (10**30, 1 << 62)])
def test_tokens_that_no_server_can_have_counted_neither_add_to_the_budget_nor_break_the_recording(said, counted):
    reply = reply_to(Says("ok", prompt_tokens=said, completion_tokens=said))
    assert (reply.prompt_tokens, reply.completion_tokens) == (counted, counted)


def test_a_native_call_may_come_in_pieces():
    def call(index, arguments, **more):
        return {"tool_calls": [{"index": index, "type": "function", "function": {"arguments": arguments, **more}}]}

    named = {"name": "run_python"}
    pieces = [call(0, "", **named), call(0, '{"co'), call(1, '{"code": "b()"}', **named), call(0, 'de": "a()"}')]
    assert reply_to(_streamed(*pieces, finish="tool_calls")).calls == ("a()", "b()")
