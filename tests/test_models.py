"""Models through litellm against a real server on the loopback, and the ones that need no provider."""

import json
import threading

import pytest

from codeact import errors
from codeact.journal import Journal
from codeact.models import ReplayModel, ScriptedModel, Stop, Stopped, ask, open_model
from codeact.models.provider import LiteLLMModel
from codeact.records import Image, Message, Reply
from codeact.testing import Breaks, Fails, FakeProvider, Hangs, Says, Sends

ASK = [Message("system", "Be brief."), Message("user", "hi")]
PIXEL = Image("dot.png", "image/png", b"\x89PNG")


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_BASE", "CODEACT_MODEL"):
        monkeypatch.delenv(name, raising=False)


def model_at(provider, name="openai/any", **settings):
    return LiteLLMModel(name, **{"api_base": provider.url, "api_key": "sk-test", **settings})


def reply_to(answer, **settings):
    with FakeProvider([answer]) as provider:
        return model_at(provider, **settings).reply(ASK)


def error_of(answer, kind=errors.ModelError, **settings):
    with pytest.raises(kind) as caught:
        reply_to(answer, **settings)
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)
    return caught.value


# ------------------------------------------------------------------------------------------------- replies
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


def test_parallel_native_calls_keep_their_order_and_bad_json_is_read_as_far_as_it_goes():
    calls = (("run_python", '{"code": "a = 1"}'), ("run_python", '{"code": "print(a)'), ("look", '{"x": 1}'))
    assert reply_to(Says(calls=calls, finish="tool_calls")).calls == ("a = 1", "print(a)", "look(x=1)")


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


# -------------------------------------------------------------------------------------------------- errors
def test_no_model_says_how_to_name_one():
    with pytest.raises(errors.NoModel, match=r"Agent\(model=.*--model.*CODEACT_MODEL"):
        open_model(None)


def test_the_environment_may_name_the_model(monkeypatch):
    monkeypatch.setenv("CODEACT_MODEL", "openai/gpt-5")
    assert open_model(None).name == "openai/gpt-5"


def test_no_key_says_which_variable():
    assert "export OPENAI_API_KEY=" in str(error_of(Says("never"), errors.NotAuthorised, api_key=None))


def test_an_empty_key_is_no_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "")
    assert "export OPENAI_API_KEY=" in str(error_of(Says("never"), errors.NotAuthorised, api_key=None))


def test_no_key_of_another_provider_says_that_ones_variable():
    with pytest.raises(errors.NotAuthorised, match="export ANTHROPIC_API_KEY="):
        LiteLLMModel("anthropic/claude-sonnet-4-5").reply(ASK)


def test_a_wrong_key_is_named_and_never_shown(monkeypatch):
    assert "the key given as api_key" in str(error_of(Fails(401), errors.NotAuthorised))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-env-secret")
    error = error_of(Fails(403), errors.NotAuthorised, api_key=None)
    assert "the key in OPENAI_API_KEY" in str(error)
    assert "secret" not in str(error)


def test_a_name_without_a_provider_says_how_names_are_written():
    with pytest.raises(errors.UnknownModel, match="write provider/name"):
        LiteLLMModel("foo").reply(ASK)


def test_a_model_the_provider_does_not_have_is_named():
    assert "'openai/any'" in str(error_of(Fails(404, code="model_not_found"), errors.UnknownModel))


def test_a_server_that_is_down_is_named_by_its_address():
    with FakeProvider([Says("x")]) as provider:
        address = provider.url
    with pytest.raises(errors.ModelUnavailable, match=f"nothing answers at {address}"):
        LiteLLMModel("openai/any", api_base=address, api_key="x").reply(ASK)


def test_a_rate_limit_carries_how_long_to_wait():
    assert error_of(Fails(429, retry_after_seconds=2.5), errors.RateLimited).retry_after_seconds == 2.5
    assert error_of(Fails(429), errors.RateLimited).retry_after_seconds is None


@pytest.mark.parametrize("status", [500, 502, 503, 529])
def test_an_error_on_the_providers_side_is_the_providers(status):
    error_of(Fails(status), errors.ModelUnavailable)


@pytest.mark.parametrize(
    "answer",
    [
        Fails(400, "x", code="context_length_exceeded"),
        Fails(400, "This model's maximum context length is 10 tokens"),
        Fails(413),
    ],
)
def test_messages_that_do_not_fit_are_told_apart(answer):
    error_of(answer, errors.ContextTooLong)


def test_a_request_the_provider_refuses_quotes_its_reason():
    assert "temperature too hot" in str(error_of(Fails(400, "temperature too hot")))
    assert "content policy" in str(error_of(Fails(400, "no", code="content_policy_violation")))
    assert "HTTP 402" in str(error_of(Fails(402, "pay first")))


def test_a_connection_that_breaks_off_in_a_reply_is_an_error_and_no_short_reply():
    error_of(Breaks("hel"), errors.ModelUnavailable)


