"""Modules that sessions could not read are imported ahead of time, and no others: it takes a moment."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from codeact.worker.ahead import are_hidden


@pytest.mark.parametrize(("mode", "hidden"), [(0o755, False), (0o711, False), (0o750, True), (0o700, True)])
def test_modules_are_hidden_below_a_folder_that_others_may_not_enter(
    mode: int, hidden: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        below = Path(place, "lib")
        below.mkdir(0o755)
        Path(place).chmod(mode)
        monkeypatch.setattr(sys, "path", ["", "/nonexistent", "/archive.zip", str(below)])

        assert are_hidden() is hidden
