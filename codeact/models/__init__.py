"""Models: what the agent asks. Any provider through litellm, a script, or a recording."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from codeact.errors import NoModel, UsageError
from codeact.models.fakes import ReplayModel, ScriptedModel
from codeact.models.fallback import FallbackModel
from codeact.models.protocol import Model, OnToken, Stop, Stopped
from codeact.models.retrying import ask
from codeact.records import Message, Reply

__all__ = [
    "AnyModel",
    "FallbackModel",
    "Message",
    "Model",
    "OnToken",
    "ReplayModel",
    "Reply",
    "ScriptedModel",
    "Stop",
    "Stopped",
    "ask",
    "open_model",
]

RECORDED = "recorded:"

AnyModel = Model | str | Callable[[Sequence[Message]], Any]


def open_model(model: AnyModel | Sequence[AnyModel] | None, **settings: Any) -> Model:
    """Give the model meant: a name as litellm knows it, `recorded:FILE`, a model, a function, or CODEACT_MODEL's.

    Of several in a list, the next is asked where one cannot answer.
    """
    if model is None:
        model = os.environ.get("CODEACT_MODEL", "").strip() or None
    if model is None or (isinstance(model, str) and not model.strip()):
        raise NoModel(
            "no model was named: pass Agent(model='provider/name') or --model provider/name, or export CODEACT_MODEL=…"
        )
    if isinstance(model, list | tuple):
        if not model:
            raise NoModel("Agent(model=[]): a list of models names at least one")
        return FallbackModel([open_model(one, **settings) for one in model])
    if isinstance(model, str):
        if model.startswith(RECORDED):
            path = model.removeprefix(RECORDED)
            if not os.path.lexists(path):
                raise UsageError(f"{model}: there is no such recording")
            return ReplayModel(path)
        from codeact.models.provider import LiteLLMModel

        return LiteLLMModel(model, **settings)
    if isinstance(model, Model):
        return model
    if callable(model):
        return ScriptedModel(model, name=getattr(model, "__name__", "function"))
    ways = "a name, a function of the messages, or an object with a `name` and reply(messages, *, on_token, stop)"
    raise UsageError(f"Agent(model={model!r:.80}): {ways} is needed")