@pytest.mark.parametrize("body", ["{oops", "", "<html>", '{"a": 1}'])
@pytest.mark.parametrize("content_type", ["application/json", "text/event-stream"])
def test_a_body_that_is_no_reply_is_an_error(body, content_type):
    error_of(Sends(body, content_type), errors.ModelUnavailable)


def test_a_broken_event_in_the_stream_is_an_error():
    error_of(Sends("data: {oops\n\n", "text/event-stream"), errors.ModelUnavailable)


def test_a_provider_that_is_silent_for_too_long_is_given_up():
    error_of(Hangs(), errors.ModelUnavailable, first_byte_seconds=0.2)


# ------------------------------------------------------------------------------------------ another protocol
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


# -------------------------------------------------------------------------------------------- stop and retry
@pytest.mark.parametrize("answer", [Hangs(), Hangs("hello")])
def test_a_stopped_run_hangs_up(answer):
    stop = Stop()
    with FakeProvider([answer]) as provider:
        threading.Thread(target=lambda: (provider.asked.wait(10), stop.set())).start()
        with pytest.raises(Stopped):
            model_at(provider).reply(ASK, stop=stop)
        assert provider.gone.wait(10)


def test_a_run_whose_time_is_spent_hangs_up():
    with FakeProvider([Hangs("hello")]) as provider:
        with pytest.raises(Stopped):
            model_at(provider).reply(ASK, stop=Stop(wall_seconds=0.3))
        assert provider.gone.wait(10)


def test_a_rate_limit_and_a_server_in_trouble_are_waited_out():
    waits = []
    with FakeProvider([Fails(429, retry_after_seconds=0), Breaks("x"), Says("at last")]) as provider:
        reply = ask(model_at(provider), ASK, stop=Stop(), on_wait=lambda seconds, why: waits.append(why))
    assert reply.text == "at last"
    assert len(waits) == 2


def test_a_wait_longer_than_the_time_left_is_not_begun():
    with FakeProvider([Fails(429, retry_after_seconds=3600)]) as provider, pytest.raises(errors.RateLimited):
        ask(model_at(provider), ASK, stop=Stop(wall_seconds=5))
    assert len(provider.requests) == 1


def test_what_cannot_get_better_is_not_asked_again():
    with FakeProvider([Fails(401)]) as provider, pytest.raises(errors.NotAuthorised):
        ask(model_at(provider), ASK, stop=Stop())
    assert len(provider.requests) == 1


def test_of_several_models_the_next_is_asked_where_one_cannot_answer():
    with FakeProvider([Fails(500)]) as down, FakeProvider([Says("second")]) as up:
        model = open_model([model_at(down), model_at(up)])
        assert ask(model, ASK, stop=Stop()).text == "second"
    assert len(down.requests) == 1


# --------------------------------------------------------------------------------------- script and recording
def test_a_script_gives_its_lines_in_order_and_says_when_it_is_over():
    model = ScriptedModel(["one", Reply("two", prompt_tokens=5), errors.RateLimited("wait")])
    assert [model.reply(ASK).text, model.reply(ASK).prompt_tokens] == ["one", 5]
    with pytest.raises(errors.RateLimited):
        model.reply(ASK)
    with pytest.raises(errors.ModelError, match="3 replies and was asked for one more"):
        model.reply(ASK)
    assert model.seen[0] == tuple(ASK)


def test_a_script_may_be_a_function_of_the_messages():
    assert ScriptedModel(lambda messages: messages[-1]["content"].upper()).reply(ASK).text == "HI"


def test_a_recording_answers_as_it_was_recorded_and_says_how_its_replies_came_about(tmp_path):
    with Journal.create(tmp_path / "run.jsonl", replies="written by hand") as journal:
        journal.append("reply", text="one", prompt_tokens=3)
        journal.append("step", index=1)
        journal.append("reply", text="", calls=["print(2)"])
    model = ReplayModel(tmp_path / "run.jsonl")
    assert model.provenance == "written by hand"
    assert [model.reply(ASK).prompt_tokens, model.reply(ASK).calls] == [3, ("print(2)",)]
    with pytest.raises(errors.JournalError, match="2 replies and was asked for one more"):
        model.reply(ASK)


def test_a_recording_that_does_not_say_where_its_replies_are_from_is_refused(tmp_path):
    Journal.create(tmp_path / "run.jsonl", task="x").close()
    with pytest.raises(errors.JournalError, match="how its replies came about"):
        ReplayModel(tmp_path / "run.jsonl")


def test_a_model_may_be_a_name_a_model_a_function_or_a_recording(tmp_path):
    Journal.create(tmp_path / "run.jsonl", replies="by hand").close()
    scripted = ScriptedModel(["x"])
    assert open_model(scripted) is scripted
    assert open_model("openai/x").name == "openai/x"
    assert open_model(lambda messages: "yes").reply(ASK).text == "yes"
    assert open_model(f"recorded:{tmp_path}/run.jsonl").name == "recorded:run.jsonl"
    with pytest.raises(errors.UsageError, match="a name, a model"):
        open_model(42)
