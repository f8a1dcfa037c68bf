"""The ready-made tools, loaded from their files as a user's tools are, and a folder for them to work in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeact.loading import load_tools

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture(scope="session")
def tool() -> Callable[[str], Any]:
    """A tool by its name."""
    found = {function.__name__: function for function in load_tools([TOOLS])}
    return found.__getitem__


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder the tools may reach, beside one they may not."""
    reachable = tmp_path / "reachable"
    reachable.mkdir()
    (tmp_path / "secret.txt").write_text("a secret")
    monkeypatch.setenv("TOOLS_FOLDER", str(reachable))
    return reachable
