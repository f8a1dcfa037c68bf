"""What the tests of models share: a question, and a model at a provider on the loopback."""

import pytest

from codeact import errors
from codeact.models.provider import LiteLLMModel
from codeact.records import Image, Message
from codeact.testing import FakeProvider

ASK = [Message("system", "Be brief."), Message("user", "hi")]


PIXEL = Image("dot.png", "image/png", b"\x89PNG")


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
