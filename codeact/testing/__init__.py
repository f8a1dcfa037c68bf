"""What tests need: models that follow a script or a recording, and a provider on the loopback."""

from __future__ import annotations

from codeact.models import ReplayModel, ScriptedModel
from codeact.testing.provider import Breaks, Fails, FakeProvider, Hangs, Says, Sends

__all__ = ["Breaks", "Fails", "FakeProvider", "Hangs", "ReplayModel", "Says", "ScriptedModel", "Sends"]
