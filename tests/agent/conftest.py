"""Agents that record into a folder of the test."""

import pytest

from codeact.agent import Agent
from codeact.testing import ScriptedModel
from tests.agent.parts import World


@pytest.fixture
def runs(tmp_path):
    return tmp_path / "runs"


@pytest.fixture
def make(runs):
    def make(replies, **options):
        model = replies if hasattr(replies, "reply") else ScriptedModel(replies)
        return Agent(model, **{"runs": runs, **options})

    return make


@pytest.fixture
def world():
    return World()
