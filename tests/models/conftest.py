"""No key of the machine the tests run on."""

import pytest


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_BASE", "OPENAI_BASE_URL", "CODEACT_MODEL"):
        monkeypatch.delenv(name, raising=False)
