"""Several models in order: the next one is asked where one cannot answer."""

from __future__ import annotations

from collections.abc import Sequence

from codeact.errors import ModelUnavailable, NotAuthorised, RateLimited, UnknownModel
from codeact.models.protocol import Model, OnToken, Stop
from codeact.records import Message, Reply

FALLS_BACK = ", else "  # between the names of the models, in recordings too


class FallbackModel:
    """Asks the first model; where that is down, limited, unknown or without a key, the next."""

    def __init__(self, models: Sequence[Model]) -> None:
        self._models = tuple(models)
        self.name = FALLS_BACK.join(model.name for model in self._models)

    @property
    def settings(self) -> dict[str, object]:
        """The settings of all; recordings look here for secrets to leave out."""
        held = [getattr(model, "settings", {}) for model in self._models]
        return {f"{index}.{name}": value for index, part in enumerate(held) for name, value in part.items()}

    def prepare(self) -> None:
        """Prepare the first."""
        if callable(prepare := getattr(self._models[0], "prepare", None)):
            prepare()

    def go_on_after(self, given: Sequence[Reply]) -> None:
        """Tell the recordings among them which replies a run has had."""
        for model in self._models:
            if callable(go_on_after := getattr(model, "go_on_after", None)):
                go_on_after(given)

    def reply(self, messages: Sequence[Message], *, on_token: OnToken | None = None, stop: Stop | None = None) -> Reply:
        """Give the first reply there is; the last model's error where there is none."""
        for model in self._models[:-1]:
            try:
                return model.reply(messages, on_token=on_token, stop=stop)
            except (ModelUnavailable, RateLimited, NotAuthorised, UnknownModel):
                continue
        return self._models[-1].reply(messages, on_token=on_token, stop=stop)
