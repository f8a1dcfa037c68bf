"""What tests that count processes or descriptors ask for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeact.sandbox import launch
from tests.sandbox.conftest import end_forgotten, keep_none_ready


@pytest.fixture
def nothing_in_reserve() -> Iterator[None]:
    """No session is there, or being made, but those a test asks for."""
    end_forgotten()
    keep_none_ready()
    yield
    launch.keep_ready(launch.KEPT_READY)
