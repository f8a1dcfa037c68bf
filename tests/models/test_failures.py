"""What goes wrong with a provider is told apart by its type."""

import datetime
import email.utils

import pytest

from codeact import errors
from codeact.models import Stop, ask, open_model
from codeact.models.provider import LiteLLMModel
from codeact.testing import Breaks, Fails, FakeProvider, Hangs, Says, Sends
from tests.models.parts import ASK, error_of, model_at


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


@pytest.mark.parametrize("key", ["sk-x\n", "sk-ü"])
def test_a_key_that_cannot_be_sent_is_named_and_the_server_not_blamed(monkeypatch, key):
    assert "the key given as api_key cannot be one" in str(error_of(Says("x"), errors.NotAuthorised, api_key=key))
    monkeypatch.setenv("OPENAI_API_KEY", key)
    assert "the key in OPENAI_API_KEY cannot" in str(error_of(Says("x"), errors.NotAuthorised, api_key=None))


@pytest.mark.parametrize(
    "address", ["localhost:8000/v1", "no-address", "ftp://x/v1", "http://x:99999/v1", "http://[::1"]
)
def test_what_is_no_address_is_named_and_not_asked_again(address):
    told = error_of(Says("x"), errors.ModelError, api_base=address)
    assert f"{address!r} is no address of a model: write it with its http://" in str(told)


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


@pytest.mark.parametrize("variable", ["OPENAI_API_BASE", "OPENAI_BASE_URL"])
def test_an_address_from_the_environment_is_named_as_well(monkeypatch, variable):
    with FakeProvider([Fails(404)]) as provider:
        address = provider.url
        monkeypatch.setenv(variable, address)
        with pytest.raises(errors.UnknownModel, match=f"the provider at {address} has no model"):
            LiteLLMModel("openai/any", api_key="x").reply(ASK)


def test_a_rate_limit_carries_how_long_to_wait():
    assert error_of(Fails(429, retry_after_seconds=2.5), errors.RateLimited).retry_after_seconds == 2.5
    assert error_of(Fails(429), errors.RateLimited).retry_after_seconds is None


@pytest.mark.parametrize("answer", [Fails(429, "exceeded", code="insufficient_quota"), Fails(402, "pay first")])
def test_an_account_without_credit_is_said_to_be_that_and_not_asked_again(answer):
    told = str(error_of(answer, errors.NotAuthorised))
    assert "the account behind the key given as api_key has no credit left" in told
    assert answer.message in told
    with FakeProvider([answer]) as provider:
        with pytest.raises(errors.NotAuthorised):
            ask(model_at(provider), ASK, stop=Stop())
        assert len(provider.requests) == 1


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
    assert "content policy" in str(error_of(Fails(400, "no", code="content_policy_violation"), errors.ModelRefused))


def test_a_connection_that_breaks_off_in_a_reply_is_an_error_and_no_short_reply():
    for cut in (Breaks("hel"), Breaks("")):
        assert "broke off before its reply was whole" in str(error_of(cut, errors.ModelUnavailable))
    begun = 'data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"hel"}}]}\n\n'
    told = error_of(Sends(begun, "text/event-stream"), errors.ModelUnavailable)
    assert "broke off before its reply was whole" in str(told)


def test_a_server_that_ends_its_reply_with_an_error_is_quoted():
    event = (
        'data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a word "}}]}\n\n'
    )
    ended = event + 'data: {"error": {"message": "out of memory"}}\n\n'
    told = error_of(Sends(ended, "text/event-stream"), errors.ModelUnavailable)
    assert "ended before it was whole (out of memory): try again" in str(told)
    told = error_of(Sends(event * 200, "text/event-stream"), errors.ModelUnavailable)
    assert "the model is repeating the same chunk = a word" in str(told).lower()


@pytest.mark.parametrize("body", ["{oops", "", "<html>", '{"a": 1}'])
@pytest.mark.parametrize("content_type", ["application/json", "text/event-stream"])
def test_a_body_that_is_no_reply_is_an_error(body, content_type):
    error_of(Sends(body, content_type), errors.ModelUnavailable)


def test_an_address_where_something_else_answers_is_named_as_what_may_be_wrong():
    with FakeProvider([Sends("<html>", "text/html")]) as provider, pytest.raises(errors.ModelUnavailable) as told:
        model_at(provider).reply(ASK)
    assert f"what answers at {provider.url} is no reply of a model: is the address right" in str(told.value)


def test_a_broken_event_in_the_stream_is_an_error():
    error_of(Sends("data: {oops\n\n", "text/event-stream"), errors.ModelUnavailable)


def test_a_provider_that_is_silent_for_too_long_is_given_up():
    error_of(Hangs(), errors.ModelUnavailable, first_byte_seconds=0.2)


def test_a_rate_limit_may_name_the_time_as_a_date():
    then = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=90)
    date = email.utils.format_datetime(then, usegmt=True)
    assert 60 < error_of(Fails(429, retry_after_date=date), errors.RateLimited).retry_after_seconds <= 90
    assert (
        error_of(Fails(429, retry_after_date="Tue, 01 Jan 2019 00:00:00 GMT"), errors.RateLimited).retry_after_seconds
        == 0
    )
    assert error_of(Fails(429, retry_after_date="soon"), errors.RateLimited).retry_after_seconds is None


@pytest.mark.parametrize("name", ["openai/any", "anthropic/any"])
def test_a_refusal_is_no_reply_and_is_not_asked_for_again(name):
    with FakeProvider([Says("I am afr", finish="content_filter")]) as provider:
        model = model_at(
            provider, name, api_base=provider.url.removesuffix("/v1") if "anthropic" in name else provider.url
        )
        with pytest.raises(errors.ModelRefused, match="refuses to answer"):
            ask(model, ASK, stop=Stop())
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
    ],
)
def test_messages_that_do_not_fit_are_told_apart_in_the_words_of_several_servers(said):
    error_of(Fails(400, said), errors.ContextTooLong)
