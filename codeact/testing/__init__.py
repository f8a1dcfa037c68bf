"""What tests need: models that follow a script or a recording, a provider on the loopback, raw sessions."""

from __future__ import annotations

from pathlib import Path

from codeact.models import ReplayModel, ScriptedModel
from codeact.testing.provider import Breaks, Fails, FakeProvider, Hangs, Says, Sends
from codeact.testing.raw import raw_session

__all__ = [
    "Breaks",
    "Fails",
    "FakeProvider",
    "Hangs",
    "ReplayModel",
    "Says",
    "ScriptedModel",
    "Sends",
    "raw_session",
    "replays",
]


def replays(path: str | Path) -> bool:
    """Run a recording again and say True; `Diverged` names the first difference. One line makes a test of a run."""
    from codeact.agent import replay

    replay(path)
    return True
