"""Walls whose trial would not notice a gap are no walls; no session is needed for it."""

from __future__ import annotations

import os

import pytest

from codeact.errors import CageError
from codeact.worker import cage, rlimits


@pytest.mark.parametrize("how", [os.O_RDONLY, os.O_PATH])
def test_a_descriptor_left_open_is_noticed_whatever_it_is_good_for(how, monkeypatch):
    monkeypatch.setattr(os, "closerange", lambda first, end: None)
    left = os.open("/", how)
    monkeypatch.setattr(rlimits, "OPEN_FILES", left + 1)  # this process may have more open than a session may
    try:
        with pytest.raises(CageError, match=rf"descriptors \[.*\b{left}\b.*\] are open"):
            cage._descriptors()
    finally:
        os.close(left)
